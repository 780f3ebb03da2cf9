//! Every tool of the panel, and its files, tabs and fields, by clicks.

use bevy::prelude::*;
use bevy_orogeny::orogeny::ray::{Cast, Ray};
use bevy_orogeny::{Ground, Terrain, TerrainOrigin, TerrainQuery};
use bevy_orogeny_panel::{PanelTabs, TerrainPanel, Tool, Tools};

use super::Checked;
use super::fly::presets;
use super::keys::time;
use super::player::{FREE, Player, SIZE};

/// How far away tools find ground, in metres, less what they may be inexact.
const REACH: f64 = 19_900.0;
/// Narrower than the panel's margins, and lower than its smallest tab.
const TINY: [[f32; 2]; 2] = [[20.0, 20.0], [300.0, 64.0]];

/// Opens a tab.
pub fn open(player: &mut Player, tab: &str) -> Checked {
    let before = player.find(|text| text == tab);
    player.click(tab)?;
    player.frames(2);
    if player.resource::<TerrainPanel>().tab != tab {
        let after = player.find(|text| text == tab);
        return Err(format!("a click at {before:?} does not open {tab}: it is at {after:?}"));
    }
    Ok(())
}

/// The ground under a place on the screen: the triangles', and the field's.
fn ground(player: &mut Player, place: Vec2) -> [Option<Cast>; 2] {
    player.ask(
        move |terrains: TerrainQuery,
              origin: Res<TerrainOrigin>,
              cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>| {
            let ray = || {
                let (camera, transform) = cameras.single().ok()?;
                let ray = camera.viewport_to_world(transform, place).ok()?;
                let direction = ray.direction.to_array().map(f64::from);
                let origin = origin.position(ray.origin);
                Some(Ray { origin, direction, max_distance: REACH })
            };
            let (Some(ray), Ok(ground)) = (ray(), terrains.single()) else { return [None; 2] };
            [ground.raycast_surface(&ray).ok(), ground.raycast_field(&ray, 0.05).ok()]
        },
    )
}

/// Chooses a tool and uses it on the ground: there is an edit, or a message says why not.
pub fn work(player: &mut Player, tool: Tool) -> Checked {
    open(player, "Tools")?;
    let name: &str = (&tool).into();
    player.click(name)?;
    if player.resource::<Tools>().tool != Some(tool) {
        return Err(format!("{name} is not chosen"));
    }
    let [from, to] = [Vec2::from(FREE), Vec2::from(FREE) + Vec2::new(90.0, 30.0)];
    let (ground, before) = (ground(player, from), time(player));
    let has_ground = matches!(ground[0], Some(Cast::Hit(_)));
    match tool {
        Tool::Path => {
            for place in [from, from + Vec2::new(120.0, -8.0), from + Vec2::new(240.0, 0.0)] {
                player.click_at(place);
            }
            player.click("Build")?;
        }
        Tool::Move => {
            open(player, "Edits")?;
            // The first row of the list.
            if let Some(place) = player.find(|text| text.contains(" m, ")).first().copied() {
                player.click_at(place);
            }
            player.drag(MouseButton::Left, from, to);
        }
        _ => player.drag(MouseButton::Left, from, to),
    }
    player.frames(3);
    let is_done = time(player) > before;
    let message = player.message().map(String::from);
    open(player, "Tools")?;
    player.click("None")?;
    // These may find nothing, or an impossible course.
    let may_refuse = matches!(tool, Tool::Fell | Tool::Plant | Tool::Path);
    match (is_done, message) {
        (true, _) => Ok(()),
        (false, _) if !has_ground || tool == Tool::Move => Ok(()),
        (false, Some(_)) if may_refuse => Ok(()),
        (false, None) if tool == Tool::Path => Ok(()),
        (false, message) => Err(format!("{name} does not change {ground:?}: {message:?}")),
    }
}

/// Undoes and redoes by the buttons and by the keys of the panel.
pub fn undo_and_redo(player: &mut Player) -> Checked {
    open(player, "Tools")?;
    let before = time(player);
    for button in ["↩ Undo", "↪ Redo"] {
        player.click(button)?;
        player.frames(3);
    }
    for key in [KeyCode::KeyZ, KeyCode::KeyY] {
        player.press_with_control(key);
        player.frames(3);
    }
    if time(player) < before { Err("the log went back".into()) } else { Ok(()) }
}

/// Opens every tab, in windows of every size.
pub fn resize(player: &mut Player) -> Checked {
    let tabs: Vec<String> = player.resource::<PanelTabs>().names().map(String::from).collect();
    // The panel's own, and two of the example.
    if tabs.len() != 13 {
        return Err(format!("the tabs are {tabs:?}"));
    }
    for tab in &tabs {
        open(player, tab)?;
        for size in TINY {
            player.resize(size);
            player.frames(2);
        }
        player.resize(SIZE);
        player.frames(2);
    }
    open(player, "Terrain")
}

/// A point of a row, where its number is.
fn number(player: &Player, name: &str, below: f32) -> Result<Vec2, String> {
    let names = player.find(|text| text == name);
    let place = names.into_iter().find(|place| place.y > below);
    // Labels are 126 points wide, and centred texts are wherever they are.
    place.map(|place| Vec2::new(160.0, place.y)).ok_or_else(|| format!("no {name}"))
}

/// Types a number into a row, in place of the old one.
fn type_number(player: &mut Player, name: &str, below: f32, text: &str) -> Checked {
    let place = number(player, name, below)?;
    player.click_at(place);
    player.press_with_control(KeyCode::KeyA);
    player.type_text(text);
    player.press(KeyCode::Enter);
    player.frames(2);
    Ok(())
}

fn recipe(player: &mut Player) -> Option<bevy_orogeny::orogeny::Recipe> {
    match player.terrain().0 {
        Terrain { ground: Ground::Recipe(recipe), .. } => Some(recipe),
        _ => None,
    }
}

/// Types a seed with all of its digits, a number with a comma, and something that is no number.
pub fn type_numbers(player: &mut Player) -> Checked {
    open(player, "Terrain")?;
    let before = recipe(player).ok_or("no recipe")?;
    type_number(player, "Seed", 0.0, "9007199254740993")?;
    player.settle()?;
    if recipe(player).is_none_or(|recipe| recipe.seed != 9_007_199_254_740_993) {
        return Err(format!("the seed is {:?}", recipe(player).map(|recipe| recipe.seed)));
    }
    player.click("↩ Undo")?;
    type_number(player, "Seed", 0.0, "many")?;
    player.frames(2);
    if !player.sees("is not a whole number") {
        return Err(format!("no message about a wrong number: {:?}", player.screen()));
    }
    player.settle()?;
    match recipe(player) {
        Some(after) if after.seed == before.seed => Ok(()),
        after => Err(format!("the seed is {:?}", after.map(|recipe| recipe.seed))),
    }
}

/// Goes to coordinates.
pub fn teleport(player: &mut Player, to: [f64; 2]) -> Checked {
    open(player, "Viewer")?;
    let below = player.find(|text| text == "Go to").first().copied();
    let below = below.ok_or_else(|| format!("no Go to in {:?}", player.screen()))?.y;
    for (name, at) in ["x", "z"].into_iter().zip(to) {
        // Four digits: three behind a comma are refused.
        type_number(player, name, below, &format!("{at:.4}").replace('.', ","))?;
    }
    player.click("Go")?;
    player.frames(8);
    let camera = player.camera::<Transform>().ok_or("no camera")?;
    let [x, _, z] = player.resource::<TerrainOrigin>().position(camera.translation);
    let off = (x - to[0]).hypot(z - to[1]);
    if off < 0.01 { Ok(()) } else { Err(format!("{off} m from {to:?}")) }
}

/// Loads another preset, and throws changes away.
pub fn load(player: &mut Player, name: &str) -> Checked {
    open(player, "Terrain")?;
    let names = presets::names();
    let is_file = |text: &str| {
        let text = text.trim_end_matches(" •");
        text == "(no file)" || names.iter().any(|name| name == text)
    };
    let file = player.find(is_file).first().copied().ok_or("no file")?;
    player.click_at(file);
    player.frames(2);
    // The list is scrolled to those at its end.
    player.move_to(file + Vec2::Y * 80.0);
    for _ in 0..20 {
        if !player.find(|text| text == name).is_empty() {
            break;
        }
        player.turn_wheel(-2.0);
        player.frames(10);
    }
    player.click(name)?;
    player.frames(2);
    if player.sees("Discard unsaved changes") {
        player.click("Load")?;
    }
    player.frames(3);
    player.settle()?;
    let wanted = presets::read(name)?;
    match recipe(player) {
        Some(recipe) if recipe.field == wanted.field && recipe.rivers == wanted.rivers => Ok(()),
        _ => Err(format!("the ground is not that of {name}: {:?}", player.screen())),
    }
}

/// Saves the recipe under another name, and finds the file.
pub fn save_as(player: &mut Player, name: &str) -> Checked {
    open(player, "Terrain")?;
    player.click("Save as")?;
    player.frames(2);
    // The text field is to the left of its buttons.
    let cancel = player.find(|text| text == "Cancel").pop().ok_or("no Cancel")?;
    player.click_at(Vec2::new(60.0, cancel.y));
    player.press_with_control(KeyCode::KeyA);
    player.type_text(name);
    let button = if presets::names().iter().any(|own| own == name) { "Overwrite" } else { "Save" };
    player.click(button)?;
    player.frames(2);
    if presets::names().iter().any(|own| own == name) {
        return Ok(());
    }
    Err(format!("no file {name}: {:?}", player.screen()))
}
