//! Diving, and what the game knows of it.

use bevy::prelude::*;
use bevy_orogeny::{Submerged, TerrainOrigin, TerrainQuery};

use super::player::Player;
use super::{Checked, panel};

/// How deep water must be to dive, and how far away it may be, in metres.
const DEEP: f64 = 4.0;
const NEAR: f64 = 3000.0;
/// How long a game may wait for `Submerged`, in rounds of ten frames.
const PATIENCE: usize = 60;

fn place(player: &mut Player) -> [f64; 3] {
    let camera = player.camera::<Transform>().expect("a camera");
    player.resource::<TerrainOrigin>().position(camera.translation)
}

/// The surface above the camera, as the exact ground has it.
fn surface_above(player: &mut Player) -> Option<f64> {
    let [x, y, z] = place(player);
    let water = player
        .ask(move |terrains: TerrainQuery| terrains.single().ok()?.water([x, z]).ok().flatten())?;
    (y < water.surface).then_some(water.surface)
}

/// Waits until the camera has `Submerged` as the exact ground has it.
fn follows(player: &mut Player) -> Checked {
    let mut last = String::new();
    for _ in 0..PATIENCE {
        let (found, exact) = (player.camera::<Submerged>(), surface_above(player));
        let same = match (&found, exact) {
            (Some(found), Some(exact)) => (found.surface - exact).abs() < 1e-3,
            (found, exact) => found.is_none() && exact.is_none(),
        };
        if same {
            return Ok(());
        }
        last = format!("it is {found:?} where the surface is {exact:?}");
        player.frames(10);
    }
    Err(last)
}

/// Flies to the nearest deep water, if there is some, dives and comes up again.
pub fn dive(player: &mut Player) -> Checked {
    let [x, _, z] = place(player);
    let near = player.ask(move |terrains: TerrainQuery| {
        let ground = terrains.single().ok()?;
        Some(ground.nearest_water([x, z], DEEP, NEAR).ok().flatten()?.0)
    });
    let Some(at) = near else { return Ok(()) };
    panel::teleport(player, at.map(|x| (8.0 * x).round() / 8.0))?;
    player.settle()?;
    for (key, is_down) in [(KeyCode::KeyQ, true), (KeyCode::KeyE, false)] {
        for _ in 0..PATIENCE {
            if surface_above(player).is_some() == is_down {
                break;
            }
            player.hold(key, 5);
        }
        if surface_above(player).is_some() != is_down {
            return Err(format!("{key:?} does not change it at {:?}", place(player)));
        }
        follows(player)?;
    }
    Ok(())
}
