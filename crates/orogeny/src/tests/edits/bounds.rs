//! Bounds over the whole domain: finite after any edit, and those of the base where no height
//! changed.

use crate::edits::{
    Area, Blend, Clear, Crater, Disc, Edit, EditedField, Flatten, Flood, Hole, Paint, Path, Plant,
    Raise, Raster, Roughen, Smooth, Stamp, Terrace,
};
use crate::ray::{Cast, Ray, counted, raycast};
use crate::tests::edits::oracle::Waves;
use crate::tests::edits::{edited, random};
use crate::tests::presets::preset;
use crate::tests::random::Random;
use crate::{Bounds, Field, Recipe};

fn waves(edits: impl IntoIterator<Item = Edit>) -> EditedField<Waves> {
    EditedField::new(Waves, edited(edits))
}

/// One edit of each kind at a place, and a stamp of each blend.
fn each_kind(center: [f64; 2]) -> Vec<Edit> {
    let area = Area::Disc(Disc { center, ..Disc::default() });
    let [x, z] = center;
    let points = vec![[x - 60.0, z, 0.0], [x, z, 5.0], [x + 60.0, z, 0.0]];
    let stamp = |blend| Edit::from(Stamp { center, blend, ..Stamp::default() });
    let mut all = vec![
        Raise { area, ..Raise::default() }.into(),
        Flatten { area, ..Flatten::default() }.into(),
        Roughen { area, ..Roughen::default() }.into(),
        Terrace { area, ..Terrace::default() }.into(),
        Crater { center, ..Crater::default() }.into(),
        Hole { area }.into(),
        Path { points, ..Path::default() }.into(),
        Smooth { area, ..Smooth::default() }.into(),
        Paint { area, ..Paint::default() }.into(),
        Flood { area, ..Flood::default() }.into(),
        Clear { area, ..Clear::default() }.into(),
        Plant { center, ..Plant::default() }.into(),
    ];
    all.extend([Blend::Add, Blend::Replace, Blend::Max, Blend::Min].map(stamp));
    all
}

/// A ray down to the ground at a place.
fn cast(field: &dyn Field<2>, [x, z]: [f64; 2]) -> Cast {
    let ray = Ray { origin: [x - 500.0, 500.0, z], direction: [1.0, -1.0, 0.1], max_distance: 5e3 };
    raycast(field, &ray, 0.05).unwrap()
}

/// Whether a ray 7 km away hits the ground as without edits.
fn hits_far(field: &dyn Field<2>) -> bool {
    let [own, base] = [field, &Waves].map(|field| cast(field, [7000.0, 0.0]).hit());
    (own.expect("a hit").distance - base.expect("a hit").distance).abs() < 0.1
}

/// A regression test: the range of no targets once made all bounds infinite.
#[test]
fn every_edit_leaves_finite_bounds_and_rays_hit() {
    let Bounds { min, max, lipschitz, .. } = Waves.bounds();
    assert_eq!(waves([]).bounds(), Waves.bounds());
    for edit in each_kind([0.0; 2]) {
        let field = waves([edit.clone()]);
        let bounds = field.bounds();
        assert!(bounds.min <= min && bounds.min > -1000.0, "{edit:?}: {bounds:?}");
        assert!(bounds.max >= max && bounds.max < 1000.0, "{edit:?}: {bounds:?}");
        assert!(bounds.lipschitz >= lipschitz && bounds.lipschitz < 100.0, "{edit:?}: {bounds:?}");
        assert!(hits_far(&field) && cast(&field, [30.0, 0.0]).hit().is_some(), "{edit:?}");
    }
}

/// The slopes of terraces on terraces multiply beyond all numbers, those elsewhere do not.
#[test]
fn rays_hit_beside_and_on_a_thousand_terraces() {
    for (count, cliff) in [(385, 0.3), (135, 0.01), (1000, 1.0)] {
        let field = waves((0..count).map(|_| Terrace { cliff, ..Terrace::default() }.into()));
        let Bounds { min, max, lipschitz, .. } = field.bounds();
        assert!(min.is_finite() && max.is_finite() && lipschitz.is_finite());
        assert!(hits_far(&field));
        let hit = cast(&field, [0.0; 2]).hit().expect("a hit on the terraces");
        let [x, y, z] = hit.position;
        assert!((y - f64::from(field.value([x, z]))).abs() <= 0.05);
    }
}

#[test]
fn edits_without_heights_leave_the_error_of_triangles_and_far_ones_add_little() {
    for edit in each_kind([1e9, 0.0]) {
        let field = waves([edit.clone()]);
        for spacing in [0.5, 1.0, 16.0, 1000.0] {
            let (own, base) =
                (field.interpolation_error(spacing), Waves.interpolation_error(spacing));
            let changes = !matches!(
                edit,
                Edit::Hole(_) | Edit::Paint(_) | Edit::Flood(_) | Edit::Clear(_) | Edit::Plant(_)
            );
            let Bounds { min, max, .. } = field.bounds();
            assert!(own >= base && own <= max - min, "{edit:?}: {own} {base}");
            assert!(changes || own == base, "{edit:?}: {own} {base}");
        }
    }
    // One pad, by the curvature that it adds.
    let error = waves([Flatten::default().into()]).interpolation_error(0.5);
    assert!(error < Waves.interpolation_error(0.5) + 1.0, "{error}");
}

#[test]
fn no_triangle_of_edited_ground_is_farther_away_than_proven() {
    let mut tightest = 0f64;
    for seed in 0..60 {
        let mut r = Random::new(7000 + seed);
        let log = random::log(&mut r, [0.0; 2], [1, 2, 5][seed as usize % 3], false);
        let field = EditedField::new(Waves, log.edits());
        for _ in 0..60 {
            let spacing = r.magnitude(0.1, 30.0);
            let corner = [r.within(-130.0, 130.0), r.within(-130.0, 130.0)];
            let at = |u: f64, v: f64| {
                f64::from(field.value([corner[0] + u * spacing, corner[1] + v * spacing]))
            };
            let [a, b, d] = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0)];
            let proven = field.interpolation_error(spacing);
            for _ in 0..12 {
                let (u, v) = (r.within(0.0, 1.0), r.within(0.0, 1.0));
                let (u, v) = (u.max(v), u.min(v));
                let found = (at(u, v) - (a + (b - a) * u + (d - b) * v)).abs();
                assert!(found <= proven + 1e-4, "seed {seed}: {found}, proven {proven}");
                tightest = tightest.max(found / proven);
            }
        }
    }
    assert!(tightest > 0.05, "{tightest}");
}

/// Ten thousand pads blend what is there with less and less of it: slopes once grew by their sum.
#[test]
fn bounds_of_overlapping_pads_grow_slowly() {
    let pads = |count: u32| {
        waves((0..count).map(|i| {
            let center = [f64::from(i % 100) * 0.1, f64::from(i / 100) * 0.1];
            let area = Area::Disc(Disc { center, radius: 20.0, falloff: 20.0 });
            Flatten { area, height: 3.0, ..Flatten::default() }.into()
        }))
    };
    let [one, many] = [1, 10_000].map(|count| pads(count).bounds());
    assert_eq!((many.min, many.max), (one.min, one.max));
    let added = [one, many].map(|bounds| bounds.lipschitz - Waves.bounds().lipschitz);
    assert!(added[0] < 10.0 && added[1] < 180.0 * added[0], "{added:?}");
}

const TOLERANCE: f64 = 0.05;

/// A steep road, a canal, a cut with a crease and a wall at a place on the ground.
fn edits([x, z]: [f64; 2], height: f64) -> [(&'static str, Edit); 4] {
    let road = |rise: f64| Path {
        points: vec![[x - 40.0, z, height], [x + 40.0, z, height + rise]],
        width: 7.0,
        falloff: 25.0,
        ..Path::default()
    };
    let canal = Path { depth: 3.0, ..road(0.0) };
    let cut = Stamp {
        center: [x, z],
        raster: Raster::new(9, vec![0.0; 81]).unwrap(),
        blend: Blend::Min,
        level: height as f32 - 5.0,
        ..Stamp::default()
    };
    let area = Area::Disc(Disc { center: [x, z], radius: 10.0, falloff: 0.01 });
    let wall = Flatten { area, height: height as f32 + 500.0, ..Flatten::default() };
    [
        ("road", road(8.0).into()),
        ("canal", canal.into()),
        ("cut", cut.into()),
        ("wall", wall.into()),
    ]
}

/// Once they stopped some decimetres above the ground, after 100,000 evaluations.
#[test]
fn rays_beside_edits_with_wide_bounds_end() {
    let mut r = Random::new(11);
    for name in ["valleys", "craters", "hills"] {
        let Some(text) = preset(name) else { continue };
        let base = Recipe::from_ron(&text).unwrap().build().unwrap();
        for far in [0.0, 1e9] {
            let at = [far + 100.25, 70.5 - far];
            for (kind, edit) in edits(at, f64::from(base.value(at))) {
                let field = EditedField::new(&base, edited([edit]));
                let mut most = 0;
                for k in 0..40 {
                    // Within its core, across its edge, and at the corners of its square.
                    let [x, z] = [0, 1].map(|i| at[i] + r.within(-20.0, 20.0));
                    let ground = f64::from(field.value([x, z]));
                    let slant = if k % 2 == 0 { 0.0 } else { r.within(-1.0, 1.0) };
                    let direction = [slant, -1.0, 0.5 * slant];
                    let back = |axis: usize| -2.0 * direction[axis];
                    let origin = [x + back(0), ground + back(1), z + back(2)];
                    let ray = Ray { origin, direction, max_distance: 1000.0 };
                    let (cast, evaluations) = counted(&field, &ray, TOLERANCE).unwrap();
                    let Cast::Hit(hit) = cast else { panic!("{name} {kind} {ray:?}: {cast:?}") };
                    let off = hit.position[1] - f64::from(hit.ground.value);
                    let is_below = hit.distance == 0.0 && off < 0.0;
                    assert!(off.abs() <= TOLERANCE || is_below, "{name} {kind} {ray:?}: {hit:?}");
                    most = most.max(evaluations);
                }
                println!("{name} {far:e} {kind}: at most {most} evaluations");
                assert!(most < 20_000, "{name} {far} {kind}: {most}");
            }
        }
    }
}
