//! The ground at points and on grids.

use alloc::vec::Vec;

use crate::Recipe;
use crate::cover::CoverLayer;
use crate::derivative::bounds::Bounds;
use crate::derivative::sample::Sample;
use crate::drainage::ground::blocks::Blocks;
use crate::drainage::ground::survey::{Neighbourhood, Survey};
use crate::drainage::ground::valley::{Contributions, Sample64};
use crate::drainage::network::Network;
use crate::drainage::network::node::Catchment;
use crate::drainage::tests::{continents, drainage, regions, relief, with_catchment};
use crate::drainage::{Drainage, RiverGround};
use crate::field::Field;
use crate::fractal::Fractal;
use crate::node::Node;
use crate::noise::GradientNoise;
use crate::region::Region;
use crate::samples::Samples;
use crate::samples::positions::Grid;
use crate::scatter::ScatterKind;
use crate::simd::levels;
use crate::tests::random::{Random, cases};

/// The ground at a point, and the part of detail that is left.
fn at(blocks: &Blocks, p: [f64; 2], catchment: &Catchment) -> (Sample64<f64>, Sample64<f64>) {
    let at = |survey: &Survey, around: &Neighbourhood| {
        survey.ground(around, p, &mut Contributions::default())
    };
    blocks.at(p, catchment, at).expect("land")
}

/// Far fewer reaches, and all of them.
#[test]
fn the_ground_is_the_smooth_minimum_of_all_valleys() {
    let network = Network::new(&drainage(4), 4);
    let blocks = Blocks::new(network.clone());
    let mut random = Random::new(4);
    with_catchment(4, |catchment| {
        for region in regions(&mut random, 900.0) {
            let survey = Survey::new(&network, region, None, catchment);
            let ground = (0..survey.reaches.len() as u32).collect();
            let wet = survey.reaches.iter().zip(0..).filter(|(reach, _)| reach.half_width > 0.0);
            let wet = wet.map(|(_, i)| i).collect();
            let all = Neighbourhood { ground, wet, ends: false };
            for _ in 0..200 {
                let p = [0, 1].map(|k| random.within(region.min[k], region.max[k]));
                let (ground, left) = at(&blocks, p, catchment);
                let (whole, all_left) = survey.ground(&all, p, &mut Contributions::default());
                assert_eq!(left.value.to_bits(), all_left.value.to_bits());
                assert_eq!(ground.value.to_bits(), whole.value.to_bits());
                assert_eq!(ground.gradient.map(f64::to_bits), whole.gradient.map(f64::to_bits));
            }
        }
    });
}

#[test]
fn gradients_are_difference_quotients() {
    let network = Network::new(&drainage(6), 6);
    let blocks = Blocks::new(network.clone());
    let mut random = Random::new(6);
    with_catchment(6, |catchment| {
        let ground = |p| {
            let (ground, left) = at(&blocks, p, catchment);
            [ground, left]
        };
        let (mut errors, mut faded) = ([Vec::new(), Vec::new()], 0);
        let points = cases(3000);
        for _ in 0..points {
            let p = [0; 2].map(|_| random.within(-3e4, 3e4));
            let step = 1e-4;
            for k in 0..2 {
                let at = |by: f64| {
                    let mut q = p;
                    q[k] += by;
                    ground(q).map(|slope| slope.value)
                };
                let ([after, before], own) = ([step, -step].map(at), ground(p));
                for i in 0..2 {
                    let quotient = (after[i] - before[i]) / (2.0 * step);
                    errors[i].push((quotient - own[i].gradient[k]).abs());
                }
                faded += i32::from(own[1].value > 0.0 && own[1].value < 1.0);
            }
        }
        assert!(faded > points as i32 / 30, "{faded}");
        // In the narrow parts between valleys, the slope changes within centimetres.
        for mut errors in errors {
            errors.sort_by(f64::total_cmp);
            let [most, worst] = [errors.len() * 99 / 100, errors.len() - 1].map(|i| errors[i]);
            assert!(most < 1e-5 && worst < 0.05, "{most} {worst}");
        }
    });
}

#[test]
fn points_and_grids_of_all_levels_have_the_same_bits() {
    let mut random = Random::new(7);
    let field = RiverGround::new(continents(7), &drainage(7)).unwrap().with_sea(0.0);
    for (name, level) in levels() {
        // Near and far from each other, in blocks that are kept and in wide grids that are not.
        let places = [(1e4, 0.3, 23), (1e5, 5.5, 230), (1e5, 7.0, 23), (1e12, 40.0, 23)];
        for (far, spacing, rows) in places.into_iter().chain([(1e6, -900.0, 23)]) {
            let origin = [0; 2].map(|_| random.within(-far, far));
            let grid = Grid::new(origin, spacing, [1 + random.below(39), rows]);
            let mut samples = Samples::new().with_level(level);
            // A field without anything kept: another order.
            let other = RiverGround::new(continents(7), &drainage(7)).unwrap().with_sea(0.0);
            other.sample_grid(&grid, &mut samples);
            let mut values = vec![0.0; grid.len()];
            field.value_grid(&grid, &mut values);
            for ((p, sample), value) in grid.points().zip(samples.iter()).zip(values) {
                let own = field.sample(p);
                assert!(own.value.is_finite(), "{name} {p:?}");
                assert_eq!(own.value.to_bits(), sample.value.to_bits(), "{name} {p:?}");
                assert_eq!(own.value.to_bits(), value.to_bits(), "{name} {p:?}");
                assert_eq!(own.gradient.map(f32::to_bits), sample.gradient.map(f32::to_bits));
            }
        }
    }
}

/// With detail that fades out at rivers, and slopes of some levels of rivers, which may be all.
#[test]
fn points_and_band_limited_grids_have_the_same_bits() {
    let mut random = Random::new(31);
    let field = field(31);
    for (wavelength, spacing) in [(30.0, 4.0), (30.0, 60.0), (60.0, 120.0), (130.0, 900.0)] {
        let limited = field.band_limited(wavelength).unwrap();
        for far in [2e4, 1e9] {
            let origin = [0; 2].map(|_| random.within(-far, far));
            let grid = Grid::new(origin, spacing, [17, 13]);
            let mut samples = Samples::new();
            limited.sample_grid(&grid, &mut samples);
            for (p, sample) in grid.points().zip(samples.iter()) {
                let own = limited.sample(p);
                assert_eq!(own.value.to_bits(), sample.value.to_bits(), "{p:?} {spacing}");
                assert_eq!(own.gradient.map(f32::to_bits), sample.gradient.map(f32::to_bits));
                assert_eq!(own.value.to_bits(), field.value(p).to_bits());
            }
        }
    }
}

#[test]
fn distances_of_banks_are_those_of_points() {
    let field = RiverGround::new(continents(12), &drainage(12)).unwrap();
    // Wide grids are surveyed at once; others use blocks that are kept.
    for spacing in [23.0, 7.0] {
        let grid = Grid::new([31e3, -8e3], spacing, [150, 170]);
        let mut found = vec![f64::INFINITY; grid.len()];
        field.bank_distances(&grid, f64::INFINITY, |i, distance| found[i] = distance);
        let mut near = vec![f64::INFINITY; grid.len()];
        field.bank_distances(&grid, 25.0, |i, distance| near[i] = distance);
        for ((p, found), near) in grid.points().zip(&found).zip(&near) {
            assert_eq!(field.bank_distance(p).to_bits(), found.to_bits());
            let expected = if *found <= 25.0 { *found } else { f64::INFINITY };
            assert_eq!(expected, *near);
        }
        let count = near.iter().filter(|distance| distance.is_finite()).count();
        assert!(count > 100 && count < grid.len(), "{count}");
    }
}

#[test]
fn distances_of_banks_are_those_of_all_rivers_around() {
    let field = RiverGround::new(continents(14), &drainage(14)).unwrap();
    let (range, mut random, mut far) = (field.bank_range(), Random::new(14), 0);
    for home in [0.0, 1e6] {
        for _ in 0..100 {
            let p = [0; 2].map(|_| home + random.within(-2e4, 2e4));
            // Reaches are at most as long as the rivers are apart.
            let by = 3.0 * range;
            let parts = field.reaches(Region::around(p, [by; 2])).unwrap();
            let distances = parts.iter().filter(|part| part.width != [0.0; 2]).map(|part| {
                let [start, end] = part.ends;
                let along = [0, 1].map(|k| end[k] - start[k]);
                let square = along[0] * along[0] + along[1] * along[1];
                let to = [0, 1].map(|k| p[k] - start[k]);
                let t = (to[0] * along[0] + to[1] * along[1]) / square;
                let t = t.clamp(0.0, 1.0);
                let off = [0, 1].map(|k| to[k] - t * along[k]);
                off[0].hypot(off[1]) - 0.25 * (part.width[0] + part.width[1])
            });
            let nearest = distances.fold(f64::INFINITY, f64::min);
            let found = field.bank_distance(p);
            if nearest <= range {
                assert!((found - nearest).abs() < 1e-6, "{found} {nearest} {p:?}");
            } else {
                assert_eq!(found, f64::INFINITY);
            }
            far += usize::from(found > 0.4 * range && found <= range);
        }
    }
    assert!(far > 20, "{far}");
}

/// A ramp that ends 10 km from the origin along x, with a hole.
struct Ramp;

impl Field<2> for Ramp {
    fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
        let is_in = x.abs() <= 10e3 && (x + 2e3).hypot(z - 3e3) > 1500.0;
        let value = if is_in { 100.0 + 0.01 * x } else { f64::NAN };
        Sample { value: value as f32, gradient: [0.01, 0.0] }
    }

    fn bounds(&self) -> Bounds {
        Bounds { min: 0.0, max: 200.0, lipschitz: 0.01, curvature: 0.0 }
    }
}

#[test]
fn there_is_no_ground_where_the_field_has_ended() {
    let seeds = 0..3;
    for seed in seeds {
        let drainage = Drainage { spacing: 4000.0, levels: 3.0, ..drainage(seed) };
        let field = RiverGround::new(Ramp, &drainage).unwrap();
        let bounds = field.bounds();
        // Wide grids are surveyed at once; others use blocks that are kept.
        for spacing in [370.0, 41.0] {
            let grid = Grid::new([-12e3, -2e3], spacing, [(24e3 / spacing) as usize, 17]);
            let mut samples = Samples::new();
            field.sample_grid(&grid, &mut samples);
            let mut banks = vec![f64::INFINITY; grid.len()];
            field.bank_distances(&grid, f64::INFINITY, |i, distance| banks[i] = distance);
            for (i, (p, sample)) in grid.points().zip(samples.iter()).enumerate() {
                let own = field.sample(p);
                assert_eq!(own.value.to_bits(), sample.value.to_bits(), "{p:?}");
                assert_eq!(field.bank_distance(p).to_bits(), banks[i].to_bits());
                if Ramp.value(p).is_nan() {
                    assert!(own.value.is_nan() && own.gradient.iter().all(|slope| slope.is_nan()));
                    assert!(field.water(p).is_none() && banks[i] == f64::INFINITY);
                    assert_eq!(field.local_bounds(p, 1.0), Bounds::UNKNOWN);
                } else {
                    let is_in = (bounds.min..=bounds.max).contains(&f64::from(own.value));
                    assert!(is_in, "{} {p:?}", own.value);
                }
            }
        }
        let parts = field.reaches(Region { min: [-14e3, -2e3], max: [14e3, 6e3] }).unwrap();
        assert!(parts.len() > 1000 && parts.iter().all(|part| !Ramp.value(part.ends[0]).is_nan()));
        // Nothing at all.
        assert!(field.value([80e3, 0.0]).is_nan());
    }
}

#[test]
fn sparse_ground_leaves_out_the_rivers_between_its_points() {
    let field = RiverGround::new(continents(13), &drainage(13)).unwrap().with_sea(0.0);
    let finest = field.rivers.network.shape.spacing;
    for spacing in [-1.0, 0.0, finest, f64::NAN] {
        assert!(field.sparse(spacing).is_none(), "{spacing}");
    }
    for (spacing, rivers) in [(1.01 * finest, true), (1e9, false)] {
        let sparse = field.sparse(spacing).unwrap();
        let smooth = field.smoothed(spacing).unwrap();
        let mut random = Random::new(13);
        let mut drained = 0;
        for _ in 0..200 {
            let p = [0; 2].map(|_| random.within(-1e5, 1e5));
            assert_eq!(sparse.sample(p).value.to_bits(), smooth.sample(p).value.to_bits());
            let catchment = field.field.smoothed(spacing).unwrap().sample(p).value;
            drained += i32::from(sparse.sample(p).value != catchment);
        }
        assert_eq!(drained > 0, rivers, "{drained}");
    }
}

#[test]
fn bad_numbers_are_errors_and_bad_positions_have_no_ground() {
    let field = || continents(1);
    for (bad, name) in [
        (Drainage { spacing: f64::NAN, ..drainage(1) }, "spacing"),
        (Drainage { levels: 9.0, ..drainage(1) }, "levels"),
        (Drainage { levels: 0.0, ..drainage(1) }, "levels"),
        (Drainage { levels: 8.0, ..drainage(1) }, "the spacing of the finest rivers is 0.39"),
        (
            Drainage { spacing: 10.0, levels: 1.1, ..drainage(1) },
            "the spacing of the finest rivers is 2.5, but",
        ),
        (Drainage { steepness: f32::INFINITY, ..drainage(1) }, "steepness"),
        (Drainage { gain: 1.0, ..drainage(1) }, "gain"),
        (Drainage { floor: -1.0, ..drainage(1) }, "floor"),
    ] {
        let error = RiverGround::new(field(), &bad).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
    let field = RiverGround::new(field(), &drainage(1)).unwrap();
    for p in [[f64::NAN, 0.0], [0.0, f64::INFINITY], [1e300, 0.0]] {
        assert!(field.sample(p).value.is_nan());
    }
    let mut samples = Samples::new();
    field.sample_grid(&Grid::new([f64::MAX, 0.0], 1.0, [3, 2]), &mut samples);
    assert!(samples.iter().all(|sample| sample.value.is_nan()));
    field.sample_grid(&Grid::new([0.0; 2], 1.0, [0, 2]), &mut samples);
    assert_eq!(samples.iter().count(), 0);
}

/// Distances of up to 600 m are known for rivers that are 400 m apart.
#[test]
fn recipes_depend_on_no_distance_from_banks_that_is_not_known() {
    let noise = Fractal { frequency: 1e-4, ..Fractal::fbm(3.0, GradientNoise::seeded(1)) };
    let with = |farthest: f32, kind: ScatterKind| {
        let drainage = Drainage::default();
        let mut recipe = Recipe { rivers: Some(drainage), ..Recipe::new(1, 100.0, noise.clone()) };
        let bank = CoverLayer::BANK.below(farthest).soft(0.0);
        let layer = CoverLayer { bank, ..CoverLayer::default() };
        recipe.cover.layers.push(layer);
        recipe.scatter.kinds.push(kind);
        recipe.build().map(|_| ()).map_err(|error| error.to_string())
    };
    let kind = ScatterKind::default();
    assert_eq!(
        with(590.0, ScatterKind { bank: ScatterKind::BANK.above(600.0), ..kind.clone() }),
        Ok(())
    );
    for (farthest, kind, name) in [
        (601.0, kind.clone(), "cover[6].bank.max"),
        (
            9.0,
            ScatterKind { bank: ScatterKind::BANK.above(601.0), ..kind.clone() },
            "scatter.kinds[0].bank.min",
        ),
        (
            9.0,
            ScatterKind { bank: ScatterKind::BANK.below(601.0), ..kind.clone() },
            "scatter.kinds[0].bank.max",
        ),
    ] {
        let error = with(farthest, kind).unwrap_err();
        assert!(error.contains(name) && error.contains("only known up to 600 m"), "{error}");
    }
}

/// Ground with flat parts, lakes and detail.
fn field(seed: u64) -> RiverGround {
    let noise = GradientNoise::seeded(seed);
    let detail = Fractal { frequency: 0.02, amplitude: 4.0, ..Fractal::fbm(3.0, noise) };
    let drainage = Drainage {
        relief: Some(relief(seed)),
        detail: Some(Node::from(detail) - 2.0),
        lakes: 0.5,
        levels: 3.0,
        spacing: 4000.0,
        ..drainage(seed)
    };
    RiverGround::new(continents(seed), &drainage).unwrap().with_sea(0.0)
}

fn length([x, z]: [f32; 2]) -> f64 {
    f64::from(x).hypot(z.into())
}

#[test]
fn heights_and_slopes_in_discs_are_within_bounds() {
    let mut random = Random::new(21);
    // The tightness of slopes in small discs: the bound over the steepest sample.
    let (mut ratios, mut infinite) = (Vec::new(), 0);
    for (seed, far) in [(21, 0.0), (22, -3e5), (23, 1e9)] {
        let field = field(seed);
        let limited = field.band_limited(300.0).unwrap();
        for _ in 0..400 {
            let center = [0; 2].map(|_| far + random.within(-2e4, 2e4));
            let radius = random.magnitude(0.01, 600.0);
            let near = field.local_bounds(center, radius);
            let coarse = limited.local_bounds(center, radius);
            let Bounds { min, max, lipschitz, .. } = near;
            assert!(min.is_finite() && max.is_finite());
            let mut steepest = 0.0f64;
            for k in 0..40 {
                let (angle, part) = (random.within(0.0, 6.3), random.within(0.0, 1.0).sqrt());
                let off = if k == 0 { 0.0 } else { radius * part };
                let p = [center[0] + off * angle.cos(), center[1] + off * angle.sin()];
                let sample = field.sample(p);
                let value = f64::from(sample.value);
                assert!((min..=max).contains(&value), "{value} {near:?} {p:?} {radius}");
                steepest = steepest.max(length(sample.gradient));
                let slope = length(limited.sample(p).gradient);
                assert!(slope <= coarse.lipschitz + 1e-4, "{slope} {coarse:?} {p:?} {radius}");
            }
            let is_bounded = steepest <= lipschitz * (1.0 + 1e-5) + 1e-4;
            assert!(is_bounded, "{steepest} {near:?} {center:?} {radius}");
            if radius < 10.0 {
                infinite += usize::from(lipschitz.is_infinite());
                ratios.push(lipschitz / steepest.max(0.1));
            }
        }
    }
    ratios.sort_by(f64::total_cmp);
    let [median, most] = [50, 95].map(|part| ratios[ratios.len() * part / 100]);
    println!("slopes in discs below 10 m: {median:.2} times the steepest sample, 95 % {most:.2}");
    assert!(infinite == 0 && median < 4.0 && most < 40.0, "{infinite} {median} {most}");
}
