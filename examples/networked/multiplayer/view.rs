//! A window: a camera that flies, keys that dig, and the other players.

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use bevy_orogeny::orogeny::edits::Applied;
use bevy_orogeny::orogeny::ray::{Cast, Ray};
use bevy_orogeny::prelude::*;

use crate::client::Session;
use crate::protocol::Player;

const KEYS: &str = "W A S D Q E fly, Shift faster, right mouse button looks; in the middle of the \
                    view C crater, B hill, F level, U undo";
const METRES_ABOVE_GROUND: f32 = 40.0;
/// The maximum distance of the ground from the camera, and the accuracy of the ray, in metres.
const REACH: f64 = 2000.0;
const TOLERANCE: f64 = 0.05;
/// The size of other players, in metres.
const SIZE: f32 = 2.0;

/// Adds the window. Call before the client is built.
pub fn build(app: &mut App) {
    let window = Window { title: format!("multiplayer: {KEYS}"), ..default() };
    app.add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .add_plugins((FreeCameraPlugin, TerrainPlugins))
        .insert_resource(ClearColor(Color::srgb(0.5, 0.68, 0.85)))
        // The camera flies as smoothly far from the origin.
        .insert_resource(TerrainOrigin::default().rebasing())
        .insert_resource(GlobalAmbientLight { brightness: 600.0, ..default() })
        .add_systems(Startup, setup)
        .add_systems(Update, (dig.pipe(Session::tell), tell, draw_players));
}

fn setup(mut commands: Commands) {
    commands.spawn((
        Camera3d::default(),
        TerrainViewer::default(),
        SpawnOnGround {
            offset: METRES_ABOVE_GROUND,
            // Over water too.
            deepest: None,
            ..SpawnOnGround::at([0.0, 0.0])
        },
        Transform::default().looking_to(Vec3::new(-1.0, -0.3, -0.3), Vec3::Y),
        FreeCamera { walk_speed: 20.0, run_speed: 200.0, ..default() },
    ));
    commands.spawn((
        DirectionalLight::default(),
        Transform::default().looking_to(Vec3::new(-0.4, -0.6, -1.0), Vec3::Y),
    ));
}

/// The title tells the state of the connection and the keys.
fn tell(session: Res<Session>, mut window: Single<&mut Window>) {
    let Session { status, unconfirmed, .. } = &*session;
    let waiting = match unconfirmed.len() {
        0 => String::new(),
        count => format!(", {count} edits on their way"),
    };
    let title = format!("multiplayer: {status}{waiting}. {KEYS}");
    if window.title != title {
        window.title = title;
    }
}

fn dig(
    keys: Res<ButtonInput<KeyCode>>,
    camera: Single<&Transform, With<FreeCamera>>,
    origin: Res<TerrainOrigin>,
    terrains: TerrainQuery,
    mut editor: TerrainEditor,
    mut session: ResMut<Session>,
    mut done: Local<Vec<Applied>>,
) -> Result {
    session.position = origin.position(camera.translation);
    // No ground before the server has sent it.
    let (Ok(ground), Ok(mut editor)) = (terrains.single(), editor.single()) else { return Ok(()) };
    if keys.just_pressed(KeyCode::KeyU)
        && let Some(last) = done.pop()
    {
        editor.undo(&last)?;
    }
    let tools = [KeyCode::KeyC, KeyCode::KeyB, KeyCode::KeyF];
    let Some(tool) = tools.into_iter().find(|&key| keys.just_pressed(key)) else { return Ok(()) };
    let direction = camera.forward().to_array().map(f64::from);
    let ray = Ray { origin: session.position, direction, max_distance: REACH };
    // Positions outside the limits of rays have no ground.
    let cast = match ground.raycast_field(&ray, TOLERANCE) {
        // Too much work for the exact field: the triangles that are drawn will do.
        Ok(Cast::Unfinished { .. }) => ground.raycast_surface(&ray),
        cast => cast,
    };
    let Ok(Cast::Hit(hit)) = cast else {
        return Err(format!("there is no ground within {REACH} m in the middle of the view").into());
    };
    let [x, _, z] = hit.position;
    // As large as a brush of the same size on the screen.
    let radius = (0.15 * hit.distance).clamp(2.0, 100.0);
    done.push(match tool {
        KeyCode::KeyC => editor.crater([x, z], radius)?,
        KeyCode::KeyB => editor.raise([x, z], 0.3 * radius, radius, 0.3 * radius as f32)?,
        _ => editor.flatten([x, z], radius, radius)?,
    });
    Ok(())
}

/// Draws the other players as balls.
fn draw_players(
    players: Query<&Player>,
    author: Res<bevy_orogeny::advanced::EditAuthor>,
    origin: Res<TerrainOrigin>,
    mut gizmos: Gizmos,
) {
    for player in players.iter().filter(|player| player.author != author.0) {
        gizmos.sphere(origin.translation(player.position), SIZE, Color::srgb(1.0, 0.5, 0.1));
    }
}
