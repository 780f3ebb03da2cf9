//! Edits replace the tiles that they touch, and no others.

use std::sync::Arc;
use std::time::Duration;

use bevy::prelude::*;
use bevy_orogeny::orogeny::edits::{Area, Crater, Disc, Edit, Flood, Plant};
use bevy_orogeny::orogeny::scatter::{KindId, Scatter};
use bevy_orogeny::{GroundQuery, TerrainEdits};
use bevy_orogeny_navigation::advanced::{NavigationTile, TileKey};
use bevy_orogeny_navigation::{NavigationAgent, NavigationSource};

use crate::support::{ROCK, TRUNK, app, changed, meadow, mesh, settle, watch, woods};

/// An edit, and undoing it, both replace the tiles around it alone. It blocks the
/// straight way through (20, 20).
fn edit_and_undo(edit: impl Into<Edit>, reach: f64) {
    let scatter = Scatter { kinds: woods(), density: 0.0 };
    let terrain = meadow().with_scatter(scatter);
    let (mut app, terrain, entity) = app(terrain, NavigationAgent::default());
    watch(&mut app);
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
    changed(&mut app);

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
    let replaced = changed(&mut app);
    assert!(!replaced.is_empty());
    for key in &replaced {
        let region = key.square(0.25).grown(reach);
        assert!(region.contains([20.0, 20.0]), "{key:?} is far from the edit");
    }
    for (old, new) in before.iter().zip(tiles(&app)) {
        assert_eq!(Arc::ptr_eq(old, &new), !replaced.contains(&new.key()));
    }

    log(&mut app, &mut |edits| {
        edits.log.undo(1, applied.as_ref().unwrap()).unwrap();
    });
    assert_eq!(mesh(&app, entity).path(from, to).unwrap(), straight);
    assert!(before.iter().zip(tiles(&app)).all(|(old, new)| **old == *new));
    let again = changed(&mut app);
    let sorted = |mut keys: Vec<TileKey>| {
        keys.sort_unstable();
        keys
    };
    assert_eq!(sorted(again), sorted(replaced));
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

/// A rock that is larger than any that grows blocks all tiles that it reaches, until it is undone.
#[test]
fn large_rocks_reach_far() {
    let agent = NavigationAgent::default();
    let scatter = Scatter { kinds: woods(), density: 0.0 };
    let terrain = meadow().with_scatter(scatter);
    let (mut app, entity_of_terrain, entity) = app(terrain.clone(), agent);
    app.world_mut().spawn(NavigationSource { mesh: entity, range: 60.0 });
    settle(&mut app, entity);
    let before: Vec<_> = mesh(&app, entity).tiles().iter().cloned().collect();
    let rock = Plant { center: [8.0, 8.0], kind: KindId(ROCK), size: 8.0, turn: 0.0 };
    let edits = |app: &mut App, change: &mut dyn FnMut(&mut TerrainEdits)| {
        change(&mut app.world_mut().get_mut::<TerrainEdits>(entity_of_terrain).unwrap());
        settle(app, entity);
    };
    let mut log = None;
    edits(&mut app, &mut |edits| {
        let applied = edits.log.add(1, rock).unwrap();
        log = Some((applied, edits.log.edits()));
    });
    let (applied, planted) = log.unwrap();
    let ground = GroundQuery::of(&terrain).unwrap().with_edits(planted);
    for tile in mesh(&app, entity).tiles().iter() {
        assert!(**tile == NavigationTile::build(&ground, &agent, tile.key()), "{:?}", tile.key());
    }
    assert!(!mesh(&app, entity).contains([50.0, 8.0]));
    edits(&mut app, &mut |edits| drop(edits.log.undo(1, &applied).unwrap()));
    for tile in before {
        assert!(mesh(&app, entity).tiles().tile(tile.key()) == Some(&*tile), "{:?}", tile.key());
    }
}

/// A brush adds an edit in each frame, so the ground of tiles changes while they are built. Those
/// that exist are replaced all the same, and those that do not are built.
#[test]
fn tiles_follow_a_brush() {
    let agent = NavigationAgent::default();
    let (mut app, terrain, entity) = app(meadow(), agent);
    let source = NavigationSource { mesh: entity, range: 20.0 };
    let source = app.world_mut().spawn(source).id();
    settle(&mut app, entity);
    let [old, new] = [[20.0, 20.0], [50.0, 20.0]].map(|at| TileKey::at(at, 0.25));
    let tile = |app: &App, key| mesh(app, entity).tiles().iter().find(|t| t.key() == key).cloned();
    let before = tile(&app, old).unwrap();
    assert!(tile(&app, new).is_none());
    app.world_mut().get_mut::<NavigationSource>(source).unwrap().range = 60.0;
    for frame in 0..100 {
        for x in [20.0, 50.0] {
            let center = [x + 0.02 * f64::from(frame), 20.0];
            let crater = Crater { center, radius: 1.0, depth: 0.5, rim: 0.1 };
            let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
            edits.log.add(1, crater).unwrap();
        }
        app.update();
        assert!(mesh(&app, entity).missing() > 0);
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!Arc::ptr_eq(&before, &tile(&app, old).unwrap()));
    assert!(tile(&app, new).is_some());
    settle(&mut app, entity);
    let edits = app.world().get::<TerrainEdits>(terrain).unwrap().log.edits();
    let ground = GroundQuery::of(&meadow()).unwrap().with_edits(edits);
    for key in [old, new] {
        assert_eq!(*tile(&app, key).unwrap(), NavigationTile::build(&ground, &agent, key));
    }
}

/// A touched tile does not wait for all the tiles of a wide range that are being built.
#[test]
fn what_an_edit_touches_is_built_first() {
    let (mut app, terrain, entity) = app(meadow(), NavigationAgent::default());
    watch(&mut app);
    let source = NavigationSource { mesh: entity, range: 30.0 };
    let source = app.world_mut().spawn(source).id();
    settle(&mut app, entity);
    app.world_mut().get_mut::<NavigationSource>(source).unwrap().range = 400.0;
    app.update();
    assert!(mesh(&app, entity).missing() > 1500);
    changed(&mut app);
    let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
    edits.log.add(1, Crater { center: [8.0, 8.0], radius: 3.0, ..Crater::default() }).unwrap();
    app.update();
    let touched = TileKey::at([8.0, 8.0], 0.25);
    while mesh(&app, entity).is_outdated(touched) {
        app.update();
    }
    let built = changed(&mut app).len();
    assert!(built < 56, "{built} tiles were built before");
}
