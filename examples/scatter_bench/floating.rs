//! How far instances stand above the drawn ground.

use bevy::prelude::*;
use bevy_orogeny::{Chunk, ChunkKey, GroundQuery, Terrain};
use orogeny::Recipe;
use orogeny::edits::Edits;

use crate::world::World;
use crate::{Metric, quantile};

/// Up to this distance in metres, the ground is drawn at its finest level.
const NEAR: f64 = 100.0;
const FAR: f64 = 1500.0;

pub fn measure(world: &mut World, recipe: &Recipe, center: [f64; 2]) -> Vec<Metric> {
    let mut chunks = world.app.world_mut().query::<(&Chunk, &Visibility)>();
    let drawn: Vec<ChunkKey> = chunks
        .iter(world.app.world())
        .filter(|(_, visibility)| **visibility == Visibility::Inherited)
        .map(|(chunk, _)| chunk.key)
        .collect();
    let ground = GroundQuery::of(&Terrain::recipe(recipe.clone())).expect("a valid preset");
    let layout = *ground.layout();
    let placement = recipe.build_scatter(Edits::default()).expect("a valid preset");
    let (mut near, mut far) = (0f64, Vec::new());
    let mut check = |radius: f64, least: f64| {
        for instance in placement.in_circle(center, radius, |kind| kind.radius >= least).unwrap() {
            let p = instance.position;
            let here = |key: &&ChunkKey| layout.key_at(key.lod, p) == **key;
            let Some(chunk) = drawn.iter().find(here) else { continue };
            let surface = ground.surface_at_level(chunk.lod, p).expect("drawn ground");
            let above = f64::from(placement.standing(&instance).value - surface.value);
            let distance = (p[0] - center[0]).hypot(p[1] - center[1]);
            if distance <= NEAR {
                near = near.max(above);
            } else {
                far.push(above);
            }
        }
    };
    check(NEAR, 0.0);
    check(FAR, 2.5);
    vec![
        Metric { name: "floating_m_max", value: near },
        Metric { name: "floating_far_m_p99", value: quantile(&mut far, 0.99) },
    ]
}
