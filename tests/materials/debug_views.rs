//! Debug views replace each terrain's own material and restore it afterwards.

use bevy::prelude::*;
use bevy_orogeny::advanced::{Chunk, TerrainMaterial};
use bevy_orogeny::orogeny::{Node, Recipe};
use bevy_orogeny::{Terrain, TerrainViewer};
use bevy_orogeny_panel::{DebugView, DebugViewPlugin};

type Standard = MeshMaterial3d<StandardMaterial>;
type Default = MeshMaterial3d<TerrainMaterial>;

/// An app with materials but without a GPU.
fn app() -> App {
    let viewer = TerrainViewer { range: 200.0, uniform: Some(2), ..default() };
    super::app(DebugViewPlugin::default(), viewer)
}

/// Switches the view, and runs a few frames.
fn show(app: &mut App, view: DebugView) {
    app.insert_resource(view);
    (0..10).for_each(|_| app.update());
}

/// Runs the app until the chunks of a terrain have its own materials, or until none has. Chunks
/// whose seams change get the new material once they are rebuilt.
#[track_caller]
fn wait_for_chunks(app: &mut App, terrain: Entity, own: bool) {
    for _ in 0..2000 {
        if (chunks_in_own(app, terrain) > 0) == own {
            return;
        }
        app.update();
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    panic!("{} chunks have a material of their terrain", chunks_in_own(app, terrain));
}

/// Flat terrain with few chunks, which are built immediately.
fn plain() -> Terrain {
    let flat = Recipe::new(1, 10.0, Node::Constant(1.0));
    Terrain { cells: 16, ..Terrain::recipe(flat) }
}

/// The handles of a terrain's own materials.
fn own(app: &App, terrain: Entity) -> (Option<Standard>, Option<Default>) {
    let terrain = app.world().entity(terrain);
    (terrain.get::<Standard>().cloned(), terrain.get::<Default>().cloned())
}

/// The number of chunks of a terrain that have a material of the terrain's own types.
fn chunks_in_own(app: &mut App, terrain: Entity) -> usize {
    let mut chunks =
        app.world_mut().query_filtered::<&Chunk, Or<(With<Standard>, With<Default>)>>();
    chunks.iter(app.world()).filter(|chunk| chunk.terrain == terrain).count()
}

#[test]
fn every_terrain_gets_its_own_material_back() {
    let mut app = app();
    let red = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(Color::BLACK);
    let settings = plain;
    let [a, b] = [0, 1].map(|_| app.world_mut().spawn(settings()).id());
    let custom = app.world_mut().spawn((settings(), MeshMaterial3d(red.clone()))).id();
    show(&mut app, DebugView::Ground);
    let before = [a, b, custom].map(|terrain| own(&app, terrain));
    assert!(before[0].1.is_some() && before[1].1.is_some() && before[0] != before[1]);
    assert_eq!(before[2], (Some(MeshMaterial3d(red)), None));

    for view in [DebugView::Levels, DebugView::Borders] {
        show(&mut app, view);
        for terrain in [a, b, custom] {
            assert_eq!(own(&app, terrain), (None, None), "{view:?}");
            wait_for_chunks(&mut app, terrain, false);
        }
    }
    // A terrain that is spawned later is drawn in the view, too.
    let late = app.world_mut().spawn(settings()).id();
    show(&mut app, DebugView::Borders);
    assert_eq!(own(&app, late), (None, None));

    show(&mut app, DebugView::Ground);
    assert_eq!([a, b, custom].map(|terrain| own(&app, terrain)), before);
    assert!(own(&app, late).1.is_some());
    for terrain in [a, b, custom, late] {
        wait_for_chunks(&mut app, terrain, true);
    }
}

/// If the game changes the material during a debug view, the new one is restored.
#[test]
fn a_material_changed_meanwhile_is_kept() {
    let mut app = app();
    let terrain = app.world_mut().spawn(plain()).id();
    show(&mut app, DebugView::Ground);
    show(&mut app, DebugView::Levels);
    let red = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(Color::BLACK);
    app.world_mut().entity_mut(terrain).insert(MeshMaterial3d(red.clone()));
    show(&mut app, DebugView::Levels);
    assert_eq!(own(&app, terrain), (None, None));
    show(&mut app, DebugView::Ground);
    assert_eq!(own(&app, terrain), (Some(MeshMaterial3d(red)), None));
}
