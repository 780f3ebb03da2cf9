//! What chunks get from their terrain and leave behind: they inherit render layers and shadow
//! flags, go with it, and are built again if others despawn them.

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::camera::visibility::RenderLayers;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;
use bevy_orogeny::advanced::{Chunk, HeightField};
use bevy_orogeny::{Ground, Terrain};

use super::support::*;

#[test]
fn despawning_leaves_nothing() {
    for in_flight in [true, false] {
        let mut app = app();
        let field: Arc<dyn HeightField> = dawdling(3);
        let ground = app.world_mut().spawn(terrain(Ground::field(field.clone()))).id();
        spawn_viewer(&mut app, Vec3::ZERO);
        app.update();
        if in_flight {
            app.update();
            assert!(stats(&app).tasks_in_flight > 0);
        } else {
            settle(&mut app);
        }
        assert!(chunk_entities(&mut app) > 0 && meshes(&app) > 0);
        app.world_mut().despawn(ground);
        (0..3).for_each(|_| app.update());
        assert_eq!((chunk_entities(&mut app), meshes(&app)), (0, 0));
        let stats = stats(&app);
        assert_eq!((stats.chunks, stats.tasks_in_flight, stats.missing), (0, 0, 0));
        // Every task held the field. Running tasks end soon, the others at once.
        let begun = Instant::now();
        while Arc::strong_count(&field) > 1 {
            assert!(begun.elapsed() < LONG, "tasks are left");
            app.update();
            sleep(Duration::from_millis(1));
        }
    }
}

#[test]
fn removing_the_component_leaves_the_entity_alone() {
    let (mut app, ground, _) = settled();
    app.world_mut().entity_mut(ground).remove::<Terrain>();
    (0..3).for_each(|_| app.update());
    assert_eq!((chunk_entities(&mut app), meshes(&app)), (0, 0));
    // The terrain component may be inserted again.
    app.world_mut().entity_mut(ground).insert(hills(2));
    app.update();
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
}

#[test]
fn chunks_despawned_by_others_come_back() {
    let (mut app, ground, _) = settled();
    let before = chunk_entities(&mut app);
    app.world_mut().entity_mut(ground).despawn_children();
    assert_eq!(chunk_entities(&mut app), 0);
    app.update();
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    settle(&mut app);
    assert_eq!(chunk_entities(&mut app), before);
}

#[test]
fn chunks_detached_by_others_come_back() {
    let (mut app, ground, _) = settled();
    let before = chunk_entities(&mut app);
    app.world_mut().entity_mut(ground).detach_all_children();
    // They are despawned at the end of the next frame.
    app.update();
    settle(&mut app);
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    assert_eq!(chunk_entities(&mut app), before);
}

/// The layers and flags of every chunk, which must agree.
fn inherited(app: &mut App) -> (Option<RenderLayers>, bool, bool) {
    let mut chunks = app.world_mut().query_filtered::<(
        Option<&RenderLayers>,
        Has<NotShadowCaster>,
        Has<NotShadowReceiver>,
    ), With<Chunk>>();
    let mut all = chunks.iter(app.world()).map(|(layers, c, r)| (layers.cloned(), c, r));
    let first = all.next().unwrap();
    assert!(all.all(|other| other == first), "chunks differ");
    first
}

#[test]
fn chunks_inherit_render_layers_and_shadow_flags() {
    let mut app = app();
    let layers = RenderLayers::layer(3);
    let ground = (hills(1), layers.clone(), NotShadowCaster);
    let ground = app.world_mut().spawn(ground).id();
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    app.update();
    // Chunks of the first frame, and later ones.
    assert_eq!(inherited(&mut app), (Some(layers.clone()), true, false));
    settle(&mut app);
    assert_eq!(inherited(&mut app), (Some(layers), true, false));

    // Components changed, added and removed later, for existing chunks and new ones.
    set(&mut app, ground, |layers: &mut RenderLayers| *layers = RenderLayers::from_layers(&[1, 2]));
    app.world_mut().entity_mut(ground).insert(NotShadowReceiver).remove::<NotShadowCaster>();
    app.update();
    assert_eq!(inherited(&mut app), (Some(RenderLayers::from_layers(&[1, 2])), false, true));
    set(&mut app, viewer, |t: &mut Transform| t.translation.x = 5000.0);
    settle(&mut app);
    assert_eq!(inherited(&mut app), (Some(RenderLayers::from_layers(&[1, 2])), false, true));

    app.world_mut().entity_mut(ground).remove::<(RenderLayers, NotShadowReceiver)>();
    app.update();
    assert_eq!(inherited(&mut app), (None, false, false));
}
