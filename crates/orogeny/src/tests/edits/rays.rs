//! Rays beside edits whose bounds are wide.

use crate::Recipe;
use crate::edits::{Area, Blend, Disc, Edit, EditLog, EditedField, Flatten, Path, Raster, Stamp};
use crate::ray::counted;
use crate::ray::{Cast, Ray};
use crate::tests::presets::preset;
use crate::tests::random::Random;

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
                let mut log = EditLog::new();
                log.add(1, edit).unwrap();
                let field = EditedField::new(&base, log.edits());
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
