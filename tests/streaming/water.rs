//! Rivers and floods stream with their chunks: in every frame, each drawn chunk has its water.

use std::collections::HashMap;
use std::thread::sleep;
use std::time::Duration;

use bevy::prelude::*;
use bevy_orogeny::advanced::{Chunk, ChunkBuilder, ChunkKey, ChunkWater, Seams};
use bevy_orogeny::orogeny::Recipe;
use bevy_orogeny::orogeny::drainage::Drainage;
use bevy_orogeny::orogeny::edits::{Area, Disc, Edits, Flood};
use bevy_orogeny::{Ground, Terrain, TerrainEdits};

use super::support::*;

/// Wide rivers 400 m from each other.
fn rivers() -> Recipe {
    let rivers = Drainage { spacing: 1600.0, levels: 2.0, runoff: 10.0, ..Drainage::default() };
    Recipe { rivers: Some(rivers), ..recipe(4) }
}

fn builder(recipe: &Recipe, edits: Edits) -> ChunkBuilder {
    let land = recipe.build().unwrap().with_edits(edits);
    ChunkBuilder::new(land, LAYOUT, Seams::default(), true)
}

/// The numbers of vertices of the water of each drawn chunk.
fn waters(app: &mut App) -> HashMap<ChunkKey, Vec<usize>> {
    let mut chunks = app.world_mut().query::<(&Chunk, &Visibility, Option<&Children>)>();
    let world = app.world();
    let meshes = world.resource::<Assets<Mesh>>();
    let count = |&child: &Entity| {
        world.get::<ChunkWater>(child)?;
        Some(meshes.get(world.get::<Mesh3d>(child)?)?.count_vertices())
    };
    chunks
        .iter(world)
        .filter(|(_, visibility, _)| **visibility == Visibility::Inherited)
        .map(|(chunk, _, children)| {
            (chunk.key, children.into_iter().flatten().filter_map(&count).collect())
        })
        .collect()
}

/// Checks the water of all drawn chunks. Returns how many have some.
fn check(
    app: &mut App,
    builder: &ChunkBuilder,
    known: &mut HashMap<ChunkKey, Vec<usize>>,
) -> usize {
    let waters = waters(app);
    for (key, found) in &waters {
        let wanted = known.entry(*key).or_insert_with(|| {
            let water = builder.build(*key).unwrap().water;
            water.iter().map(|water| water.mesh.count_vertices()).collect()
        });
        assert_eq!(found, wanted, "{key:?}");
    }
    waters.values().filter(|water| !water.is_empty()).count()
}

#[test]
fn every_drawn_chunk_has_its_rivers() {
    let mut app = app();
    let recipe = rivers();
    let kept = Terrain { keep_meshes: true, ..terrain(Ground::Recipe(recipe.clone())) };
    let ground = app.world_mut().spawn(kept).id();
    let viewer = spawn_viewer(&mut app, Vec3::new(0.0, 30.0, 0.0));
    let (builder, mut known) = (builder(&recipe, Edits::new()), HashMap::new());
    let mut wet = 0;
    for frame in 0..120 {
        set(&mut app, viewer, |t: &mut Transform| {
            let far = if frame % 40 == 39 { 20_000.0 } else { 6.0 };
            t.translation += Vec3::new(far, 0.0, 4.0);
        });
        app.update();
        let p = app.world().get::<Transform>(viewer).unwrap().translation;
        check_cover(&mut app, ground, [p.x.into(), p.z.into()], RANGE);
        wet = wet.max(check(&mut app, &builder, &mut known));
        sleep(Duration::from_millis(1));
    }
    settle(&mut app);
    wet = wet.max(check(&mut app, &builder, &mut known));
    assert!(wet > 5, "{wet}");
    // No water is left behind by chunks that are gone.
    let chunks = chunk_entities(&mut app);
    let mut waters = app.world_mut().query_filtered::<&ChildOf, With<ChunkWater>>();
    let parents: Vec<Entity> = waters.iter(app.world()).map(|parent| parent.0).collect();
    assert!(parents.len() <= chunks);
    assert!(parents.iter().all(|&parent| app.world().get::<Chunk>(parent).is_some()));
}

#[test]
fn a_flood_comes_and_goes_with_its_edit() {
    let mut app = app();
    let kept = Terrain { keep_meshes: true, ..hills(1) };
    let ground = app.world_mut().spawn((kept, TerrainEdits::default())).id();
    spawn_viewer(&mut app, Vec3::new(0.0, 30.0, 0.0));
    settle(&mut app);
    let dry = builder(&recipe(1), Edits::new());
    assert_eq!(check(&mut app, &dry, &mut HashMap::new()), 0);

    let area = Area::Disc(Disc { center: [20.0, -10.0], radius: 40.0, falloff: 1.0 });
    let mut flood = None;
    set(&mut app, ground, |edits: &mut TerrainEdits| {
        flood = edits.log.add(1, Flood { area, level: 500.0 }).ok();
    });
    settle(&mut app);
    let edits = app.world().get::<TerrainEdits>(ground).unwrap().log.edits();
    let wet = builder(&recipe(1), edits);
    assert!(check(&mut app, &wet, &mut HashMap::new()) > 3);

    set(&mut app, ground, |edits: &mut TerrainEdits| {
        edits.log.undo(1, flood.as_ref().unwrap()).unwrap();
    });
    settle(&mut app);
    assert_eq!(check(&mut app, &dry, &mut HashMap::new()), 0);
}

/// The sea rises over a flood, which is a part of it then, and falls again.
#[test]
fn a_flood_is_a_part_of_a_sea_that_rises() {
    let mut app = app();
    let dry = Recipe { sea_level: Some(-400.0), ..recipe(1) };
    let kept = Terrain { keep_meshes: true, ..terrain(Ground::Recipe(dry.clone())) };
    let ground = app.world_mut().spawn((kept, TerrainEdits::default())).id();
    spawn_viewer(&mut app, Vec3::new(0.0, 30.0, 0.0));
    let area = Area::Disc(Disc { center: [20.0, -10.0], radius: 40.0, falloff: 1.0 });
    set(&mut app, ground, |edits: &mut TerrainEdits| {
        edits.log.add(1, Flood { area, level: 500.0 }).unwrap();
    });
    for (sea, is_lake) in [(-400.0, true), (500.0, false), (600.0, false), (0.0, true)] {
        set(&mut app, ground, |terrain: &mut Terrain| {
            terrain.ground = Ground::Recipe(Recipe { sea_level: Some(sea), ..dry.clone() });
        });
        settle(&mut app);
        let wet = waters(&mut app).values().filter(|water| !water.is_empty()).count();
        assert_eq!(wet > 0, is_lake, "{sea}: {wet}");
    }
}
