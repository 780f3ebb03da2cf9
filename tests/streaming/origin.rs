//! The floating origin follows a viewer, and everything keeps its position in the world.

use bevy::prelude::*;
use bevy_orogeny::{
    Chunk, Ground, Layout, MovesWithOrigin, ORIGIN_STEP, OriginMoved, TerrainOrigin,
};

use crate::support::*;

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
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    let viewer = spawn_viewer(&mut app, Vec3::new(0.0, 2.0, 0.0));
    let player =
        app.world_mut().spawn((Transform::default(), Visibility::default())).add_child(viewer).id();
    let leaf = app.world_mut().spawn(Transform::from_xyz(0.5, 8.0, 0.0)).id();
    let tree = (MovesWithOrigin, Transform::from_xyz(-300.0, 0.0, 700.0), Visibility::default());
    app.world_mut().spawn(tree).add_child(leaf);
    let layout = Layout { cells: CELLS, spacing: 1.0 };
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
            let [x, z] = layout.origin(chunk.key);
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
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
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
