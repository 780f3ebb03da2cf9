//! Edits replace the tiles that they touch, and no others.

use std::sync::Arc;

use bevy::prelude::*;
use bevy_orogeny::TerrainEdits;
use bevy_orogeny::orogeny::edits::{Area, Crater, Disc, Edit, Flood, Plant};
use bevy_orogeny::orogeny::scatter::{KindId, Scatter};
use bevy_orogeny_navigation::{
    NavigationAgent, NavigationChanged, NavigationSource, NavigationTile, TileKey,
};

use crate::support::{TRUNK, app, meadow, mesh, settle, woods};

/// The tiles that have changed.
#[derive(Resource, Default)]
struct Changed(Vec<TileKey>);

/// An edit, and undoing it, both replace the tiles around it alone. It blocks the
/// straight way through (20, 20).
fn edit_and_undo(edit: impl Into<Edit>, reach: f64) {
    let scatter = Scatter { kinds: woods(), density: 0.0 };
    let terrain = meadow().with_scatter(scatter);
    let (mut app, terrain, entity) = app(terrain, NavigationAgent::default());
    app.init_resource::<Changed>().add_observer(
        |event: On<NavigationChanged>, mut changed: ResMut<Changed>| {
            changed.0.extend(&event.tiles);
        },
    );
    app.world_mut().spawn(NavigationSource { mesh: entity, range: 60.0 });
    settle(&mut app, entity);
    let tiles = |app: &App| -> Vec<Arc<NavigationTile>> {
        let mut tiles: Vec<_> = mesh(app, entity).tiles().iter().cloned().collect();
        tiles.sort_unstable_by_key(|tile| tile.key());
        tiles
    };
    let (from, to) = ([5.0, 20.0], [35.0, 20.0]);
    let before = tiles(&app);
    let straight = mesh(&app, entity).path(from, to).unwrap();
    assert!(straight.length() < 30.001);
    app.world_mut().resource_mut::<Changed>().0.clear();

    let log = |app: &mut App, change: &mut dyn FnMut(&mut TerrainEdits)| {
        change(&mut app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap());
        app.update();
        assert!(mesh(app, entity).is_outdated(TileKey::at([20.0, 20.0], 0.25)));
        settle(app, entity);
    };
    let (edit, mut applied) = (edit.into(), None);
    log(&mut app, &mut |edits| applied = Some(edits.log.add(1, edit.clone()).unwrap()));
    let bent = mesh(&app, entity).path(from, to).unwrap();
    assert!(bent.length() > 30.01, "{bent:?}");
    let changed = std::mem::take(&mut app.world_mut().resource_mut::<Changed>().0);
    assert!(!changed.is_empty());
    for key in &changed {
        let region = key.square(0.25).grown(reach);
        assert!(region.contains([20.0, 20.0]), "{key:?} is far from the edit");
    }
    for (old, new) in before.iter().zip(tiles(&app)) {
        assert_eq!(Arc::ptr_eq(old, &new), !changed.contains(&new.key()));
    }

    log(&mut app, &mut |edits| {
        edits.log.undo(1, applied.as_ref().unwrap()).unwrap();
    });
    assert_eq!(mesh(&app, entity).path(from, to).unwrap(), straight);
    assert!(before.iter().zip(tiles(&app)).all(|(old, new)| **old == *new));
    let again = std::mem::take(&mut app.world_mut().resource_mut::<Changed>().0);
    let sorted = |mut keys: Vec<TileKey>| {
        keys.sort_unstable();
        keys
    };
    assert_eq!(sorted(again), sorted(changed));
}

#[test]
fn a_crater_is_in_the_way_until_it_is_undone() {
    let crater = Crater { center: [20.0, 20.0], radius: 4.0, depth: 6.0, rim: 0.5 };
    edit_and_undo(crater, 16.0);
}

#[test]
fn a_flood_is_in_the_way_until_it_is_undone() {
    let area = Area::Disc(Disc { center: [20.0, 20.0], radius: 5.0, falloff: 0.5 });
    edit_and_undo(Flood { area, level: 100.0 }, 12.0);
}

#[test]
fn a_tree_is_in_the_way_until_it_is_undone() {
    edit_and_undo(Plant { center: [20.0, 20.1], kind: KindId(TRUNK), ..Plant::default() }, 64.0);
}
