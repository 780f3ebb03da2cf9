//! The file of the world: the ground, all that is built, and where the player is.

use std::path::Path;

use bevy::prelude::*;
use bevy_orogeny::prelude::*;
use bevy_orogeny_world::TerrainWorld;

use crate::looks;
use crate::picture::Picture;
use crate::player::Player;
use crate::start::is_playing;

const FILE: &str = "worlds/third_person.world";
/// The key of the player's position.
const PLAYER: &str = "player.position";
/// Between two saves of the player's position, in seconds.
const INTERVAL: f32 = 2.0;

pub fn plugin(app: &mut App) {
    app.add_systems(Update, save.run_if(is_playing));
}

/// How the game starts.
#[derive(Resource, Default)]
pub struct Start {
    /// Where the player was when the game was saved: (x, height, z).
    pub player: Option<[f64; 3]>,
    /// Why the game is not saved.
    pub problem: Option<String>,
}

/// Opens the file, or makes a new world. A file that cannot be used is left as it is: then the game
/// is played in a new world that is not saved, and says so.
pub fn open(mut commands: Commands, picture: Option<Res<Picture>>) {
    let mut start = Start::default();
    // A picture is that of a new world.
    if picture.is_none() {
        match read() {
            Ok((world, player)) => {
                commands.insert_resource(world);
                start.player = player;
            }
            Err(error) => {
                error!("this game is not saved: {error}");
                start.problem = Some(error.to_string());
            }
        }
    }
    commands.insert_resource(start);
}

/// The world in the file, and where the player was: (x, height, z).
fn read() -> Result<(TerrainWorld, Option<[f64; 3]>)> {
    if let Some(folder) = Path::new(FILE).parent() {
        std::fs::create_dir_all(folder)?;
    }
    let world = TerrainWorld::open_or_create(FILE, &looks::terrain()?)?;
    let at = world.value(PLAYER)?;
    Ok((world, at))
}

/// Saves where the player is, once it has been put on the ground. What is built is saved as it is
/// built.
fn save(
    world: Option<ResMut<TerrainWorld>>,
    origin: Res<TerrainOrigin>,
    player: Single<&Transform, (With<Player>, Without<SpawnOnGround>)>,
    // A game that is paused is saved, too.
    time: Res<Time<Real>>,
    mut since: Local<f32>,
) {
    *since += time.delta_secs();
    if let Some(mut world) = world
        && *since > INTERVAL
    {
        *since = 0.0;
        let position = origin.position(player.translation);
        if let Err(error) = world.set_value(PLAYER, &position) {
            warn!("the player's position is not saved: {error}");
        }
    }
}
