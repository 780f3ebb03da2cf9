//! The file of the world: the ground, all that is built, and where the player is.

use std::path::Path;

use bevy::prelude::*;
use bevy_orogeny::prelude::*;
use bevy_orogeny_world::TerrainWorld;

use crate::looks;
use crate::player::{self, Player};

const FILE: &str = "worlds/third_person.world";
/// Between two saves of the player's position, in seconds.
const INTERVAL: f32 = 2.0;

pub fn plugin(app: &mut App) {
    app.add_systems(Update, save);
}

/// Opens the file, or makes a new world, and spawns the player where it was. A file that cannot be
/// used is left as it is: then the game is played in a new world that is not saved.
pub fn open(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    // A picture is that of a new world.
    let world = if std::env::args().nth(1).is_some() { Ok(None) } else { read().map(Some) };
    let (world, at) = match world {
        Ok(Some((world, at))) => (Some(world), at),
        Ok(None) => (None, None),
        Err(error) => {
            error!("this game is not saved: {error}");
            (None, None)
        }
    };
    player::spawn(&mut commands, &mut meshes, &mut materials, at.unwrap_or([0.0, 0.0]));
    if let Some(world) = world {
        commands.insert_resource(world);
    }
}

/// The world in the file, and where the player was.
fn read() -> Result<(TerrainWorld, Option<[f64; 2]>)> {
    if let Some(folder) = Path::new(FILE).parent() {
        std::fs::create_dir_all(folder)?;
    }
    let world = TerrainWorld::open_or_create(FILE, &looks::terrain())?;
    let at = world.value("player")?;
    Ok((world, at))
}

/// Saves where the player is. What is built is saved as it is built.
fn save(
    world: Option<ResMut<TerrainWorld>>,
    origin: Res<TerrainOrigin>,
    player: Single<&Transform, With<Player>>,
    time: Res<Time>,
    mut since: Local<f32>,
) {
    *since += time.delta_secs();
    if let Some(mut world) = world
        && *since > INTERVAL
    {
        *since = 0.0;
        let [x, _, z] = origin.position(player.translation);
        if let Err(error) = world.set_value("player", &[x, z]) {
            warn!("the player's position is not saved: {error}");
        }
    }
}
