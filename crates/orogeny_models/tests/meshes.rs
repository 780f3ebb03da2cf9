//! Every mesh is well formed, within its budget of triangles, and stands on the ground.

use glam::Vec3;
use orogeny_models::{Levels, Mesh, Model, Pattern, grow};

const SEEDS: u64 = 8;

fn all() -> impl Iterator<Item = (&'static Model, u64, Levels)> {
    let all = |model| (0..SEEDS).map(move |seed| (model, seed, grow(model, seed).unwrap()));
    Model::GROWN.iter().flat_map(all)
}

/// Calls `check` with each mesh and its name, and with the levels that it is one of.
fn each_mesh(check: impl Fn(&str, &Mesh, &Levels)) {
    for (model, seed, levels) in all() {
        for (level, mesh) in levels.levels.iter().enumerate() {
            check(&format!("{model:?}, seed {seed}, level {level}"), mesh, &levels);
        }
    }
}

/// The most triangles of each level.
fn budget(model: &Model) -> &'static [usize] {
    match model {
        Model::Spruce | Model::Pine | Model::Broadleaf | Model::Birch => &[1800, 550, 70, 12],
        Model::Bush | Model::Fern => &[300, 80, 8],
        Model::Grass => &[200, 45, 10],
        Model::Flower => &[50, 16, 8],
        Model::Reed => &[60, 20, 8],
        Model::Deadwood => &[200, 60, 12],
        Model::Boulder => &[400, 80, 20],
        Model::Stone => &[80, 20, 8],
        Model::Custom(_) => &[],
    }
}

fn lowest(mesh: &Mesh) -> f32 {
    mesh.vertices.iter().map(|vertex| vertex.position[1]).fold(f32::MAX, f32::min)
}

#[test]
fn vertices_are_valid() {
    each_mesh(|name, mesh, _| {
        for vertex in &mesh.vertices {
            assert!(Vec3::from(vertex.position).is_finite(), "{name}: {vertex:?}");
            let length = Vec3::from(vertex.normal).length();
            assert!((length - 1.0).abs() < 1e-4, "{name}: {vertex:?}");
            let v = if vertex.pattern == Pattern::Bark { 0.0 } else { vertex.uv[1] };
            for x in [vertex.uv[0], v, vertex.tone, vertex.sway] {
                assert!((0.0..=1.0).contains(&x), "{name}: {vertex:?}");
            }
        }
    });
}

#[test]
fn triangles_are_valid() {
    each_mesh(|name, mesh, _| {
        assert!(!mesh.indices.is_empty(), "{name}");
        for corners in mesh.indices.chunks(3) {
            assert_eq!(corners.len(), 3, "{name}");
            assert!(corners.iter().all(|&i| (i as usize) < mesh.vertices.len()), "{name}");
            let pattern = |i: usize| mesh.vertices[corners[i] as usize].pattern;
            assert!(pattern(0) == pattern(1) && pattern(1) == pattern(2), "{name}");
        }
    });
}

#[test]
fn levels_keep_their_budgets() {
    for (model, seed, levels) in all() {
        let counts: Vec<usize> = levels.levels.iter().map(Mesh::triangles).collect();
        let budget = budget(model);
        assert_eq!(counts.len(), budget.len(), "{model:?}");
        let within = counts.iter().zip(budget).all(|(count, most)| count <= most);
        assert!(within, "{model:?}, seed {seed}: {counts:?} of {budget:?}");
        assert!(counts.windows(2).all(|pair| pair[1] < pair[0]), "{model:?}: {counts:?}");
    }
}

#[test]
fn models_stand_on_the_ground() {
    each_mesh(|name, mesh, levels| {
        let low = lowest(mesh);
        assert!(low <= 0.02, "{name}: {low}");
        assert!(low > -0.2 * levels.height - 0.05, "{name}: {low}");
    });
}

#[test]
fn foliage_is_never_black() {
    for (model, seed, levels) in all() {
        for vertex in levels.levels.iter().flat_map(|mesh| &mesh.vertices) {
            if vertex.pattern as u8 >= orogeny_models::Pattern::Needles as u8 {
                assert!(vertex.tone >= 0.44, "{model:?}, seed {seed}: {vertex:?}");
            }
        }
    }
}

#[test]
fn bounds_enclose_the_finest_level() {
    for (model, seed, levels) in all() {
        for vertex in &levels.levels[0].vertices {
            let [x, y, z] = vertex.position;
            assert!(y <= levels.height + 1e-4, "{model:?}, seed {seed}");
            assert!(x.hypot(z) <= levels.radius + 1e-4, "{model:?}, seed {seed}");
        }
    }
}

#[test]
fn the_seed_decides() {
    for (model, seed, levels) in all() {
        assert_eq!(Some(&levels), grow(model, seed).as_ref(), "{model:?}, seed {seed}");
        assert_ne!(Some(&levels), grow(model, seed + 1).as_ref(), "{model:?}, seed {seed}");
    }
}
