//! What is under the player's feet, the keys, and whether the game is saved.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_orogeny::advanced::normal;
use bevy_orogeny::prelude::*;
use bevy_orogeny_world::TerrainWorld;

use crate::player::Player;
use crate::saving::Start;
use crate::start::{KEYS, is_playing};

pub fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, show.run_if(is_playing));
}

fn show(
    mut contexts: EguiContexts,
    terrains: TerrainQuery,
    player: Single<(&Transform, &TerrainWalker), With<Player>>,
    world: Option<Res<TerrainWorld>>,
    start: Res<Start>,
) -> Result {
    let (transform, walker) = *player;
    let place = match describe(&terrains, transform, walker) {
        Ok(text) => text,
        Err(error) => error.to_string(),
    };
    let saving = saving(world.as_deref(), &start);
    let context = contexts.ctx_mut()?;
    let label = |name: &'static str, align, offset: [f32; 2], text: &str| {
        egui::Area::new(name.into()).anchor(align, offset).show(context, |ui| {
            // Otherwise the text wraps at the width that it had before.
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            egui::Frame::popup(ui.style()).show(ui, |ui| ui.label(text));
        });
    };
    label("keys", egui::Align2::LEFT_TOP, [12.0, 12.0], KEYS);
    label("place", egui::Align2::LEFT_BOTTOM, [12.0, -12.0], &place);
    label("saving", egui::Align2::RIGHT_BOTTOM, [-12.0, -12.0], &saving);
    Ok(())
}

/// Whether the game is on the disk.
fn saving(world: Option<&TerrainWorld>, start: &Start) -> String {
    match (world, &start.problem) {
        (Some(world), _) => match world.error() {
            Some(error) => format!("Not saved: {error}"),
            None => format!("Saved by itself in {}", world.path().display()),
        },
        (None, Some(problem)) => format!("This game is not saved: {problem}"),
        (None, None) => "This game is not saved".into(),
    }
}

/// Height, slope, cover, temperature and water at the player.
fn describe(
    terrains: &TerrainQuery,
    transform: &Transform,
    walker: &TerrainWalker,
) -> Result<String> {
    let ground = terrains.single()?;
    let [x, y, z] = ground.position(transform.translation);
    let slope = normal(ground.field([x, z])?).y.acos().to_degrees();
    let cover = ground.dominant_cover([x, z])?.map_or("bare", |kind| kind.name());
    let temperature = ground.climate([x, z])?.temperature;
    let water = ground.water([x, z])?.map(|water| format!("  water {:.1} m deep", water.depth));
    let feet = y - f64::from(walker.height);
    Ok(format!(
        "{feet:.0} m  slope {slope:.0}°  {cover}  {temperature:.1} °C{}",
        water.unwrap_or_default(),
    ))
}
