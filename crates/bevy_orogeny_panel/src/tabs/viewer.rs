//! The tab Viewer: detail, budget and position.

use bevy::prelude::*;
use bevy_egui::egui::{ComboBox, DragValue, Ui, emath};
use bevy_orogeny::advanced::{HoldFrameTime, PIXEL_ERROR, POSITION, TerrainBudget, VIEW_RANGE};
use bevy_orogeny::{TerrainOrigin, TerrainQuality, TerrainViewer};
use documented::DocumentedFields;
use orogeny::limits::Limit;

use crate::controls;
use crate::recipe::labels::capitalised;
use crate::recipe::typed::{decimals, drag, slider};
use crate::recipe::{Fault, Scale, flag, help_of, plain, row, value, with_range};
use crate::viewer::{PanelCamera, Teleport};

const NONE: Fault<'static> = Fault::NONE;

/// The limits of the uniform level.
const UNIFORM: Limit =
    Limit::new("uniform", "", [0.0, 16.0], 0.0, "The level of all chunks, 0 for the finest");

/// Draws the tab.
pub fn show(
    mut ui: InMut<Ui>,
    mut viewers: Query<(Entity, &mut TerrainViewer)>,
    mut budget: ResMut<TerrainBudget>,
    mut quality: ResMut<TerrainQuality>,
    hold: Option<Res<HoldFrameTime>>,
    mut commands: Commands,
    camera: PanelCamera,
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
    // A viewer may be no camera.
    let own = camera.viewer().filter(|own| viewers.contains(*own));
    match viewers.iter_mut().find(|(viewer, _)| own.is_none_or(|own| own == *viewer)) {
        Some((_, mut viewer)) => {
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
    let camera = camera.get().and_then(|camera| transforms.compute_global_transform(camera).ok());
    let here = camera.map(|camera| origin.position(camera.translation()));
    if let Some([x, height, z]) = here {
        for (axis, at) in [("x", x), ("Height", height), ("z", z)] {
            let about = "The camera's position, in metres from the origin of the world";
            value(ui, axis, about, format!("{} m", decimals(at, 1)));
        }
    }
    let help = "The position in the world of the origin of all transforms. It can follow the \
                camera, so that nothing jitters far from the origin of the world";
    let [x, z] = origin.offset().map(|at| decimals(at, 0));
    let fixed = if origin.rebase { "" } else { ", fixed" };
    value(ui, "Render origin", help, format!("x {x} m, z {z} m{fixed}"));
    ui.add_space(6.0);
    ui.strong("Go to");
    for (axis, at) in ["x", "z"].into_iter().zip(&mut *target) {
        let help = with_range("Where to go. Drag, or type a number such as 1e12.", &POSITION);
        row(ui, axis, &help, NONE, |ui, help| {
            let coordinate = drag(ui, axis, at, &POSITION).max_decimals(1);
            controls::add(ui, coordinate, help);
        });
    }
    ui.horizontal(|ui| {
        if controls::button(ui, "Go", "Move the camera there, 150 m above the ground") {
            teleport.go(*target);
        }
        let about = "Fill in the camera's position";
        if controls::button(ui, "Here", about)
            && let Some([x, _, z]) = here
        {
            *target = [x.round() + 0.0, z.round() + 0.0];
        }
        if controls::button(ui, "Home", "Move the camera to x 0 m, z 0 m") {
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
    let name = capitalised(known.map_or("custom", |(name, _)| name));
    let title = if is_auto { format!("Auto: {}", name.to_lowercase()) } else { name };
    let help = "How much drawing the terrain may cost: triangles, layers of cover and filtering of \
                textures. Auto holds 60 frames per second";
    row(ui, "Quality", help, NONE, |ui, help| {
        let combo = ComboBox::from_id_salt("quality").selected_text(title);
        controls::combo(ui, combo, help, |ui| {
            for (own, fixed) in TerrainQuality::ALL {
                let is = !is_auto && known.is_some_and(|(name, _)| name == own);
                let about = format!("Always draw in {own} quality");
                if controls::option(ui, is, capitalised(own), &about) {
                    chosen = Some(Chosen::Fixed(fixed));
                }
            }
            let about = "Choose the quality that holds 60 frames per second";
            if controls::option(ui, is_auto, "Auto", about) && !is_auto {
                chosen = Some(Chosen::Auto);
            }
        });
    });
    chosen
}

fn detail(ui: &mut Ui, viewer: &mut TerrainViewer) {
    row(ui, "Pixel error", &help_of(&PIXEL_ERROR), NONE, |ui, help| {
        ui.spacing_mut().slider_width = 110.0;
        let scale = Scale::Logarithmic { smallest: PIXEL_ERROR.min };
        let slider = slider(ui, "Pixel error", &mut viewer.pixel_error, &PIXEL_ERROR, scale);
        controls::add(ui, slider.max_decimals(2), help);
    });
    row(ui, "View range", &help_of(&VIEW_RANGE), NONE, |ui, help| {
        let range = drag(ui, "View range", &mut viewer.range, &VIEW_RANGE).max_decimals(0);
        controls::add(ui, range, help);
    });
    let about = |field| TerrainViewer::get_field_docs(field).unwrap_or_default();
    flag(ui, "Guarantee", about("guarantee"), &mut viewer.guarantee);
    row(ui, "Uniform level", &plain(about("uniform")), NONE, |ui, help| {
        let mut on = viewer.uniform.is_some();
        let mut level = viewer.uniform.unwrap_or_default();
        controls::checkbox(ui, &mut on, "", help);
        let level_drag = within(ui, "Uniform level", &mut level, &UNIFORM);
        controls::add_enabled(ui, on, level_drag, &help_of(&UNIFORM));
        viewer.uniform = on.then_some(level);
    });
}

/// A number to drag. A larger one that the game has set is kept.
fn within<'a, T: emath::Numeric>(
    ui: &Ui,
    name: &str,
    value: &'a mut T,
    limit: &Limit,
) -> DragValue<'a> {
    let max = limit.max.max(value.to_f64());
    drag(ui, name, value, &Limit { max, ..*limit })
}

fn spend(ui: &mut Ui, budget: &mut TerrainBudget) {
    let TerrainBudget { chunks, tasks, per_frame, io_threads, plant_bytes, task_time: _ } = budget;
    for (title, field, value, max) in [
        ("Chunks", "chunks", chunks, 65_536.0),
        ("Tasks", "tasks", tasks, 1024.0),
        ("Chunks per frame", "per_frame", per_frame, 4096.0),
    ] {
        let help = plain(TerrainBudget::get_field_docs(field).unwrap_or_default());
        let limit =
            Limit { name: field, unit: "", min: 1.0, max, default: 1.0, help: "Work per frame" };
        row(ui, title, &with_range(&help, &limit), NONE, |ui, help| {
            let number = within(ui, title, value, &limit);
            controls::add(ui, number, help);
        });
    }
    let about = TerrainBudget::get_field_docs("io_threads").unwrap_or_default();
    flag(ui, "Threads for files", about, io_threads);
    let help = plain(TerrainBudget::get_field_docs("plant_bytes").unwrap_or_default());
    let limit =
        Limit { name: "plant_bytes", unit: "MiB", min: 1.0, max: 1024.0, default: 64.0, help: "" };
    let mut mebibytes = (*plant_bytes >> 20).max(1);
    let before = mebibytes;
    row(ui, "Plants drawn", &with_range(&help, &limit), NONE, |ui, help| {
        let number = within(ui, "Plants drawn", &mut mebibytes, &limit);
        controls::add(ui, number, help);
    });
    // What a game has set to the byte stays.
    if mebibytes != before {
        *plant_bytes = mebibytes << 20;
    }
}
