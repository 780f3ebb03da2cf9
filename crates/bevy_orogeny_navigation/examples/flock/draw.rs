//! Draws the path of the first sheep, and the navigation mesh.

use bevy::prelude::*;
use bevy_orogeny::TerrainGround;
use bevy_orogeny::prelude::*;
use bevy_orogeny_navigation::{NavigationMesh, NavigationPath};

use crate::land::Place;
use crate::sheep::Sheep;

const PATH: Color = Color::srgb(1.0, 0.78, 0.1);
const MESH: Color = Color::srgba(0.25, 0.85, 1.0, 0.3);
/// How far around the ford the mesh is drawn, in metres.
const VISIBLE: f64 = 60.0;

/// Whether the mesh is drawn.
#[derive(Resource)]
pub struct ShowsMesh(pub bool);

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, set_width)
        .add_systems(PostUpdate, (toggle, draw_path, draw_mesh).chain());
}

fn set_width(mut store: ResMut<GizmoConfigStore>) {
    let (config, _) = store.config_mut::<DefaultGizmoConfigGroup>();
    config.line.width = 3.0;
    config.depth_bias = -0.002;
}

fn toggle(keys: Res<ButtonInput<KeyCode>>, mut shows: ResMut<ShowsMesh>) {
    if keys.just_pressed(KeyCode::KeyN) {
        shows.0 = !shows.0;
    }
}

/// A point above the ground and the water.
fn above(ground: &TerrainGround, [x, z]: [f64; 2], by: f64) -> Option<Vec3> {
    let height = f64::from(ground.surface([x, z]).ok()?.value);
    let water = ground.water([x, z]).ok().flatten().map_or(f64::NEG_INFINITY, |it| it.surface);
    Some(ground.translation([x, height.max(water) + by, z]))
}

fn draw_path(mut gizmos: Gizmos, terrains: TerrainQuery, flock: Query<&Sheep>) {
    let Ok(ground) = terrains.single() else { return };
    let Some(path) = flock.iter().find_map(|sheep| sheep.path.as_ref()) else { return };
    gizmos.linestrip(path.points(0.5).filter_map(|at| above(&ground, at, 0.25)), PATH);
    for &corner in path.corners() {
        if let Some(at) = above(&ground, corner, 0.25) {
            gizmos.sphere(at, 0.25, PATH);
        }
    }
}

/// Draws the edges of all polygons. Their lines are found when the mesh changes.
fn draw_mesh(
    mut gizmos: Gizmos,
    terrains: TerrainQuery,
    mesh: Option<Single<Ref<NavigationMesh>>>,
    place: Option<Res<Place>>,
    shows: Res<ShowsMesh>,
    mut lines: Local<Vec<Vec<Vec3>>>,
) {
    let (Some(mesh), Some(place), Ok(ground)) = (mesh, place, terrains.single()) else { return };
    if mesh.is_changed() || !shows.0 {
        lines.clear();
    }
    if !shows.0 || mesh.missing() > 0 {
        return;
    }
    if lines.is_empty() {
        *lines = edges(&mesh, &ground, place.ford);
    }
    for line in &*lines {
        gizmos.linestrip(line.iter().copied(), MESH);
    }
}

/// The edges of the polygons around a point, on the ground.
fn edges(mesh: &NavigationMesh, ground: &TerrainGround, around: [f64; 2]) -> Vec<Vec<Vec3>> {
    let mut lines = Vec::new();
    for tile in mesh.tiles().iter() {
        let [x, z] = tile.corner();
        if (x - around[0]).abs().max((z - around[1]).abs()) > VISIBLE {
            continue;
        }
        for mut corners in tile.polygons() {
            corners.push(corners[0]);
            for edge in corners.windows(2) {
                let world = |at: [f64; 2]| [at[0] + x, at[1] + z];
                let edge = NavigationPath::straight(world(edge[0]), world(edge[1]));
                lines.push(edge.points(1.0).filter_map(|at| above(ground, at, 0.12)).collect());
            }
        }
    }
    lines
}
