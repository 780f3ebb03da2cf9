//! Chunks inherit render layers and shadow flags of their terrain.

use bevy::camera::visibility::RenderLayers;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;
use bevy_orogeny::{Chunk, Ground};

use super::support::*;

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
    let ground = (terrain(Ground::Recipe(recipe(1))), layers.clone(), NotShadowCaster);
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
