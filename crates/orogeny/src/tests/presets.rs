//! The presets of the repository, which no package contains, and rays over every one, compared with
//! a march in small steps.

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::ray::{Cast, Ray, counted};
use crate::tests::random::Random;
use crate::{Field, Recipe};

/// The text of a preset, or `None` outside of the repository: its tests are skipped there.
pub fn preset(name: &str) -> Option<String> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/presets"));
    let read = || fs::read_to_string(folder.join(name).with_extension("terrain.ron"));
    folder.exists().then(|| read().unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// Every preset, and whether rays over it are proven.
const PRESETS: [(&str, bool); 13] = [
    ("alpine", false),
    ("archipelago", true),
    ("badlands", true),
    ("canyon", true),
    ("craters", true),
    ("dunes", true),
    ("fjords", true),
    ("highlands", true),
    ("hills", true),
    ("lowlands", true),
    ("ridges", true),
    ("sierra", false),
    ("valleys", true),
];

const TOLERANCE: f64 = 0.05;

/// The first depth below the ground that is more than the tolerance, in steps of a metre.
fn deep(field: &dyn Field<2>, ray: &Ray, end: f64) -> Option<(f64, f64)> {
    let ray = ray.checked().unwrap();
    let steps = (end as usize).min(300);
    let at = |i: usize| end * i as f64 / steps as f64;
    (0..steps).map(at).find_map(|t| {
        let [x, y, z] = ray.at(t);
        let deep = f64::from(field.value([x, z])) - y;
        (deep > TOLERANCE + 1e-3).then_some((t, deep))
    })
}

#[test]
fn rays_over_every_preset_are_answered() {
    println!("| preset | hits | evaluations, median | largest | ms, median | largest |");
    println!("|---|---|---|---|---|---|");
    for (name, is_proven) in PRESETS {
        let Some(text) = preset(name) else { continue };
        let field = Recipe::from_ron(&text).unwrap().build().unwrap();
        let mut random = Random::new(5);
        let (mut hits, mut rows) = (0, Vec::new());
        for k in 0..24 {
            // From high above, from a hill, and along the ground.
            let (above, pitch) = [(2000.0, -0.7), (200.0, -0.2), (3.0, 0.0)][k % 3];
            let [x, z] = [0; 2].map(|_| random.within(-3e3, 3e3));
            let ground = f64::from(field.value([x, z]));
            let heading = random.within(0.0, 6.3);
            let direction = [heading.cos(), pitch, heading.sin()];
            let origin = [x, ground + above, z];
            let ray = Ray { origin, direction, max_distance: 4000.0 };
            let start = Instant::now();
            let (cast, evaluations) = counted(&field, &ray, TOLERANCE).unwrap();
            let ms = start.elapsed().as_secs_f64() * 1e3;
            assert!(!matches!(cast, Cast::Unfinished { .. }), "{name} {ray:?}");
            assert!(cast.is_proven() || !is_proven, "{name} {cast:?} {ray:?}");
            let end = cast.hit().map_or(ray.max_distance, |hit| hit.distance);
            assert_eq!(deep(&field, &ray, end), None, "{name} {cast:?} {ray:?}");
            if let Some(hit) = cast.hit() {
                let off = f64::from(hit.ground.value) - hit.position[1];
                assert!(off.abs() <= TOLERANCE, "{name} {hit:?}");
                hits += 1;
            }
            rows.push([evaluations as f64, ms]);
        }
        let column = |k: usize| {
            let mut column: Vec<f64> = rows.iter().map(|row| row[k]).collect();
            column.sort_by(f64::total_cmp);
            [column[column.len() / 2], column[column.len() - 1]]
        };
        let ([median, most], [ms, longest]) = (column(0), column(1));
        println!("| {name} | {hits} | {median} | {most} | {ms:.2} | {longest:.2} |");
        assert!(hits >= 8, "{name} {hits}");
        assert!(median < 400.0 && most < 20_000.0, "{name} {median} {most}");
    }
}
