//! A bar with what is under the player's feet.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_orogeny::normal;
use bevy_orogeny::prelude::*;

use crate::player::Player;

pub fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, show);
}

fn show(
    mut contexts: EguiContexts,
    terrains: TerrainQuery,
    player: Single<(&Transform, &TerrainWalker), With<Player>>,
) -> Result {
    let (transform, walker) = *player;
    let text = match describe(&terrains, transform, walker) {
        Ok(text) => text,
        Err(error) => error.to_string(),
    };
    egui::Area::new("bar".into()).anchor(egui::Align2::LEFT_BOTTOM, [12.0, -12.0]).show(
        contexts.ctx_mut()?,
        |ui| {
            egui::Frame::popup(ui.style()).show(ui, |ui| ui.label(text));
        },
    );
    Ok(())
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
    let cover = ground.dominant_cover([x, z])?.map_or("nothing", |kind| kind.name());
    let temperature = ground.climate([x, z])?.temperature;
    let water = ground.water([x, z])?.map(|water| format!("  water {:.1} m", water.depth));
    let feet = y - f64::from(walker.height);
    Ok(format!(
        "{feet:.0} m  slope {slope:.0}°  {cover}  {temperature:.1} °C{}",
        water.unwrap_or_default(),
    ))
}
