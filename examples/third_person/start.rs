//! What is shown until the world is there: how far it is, and the keys.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_orogeny::advanced::ScatterStats;
use bevy_orogeny::prelude::*;

use crate::player::Player;

pub const KEYS: &str = "W A S D  walk\nShift  run\nSpace  jump\nRight mouse button  look around\n\
                        B  build a house\nZ  undo it\nEsc  quit";

/// Exists until the game begins.
#[derive(Resource, Default)]
pub struct Loading {
    /// The most that was missing so far.
    most: usize,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Loading>()
        .add_systems(EguiPrimaryContextPass, show.run_if(resource_exists::<Loading>))
        .add_systems(Last, begin.run_if(resource_exists::<Loading>));
}

/// Whether the world is there.
pub fn is_playing(loading: Option<Res<Loading>>) -> bool {
    loading.is_none()
}

/// Begins once the player stands on ground all of which is drawn, with its plants and textures.
fn begin(
    mut commands: Commands,
    mut loading: ResMut<Loading>,
    (stats, plants, models): (Res<TerrainStats>, Res<ScatterStats>, Res<PlantModels>),
    textures: Query<(), With<GroundTexturesProgress>>,
    player: Query<(), (With<Player>, Without<SpawnOnGround>)>,
) {
    let missing = stats.missing + plants.missing;
    loading.most = loading.most.max(missing);
    let has_plants = !models.is_loading() && plants.missing == 0;
    let has_ground = stats.displayed > 0 && stats.missing == 0 && textures.is_empty();
    if has_ground && has_plants && !player.is_empty() {
        commands.remove_resource::<Loading>();
    }
}

fn show(
    mut contexts: EguiContexts,
    loading: Res<Loading>,
    (stats, plants): (Res<TerrainStats>, Res<ScatterStats>),
    textures: Query<&GroundTexturesProgress>,
    problems: Res<TerrainProblems>,
) -> Result {
    let missing = stats.missing + plants.missing;
    let done = 1.0 - missing as f32 / loading.most.max(1) as f32;
    egui::Area::new("start".into()).fixed_pos([0.0, 0.0]).order(egui::Order::Foreground).show(
        contexts.ctx_mut()?,
        |ui| {
            let screen = ui.ctx().content_rect();
            ui.painter().rect_filled(screen, 0.0, egui::Color32::from_rgb(22, 26, 30));
            ui.set_min_size(screen.size());
            ui.vertical_centered(|ui| {
                ui.add_space(0.25 * screen.height());
                ui.heading("third_person");
                ui.label("The ground is being built.");
                ui.add(egui::ProgressBar::new(done).desired_width(300.0));
                for textures in &textures {
                    ui.label(format!("Textures: {} of {}", textures.done, textures.total));
                }
                for (_, problem) in problems.iter() {
                    ui.colored_label(egui::Color32::LIGHT_RED, problem.to_string());
                }
                ui.add_space(20.0);
                ui.label(KEYS);
            });
        },
    );
    Ok(())
}
