//! Every key of the help, and what must have happened after it; and diving, and what the game knows
//! of it.

use bevy::camera_controller::free_camera::FreeCameraState;
use bevy::prelude::*;
use bevy::render::view::screenshot::Screenshot;
use bevy::window::{CursorGrabMode, CursorOptions};
use bevy_orogeny::advanced::Submerged;
use bevy_orogeny::orogeny::edits::{Edit, State};
use bevy_orogeny::orogeny::ray::{Cast, Ray};
use bevy_orogeny::{TerrainEdits, TerrainOrigin, TerrainQuery, TerrainWalker};
use bevy_orogeny_panel::{DebugView, Freeze, TerrainPanel};

use super::fly::digging::Survey;
use super::fly::keys;
use super::fly::sky::TimeOfDay;
use super::player::{FREE, Player};
use super::{Checked, panel};

/// How far away digging finds ground, in metres, less what it may be inexact.
const REACH: f64 = 4990.0;

/// How deep water must be to dive, and how far away it may be, in metres.
const DEEP: f64 = 4.0;
const NEAR: f64 = 3000.0;
/// How long a game may wait for `Submerged`, in rounds of ten frames.
const PATIENCE: usize = 60;

/// The ground in the middle of the view, if there is some: the triangles'.
fn middle(player: &mut Player) -> Option<[f64; 3]> {
    let camera = player.camera::<Transform>()?;
    player.ask(move |terrains: TerrainQuery, origin: Res<TerrainOrigin>| {
        let direction = camera.forward().to_array().map(f64::from);
        let origin = origin.position(camera.translation);
        let ray = Ray { origin, direction, max_distance: REACH };
        match terrains.single().ok()?.raycast_surface(&ray) {
            Ok(Cast::Hit(hit)) => Some(hit.position),
            _ => None,
        }
    })
}

/// The time of the log: it grows with every change.
pub fn time(player: &mut Player) -> u64 {
    player.terrain().1.log.time()
}

/// Looks down onto the ground, by the mouse with its right button.
pub fn look_down(player: &mut Player) -> Checked {
    let from = Vec2::from(FREE);
    for _ in 0..4 {
        let pitch = player.camera::<Transform>().map_or(0.0, |camera| camera.forward().y.asin());
        if (-1.0..-0.3).contains(&pitch) {
            return Ok(());
        }
        // See `FreeCamera::sensitivity`.
        let dots = (pitch + 0.6) * 180.0 / 0.2;
        player.drag(MouseButton::Right, from, from + Vec2::Y * dots.clamp(-250.0, 250.0));
    }
    Ok(())
}

/// Digs, and finds the edit in the log and the ground changed, or a message if there is no ground.
fn dig(player: &mut Player, key: KeyCode, is_made: fn(&Edit) -> bool) -> Checked {
    let (target, before) = (middle(player), player.terrain().1);
    player.press(key);
    player.frames(2);
    let after = player.terrain().1;
    let new = after.log.ids().find(|id| before.log.get(*id).is_none());
    let Some(id) = new else {
        return match (target, player.message()) {
            (None, Some(_)) => Ok(()),
            (target, message) => Err(format!("{target:?} was not changed: {message:?}")),
        };
    };
    match after.log.get(id) {
        Some(State::Shown(edit)) if is_made(edit) => {}
        other => return Err(format!("made {other:?}")),
    }
    let region = after.log.region(id).ok_or("the edit is nowhere")?;
    let is_smooth = key == keys::SMOOTH;
    player.ask(move |terrains: TerrainQuery| {
        let ground = terrains.single().map_err(|error| error.to_string())?;
        let query = ground.query();
        let old = query.with_edits(before.log.edits());
        let value = |ground: &bevy_orogeny::GroundQuery, p| ground.field(p).ok().map(|s| s.value);
        let steps = || (1..16).map(|i| f64::from(i) / 16.0);
        let mut places = steps().flat_map(|u| {
            steps().map(move |v| {
                let [u, v] = [(u, 0), (v, 1)]
                    .map(|(t, k)| region.min[k] + t * (region.max[k] - region.min[k]));
                [u, v]
            })
        });
        // Smooth ground may be so already.
        let is_changed = is_smooth || places.any(|p| value(query, p) != value(&old, p));
        if is_changed { Ok(()) } else { Err("the ground is as before".into()) }
    })
}

pub fn crater(player: &mut Player) -> Checked {
    dig(player, keys::CRATER, |edit| matches!(edit, Edit::Crater(_)))
}

pub fn flatten(player: &mut Player) -> Checked {
    dig(player, keys::FLATTEN, |edit| matches!(edit, Edit::Flatten(_)))
}

pub fn raise(player: &mut Player) -> Checked {
    dig(player, keys::RAISE, |edit| matches!(edit, Edit::Raise(_)))
}

pub fn smooth(player: &mut Player) -> Checked {
    dig(player, keys::SMOOTH, |edit| matches!(edit, Edit::Smooth(_)))
}

pub fn hole(player: &mut Player) -> Checked {
    dig(player, keys::HOLE, |edit| matches!(edit, Edit::Hole(_)))
}

/// Digs on another layout, where C is where a US keyboard has I.
pub fn other_layout(player: &mut Player) -> Checked {
    let (target, before) = (middle(player), time(player));
    player.press_labelled(KeyCode::KeyI, "c");
    player.frames(2);
    let is_dug = time(player) > before;
    player.press_labelled(KeyCode::KeyI, "i");
    if target.is_some() && !is_dug { Err("nothing was dug".into()) } else { Ok(()) }
}

/// Sets points of a road and builds it, or sees a message that says why not.
pub fn road(player: &mut Player) -> Checked {
    for dots in [40.0, -40.0, 40.0] {
        let (target, before) = (middle(player), player.resource::<Survey>().0.len());
        player.press(keys::POINT);
        if target.is_some() && player.resource::<Survey>().0.len() == before {
            return Err(format!("no point was set: {:?}", player.message()));
        }
        let from = Vec2::from(FREE);
        player.drag(MouseButton::Right, from, from + Vec2::new(dots, 0.0));
    }
    let before = time(player);
    player.press(keys::ROAD);
    player.frames(2);
    if time(player) > before || player.message().is_some() {
        return Ok(());
    }
    Err("no road and no message".into())
}

pub fn undo(player: &mut Player) -> Checked {
    let shown = |player: &mut Player| {
        let changes = player.terrain().1;
        changes.log.changes().filter(|change| matches!(change.state, State::Shown(_))).count()
    };
    // What is undone must be the last step.
    let (target, before) = (middle(player), shown(player));
    player.press(keys::CRATER);
    player.frames(2);
    let dug = shown(player);
    if target.is_some() && dug == before {
        return Err(format!("nothing was dug: {:?}", player.message()));
    }
    // This is no step.
    player.press(keys::FEWER);
    player.frames(2);
    player.press(keys::MORE);
    player.press(keys::UNDO);
    player.frames(3);
    let undone = shown(player);
    if dug > before && undone != before {
        return Err(format!("{before} edits became {dug}, and {undone} after undo"));
    }
    Ok(())
}

/// Walks some steps, and flies again.
pub fn walk(player: &mut Player) -> Checked {
    player.press(keys::WALK);
    player.frames(3);
    if player.camera::<TerrainWalker>().is_none() {
        return Err("does not walk".into());
    }
    let eyes = |player: &mut Player| {
        let camera = player.camera::<Transform>().expect("a camera");
        player.ask(move |terrains: TerrainQuery, origin: Res<TerrainOrigin>| {
            let [x, y, z] = origin.position(camera.translation);
            let ground = terrains.single().ok()?.surface([x, z]).ok()?;
            Some(y - f64::from(ground.value))
        })
    };
    for key in [KeyCode::KeyW, KeyCode::Space, KeyCode::KeyA] {
        player.hold(key, 10);
        // In a hole there is no ground. Swimmers, and who jumps or stands on a rock, are higher.
        if let Some(above) = eyes(player)
            && !(1.69..100.0).contains(&above)
        {
            return Err(format!("the eyes are {above} m above the ground"));
        }
    }
    player.press(keys::WALK);
    player.frames(3);
    if player.camera::<TerrainWalker>().is_some() { Err("still walks".into()) } else { Ok(()) }
}

/// Moves by every key of the camera, slowly and fast.
pub fn fly(player: &mut Player) -> Checked {
    for key in
        [KeyCode::KeyE, KeyCode::KeyW, KeyCode::KeyA, KeyCode::KeyS, KeyCode::KeyD, KeyCode::KeyQ]
    {
        let before = player.camera::<Transform>();
        player.hold(key, 4);
        // Down ends at the ground.
        if key != KeyCode::KeyQ && player.camera::<Transform>() == before {
            return Err(format!("{key:?} does not move the camera"));
        }
    }
    Ok(())
}

pub fn wheel(player: &mut Player) -> Checked {
    let speed = |player: &mut Player| {
        let mut cameras = player.app.world_mut().query::<&FreeCameraState>();
        cameras.single(player.app.world()).map_or(0.0, |state| state.speed_multiplier)
    };
    player.move_to(FREE.into());
    let before = speed(player);
    player.turn_wheel(1.0);
    let after = speed(player);
    player.turn_wheel(-1.0);
    if after > before { Ok(()) } else { Err(format!("speed {before} became {after}")) }
}

/// Grabs the mouse and looks around, and lets it go.
pub fn grab(player: &mut Player) -> Checked {
    let key = keys::controls().keyboard_key_toggle_cursor_grab;
    let grabbed = |player: &mut Player| {
        let mut windows = player.app.world_mut().query::<&CursorOptions>();
        windows.iter(player.app.world()).any(|options| options.grab_mode == CursorGrabMode::Locked)
    };
    let before = time(player);
    player.press(key);
    let is_grabbed = grabbed(player);
    player.press(key);
    if is_grabbed && !grabbed(player) && time(player) == before {
        Ok(())
    } else {
        Err("the mouse is not grabbed and let go, or something else happened".into())
    }
}

pub fn hours(player: &mut Player) -> Checked {
    for key in [keys::LATER, keys::EARLIER] {
        let before = player.resource::<TimeOfDay>().0;
        player.hold(key, 3);
        if player.resource::<TimeOfDay>().0 == before {
            return Err(format!("{key:?} does not change the hour"));
        }
    }
    Ok(())
}

pub fn density(player: &mut Player) -> Checked {
    let density = |player: &mut Player| player.terrain().0.scatter_density;
    let before = density(player);
    player.press(keys::MORE);
    player.frames(2);
    let more = density(player);
    player.press(keys::FEWER);
    player.frames(2);
    let fewer = density(player);
    // Nothing is denser than everything.
    if more < before || fewer >= more {
        return Err(format!("density {before}, {more}, {fewer}"));
    }
    Ok(())
}

pub fn back(player: &mut Player) -> Checked {
    player.hold(KeyCode::KeyW, 3);
    player.press(keys::RETURN);
    player.frames(8);
    let first = place(player);
    player.hold(KeyCode::KeyW, 3);
    player.press(keys::RETURN);
    player.frames(8);
    let second = place(player);
    let off = (first[0] - second[0]).hypot(first[2] - second[2]);
    if off < 2e-3 { Ok(()) } else { Err(format!("{first:?} and then {second:?}")) }
}

/// Saves as a new world. Once there is one, every change goes into it.
pub fn save(player: &mut Player) -> Checked {
    player.press(keys::SAVE);
    player.frames(2);
    let worlds = std::fs::read_dir(player.folder.join("worlds"));
    let count = worlds.into_iter().flatten().count();
    if count == 0 { Err(format!("no world: {:?}", player.screen())) } else { Ok(()) }
}

pub fn hide(player: &mut Player) -> Checked {
    for hidden in [true, false] {
        player.press(KeyCode::KeyH);
        if player.resource::<TerrainPanel>().hidden != hidden {
            return Err(format!("the panel is not {hidden}"));
        }
    }
    Ok(())
}

pub fn tabs(player: &mut Player) -> Checked {
    for (key, tab) in [(KeyCode::F1, "Help"), (KeyCode::KeyT, "Viewer")] {
        player.move_to(FREE.into());
        player.press(key);
        player.frames(2);
        if player.resource::<TerrainPanel>().tab != tab {
            return Err(format!("{key:?} does not open {tab}"));
        }
    }
    Ok(())
}

pub fn view(player: &mut Player) -> Checked {
    let before = *player.resource::<DebugView>();
    player.press(KeyCode::KeyV);
    player.frames(3);
    if *player.resource::<DebugView>() == before { Err("the same view".into()) } else { Ok(()) }
}

pub fn freeze(player: &mut Player) -> Checked {
    for frozen in [true, false] {
        player.press(KeyCode::KeyK);
        player.frames(3);
        if player.resource::<Freeze>().0 != frozen {
            return Err(format!("the viewer is not frozen: {frozen}"));
        }
        player.hold(KeyCode::KeyE, 3);
    }
    Ok(())
}

/// Without a GPU there is no picture: the program waits for it.
pub fn screenshot(player: &mut Player) -> Checked {
    for key in [KeyCode::F12, KeyCode::KeyP] {
        player.press(key);
        let mut wanted = player.app.world_mut().query_filtered::<Entity, With<Screenshot>>();
        let wanted: Vec<_> = wanted.iter(player.app.world()).collect();
        if wanted.is_empty() {
            return Err(format!("{key:?} takes no screenshot"));
        }
        wanted.into_iter().for_each(|shot| _ = player.app.world_mut().despawn(shot));
    }
    Ok(())
}

/// The edits of two logs are the same.
pub fn same(a: &TerrainEdits, b: &TerrainEdits) -> bool {
    a.log.changes().eq(b.log.changes())
}

/// Where the camera is.
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
