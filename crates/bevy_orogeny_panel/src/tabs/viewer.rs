//! The tab Viewer: detail, budget and position.

use bevy::prelude::*;
use bevy_egui::egui::{ComboBox, Ui};
use bevy_orogeny::{
    HoldFrameTime, PIXEL_ERROR, POSITION, TerrainBudget, TerrainOrigin, TerrainQuality,
    TerrainViewer, VIEW_RANGE,
};
use documented::DocumentedFields;

use crate::recipe::fault::Fault;
use crate::recipe::typed::{drag_value, slider};
use crate::recipe::{drag, flag, plain, row};
use crate::viewer::freeze::Frozen;
use crate::viewer::teleport::Teleport;

const NONE: Fault<'static> = Fault::NONE;

/// The coarsest uniform level on offer.
const COARSEST: u8 = 16;

/// Draws the tab.
pub fn show(
    mut ui: InMut<Ui>,
    mut viewers: Query<&mut TerrainViewer>,
    mut budget: ResMut<TerrainBudget>,
    mut quality: ResMut<TerrainQuality>,
    hold: Option<Res<HoldFrameTime>>,
    mut commands: Commands,
    cameras: Query<Entity, (With<Camera3d>, Or<(With<TerrainViewer>, With<Frozen>)>)>,
    transforms: TransformHelper,
    origin: Res<TerrainOrigin>,
    mut teleport: ResMut<Teleport>,
    mut target: Local<[f64; 2]>,
) {
    let ui = &mut *ui;
    ui.strong("Detail");
    let chosen = choose_quality(ui, *quality, hold.is_some());
    match chosen {
        Some(Chosen::Fixed(new)) => {
            commands.remove_resource::<HoldFrameTime>();
            *quality = new;
        }
        Some(Chosen::Auto) => commands.insert_resource(HoldFrameTime::fps(60.0)),
        None => {}
    }
    match viewers.iter_mut().next() {
        Some(mut viewer) => {
            let mut edited = *viewer;
            detail(ui, &mut edited);
            viewer.set_if_neq(edited);
        }
        None => _ = ui.label("No entity has a TerrainViewer, so no terrain is loaded."),
    }
    ui.separator();
    ui.strong("Budget");
    let mut edited = *budget;
    spend(ui, &mut edited);
    budget.set_if_neq(edited);
    ui.separator();
    ui.strong("Position");
    let camera = cameras.iter().find_map(|camera| transforms.compute_global_transform(camera).ok());
    let here = camera.map(|camera| origin.position(camera.translation()));
    if let Some([x, height, z]) = here {
        for (axis, at) in [("x", x), ("height", height), ("z", z)] {
            row(
                ui,
                axis,
                "Position of the camera, in metres from the origin of the world",
                NONE,
                |ui| ui.monospace(format!("{at:.1} m")),
            );
        }
    }
    let help = "The world position of the origin of transforms. It can follow the camera, so that \
                nothing jitters far out";
    row(ui, "origin", help, NONE, |ui| {
        let [x, z] = origin.offset();
        let fixed = if origin.rebase { "" } else { ", fixed" };
        ui.monospace(format!("{x} {z} m{fixed}"))
    });
    ui.add_space(6.0);
    ui.strong("Go to");
    for (axis, value) in ["x", "z"].into_iter().zip(&mut *target) {
        let help = format!("{}, {POSITION}. Drag, or type a number such as 1e12", POSITION.help);
        row(ui, axis, &help, NONE, |ui| ui.add(drag(ui, value, &POSITION).max_decimals(1)));
    }
    ui.horizontal(|ui| {
        let go = ui.button("go").on_hover_text("Move the camera there, 150 m above the ground");
        if go.clicked() {
            teleport.go(*target);
        }
        if ui.button("here").on_hover_text("Fill in the position of the camera").clicked()
            && let Some([x, _, z]) = here
        {
            *target = [x.round(), z.round()];
        }
        if ui.button("home").on_hover_text("Go to 0, 0").clicked() {
            teleport.go([0.0; 2]);
        }
    });
}

/// What was chosen in the row of qualities.
enum Chosen {
    Auto,
    Fixed(TerrainQuality),
}

/// A combo box of the qualities.
fn choose_quality(ui: &mut Ui, quality: TerrainQuality, is_auto: bool) -> Option<Chosen> {
    let mut chosen = None;
    let known = TerrainQuality::ALL.into_iter().find(|(_, known)| *known == quality);
    let name = known.map_or("custom", |(name, _)| name);
    let title = if is_auto { format!("auto: {name}") } else { name.into() };
    let help = "How much drawing terrain may cost: triangles, layers and filtering of textures. \
                Auto holds 60 frames a second";
    row(ui, "quality", help, NONE, |ui| {
        let combo = ComboBox::from_id_salt("quality").selected_text(title);
        let shown = combo.show_ui(ui, |ui| {
            for (own, fixed) in TerrainQuality::ALL {
                if ui.selectable_label(!is_auto && own == name, own).clicked() {
                    chosen = Some(Chosen::Fixed(fixed));
                }
            }
            if ui.selectable_label(is_auto, "auto").clicked() && !is_auto {
                chosen = Some(Chosen::Auto);
            }
        });
        shown.response
    });
    chosen
}

fn detail(ui: &mut Ui, viewer: &mut TerrainViewer) {
    let help = format!("{}\n{PIXEL_ERROR}", PIXEL_ERROR.help);
    row(ui, PIXEL_ERROR.name, &help, NONE, |ui| {
        ui.spacing_mut().slider_width = 130.0;
        let range = PIXEL_ERROR.min..=PIXEL_ERROR.max;
        let slider = slider(ui, &mut viewer.pixel_error, range);
        ui.add(slider.logarithmic(true).max_decimals(2).suffix(" px"))
    });
    let help = format!("{}\n{VIEW_RANGE}", VIEW_RANGE.help);
    row(ui, VIEW_RANGE.name, &help, NONE, |ui| {
        ui.add(drag(ui, &mut viewer.range, &VIEW_RANGE).max_decimals(0))
    });
    let about = |field| TerrainViewer::get_field_docs(field).unwrap_or_default();
    flag(ui, "guarantee", about("guarantee"), &mut viewer.guarantee);
    row(ui, "uniform", &plain(about("uniform")), NONE, |ui| {
        let mut on = viewer.uniform.is_some();
        let mut level = viewer.uniform.unwrap_or_default();
        let edited = ui.checkbox(&mut on, "");
        let level_drag = drag_value(ui, &mut level).range(0..=COARSEST).prefix("level ");
        let edited = edited | ui.add_enabled(on, level_drag);
        viewer.uniform = on.then_some(level);
        edited
    });
}

fn spend(ui: &mut Ui, budget: &mut TerrainBudget) {
    let TerrainBudget {
        chunks,
        tasks_in_flight,
        tiles_in_flight,
        applied_per_frame,
        removed_per_frame,
        scatter_in_flight,
        scatter_per_frame,
        task_time: _,
    } = budget;
    for (title, field, value, max) in [
        ("chunks", "chunks", chunks, 65_536),
        ("tasks", "tasks_in_flight", tasks_in_flight, 1024),
        ("collider tasks", "tiles_in_flight", tiles_in_flight, 1024),
        ("meshes/frame", "applied_per_frame", applied_per_frame, 4096),
        ("scatter tasks", "scatter_in_flight", scatter_in_flight, 1024),
        ("scatter tiles/frame", "scatter_per_frame", scatter_per_frame, 4096),
        ("removals/frame", "removed_per_frame", removed_per_frame, 4096),
    ] {
        let about = TerrainBudget::get_field_docs(field).unwrap_or_default();
        row(ui, title, &plain(about), NONE, |ui| {
            // A larger number set by the game is kept.
            let range = 1..=max.max(*value);
            ui.add(drag_value(ui, value).range(range))
        });
    }
}
