//! Queries of the ground and of what stands on it.

use crate::cover::CoverPoint;
use crate::ray::{Cast, Ray, raycast};
use crate::scatter::{Instance, InstanceId, Placement, ScatterKind};
use crate::tests::matrix::World;
use crate::tests::random::Random;
use crate::{Bounds, Field, Grid, Jets, Region, Samples};

/// The number of points, and how far they are from the middle in metres.
const POINTS: usize = 8;
const REACH: f64 = 80.0;

pub fn check_fields(world: &World, r: &mut Random) {
    bounds(world);
    for i in 0..POINTS {
        let [x, z] = r.point(if i == 0 { 0.0 } else { REACH });
        let p = [world.at[0] + x, world.at[1] + z];
        point(world, p);
        local_bounds(world, p, r);
    }
    grids(world);
    for _ in 0..3 {
        ray(world, r);
    }
}

/// The lengths by which samples may exceed bounds: they are rounded.
fn slack(bounds: Bounds) -> f64 {
    1e-5 * bounds.max_abs() + 1e-6
}

/// Edits leave finite what is finite.
fn bounds(World { landscape, edited, .. }: &World) {
    let [base, bounds] = [landscape.bounds(), edited.bounds()];
    assert!(base.min.is_finite() && base.max.is_finite(), "{base:?}");
    assert!(bounds.min.is_finite() && bounds.max.is_finite(), "{bounds:?}");
    assert!(bounds.min <= bounds.max, "{bounds:?}");
    if base.lipschitz < f64::INFINITY {
        assert!(bounds.lipschitz < f64::INFINITY, "{bounds:?} of {base:?}");
    }
    for spacing in [0.5, 16.0] {
        let error = edited.interpolation_error(spacing);
        assert!((0.0..f64::INFINITY).contains(&error), "an error of {error} at {spacing} m");
    }
}

fn point(World { recipe, landscape, edited, .. }: &World, p: [f64; 2]) {
    let sample = edited.sample(p);
    let jet = edited.jet(p);
    assert_eq!(sample.value.to_bits(), edited.value(p).to_bits(), "the value at {p:?}");
    assert_eq!(format!("{sample:?}"), format!("{:?}", jet.sample), "the jet at {p:?}");
    let water = landscape.water(p);
    if let Some(water) = water {
        let ground = f64::from(landscape.value(p));
        let of = [water.surface, water.depth, water.discharge, water.flow[0], water.flow[1]];
        assert!(of.iter().all(|x| x.is_finite()) && water.depth > 0.0, "{water:?}");
        let error = (water.surface - water.depth - ground).abs();
        assert!(error < 1e-3 + 1e-6 * ground.abs(), "{water:?} over {ground} m");
    }
    if sample.value.is_nan() {
        return assert!(edited.edits().has_hole(p), "no ground at {p:?}");
    }
    let [x, z] = sample.gradient.map(f64::from);
    assert!([f64::from(sample.value), x, z].iter().all(|x| x.is_finite()), "{sample:?} at {p:?}");
    assert!(jet.hessian.as_flattened().iter().all(|h| h.is_finite()), "{jet:?} at {p:?}");
    let bounds = edited.bounds();
    let value = f64::from(sample.value);
    let range = bounds.min - slack(bounds)..=bounds.max + slack(bounds);
    assert!(range.contains(&value), "{sample:?} at {p:?}, beyond {bounds:?}");
    let slope = (x * x + z * z).sqrt();
    assert!(slope <= bounds.lipschitz * 1.001 + 1e-4, "{sample:?} at {p:?}, beyond {bounds:?}");

    let curvature = CoverPoint::curvature_of(edited, p, CoverPoint::SCALE);
    assert!(curvature.is_finite(), "a curvature of {curvature} at {p:?}");
    let (height, slope) = (sample.value, slope as f32);
    let climate = landscape.climate();
    let climate = climate.in_season(climate.at(p, &sample));
    let point = CoverPoint { height, slope, curvature, position: p, climate };
    let weights = recipe.cover.weights(&point);
    let sum: f32 = weights.iter().sum();
    assert!((sum - 1.0).abs() < 1e-4 && weights.iter().all(|w| (0.0..=1.0).contains(w)));
}

fn local_bounds(World { edited, .. }: &World, p: [f64; 2], r: &mut Random) {
    let [whole, value] = [edited.bounds(), Bounds::constant(edited.value(p).into())];
    if value.min.is_nan() {
        return;
    }
    for radius in [0.0, 2.0, 70.0] {
        let local = edited.local_bounds(p, radius);
        assert!(local.min.is_finite() && local.max.is_finite(), "{local:?} at {p:?}, {radius} m");
        let is_within =
            local.min >= whole.min - slack(whole) && local.max <= whole.max + slack(whole);
        assert!(is_within, "{local:?} in {whole:?} at {p:?}, {radius} m");
        for _ in 0..8 {
            // Within the disc.
            let [x, z] = r.point(0.7 * radius);
            let q = [p[0] + x, p[1] + z];
            let sample = edited.sample(q);
            let value = f64::from(sample.value);
            let range = local.min - slack(whole)..=local.max + slack(whole);
            assert!(value.is_nan() || range.contains(&value), "{value} at {q:?}, beyond {local:?}");
            let [x, z] = sample.gradient.map(f64::from);
            let slope = (x * x + z * z).sqrt();
            let is_steeper = slope > local.lipschitz * 1.001 + 1e-3;
            assert!(!is_steeper, "a slope of {slope} at {q:?}, beyond {local:?}");
        }
    }
}

/// Grids have the bits of points.
fn grids(World { edited, at, .. }: &World) {
    let grid = Grid::new(at.map(|x| x - 4.0), 1.5, [7, 5]);
    let (mut samples, mut jets) = (Samples::new(), Jets::new());
    edited.sample_grid(&grid, &mut samples);
    edited.jet_grid(&grid, &mut jets);
    let mut values = vec![0.0; grid.len()];
    edited.value_grid(&grid, &mut values);
    for (i, p) in grid.points().enumerate() {
        let sample = edited.sample(p);
        assert_eq!(format!("{:?}", samples.get(i)), format!("{sample:?}"), "{p:?}");
        assert_eq!(format!("{:?}", jets.get(i)), format!("{:?}", edited.jet(p)), "{p:?}");
        assert_eq!(values[i].to_bits(), sample.value.to_bits(), "{p:?}");
    }
}

fn ray(World { edited, at, .. }: &World, r: &mut Random) {
    const TOLERANCE: f64 = 0.05;
    let top = f64::from(edited.value(*at));
    let top = if top.is_nan() { 0.0 } else { top };
    let origin = [at[0], top + r.magnitude(1.0, 500.0), at[1]];
    let direction = [r.within(-1.0, 1.0), r.within(-1.0, 0.1), r.within(-1.0, 1.0)];
    let ray = Ray { origin, direction, max_distance: 2000.0 };
    match raycast(edited, &ray, TOLERANCE) {
        Ok(Cast::Hit(hit)) => {
            let [x, y, z] = hit.position;
            let ground = f64::from(edited.value([x, z]));
            let error = (y - ground).abs();
            // Beside a hole it hits the side.
            let hits_side = hit.ground.value.is_nan() || edited.edits().region().contains([x, z]);
            // As much as the ground rises between neighbouring positions.
            let [dx, dz] = hit.ground.gradient.map(f64::from);
            let rise = 4e-16 * (x.abs() + z.abs()) * (dx.abs() + dz.abs()).max(1e3);
            let limit = TOLERANCE + 1e-5 * ground.abs() + rise;
            assert!(error <= limit || hits_side || hit.distance == 0.0, "{hit:?} of {ray:?}");
        }
        Ok(_) => {}
        Err(error) => panic!("{error}: {ray:?}"),
    }
}

/// Half the width of the box in metres.
const HALF: f64 = 12.0;

pub fn check_plants(world: &World, r: &mut Random) {
    let World { edited, at, .. } = world;
    let placement = edited.placement();
    let [x, z] = r.point(60.0);
    let center = [at[0] + x, at[1] + z];
    let all = regions(placement, world, center);
    circles(placement, center, &all);
    densities(placement, center, &all);
    rays(placement, center, r);
    let climate = placement.climate(center);
    assert!(climate.temperature.is_finite() && (0.0..=1.0).contains(&climate.moisture));
}

fn sorted(mut list: Vec<Instance>) -> Vec<Instance> {
    list.sort_by_key(|instance| instance.id);
    list
}

fn regions(placement: &Placement, world: &World, center: [f64; 2]) -> Vec<Instance> {
    let region = Region::around(center, [HALF; 2]);
    let all = sorted(placement.in_region(region, |_| true).expect("a small region"));
    let mut few = Vec::new();
    let done = placement.each_in_region(region, 0.0..0.5, |_| true, |instance| few.push(instance));
    done.expect("a small region");
    let expected: Vec<_> = all.iter().filter(|it| it.rank < 0.5).copied().collect();
    assert_eq!(sorted(few), expected, "of low rank around {center:?}");
    for instance in &all {
        let p = instance.position;
        assert!(region.contains_below(p), "{instance:?} in {region:?}");
        let numbers = [instance.size, instance.turn, instance.tint, instance.rank];
        assert!(numbers.iter().all(|x| x.is_finite()) && instance.size > 0.0, "{instance:?}");
        if let InstanceId::Natural { .. } = instance.id {
            let (kind, height) = (placement.kind(instance.kind).unwrap(), world.edited.value(p));
            assert!(height.is_finite(), "{instance:?} on no ground");
            let Some(sea) = world.recipe.sea_level else { continue };
            let depth = (sea - height).clamp(-1e3, 1e3);
            let range = kind.depth.min..=kind.depth.max;
            assert!(range.contains(&depth), "{instance:?} at a depth of {depth} m");
        }
    }
    all
}

fn circles(placement: &Placement, center: [f64; 2], all: &[Instance]) {
    let distance = |instance: &Instance| {
        let [x, z] = [0, 1].map(|k| instance.position[k] - center[k]);
        (x * x + z * z).sqrt()
    };
    let near: Vec<_> = all.iter().filter(|it| distance(it) <= 10.0).copied().collect();
    let found = sorted(placement.in_circle(center, 10.0, |_| true).expect("a small circle"));
    assert_eq!(found, near, "around {center:?}");
    let expected = near.iter().map(distance).reduce(f64::min);
    let nearest = placement.nearest(center, 10.0, |_| true).expect("a small circle");
    assert_eq!(nearest.as_ref().map(distance), expected, "nearest to {center:?}");
    let none = placement.in_circle(center, 1e12, |kind| kind.radius > 1e9);
    assert_eq!(none, Ok(Vec::new()));
}

fn densities(placement: &Placement, center: [f64; 2], all: &[Instance]) {
    let far = [center, [0.0; 2], [1e12, -1e12]];
    for kind in placement.kinds().map(ScatterKind::id) {
        let found = placement.densities(kind, &far).expect("positions in the world");
        assert!(found.iter().all(|density| (0.0..=1.0).contains(density)), "{found:?}");
        let is_one =
            |it: &&Instance| it.kind == kind && matches!(it.id, InstanceId::Natural { .. });
        let places: Vec<_> = all.iter().filter(is_one).take(20).map(|it| it.position).collect();
        let found = placement.densities(kind, &places).expect("positions in the world");
        assert!(found.iter().all(|&density| density > 0.0), "{found:?} of kind {kind}");
    }
}

fn rays(placement: &Placement, center: [f64; 2], r: &mut Random) {
    let top = placement.field().value(center);
    let top = if top.is_nan() { 0.0 } else { f64::from(top) };
    let origin = [center[0], top + r.within(0.5, 10.0), center[1]];
    let direction = [r.within(-1.0, 1.0), r.within(-0.2, 0.1), r.within(-1.0, 1.0)];
    let ray = Ray { origin, direction, max_distance: 60.0 };
    if let Some(hit) = placement.raycast(&ray).expect("a short ray") {
        assert!((0.0..=60.0).contains(&hit.distance), "{hit:?}");
        assert!(placement.kind(hit.instance.kind).is_some_and(ScatterKind::is_solid), "{hit:?}");
    }
}
