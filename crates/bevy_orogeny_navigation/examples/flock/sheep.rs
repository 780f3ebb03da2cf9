//! The sheep: each follows a path of its own, and keeps clear of the others.

use bevy::prelude::*;
use bevy_orogeny::prelude::*;
use bevy_orogeny_navigation::{NavigationAgent, NavigationChanged, NavigationMesh, NavigationPath};

use crate::land::Place;

const COUNT: u32 = 48;
/// In m/s.
const SPEED: f64 = 2.4;
/// How far sheep stay apart, in metres.
const APART: f64 = 1.7;
/// How far ahead on its path a sheep looks, in metres.
const AHEAD: f64 = 1.6;

pub fn agent() -> NavigationAgent {
    NavigationAgent {
        radius: 0.45,
        wade_depth: 0.35,
        slope_limit: 32f64.to_radians(),
        snap: 6.0,
        ..NavigationAgent::default()
    }
}

/// A sheep: where it is, its path, and how far along that it is, in metres.
#[derive(Component, Default)]
pub struct Sheep {
    /// In `f64`: the steps of a frame are shorter than a translation in `f32` resolves.
    at: [f64; 2],
    pub path: Option<NavigationPath>,
    pub along: f64,
    /// Its place in the flock, relative to the goal.
    offset: [f64; 2],
}

/// To which of [`Place::goals`] the flock goes.
#[derive(Resource, Default)]
pub struct Goal(pub usize);

pub fn plugin(app: &mut App) {
    app.insert_resource(Goal(1))
        .add_systems(Update, (spawn, choose_goal, find_paths, walk).chain())
        .add_observer(search_again);
}

/// Spawns the flock once there is a mesh to stand on.
fn spawn(
    mut commands: Commands,
    place: Option<Res<Place>>,
    mesh: Option<Single<&NavigationMesh>>,
    flock: Query<(), With<Sheep>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let (Some(place), Some(mesh)) = (place, mesh) else { return };
    if !flock.is_empty() || mesh.missing() > 0 {
        return;
    }
    let places: Vec<_> = (0..COUNT)
        .filter_map(|i| {
            // A sunflower's seeds.
            let (radius, turn) = (1.2 * f64::from(i).sqrt(), 2.4 * f64::from(i));
            let offset = [radius * turn.cos(), radius * turn.sin()];
            let start = [0, 1].map(|k| place.goals[0][k] + offset[k]);
            Some((offset, mesh.nearest(start)?))
        })
        .collect();
    if places.is_empty() {
        return;
    }
    let mut paint = |color| {
        materials.add(StandardMaterial {
            base_color: color,
            perceptual_roughness: 1.0,
            ..default()
        })
    };
    let (wool, dark) = (paint(Color::srgb(0.93, 0.9, 0.83)), paint(Color::srgb(0.1, 0.09, 0.08)));
    let (body, head) = (meshes.add(Sphere::new(0.5)), meshes.add(Sphere::new(0.17)));
    let leg = meshes.add(Cylinder::new(0.06, 0.4));
    for (offset, [x, z]) in places {
        let mut sheep = commands.spawn((
            Sheep { at: [x, z], offset, ..default() },
            Transform::from_xyz(x as f32, 0.0, z as f32),
            Visibility::default(),
        ));
        sheep.with_children(|parts| {
            let mut part = |mesh: &Handle<Mesh>, material: &Handle<_>, at: Vec3, scale: Vec3| {
                let place = Transform::from_translation(at).with_scale(scale);
                parts.spawn((Mesh3d(mesh.clone()), MeshMaterial3d(material.clone()), place));
            };
            part(&body, &wool, Vec3::new(0.0, 0.68, 0.0), Vec3::new(0.78, 0.72, 1.15));
            part(&head, &dark, Vec3::new(0.0, 0.92, -0.66), Vec3::new(0.85, 1.0, 1.35));
            for [x, z] in [[-0.2, -0.3], [0.2, -0.3], [-0.2, 0.3], [0.2, 0.3]] {
                part(&leg, &dark, Vec3::new(x, 0.2, z), Vec3::ONE);
            }
        });
    }
}

fn choose_goal(
    keys: Res<ButtonInput<KeyCode>>,
    mut goal: ResMut<Goal>,
    mut flock: Query<&mut Sheep>,
) {
    if keys.just_pressed(KeyCode::Space) {
        goal.0 = 1 - goal.0;
        flock.iter_mut().for_each(|mut sheep| sheep.path = None);
    }
}

/// Edits have changed the mesh: all paths are searched again.
fn search_again(_: On<NavigationChanged>, mut flock: Query<&mut Sheep>) {
    flock.iter_mut().for_each(|mut sheep| sheep.path = None);
}

/// Finds paths for the sheep that have none. Without a way they stay where they are.
fn find_paths(
    place: Option<Res<Place>>,
    mesh: Option<Single<&NavigationMesh>>,
    goal: Res<Goal>,
    mut flock: Query<&mut Sheep>,
) {
    let (Some(place), Some(mesh)) = (place, mesh) else { return };
    for mut sheep in &mut flock {
        if sheep.path.is_none() && mesh.missing() == 0 {
            let from = sheep.at;
            let to = [0, 1].map(|k| place.goals[goal.0][k] + sheep.offset[k]);
            let path = mesh.path(from, to).unwrap_or_else(|error| {
                info_once!("the flock stays: {error}");
                NavigationPath::straight(from, from)
            });
            (sheep.path, sheep.along) = (Some(path), 0.0);
        }
    }
}

/// Steers each sheep along its path and away from others, on the mesh.
fn walk(
    time: Res<Time>,
    terrains: TerrainQuery,
    mesh: Option<Single<&NavigationMesh>>,
    mut flock: Query<(Entity, &mut Sheep, &mut Transform)>,
) {
    let (Some(mesh), Ok(ground)) = (mesh, terrains.single()) else { return };
    let others: Vec<(Entity, [f64; 2])> =
        flock.iter().map(|(entity, sheep, _)| (entity, sheep.at)).collect();
    let step = time.delta_secs_f64().min(0.1);
    for (entity, mut sheep, mut transform) in &mut flock {
        let at = sheep.at;
        let mut velocity = [0.0; 2];
        let Sheep { path, along, .. } = &mut *sheep;
        if let Some(path) = path {
            // The point of the path that is nearest, not far ahead.
            let away = |p: [f64; 2]| (p[0] - at[0]).hypot(p[1] - at[1]);
            let near = (0..12).map(|i| *along + 0.25 * f64::from(i));
            *along = near
                .min_by(|a, b| away(path.at(*a)).total_cmp(&away(path.at(*b))))
                .unwrap_or(*along);
            let target = path.at(*along + AHEAD);
            let distance = away(target);
            if distance > 0.3 {
                velocity = [0, 1].map(|k| SPEED * (target[k] - at[k]) / distance);
            }
        }
        let is_walking = velocity != [0.0; 2];
        for (other, position) in &others {
            let gap = [0, 1].map(|k| at[k] - position[k]);
            let distance = gap[0].hypot(gap[1]);
            if *other != entity && distance < APART && distance > 1e-6 {
                let push = 2.5 * (APART - distance) / distance;
                velocity = [0, 1].map(|k| velocity[k] + push * gap[k]);
            }
        }
        let speed = velocity[0].hypot(velocity[1]);
        let part = (1.3 * SPEED / speed.max(1e-9)).min(1.0);
        let next = [0, 1].map(|k| at[k] + velocity[k] * part * step);
        let [x, z] = mesh.slide(at, next).unwrap_or(at);
        sheep.at = [x, z];
        if let Ok(surface) = ground.surface([x, z]) {
            transform.translation = Vec3::new(x as f32, surface.value, z as f32);
        }
        let facing = Vec3::new(velocity[0] as f32, 0.0, velocity[1] as f32);
        if is_walking && speed > 0.3 {
            let turned = transform.looking_to(facing, Vec3::Y).rotation;
            transform.rotation = transform.rotation.slerp(turned, (6.0 * step as f32).min(1.0));
        }
    }
}
