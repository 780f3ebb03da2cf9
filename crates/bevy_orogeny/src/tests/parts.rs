//! Apps that leave out parts of the plugin.

use bevy::prelude::*;

use super::scatter::{app_of, recipe, viewer};
use crate::render::drawn_parts::DrawnParts;
use crate::{Terrain, TerrainMaterial, TerrainPlantsPlugin, TerrainPlugins, TerrainWaterPlugin};

/// Without plants there is no canopy that would vanish up close, and without the sea no bed of it.
#[test]
fn the_ground_knows_what_is_drawn_beside_it() {
    let all = || TerrainPlugins.build();
    let [dry, bare] =
        [all().disable::<TerrainWaterPlugin>(), all().disable::<TerrainPlantsPlugin>()];
    for (parts, water, plants) in [(all(), true, true), (dry, false, true), (bare, true, false)] {
        let mut app = app_of(parts);
        let ground = Terrain::recipe(recipe()).with_sea(3.0);
        let terrain = app.world_mut().spawn(ground.clone()).id();
        app.world_mut().spawn(viewer(0.0));
        (0..3).for_each(|_| app.update());
        let material = app.world().get::<MeshMaterial3d<TerrainMaterial>>(terrain).unwrap();
        let materials = app.world().resource::<Assets<TerrainMaterial>>();
        let extension = &materials.get(&material.0).unwrap().extension;
        assert_eq!(extension.drawn, DrawnParts { water, plants });
        assert_eq!(extension.appearance, ground.appearance());
    }
}
