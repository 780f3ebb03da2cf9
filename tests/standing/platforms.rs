//! Obstacles that move carry whoever stands on them.

use bevy::prelude::*;
use bevy_orogeny::prelude::*;

use super::{Step, plain, time_step};

const LEVEL: Step = Step(10.0, 10.0);

/// Where a platform is at a time: its translation and its turn.
#[derive(Component, Clone, Copy)]
struct Moves(fn(f32) -> (Vec3, f32));

impl Moves {
    /// Where it is. It sets off when the walker stands on it.
    fn pose(self, time: &Time) -> Transform {
        let (at, turn) = self.0((time.elapsed_secs() - 0.1).max(0.0));
        Transform::from_translation(at).with_rotation(Quat::from_rotation_y(turn))
    }
}

/// A walker on a platform, 12 m over the ground.
struct Scene {
    app: App,
    platform: Entity,
    walker: Entity,
    rate: f64,
}

fn scene(rate: f64, moves: Moves, by_parent: bool) -> Scene {
    let mut app = plain();
    app.world_mut().spawn(Terrain::field(LEVEL));
    let go = |time: Res<Time>, mut platforms: Query<(&mut Transform, &Moves)>| {
        for (mut transform, moves) in &mut platforms {
            *transform = moves.pose(&time);
        }
    };
    app.add_systems(Update, (go, walk).chain());
    time_step(&mut app, 1.0 / rate);
    let deck = WalkerObstacle { half_size: Vec3::new(8.0, 0.25, 8.0) };
    let platform = if by_parent {
        let parent = app.world_mut().spawn((Transform::default(), moves)).id();
        app.world_mut().spawn((deck, Transform::default(), ChildOf(parent))).id()
    } else {
        app.world_mut().spawn((deck, Transform::default(), moves)).id()
    };
    app.update();
    let walker = TerrainWalker { height: 1.0, motion: WalkerMotion::Stands, ..default() };
    let on = Transform::from_xyz(3.0, 23.25, 0.0);
    let walker = app.world_mut().spawn((walker, on)).id();
    app.update();
    Scene { app, platform, walker, rate }
}

impl Scene {
    fn run(&mut self, seconds: f64) -> Vec3 {
        (0..(seconds * self.rate).round() as u32).for_each(|_| self.app.update());
        self.at()
    }

    fn at(&self) -> Vec3 {
        self.app.world().get::<Transform>(self.walker).unwrap().translation
    }

    fn walker(&mut self) -> Mut<'_, TerrainWalker> {
        self.app.world_mut().get_mut(self.walker).unwrap()
    }
}

const UP: Vec3 = Vec3::new(0.0, 22.0, 0.0);

/// A walk there and back, a lift, a fall of a lift, a train, a roundabout.
const RIDES: [(&str, Moves); 6] = [
    ("ferry", Moves(|time| (UP + Vec3::new(4.0 * (0.5 * time).sin(), 0.0, time), 0.0))),
    ("lift", Moves(|time| (UP + Vec3::Y * 3.0 * time, 0.0))),
    ("fast lift", Moves(|time| (UP + Vec3::Y * 40.0 * time, 0.0))),
    ("descent", Moves(|time| (UP - Vec3::Y * (2.0 * time).min(6.0), 0.0))),
    ("train", Moves(|time| (UP + Vec3::X * 90.0 * time, 0.0))),
    ("roundabout", Moves(|time| (UP, 1.3 * time))),
];

#[test]
fn who_stands_on_what_moves_goes_with_it() {
    for (name, moves) in RIDES {
        for (rate, by_parent) in [(30.0, false), (120.0, true)] {
            let mut scene = scene(rate, moves, by_parent);
            let pose = |scene: &Scene| moves.pose(scene.app.world().resource::<Time>());
            let local = pose(&scene).compute_affine().inverse().transform_point3(scene.at());
            let found = scene.run(0.6);
            let expected = pose(&scene).transform_point(local);
            let error = found.distance(expected);
            assert!(error < 0.01, "{name} {rate} {by_parent}: {found}, {expected}");
            assert_eq!(scene.walker().motion, WalkerMotion::Stands, "{name}");
        }
    }
}

/// It turns with a roundabout, and walks on what moves.
#[test]
fn a_walker_turns_and_walks_on_its_platform() {
    let mut roundabout = scene(60.0, Moves(|time| (UP, time)), false);
    let turn = |scene: &Scene| {
        let transform = scene.app.world().get::<Transform>(scene.walker).unwrap();
        transform.rotation.to_euler(EulerRot::YXZ).0
    };
    roundabout.run(0.2);
    let start = turn(&roundabout);
    roundabout.run(0.5);
    let turned = turn(&roundabout) - start;
    assert!((turned - 0.5).abs() < 0.01, "{turned}");

    let mut train = scene(60.0, Moves(|time| (UP + Vec3::X * 20.0 * time, 0.0)), false);
    train.walker().velocity = Vec2::new(0.0, 8.0);
    train.run(0.2);
    let start = train.at();
    let way = train.run(0.5) - start;
    assert!((way - Vec3::new(10.0, 0.0, 4.0)).length() < 0.05, "{way}");
    // Off its side: it falls to the ground, and stays there.
    train.run(2.5);
    train.walker().velocity = Vec2::ZERO;
    let landed = train.run(0.1);
    assert_eq!(landed.y, 11.0);
    assert_eq!(train.run(0.5), landed);
}

/// A jump on a train ends where it began, and so does one in a lift.
#[test]
fn a_jump_keeps_the_motion_of_its_platform() {
    for moves in [
        Moves(|time| (UP + Vec3::X * 20.0 * time, 0.0)),
        Moves(|time| (UP + Vec3::Y * 4.0 * time, 0.0)),
        Moves(|time| (UP - Vec3::Y * time, 0.0)),
    ] {
        let mut scene = scene(60.0, moves, false);
        let on = |scene: &Scene| {
            scene.at() - scene.app.world().get::<Transform>(scene.platform).unwrap().translation
        };
        scene.run(0.3);
        let before = on(&scene);
        scene.walker().jump = true;
        scene.run(0.4);
        assert!(on(&scene).y > before.y + 0.8, "{} {}", on(&scene), before);
        scene.run(1.0);
        assert!(on(&scene).distance(before) < 0.01, "{} {}", on(&scene), before);
    }
}

#[test]
fn what_is_removed_or_put_elsewhere_carries_nobody() {
    let mut removed = scene(60.0, Moves(|_| (UP, 0.0)), false);
    removed.run(0.1);
    removed.app.world_mut().despawn(removed.platform);
    let at = removed.run(1.8);
    assert_eq!(at, Vec3::new(3.0, 11.0, 0.0));

    let far = Moves(|time| (UP + if time > 0.5 { 500.0 * Vec3::X } else { Vec3::ZERO }, 0.0));
    let mut far = scene(60.0, far, false);
    let at = far.run(2.5);
    assert_eq!(at, Vec3::new(3.0, 11.0, 0.0));

    // A walker that is put elsewhere is not carried on.
    let mut left = scene(60.0, Moves(|time| (UP + 9.0 * Vec3::X * time, 0.0)), false);
    left.run(0.2);
    let there = Transform::from_xyz(-300.0, 11.0, 5.0);
    *left.app.world_mut().get_mut::<Transform>(left.walker).unwrap() = there;
    assert_eq!(left.run(0.3), there.translation);
}

/// Whoever stands on a deck keeps its place on it while that grows, shrinks or rolls over.
#[test]
fn a_place_on_a_deck_is_kept_while_that_changes() {
    let mut scene = scene(60.0, Moves(|_| (UP, 0.0)), true);
    let deck = |scene: &mut Scene, scale: Vec3, roll: Quat| {
        let to = Transform::from_scale(scale).with_rotation(roll);
        scene.app.world_mut().entity_mut(scene.platform).insert(to);
        scene.run(1.0 / 60.0)
    };
    for frame in 0..60 {
        let grown = 1.0 + 0.8 * (0.1 * frame as f32).sin();
        let at = deck(&mut scene, Vec3::new(grown, grown, 1.0), Quat::IDENTITY);
        let expected = Vec3::new(3.0 * grown, 23.0 + 0.25 * grown, 0.0);
        assert!(at.distance(expected) < 1e-3, "{frame}: {at}, {expected}");
    }
    deck(&mut scene, Vec3::ONE, Quat::IDENTITY);
    let on = scene.at();
    for frame in 0..200 {
        let angle = 0.05 * frame as f32;
        let roll = if frame < 100 { Quat::from_rotation_z } else { Quat::from_rotation_x };
        let at = deck(&mut scene, Vec3::ONE, roll(angle));
        assert!(at.distance(on) < 1e-3, "{angle}: {at}, {on}");
    }
}

/// Nothing that moves fast passes a walker: a lift out of the ground, and a wall.
#[test]
fn fast_obstacles_do_not_pass_a_walker() {
    let there = Transform::from_xyz(3.0, 11.0, 0.0);
    let put = |scene: &mut Scene| {
        scene.app.world_mut().entity_mut(scene.walker).insert(there);
        scene.walker().motion = WalkerMotion::Stands;
    };
    for (rate, speed) in [(10.0, 5.0f32), (30.0, 40.0), (60.0, 40.0)] {
        let lift = if speed == 5.0 {
            Moves(|time| (Vec3::new(0.0, 7.0 + 5.0 * time, 0.0), 0.0))
        } else {
            Moves(|time| (Vec3::new(0.0, 7.0 + 40.0 * time, 0.0), 0.0))
        };
        let mut lift = scene(rate, lift, false);
        put(&mut lift);
        let at = lift.run(1.5);
        let floor = lift.app.world().get::<Transform>(lift.platform).unwrap().translation.y;
        assert!(floor > 12.0);
        assert!(at.distance(Vec3::new(3.0, floor + 1.25, 0.0)) < 1e-2, "{rate}: {at} {floor}");
        assert_eq!(lift.walker().motion, WalkerMotion::Stands);
    }
    let mut wall =
        scene(30.0, Moves(|time| (Vec3::new(-20.0 + 60.0 * time, 11.0, 0.0), 0.0)), false);
    wall.app.world_mut().get_mut::<WalkerObstacle>(wall.platform).unwrap().half_size =
        Vec3::new(0.2, 2.0, 5.0);
    put(&mut wall);
    let at = wall.run(0.7);
    let wall = wall.app.world().get::<Transform>(wall.platform).unwrap().translation;
    assert!(wall.x > 10.0 && at.x > wall.x + 0.4 && at.x < wall.x + 1.0, "{at} {wall}");
}

/// What a wall has passed before a walker is put there does not push it.
#[test]
fn a_walker_that_is_placed_was_not_there_before() {
    let mut wall =
        scene(30.0, Moves(|time| (Vec3::new(-20.0 + 60.0 * time, 11.0, 0.0), 0.0)), false);
    wall.app.world_mut().get_mut::<WalkerObstacle>(wall.platform).unwrap().half_size =
        Vec3::new(0.2, 2.0, 5.0);
    wall.run(0.3);
    let at = wall.app.world().get::<Transform>(wall.platform).unwrap().translation;
    // In the next frame the wall goes on by 2 m.
    let there = at + Vec3::X;
    wall.app.world_mut().entity_mut(wall.walker).insert(Transform::from_translation(there));
    wall.walker().motion = WalkerMotion::Placed;
    assert_eq!(wall.run(1.0 / 30.0), there);
}

/// Far from the origin, platforms that have a position in `f64` carry as smoothly.
#[test]
fn a_platform_far_from_the_origin_carries_exactly() {
    let mut app = plain();
    app.world_mut().spawn(Terrain::field(LEVEL));
    let place = 1e9;
    let go = |time: Res<Time>, mut decks: Query<&mut WorldPosition, With<WalkerObstacle>>| {
        for mut position in &mut decks {
            position.set([1e9 + time.elapsed_secs_f64(), 22.0, 0.0]);
        }
    };
    app.add_systems(Update, (go, walk).chain());
    time_step(&mut app, 1.0 / 500.0);
    let deck = WalkerObstacle { half_size: Vec3::new(8.0, 0.25, 8.0) };
    app.world_mut().spawn((deck, WorldPosition::at([place, 22.0, 0.0])));
    app.update();
    let walker = TerrainWalker { motion: WalkerMotion::Stands, ..default() };
    let walker = app.world_mut().spawn((walker, WorldPosition::at([place, 23.95, 1.0]))).id();
    let at = |app: &App| app.world().get::<WorldPosition>(walker).unwrap().get().unwrap();
    app.update();
    let start = at(&app);
    (0..250).for_each(|_| app.update());
    let end = at(&app);
    assert!((end[0] - start[0] - 0.5).abs() < 0.01, "{start:?} {end:?}");
    assert!((end[1] - start[1]).abs() < 1e-6 && end[2] == start[2], "{start:?} {end:?}");
}

/// A wall that comes along pushes a walker that stands still.
#[test]
fn a_wall_that_moves_pushes() {
    let mut scene =
        scene(60.0, Moves(|time| (Vec3::new(-6.0 + 5.0 * time, 11.0, 0.0), 0.0)), false);
    let there = Transform::from_xyz(4.0, 11.0, 0.0);
    let mut wall = scene.app.world_mut().get_mut::<WalkerObstacle>(scene.platform).unwrap();
    wall.half_size = Vec3::new(0.5, 2.0, 5.0);
    *scene.app.world_mut().get_mut::<Transform>(scene.walker).unwrap() = there;
    let at = scene.run(2.9);
    assert!(at.x > 8.0 && at.y == 11.0, "{at}");
    assert_eq!(at.z, 0.0);
}
