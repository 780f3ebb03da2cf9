//! Obstacles of a game are left out, wherever they come, move and go.

use std::sync::Arc;
use std::time::Duration;

use bevy::prelude::*;
use bevy_orogeny::advanced::WalkerObstacle;
use bevy_orogeny::orogeny::{Node, Recipe, Region};
use bevy_orogeny::{GroundQuery, Terrain, TerrainOrigin, TerrainWalker, WorldPosition};
use bevy_orogeny_navigation::advanced::{NavigationTile, Obstacle, ObstacleOutline, TileKey};
use bevy_orogeny_navigation::{
    NavigationAgent, NavigationMesh, NavigationObstacle, NavigationPath, NavigationSource,
    NavigationTiles,
};
use proptest::prelude::*;

use crate::support::{app, changed, mesh, settle, watch};

fn plain() -> Terrain {
    Terrain::recipe(Recipe::new(1, 1.0, Node::Constant(0.0)))
}

/// The distance of a point from a rectangle.
fn gap(point: [f64; 2], center: [f64; 2], half: [f64; 2], turn: f64) -> f64 {
    let (sin, cos) = turn.sin_cos();
    let [x, z] = [point[0] - center[0], point[1] - center[1]];
    let [x, z] = [x * cos + z * sin, z * cos - x * sin];
    (x.abs() - half[0]).max(0.0).hypot((z.abs() - half[1]).max(0.0))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    /// Paths keep the agent's radius from walls, across borders of tiles and anywhere.
    #[test]
    fn paths_go_around_walls(
        center in [-6.0..6.0, -6.0..6.0], half in [0.05..6.0, 0.05..2.0], turn in 0.0..3.2f64,
        radius in 0.2..1.2f64, far in prop::sample::select(vec![0.0, 1e9]),
    ) {
        let agent = NavigationAgent { radius, ..NavigationAgent::default() };
        let (center, half): ([f64; 2], [f64; 2]) = (center, half);
        let center = [center[0] + far, center[1]];
        let (sin, cos) = turn.sin_cos();
        let outline = ObstacleOutline::Rectangle { half_size: half, along: [cos, sin] };
        let wall = Obstacle { center, outline, bottom: -1.0, top: 2.0 };
        let ground = GroundQuery::of(&plain()).unwrap();
        let mut tiles = NavigationTiles::new(agent).unwrap();
        tiles.build_around(&ground, &[wall], Region::around([far, 0.0], [20.0; 2]));
        for turn in 0..4 {
            let (sin, cos) = (f64::from(turn) * 0.8).sin_cos();
            let end = |by: f64| [center[0] + by * cos, center[1] + by * sin];
            let path = tiles.path(end(-13.0), end(13.0)).unwrap();
            prop_assert!(path.length() > 26.0 && path.length() < 50.0);
            for point in path.points(0.1) {
                let gap = gap(point, center, half, wall_turn(outline)) - radius;
                prop_assert!(gap > -1e-3, "{} m into the wall's margin", -gap);
            }
        }
        prop_assert!(!tiles.contains(center));
        // What is low is a step, and what is high a roof.
        let mut free = NavigationTiles::new(agent).unwrap();
        let low = Obstacle { bottom: -1.0, top: 0.3, ..wall };
        let high = Obstacle { bottom: 1.9, top: 3.0, ..wall };
        let broken = Obstacle { center: [f64::NAN, 0.0], ..wall };
        let others = [low, high, broken];
        free.build_around(&ground, &others, Region::around([far, 0.0], [20.0; 2]));
        prop_assert!(free.contains(center));
    }
}

fn wall_turn(outline: ObstacleOutline) -> f64 {
    let ObstacleOutline::Rectangle { along: [x, z], .. } = outline else { return 0.0 };
    z.atan2(x)
}

const FROM: [f64; 2] = [5.0, 20.0];
const TO: [f64; 2] = [35.0, 20.0];

fn path(app: &App, entity: Entity) -> NavigationPath {
    mesh(app, entity).path(FROM, TO).unwrap()
}

/// A wall across the way, 20 m long, in the middle of a plain.
fn wall() -> (WalkerObstacle, Transform) {
    let half_size = Vec3::new(0.2, 1.5, 10.0);
    (WalkerObstacle { half_size }, Transform::from_xyz(20.0, 1.0, 20.0))
}

#[test]
fn walls_that_come_move_and_go_are_followed() {
    let (mut app, _, entity) = app(plain(), NavigationAgent::default());
    watch(&mut app);
    app.world_mut().spawn(NavigationSource { mesh: entity, range: 60.0 });
    settle(&mut app, entity);
    let tiles = |app: &App| -> Vec<Arc<_>> {
        let mut tiles: Vec<_> = mesh(app, entity).tiles().iter().cloned().collect();
        tiles.sort_unstable_by_key(|tile: &Arc<NavigationTile>| tile.key());
        tiles
    };
    let before = tiles(&app);
    let straight = path(&app, entity);
    changed(&mut app);
    let wall = app.world_mut().spawn(wall()).id();
    app.update();
    assert!(mesh(&app, entity).is_outdated(TileKey::at([20.0, 20.0], 0.25)));
    settle(&mut app, entity);
    let around = path(&app, entity).length();
    assert!(around > 36.0 && around < 40.0, "{around}");
    // Only the tiles that it touches are others.
    let replaced = changed(&mut app);
    for (old, new) in before.iter().zip(tiles(&app)) {
        assert_eq!(Arc::ptr_eq(old, &new), !replaced.contains(&new.key()), "{:?}", new.key());
        let region = new.key().square(0.25).grown(2.0);
        assert!(
            !replaced.contains(&new.key()) || region.meets(&Region::around([20.0; 2], [0.2, 10.0]))
        );
    }
    assert!(replaced.len() <= 6, "{}", replaced.len());
    // A door that opens: the first move counts at once.
    app.world_mut().get_mut::<Transform>(wall).unwrap().translation.z += 9.0;
    settle(&mut app, entity);
    let length = path(&app, entity).length();
    assert!(length > 30.01 && length < 32.0, "{length}");
    // A second one soon after follows within half a second.
    app.world_mut().get_mut::<Transform>(wall).unwrap().translation.z -= 9.0;
    app.update();
    assert!(path(&app, entity).length() < 32.0);
    std::thread::sleep(Duration::from_millis(510));
    settle(&mut app, entity);
    assert_eq!(path(&app, entity).length(), around);
    // One that has no size is none, and its component decides.
    app.world_mut().entity_mut(wall).insert(NavigationObstacle::Ignored);
    settle(&mut app, entity);
    assert_eq!(path(&app, entity), straight);
    app.world_mut().entity_mut(wall).remove::<NavigationObstacle>();
    settle(&mut app, entity);
    assert_eq!(path(&app, entity).length(), around);
    app.world_mut().despawn(wall);
    settle(&mut app, entity);
    assert_eq!(path(&app, entity), straight);
    assert!(before.iter().zip(tiles(&app)).all(|(old, new)| **old == *new));
    changed(&mut app);
    app.update();
    assert_eq!(changed(&mut app), []);
}

/// Parts of a house follow the house; what an agent carries is none of its obstacles.
#[test]
fn obstacles_with_parents_follow_them() {
    let (mut app, _, entity) = app(plain(), NavigationAgent::default());
    let agent = app.world_mut().spawn(NavigationSource { mesh: entity, range: 60.0 }).id();
    let house = app.world_mut().spawn(Transform::from_xyz(0.0, 0.0, 500.0)).id();
    let floor = app.world_mut().spawn((Transform::default(), ChildOf(house))).id();
    app.world_mut().spawn((wall(), ChildOf(floor)));
    settle(&mut app, entity);
    assert!(path(&app, entity).length() < 30.001);
    app.world_mut().get_mut::<Transform>(house).unwrap().translation.z = 0.0;
    settle(&mut app, entity);
    assert!(path(&app, entity).length() > 36.0);
    app.world_mut().entity_mut(house).insert(ChildOf(agent));
    settle(&mut app, entity);
    assert!(path(&app, entity).length() < 30.001);
    app.world_mut().spawn((wall(), TerrainWalker::default()));
    settle(&mut app, entity);
    assert!(path(&app, entity).length() < 30.001);
    app.world_mut().entity_mut(house).despawn();
    let well = NavigationObstacle::Cylinder { radius: 3.0, half_height: 1.0 };
    let well = app.world_mut().spawn((well, Transform::from_xyz(20.0, 0.0, 20.0))).id();
    settle(&mut app, entity);
    let length = path(&app, entity).length();
    assert!(length > 30.5 && length < 34.0, "{length}");
    app.world_mut()
        .entity_mut(well)
        .insert(NavigationObstacle::Cylinder { radius: f32::NAN, half_height: 1.0 });
    settle(&mut app, entity);
    assert!(path(&app, entity).length() < 30.001);
}

/// What an agent lets go of, or what is no agent any more, is gone around.
#[test]
fn what_was_an_agents_becomes_an_obstacle() {
    let (mut app, _, entity) = app(plain(), NavigationAgent::default());
    app.world_mut().spawn(NavigationSource { mesh: entity, range: 60.0 });
    let agent = app.world_mut().spawn((TerrainWalker::default(), Transform::default())).id();
    let house = app.world_mut().spawn((Transform::default(), ChildOf(agent))).id();
    app.world_mut().spawn((wall(), ChildOf(house)));
    settle(&mut app, entity);
    assert!(path(&app, entity).length() < 30.001);
    app.world_mut().entity_mut(house).remove::<ChildOf>();
    settle(&mut app, entity);
    assert!(path(&app, entity).length() > 36.0, "it was put down");
    app.world_mut().entity_mut(house).insert(ChildOf(agent));
    settle(&mut app, entity);
    assert!(path(&app, entity).length() < 30.001);
    app.world_mut().entity_mut(agent).remove::<TerrainWalker>();
    settle(&mut app, entity);
    assert!(path(&app, entity).length() > 36.0, "it is no agent");
}

/// Of a hierarchy whose root has no `Transform`, or rolls over, as walkers see it.
#[test]
fn obstacles_are_where_walkers_meet_them() {
    let (mut app, _, entity) = app(plain(), NavigationAgent::default());
    app.world_mut().spawn(NavigationSource { mesh: entity, range: 60.0 });
    let group = app.world_mut().spawn_empty().id();
    let (obstacle, place) = wall();
    // Half over: its x axis is upright, but it is turned by nothing.
    let rolled = place.with_rotation(Quat::from_rotation_z(1.58));
    let wall = app.world_mut().spawn((obstacle, rolled, ChildOf(group))).id();
    settle(&mut app, entity);
    let around = path(&app, entity).length();
    assert!(around > 36.0 && around < 40.0, "{around}");
    app.world_mut().entity_mut(wall).insert(place);
    settle(&mut app, entity);
    assert!((path(&app, entity).length() - around).abs() < 1e-3);
}

/// A mesh that comes after the obstacles has them, and so has one whose terrain was missing or has
/// moved.
#[test]
fn meshes_that_come_late_have_all_obstacles() {
    let (mut app, terrain, entity) = app(plain(), NavigationAgent::default());
    app.world_mut().spawn(wall());
    app.world_mut().despawn(terrain);
    app.world_mut().spawn(NavigationSource { mesh: entity, range: 60.0 });
    app.update();
    app.update();
    let terrain = app.world_mut().spawn(plain()).id();
    app.update();
    settle(&mut app, entity);
    assert!(path(&app, entity).length() > 36.0);
    let late = NavigationMesh::new(NavigationAgent { radius: 0.3, ..default() }).unwrap();
    let late = app.world_mut().spawn(late).id();
    app.world_mut().spawn(NavigationSource { mesh: late, range: 60.0 });
    settle(&mut app, late);
    assert!(path(&app, late).length() > 36.0);
    // The ground goes down until the wall is above all heads.
    app.world_mut().get_mut::<Transform>(terrain).unwrap().translation.y = -9.0;
    settle(&mut app, late);
    settle(&mut app, entity);
    assert!(path(&app, entity).length() < 30.001);
    assert!(path(&app, late).length() < 30.001);
}

/// Far away, also from the origin, and when the origin moves, which rounds translations anew.
#[test]
fn obstacles_are_anywhere() {
    let (mut app, _, entity) = app(plain(), NavigationAgent::default());
    watch(&mut app);
    // From here, an `f32` is off by up to 32 m.
    let far = 1e9 + 20.0;
    let source = NavigationSource { mesh: entity, range: 60.0 };
    app.world_mut().spawn((source, WorldPosition::at([far, 0.0, 0.0])));
    app.world_mut().spawn((wall().0, WorldPosition::at([far + 20.0, 1.0, 20.0])));
    app.update();
    settle(&mut app, entity);
    let path = mesh(&app, entity).path([far + 5.0, 20.0], [far + 35.0, 20.0]).unwrap();
    assert!(path.length() > 36.0 && path.length() < 40.0, "{path:?}");
    changed(&mut app);
    for origin in [[far, 0.0], [far + 9000.0, -9000.0]] {
        app.insert_resource(TerrainOrigin::at(origin));
        for _ in 0..3 {
            app.update();
        }
        settle(&mut app, entity);
        assert_eq!(changed(&mut app), [], "{origin:?}");
    }
}
