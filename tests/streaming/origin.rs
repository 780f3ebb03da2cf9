//! The floating origin follows a viewer, and everything keeps its position in the world.

use bevy::prelude::*;
use bevy_orogeny::advanced::{Chunk, ORIGIN_STEP, OriginMoved};
use bevy_orogeny::{TerrainOrigin, TerrainViewer, WorldPosition};

use super::support::*;

#[derive(Resource, Default)]
struct Moves(Vec<Vec3>);

/// The position in the world of an entity, by its propagated transform.
fn world(app: &App, entity: Entity) -> [f64; 3] {
    let translation = app.world().get::<GlobalTransform>(entity).unwrap().translation();
    app.world().resource::<TerrainOrigin>().position(translation)
}

/// A viewer, child of a player, walks 30 km. Chunks, the player and a tree keep their positions in
/// the world in every frame.
#[test]
fn nothing_moves_but_the_numbers() {
    let mut app = app();
    app.add_plugins(TransformPlugin).init_resource::<Moves>();
    app.add_observer(|moved: On<OriginMoved>, mut moves: ResMut<Moves>| moves.0.push(moved.by));
    app.insert_resource(TerrainOrigin::default().rebasing());
    let ground = app.world_mut().spawn(hills(1)).id();
    let viewer = spawn_viewer(&mut app, Vec3::new(0.0, 2.0, 0.0));
    let player =
        app.world_mut().spawn((Transform::default(), Visibility::default())).add_child(viewer).id();
    let leaf = app.world_mut().spawn(Transform::from_xyz(0.5, 8.0, 0.0)).id();
    let tree = (WorldPosition::default(), Transform::from_xyz(-300.0, 0.0, 700.0));
    app.world_mut().spawn((tree, Visibility::default())).add_child(leaf);
    for step in 0..300 {
        set(&mut app, player, |t: &mut Transform| t.translation += Vec3::new(100.0, 0.0, -60.0));
        app.update();
        let position = [100.0 * f64::from(step + 1), 2.0, -60.0 * f64::from(step + 1)];
        assert_eq!(world(&app, viewer), position);
        assert_eq!(world(&app, leaf), [-299.5, 8.0, 700.0]);
        let near = app.world().get::<GlobalTransform>(viewer).unwrap().translation();
        assert!(near.abs().max_element() <= 0.75 * ORIGIN_STEP as f32 + 100.0, "{near}");
        check_cover(&mut app, ground, [position[0], position[2]], RANGE);
        let chunks: Vec<_> = app
            .world_mut()
            .query::<(Entity, &Chunk)>()
            .iter(app.world())
            .map(|(e, c)| (e, *c))
            .collect();
        for (entity, chunk) in chunks {
            let [x, z] = LAYOUT.origin(chunk.key);
            assert_eq!(world(&app, entity), [x, 0.0, z]);
        }
    }
    let moves = &app.world().resource::<Moves>().0;
    assert!(moves.len() >= 3);
    let sum: Vec3 = moves.iter().sum();
    assert_eq!(
        app.world().resource::<TerrainOrigin>().offset(),
        [f64::from(sum.x), f64::from(sum.z)]
    );
}

/// The app may manage the origin itself.
#[test]
fn chunks_follow_an_origin_that_is_inserted() {
    let mut app = app();
    app.add_plugins(TransformPlugin);
    let ground = app.world_mut().spawn(hills(1)).id();
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let origin = TerrainOrigin::at([1e12, -1e12]);
    app.insert_resource(origin);
    let [x, z] = origin.offset();
    // The viewer's Transform is unchanged, so its position in the world is another one.
    app.update();
    check_cover(&mut app, ground, [x, z], RANGE);
    set(&mut app, viewer, |t: &mut Transform| {
        t.translation = origin.translation([x + 50.0, 0.0, z]);
    });
    app.update();
    check_cover(&mut app, ground, [x + 50.0, z], RANGE);
}

/// How far two positions are apart along the axes, in metres.
fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max)
}

/// Viewers go to places in the frame in which their position is set, to the millimetre, and the
/// ground there is covered in that frame. What they leave behind keeps its position.
#[test]
fn viewers_go_anywhere_in_one_frame() {
    for is_child in [false, true] {
        let mut app = app();
        app.add_plugins(TransformPlugin).insert_resource(TerrainOrigin::default().rebasing());
        let ground = app.world_mut().spawn(hills(1)).id();
        let first = [1e9 + 17.123, 200.0, -123_456_789.0];
        let moving = app.world_mut().spawn(WorldPosition::at(first)).id();
        let viewer = TerrainViewer { range: RANGE, ..default() };
        let viewer = if is_child {
            let at_its_parent = (viewer, Transform::default(), ChildOf(moving));
            app.world_mut().spawn(at_its_parent).id()
        } else {
            app.world_mut().entity_mut(moving).insert(viewer).id()
        };
        let lamp_at = [0.1f32, 0.2, 0.3].map(f64::from);
        let lamp = app.world_mut().spawn(WorldPosition::at(lamp_at)).id();
        let places = [first, [-1e12 + 0.3, 5.0, 1e12], [0.1, 3.0, 1e9], [1e3, 0.7, -2e3]];
        for (k, place) in places.into_iter().enumerate() {
            if k > 0 {
                set(&mut app, moving, |position: &mut WorldPosition| position.set(place));
            }
            app.update();
            // Half a millimetre is the resolution of `f32` at 6 km, another that of `f64` at 1e12.
            assert!(apart(world(&app, viewer), place) < 1e-3, "{:?}", world(&app, viewer));
            assert_eq!(app.world().get::<WorldPosition>(moving).unwrap().get(), Some(place));
            check_cover(&mut app, ground, [place[0], place[2]], RANGE);
            assert_eq!(app.world().get::<WorldPosition>(lamp).unwrap().get(), Some(lamp_at));
        }
        set(&mut app, moving, |position: &mut WorldPosition| position.set([0.0; 3]));
        app.update();
        let lamp = app.world().get::<Transform>(lamp).unwrap().translation;
        assert_eq!(lamp, Vec3::new(0.1, 0.2, 0.3));
    }
}

/// At 1e9 m and at 1e12 m, a viewer moves as at 0, and its position follows.
#[test]
fn movement_far_away_is_as_exact_as_near() {
    for far in [0.0, 1e9, 1e12] {
        let mut app = app();
        app.add_plugins(TransformPlugin).insert_resource(TerrainOrigin::default().rebasing());
        let place = WorldPosition::at([far, 0.0, -far]);
        let viewer = app.world_mut().spawn((TerrainViewer::default(), place)).id();
        app.update();
        for step in 1..200 {
            set(&mut app, viewer, |t: &mut Transform| t.translation += Vec3::new(0.25, 0.0, 61.5));
            app.update();
            let at = [far + 0.25 * f64::from(step), 0.0, -far + 61.5 * f64::from(step)];
            assert!(apart(world(&app, viewer), at) < 1e-3);
            let position = app.world().get::<WorldPosition>(viewer).unwrap().get().unwrap();
            assert!(apart(position, at) < 1e-3, "{position:?}");
        }
    }
}

/// An app that manages the origin itself need not move what has a position.
#[test]
fn positions_follow_an_origin_that_is_inserted() {
    let mut app = app();
    let at = [1e12 + 0.5, 7.0, 3.0];
    let lamp = app.world_mut().spawn(WorldPosition::at(at)).id();
    app.update();
    for origin in [[1e12, 0.0], [1e12 - 30_000.0, 0.0], [1e12, 9000.0]] {
        let origin = TerrainOrigin::at(origin);
        app.insert_resource(origin);
        app.update();
        let translation = app.world().get::<Transform>(lamp).unwrap().translation;
        assert_eq!(translation, origin.translation(at));
        assert_eq!(app.world().get::<WorldPosition>(lamp).unwrap().get(), Some(at));
    }
}
