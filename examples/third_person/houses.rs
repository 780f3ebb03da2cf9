//! Houses. A house stands on each level pad of its size in the log of edits. So undo, loading and
//! other players need no code here: whatever changes the log changes the houses.

use bevy::prelude::*;
use bevy_orogeny::orogeny::Sample;
use bevy_orogeny::orogeny::edits::{Applied, Area, Edit, Flatten};
use bevy_orogeny::prelude::*;

use crate::camera::Follows;
use crate::looks;
use crate::player::Player;
use crate::start::is_playing;

/// The radius of a pad, the width of its edge, and half the size of a house, in metres.
const PAD: f64 = 8.0;
const EDGE: f64 = 6.0;
pub const HALF: Vec3 = Vec3::new(4.0, 1.6, 3.0);

/// How far from the player a house is built, in metres.
const AHEAD: f32 = 18.0;

#[derive(Component)]
pub struct House;

/// What was built last, for undo.
#[derive(Resource, Default)]
struct Built(Vec<Vec<Applied>>);

pub fn plugin(app: &mut App) {
    app.init_resource::<Built>()
        .add_systems(Update, (build, undo).run_if(is_playing))
        .add_observer(put_up);
}

/// Levels the ground where the camera looks, in front of the player, clears and paves it.
fn build(
    keys: Res<ButtonInput<KeyCode>>,
    player: Single<&Transform, With<Player>>,
    camera: Single<&Follows>,
    terrains: TerrainQuery,
    mut editor: TerrainEditor,
    mut built: ResMut<Built>,
) {
    if !keys.just_pressed(KeyCode::KeyB) {
        return;
    }
    // Without a terrain yet, there is nothing to build on.
    let (Ok(ground), Ok(mut editor)) = (terrains.single(), editor.single()) else { return };
    let ahead = player.translation - Quat::from_rotation_y(camera.yaw) * Vec3::Z * AHEAD;
    let [x, _, z] = ground.position(ahead);
    let step = editor.step(|ground| {
        ground.flatten([x, z], PAD, EDGE)?;
        ground.clear([x, z], PAD + 2.0)?;
        ground.paint([x, z], PAD, 1.0, looks::paving())?;
        Ok(())
    });
    match step {
        Ok(step) => built.0.push(step),
        Err(error) => warn!("no house can be built there: {error}"),
    }
}

fn undo(keys: Res<ButtonInput<KeyCode>>, mut editor: TerrainEditor, mut built: ResMut<Built>) {
    if keys.just_pressed(KeyCode::KeyZ)
        && let Ok(mut ground) = editor.single()
        && let Some(step) = built.0.pop()
        && let Err(error) = ground.undo_step(&step)
    {
        warn!("the house cannot be undone: {error}");
    }
}

/// Puts up the houses whose pads are shown from now on. The log may have newer ones.
fn put_up(
    changed: On<TerrainChanged>,
    mut commands: Commands,
    houses: Query<Entity, With<House>>,
    terrains: Query<&TerrainEdits>,
    grounds: TerrainQuery,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let ground = grounds.shown().get(changed.terrain);
    let (Ok(edits), Ok(ground)) = (terrains.get(changed.terrain), ground) else { return };
    houses.iter().for_each(|house| commands.entity(house).despawn());
    let log = &edits.log;
    let walls = meshes.add(Cuboid::from_size(2.0 * HALF));
    let material = materials.add(Color::srgb(0.8, 0.74, 0.62));
    for edit in log.ids().filter_map(|id| log.get(id)?.edit()) {
        let Edit::Flatten(Flatten { area: Area::Disc(disc), height, .. }) = edit else { continue };
        let is_level = |at: Sample<2>| (at.value - height).abs() < 0.1;
        if disc.radius != PAD || !ground.field(disc.center).is_ok_and(is_level) {
            continue;
        }
        let [x, z] = disc.center;
        let middle = f64::from(*height) + f64::from(HALF.y);
        commands.spawn((
            House,
            WalkerObstacle { half_size: HALF },
            Mesh3d(walls.clone()),
            MeshMaterial3d(material.clone()),
            WorldPosition::at([x, middle, z]),
            Transform::from_translation(ground.translation([x, middle, z])),
        ));
    }
}
