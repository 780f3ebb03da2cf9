//! Scenes name components and resources by their paths, whichever files these are in.

use bevy_reflect::TypePath;

use crate::advanced::*;
use crate::*;

/// The names of these types.
macro_rules! names {
    ($($Type:ty),* $(,)?) => { [$(<$Type>::type_path()),*] };
}

/// A name that changes is one that older scenes do not have: give the type its old `type_path`.
#[test]
fn scenes_name_types_as_ever() {
    let names = names![
        TerrainBudget,
        TerrainOrigin,
        WorldPosition,
        TerrainColliderSource,
        GroundTextures,
        GroundTexturesProgress,
        HoldFrameTime,
        TerrainQuality,
        TerrainViewer,
        BendsPlants,
        EditAuthor,
        TerrainWind,
        ScatterSpawner,
        WalkerObstacle,
        SpawnOnGround,
        TerrainWalker,
        Terrain,
        TerrainEdits,
        TerrainPreset,
        StirsWater,
    ];
    let expected = [
        "bevy_orogeny::base::budget::TerrainBudget",
        "bevy_orogeny::base::origin::TerrainOrigin",
        "bevy_orogeny::base::world_position::WorldPosition",
        "bevy_orogeny::colliders::source::TerrainColliderSource",
        "bevy_orogeny::ground::ground_textures::GroundTextures",
        "bevy_orogeny::ground::progress::GroundTexturesProgress",
        "bevy_orogeny::lod::hold_frame_time::HoldFrameTime",
        "bevy_orogeny::lod::quality::TerrainQuality",
        "bevy_orogeny::lod::viewer::TerrainViewer",
        "bevy_orogeny::plants::bend::BendsPlants",
        "bevy_orogeny::query::terrain_editor::EditAuthor",
        "bevy_orogeny::render::wind::TerrainWind",
        "bevy_orogeny::scatter::spawn::ScatterSpawner",
        "bevy_orogeny::standing::obstacle::WalkerObstacle",
        "bevy_orogeny::standing::spawn_on_ground::SpawnOnGround",
        "bevy_orogeny::standing::walk::TerrainWalker",
        "bevy_orogeny::terrain::Terrain",
        "bevy_orogeny::terrain::edits::TerrainEdits",
        "bevy_orogeny::terrain::preset::TerrainPreset",
        "bevy_orogeny::water::rings::StirsWater",
    ];
    assert_eq!(names, expected);
}
