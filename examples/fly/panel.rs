//! The panel: presets, parameters, problems, statistics and keys.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiGlobalSettings, EguiPlugin, EguiPrimaryContextPass, egui};
use bevy_orogeny::orogeny::limits::{self, Limit, Number};
use bevy_orogeny::orogeny::{Node, Recipe};
use bevy_orogeny::{
    Ground, PIXEL_ERROR, Terrain, TerrainOrigin, TerrainPreset, TerrainProblems, TerrainStats,
    TerrainViewer, VIEW_RANGE,
};
use egui::{Color32, ComboBox, DragValue, Grid, RichText, Slider, SliderClamping, Ui};

use crate::pilot::KEYS;
use crate::presets;
use crate::world::WorldSettings;

const HIDE: KeyCode = KeyCode::KeyH;
const WIDTH: f32 = 270.0;
/// How much of the displayed frame time is the newest frame's.
const FRAME_TIME_BLEND: f32 = 0.05;

/// The panel in the window.
pub struct PanelPlugin;

#[derive(Resource, Default)]
struct Panel {
    hidden: bool,
    /// Seconds, smoothed.
    frame_time: f32,
}

impl Plugin for PanelPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(EguiPlugin::default())
            .init_resource::<Panel>()
            .add_systems(Startup, keep_input_from_camera)
            .add_systems(Update, hide)
            .add_systems(EguiPrimaryContextPass, show);
    }
}

/// Keys and clicks that the panel uses do not fly the camera.
fn keep_input_from_camera(mut settings: ResMut<EguiGlobalSettings>) {
    settings.enable_absorb_bevy_input_system = true;
}

fn hide(keys: Res<ButtonInput<KeyCode>>, mut panel: ResMut<Panel>) {
    if keys.just_pressed(HIDE) {
        panel.hidden = !panel.hidden;
    }
}

fn show(
    mut contexts: EguiContexts,
    mut commands: Commands,
    mut panel: ResMut<Panel>,
    mut settings: ResMut<WorldSettings>,
    terrain: Single<(Entity, &mut Terrain)>,
    mut viewer: Single<(&mut TerrainViewer, &Transform)>,
    stats: Res<TerrainStats>,
    problems: Res<TerrainProblems>,
    assets: Res<AssetServer>,
    time: Res<Time<Real>>,
    origin: Res<TerrainOrigin>,
) -> Result {
    panel.frame_time += FRAME_TIME_BLEND * (time.delta_secs() - panel.frame_time);
    if panel.hidden {
        return Ok(());
    }
    let (entity, mut terrain) = terrain.into_inner();
    egui::Window::new("orogeny")
        .default_width(WIDTH)
        .resizable(false)
        .anchor(egui::Align2::LEFT_TOP, [8.0, 8.0])
        .show(contexts.ctx_mut()?, |ui| {
            for (_, problem) in problems.iter() {
                ui.label(RichText::new(problem.to_string()).color(Color32::LIGHT_RED));
            }
            if choose_preset(ui, &mut settings.preset) {
                let preset = assets.load(presets::asset_path(&settings.preset));
                commands.entity(entity).insert(TerrainPreset(preset));
            }
            // Edited as copies: only a real change marks the component as changed.
            if let Ground::Recipe(recipe) = &terrain.ground {
                let mut edited = recipe.clone();
                edit_recipe(ui, &mut edited);
                if edited != *recipe {
                    terrain.ground = Ground::Recipe(edited);
                }
            }
            let mut edited = *viewer.0;
            Grid::new("viewer").show(ui, |ui| {
                row(
                    ui,
                    &PIXEL_ERROR,
                    Slider::new(&mut edited.pixel_error, PIXEL_ERROR.min..=PIXEL_ERROR.max)
                        .logarithmic(true)
                        .suffix(" px"),
                );
                row(ui, &VIEW_RANGE, drag(&mut edited.range, &VIEW_RANGE).suffix(" m"));
            });
            viewer.0.set_if_neq(edited);
            ui.separator();
            let place = origin.position(viewer.1.translation);
            show_statistics(ui, &stats, panel.frame_time, place);
            ui.separator();
            Grid::new("keys").spacing([12.0, 1.0]).show(ui, |ui| {
                for (keys, action) in KEYS {
                    ui.strong(keys);
                    ui.label(action);
                    ui.end_row();
                }
            });
        });
    Ok(())
}

/// Whether a preset was chosen, maybe the same one again.
fn choose_preset(ui: &mut Ui, preset: &mut String) -> bool {
    let mut chosen = false;
    ui.horizontal(|ui| {
        ui.label("preset");
        ComboBox::from_id_salt("preset").selected_text(preset.as_str()).show_ui(ui, |ui| {
            for name in presets::names() {
                if ui.selectable_label(*preset == name, &name).clicked() {
                    *preset = name;
                    chosen = true;
                }
            }
        });
        let reset = ui.button("reset").on_hover_text("Take the preset as it is in its file");
        chosen |= reset.clicked();
    });
    chosen
}

fn edit_recipe(ui: &mut Ui, recipe: &mut Recipe) {
    Grid::new("recipe").show(ui, |ui| {
        ui.label("seed").on_hover_text("Chooses the world");
        ui.horizontal(|ui| {
            ui.add(DragValue::new(&mut recipe.seed));
            if ui.button("next").clicked() {
                recipe.seed = recipe.seed.wrapping_add(1);
            }
        });
        ui.end_row();
        row(ui, &limits::HEIGHT, drag(&mut recipe.height, &limits::HEIGHT).suffix(" m"));
    });
    let mut layers = 0;
    edit_node(ui, &mut recipe.field, &mut layers);
}

/// The numbers of a tree's nodes, layer after layer from top to bottom.
fn edit_node(ui: &mut Ui, node: &mut Node, layers: &mut usize) {
    let title = match node {
        Node::Fractal(fractal) => format!("features of {:.0} m", 1.0 / fractal.frequency),
        Node::Noise(_) => "noise".into(),
        Node::Shape { .. } => "shape".into(),
        Node::Domain { .. } => "domain".into(),
        Node::Min { .. } | Node::Max { .. } => "blend".into(),
        _ => String::new(),
    };
    if !title.is_empty() && !node.numbers().is_empty() {
        *layers += 1;
        egui::CollapsingHeader::new(format!("layer {layers}: {title}"))
            .id_salt(*layers)
            .default_open(*layers == 1)
            .show(ui, |ui| {
                Grid::new("numbers").show(ui, |ui| {
                    node.numbers().into_iter().for_each(|(limit, number)| edit(ui, limit, number));
                });
            });
    }
    node.children_mut().into_iter().for_each(|child| edit_node(ui, child, layers));
}

/// One number: a slider where its limits are near, a drag where they are orders of magnitude apart.
fn edit(ui: &mut Ui, limit: &Limit, mut number: Number<'_>) {
    let mut value = number.get();
    let near = limit.max - limit.min <= 720.0;
    if near {
        row(ui, limit, slider(&mut value, limit));
    } else {
        row(ui, limit, drag(&mut value, limit).max_decimals(7));
    }
    if value != number.get() {
        number.set(value);
    }
}

/// A parameter with its name and what it does.
fn row(ui: &mut Ui, limit: &Limit, widget: impl egui::Widget) {
    let help = format!("{}: {limit}", limit.help);
    ui.label(limit.name).on_hover_text(&help);
    ui.add(widget).on_hover_text(help);
    ui.end_row();
}

fn slider<'a, T: egui::emath::Numeric>(value: &'a mut T, limit: &Limit) -> Slider<'a> {
    let range = T::from_f64(limit.min)..=T::from_f64(limit.max);
    Slider::new(value, range).clamping(SliderClamping::Always)
}

/// For numbers over many orders of magnitude: a drag changes them by a part of themselves.
fn drag<'a, T: egui::emath::Numeric>(value: &'a mut T, limit: &Limit) -> DragValue<'a> {
    let speed = 0.005 * value.to_f64().abs().max(1e-9);
    DragValue::new(value).speed(speed).range(T::from_f64(limit.min)..=T::from_f64(limit.max))
}

fn show_statistics(ui: &mut Ui, stats: &TerrainStats, frame_time: f32, [x, y, z]: [f64; 3]) {
    let levels: Vec<String> = stats.displayed_by_lod.iter().map(usize::to_string).collect();
    let rows = [
        ("frame", format!("{:.1} ms", 1000.0 * frame_time)),
        ("chunks", format!("{} drawn of {}", stats.displayed, stats.chunks)),
        ("by level", levels.join(" ")),
        ("triangles", format!("{:.2} million", stats.triangles as f64 / 1e6)),
        ("tasks", format!("{} in flight, {} missing", stats.tasks_in_flight, stats.missing)),
        ("a chunk takes", format!("{:.2} ms", 1000.0 * stats.build_time.as_secs_f64())),
        ("position", format!("{x:.0} {y:.0} {z:.0} m")),
    ];
    Grid::new("statistics").spacing([12.0, 1.0]).show(ui, |ui| {
        for (name, value) in rows {
            ui.label(name);
            ui.monospace(value);
            ui.end_row();
        }
    });
}
