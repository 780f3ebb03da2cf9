//! The tab Map: the ground from above, the lands in their climate, and a profile.

use bevy::prelude::*;
use bevy_egui::egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Sense, Shape, Slider, Stroke, StrokeKind,
    TextureOptions, Ui, Vec2, pos2, vec2,
};
use bevy_orogeny::{GroundQuery, TerrainGround, TerrainOrigin, TerrainQuery};
use egui_plot::{HoverPosition, Line, Plot, VLine};
use orogeny::{Field, Node, Tree};
use strum::{EnumMessage, IntoEnumIterator};

use super::statistics::has_room_for_plot;
use super::{Presses, gesture, unchanged};
use crate::controls;
use crate::document::Step;
use crate::editing::Editing;
use crate::map::diagram::{self, Axis};
use crate::map::{MapStyle, Overlay, Section, Shown, TerrainMap, View};
use crate::recipe::labels::{capitalised, label};
use crate::recipe::typed::{decimals, length, read_length, reader};
use crate::recipe::{Fault, numbers, plain, title, wrong};
use crate::viewer::{PanelCamera, Teleport};

/// Metres per pixel, minimum and maximum.
const SPACING: [f64; 2] = [0.05, 5000.0];
/// Pixels that the picture extends beyond the view on each side, so that small moves need no new
/// one.
const MARGIN: f64 = 24.0;
/// The lengths of profiles in metres.
const PROFILE: core::ops::RangeInclusive<f64> = 100.0..=100_000.0;
/// Height over width.
const ASPECT: f32 = 0.7;
const SIGN: Color32 = Color32::from_rgb(255, 220, 60);
const RIVER: Color32 = Color32::from_rgb(70, 130, 190);
const EDIT: Color32 = Color32::from_rgb(255, 120, 60);

/// Draws the tab.
pub fn show(
    mut ui: InMut<Ui>,
    mut map: ResMut<TerrainMap>,
    mut editing: ResMut<Editing>,
    mut presses: Local<Presses>,
    mut teleport: ResMut<Teleport>,
    terrains: TerrainQuery,
    camera: PanelCamera,
    transforms: TransformHelper,
    origin: Res<TerrainOrigin>,
) {
    let (ui, map) = (&mut *ui, &mut *map);
    let ground = editing.terrain().map(|terrain| terrains.get(terrain));
    let ground = ground.unwrap_or_else(|| terrains.single());
    let offset = ground.as_ref().map_or([0.0; 3], TerrainGround::offset);
    if let Ok(ground) = ground {
        map.follow(ground.query());
    }
    let camera = camera.get().and_then(|camera| transforms.compute_global_transform(camera).ok());
    // Positions are relative to the terrain.
    let camera = camera.map(|camera| {
        let [x, _, z] = origin.position(camera.translation());
        let forward = camera.forward().xz().normalize_or_zero().as_dvec2();
        ([x - offset[0], z - offset[2]], [forward.x, forward.y])
    });
    choose(ui, map);
    if let Some((position, _)) = camera
        && map.follows_camera
    {
        map.view.centre = position;
    }
    if let Some([x, z]) = picture(ui, map, camera) {
        teleport.go([x + offset[0], z + offset[2]]);
    }
    lands(ui, map, &mut editing, &mut presses, camera.map(|(at, _)| at));
    ui.add_space(4.0);
    if let Some((from, towards)) = camera
        && towards != [0.0; 2]
    {
        profile(ui, map, Section { from, towards, length: map.length });
    }
}

fn choose(ui: &mut Ui, map: &mut TerrainMap) {
    ui.horizontal_wrapped(|ui| {
        for style in MapStyle::iter() {
            let help = plain(style.get_documentation().unwrap_or_default());
            if controls::option(ui, map.view.style == style, label(style.into()), &help) {
                map.view.style = style;
            }
        }
        let help = "Keep the camera in the centre of the map. Dragging the map turns this off";
        controls::checkbox(ui, &mut map.follows_camera, "Follow camera", help);
    });
}

/// The rectangle on the screen in which `view` appears if `of` is centred in `rect`. A pixel of a
/// picture is a pixel on the screen.
fn seen(view: &View, rect: Rect, of: &View) -> Rect {
    let region = view.region();
    Rect::from_min_max(on_screen(of, rect, region.min), on_screen(of, rect, region.max))
}

/// The point of the screen that shows a terrain position (x, z) if `view` is centred in `rect`.
fn on_screen(view: &View, rect: Rect, position: [f64; 2]) -> Pos2 {
    let [x, y] = view.point(position);
    rect.center() + vec2(x as f32, y as f32)
}

/// Draws the map. Returns the position that was double-clicked.
fn picture(
    ui: &mut Ui,
    map: &mut TerrainMap,
    camera: Option<([f64; 2], [f64; 2])>,
) -> Option<[f64; 2]> {
    let width = ui.available_width().floor();
    let (rect, response) =
        ui.allocate_exact_size(vec2(width, (ASPECT * width).floor()), Sense::click_and_drag());
    if response.dragged() {
        let by = response.drag_delta();
        map.follows_camera = false;
        map.view.centre = map.view.position([-f64::from(by.x), -f64::from(by.y)]);
    }
    if let Some(pointer) = response.hover_pos() {
        zoom(ui, map, pointer - rect.center());
    }
    let view = map.view;
    let size = [rect.width(), rect.height()].map(|side| f64::from(side) + 2.0 * MARGIN);
    let wanted = View { size: size.map(|side| side as usize), ..view }.in_steps(MARGIN);
    let context = ui.ctx().clone();
    let shown = map.texture.as_ref().map(|shown| shown.view);
    if let Some((revision, picture)) = map.picture(wanted) {
        // Coarse pictures are for what was not on the map yet.
        let is_old =
            shown.is_some_and(|(of, view)| of == revision && picture.view.is_shown_by(&view));
        if !is_old {
            let (view, overlay) = (picture.view, picture.overlay.clone());
            let texture =
                context.load_texture("map", picture.image.clone(), TextureOptions::LINEAR);
            map.texture = Some(Shown { view: (revision, view), texture, overlay });
        }
    }
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 2.0, Color32::from_gray(24));
    let mut leaves_out_rivers = false;
    if let Some(Shown { view: (_, shown), texture, overlay }) = &map.texture {
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        painter.image(texture.id(), seen(shown, rect, &view), whole, Color32::WHITE);
        over(&painter, rect, &view, overlay);
        leaves_out_rivers = overlay.leaves_out_rivers;
    } else {
        painter.text(
            rect.center(),
            Align2::CENTER_CENTER,
            "Drawing the map…",
            FontId::proportional(14.0),
            Color32::GRAY,
        );
    }
    if let Some((position, towards)) = camera {
        let ahead = vec2(towards[0] as f32, towards[1] as f32);
        painter.add(arrow(on_screen(&view, rect, position), ahead));
    }
    scale(&painter, rect, view.spacing);
    let place = |pointer: Pos2| {
        let from = pointer - rect.center();
        view.position([from.x.into(), from.y.into()])
    };
    let text = match (response.hover_pos(), &map.ground) {
        (Some(pointer), Some(ground)) => {
            let [x, z] = place(pointer);
            let sample = ground.height_field().sample([x, z]);
            let slope = sample.gradient[0].hypot(sample.gradient[1]).atan().to_degrees();
            let [x, z] = [x, z].map(|at| decimals(at, 0));
            if sample.value.is_finite() {
                let height = decimals(sample.value.into(), 1);
                format!("x {x} m, z {z} m: height {height} m, slope {slope:.0}°")
            } else {
                format!("x {x} m, z {z} m: no ground")
            }
        }
        _ if leaves_out_rivers => "Zoom in to see rivers. Double-click to go somewhere.".into(),
        _ => "Drag to move, scroll to zoom, double-click to go somewhere.".into(),
    };
    ui.weak(text);
    response.double_clicked().then(|| response.interact_pointer_pos().map(place)).flatten()
}

/// Draws rivers and the boxes of edits.
fn over(painter: &Painter, rect: Rect, view: &View, overlay: &Overlay) {
    let at = |position| on_screen(view, rect, position);
    for (ends, width) in &overlay.rivers {
        let width = (f64::from(*width) / view.spacing) as f32;
        painter.line_segment(ends.map(at), Stroke::new(width.clamp(0.7, 40.0), RIVER));
    }
    for edit in &overlay.edits {
        // However small, it can be found.
        let edit = Rect::from_two_pos(at(edit.min), at(edit.max)).expand(1.0);
        painter.rect_stroke(edit, 1.0, Stroke::new(1.0, EDIT), StrokeKind::Outside);
    }
}

/// Zooms with the wheel around the pointer, or around the middle while the picture follows the
/// camera.
fn zoom(ui: &Ui, map: &mut TerrainMap, from: Vec2) {
    let scrolled = ui.input_mut(|input| core::mem::take(&mut input.smooth_scroll_delta.y));
    if scrolled == 0.0 {
        return;
    }
    let at = [f64::from(from.x), f64::from(from.y)];
    let fixed = map.view.position(at);
    let spacing = map.view.spacing * (-0.005 * f64::from(scrolled)).exp();
    map.view.spacing = spacing.clamp(SPACING[0], SPACING[1]);
    if !map.follows_camera {
        let moved = map.view.position(at);
        map.view.centre = [0, 1].map(|k| map.view.centre[k] + fixed[k] - moved[k]);
    }
}

/// The camera's position and direction.
fn arrow(at: Pos2, ahead: Vec2) -> Shape {
    let aside = ahead.rot90();
    let points =
        vec![at + 9.0 * ahead, at - 5.0 * ahead + 5.0 * aside, at - 5.0 * ahead - 5.0 * aside];
    Shape::convex_polygon(points, SIGN, Stroke::new(1.0, Color32::BLACK))
}

/// A bar of a round length.
fn scale(painter: &Painter, rect: Rect, spacing: f64) {
    let max = 100.0 * spacing;
    let power = 10f64.powf(max.log10().floor());
    let metres =
        [5.0, 2.0, 1.0].map(|step| step * power).into_iter().find(|&x| x <= max).unwrap_or(power);
    let left = rect.left_bottom() + vec2(10.0, -10.0);
    let right = left + vec2((metres / spacing) as f32, 0.0);
    for (color, width) in [(Color32::BLACK, 5.0), (Color32::WHITE, 2.0)] {
        painter.line_segment([left, right], Stroke::new(width, color));
    }
    let font = FontId::proportional(12.0);
    for (by, color) in [(vec2(1.0, 1.0), Color32::BLACK), (vec2(0.0, 0.0), Color32::WHITE)] {
        painter.text(
            left + vec2(0.0, -5.0) + by,
            Align2::LEFT_BOTTOM,
            length(metres),
            font.clone(),
            color,
        );
    }
}

/// The heights ahead of the camera.
fn profile(ui: &mut Ui, map: &mut TerrainMap, section: Section) {
    ui.horizontal(|ui| {
        ui.strong("Profile").on_hover_text("Heights ahead of the camera");
        ui.spacing_mut().slider_width = 110.0;
        let read = reader(ui, |text| read_length(text).filter(|length| PROFILE.contains(length)));
        let slider = Slider::new(&mut map.length, PROFILE).custom_parser(read);
        let slider = slider.logarithmic(true).custom_formatter(|metres, _| length(metres));
        controls::add(ui, slider, "The length of the profile, 100 m to 100 km");
    });
    let Some(profile) = map.profile(section.in_steps()) else { return };
    if !has_room_for_plot(ui) {
        return;
    }
    let lines: Vec<_> = profile.lines().collect();
    Plot::new("profile")
        .height(110.0)
        .show_axes([true, true])
        .y_axis_min_width(36.0)
        .x_axis_formatter(|mark, _| length(mark.value))
        .label_formatter(|hover| {
            let (HoverPosition::NearDataPoint { position: at, .. }
            | HoverPosition::Elsewhere { position: at }) = hover;
            Some(format!("{} ahead\n{} m high", length(at.x), decimals(at.y, 1)))
        })
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show(ui, |plot| {
            plot.vline(VLine::new("camera", 0.0).color(SIGN));
            for line in lines {
                plot.line(
                    Line::new("height", line).color(Color32::from_rgb(150, 200, 120)).width(1.5),
                );
            }
        });
}

/// Shows which lands are at a position, and all lands along the first two fields that decide. Does
/// nothing without lands.
fn lands(
    ui: &mut Ui,
    map: &TerrainMap,
    editing: &mut Editing,
    presses: &mut Presses,
    at: Option<[f64; 2]>,
) {
    let Some(ground) = map.ground.as_ref().filter(|ground| !ground.lands().lands().is_empty())
    else {
        return;
    };
    if let Some(at) = at {
        ui.label(here(ground, at));
    }
    let Some(document) = &mut editing.document else { return };
    let fault = Fault::new(editing.error.as_ref()).under("lands");
    if let Some(error) = &editing.error {
        wrong(ui, &unchanged(error));
    }
    let gesture = gesture(ui, presses);
    let mut draft = document.draft().clone();
    let lands = &mut draft.recipe.lands;
    let help = "Each land by the climate that it needs. Drag its edges";
    controls::section(ui, "Lands by climate", "lands", true, help, |ui| {
        let along = ground.lands().along();
        let axes = [0, 1].map(|k| along.get(k).map_or(Axis { min: 0.0, max: 1.0 }, axis));
        let here = at.map(|at| [0, 1].map(|k| along.get(k).map_or(0.5, |field| field.value(at))));
        diagram::show(ui, &mut lands.of, axes, here);
        ui.weak(caption(&lands.along));
        let fault = fault.under("of");
        for (i, land) in lands.of.iter_mut().enumerate().skip(1) {
            let fault = fault.item(i).under("within");
            let help = "The climate that this land needs, as numbers";
            controls::section(ui, &land.name, ("land", i), false, help, |ui| {
                for (k, band) in land.within.iter_mut().enumerate() {
                    if let Some(field) = lands.along.get(k) {
                        ui.weak(capitalised(&title(field)));
                    }
                    ui.push_id(k, |ui| numbers(ui, band, fault.item(k)));
                }
            });
        }
    });
    document.edit(draft, Step::Gesture(gesture));
}

/// What the diagram has along its axes.
fn caption(along: &[Node]) -> String {
    let axes = ["Left to right", "bottom to top"].into_iter().zip(along);
    let axes: Vec<_> = axes.map(|(way, field)| format!("{way}: {}", title(field))).collect();
    format!("{}. The cross marks the camera.", axes.join(", "))
}

/// The lands at a position, the heaviest first, and the climate there.
fn here(ground: &GroundQuery, at: [f64; 2]) -> String {
    let lands = ground.lands();
    let weights = lands.weights(at);
    let named = lands.lands().iter().zip(weights).filter(|(_, weight)| *weight >= 0.005);
    let mut named: Vec<_> = named.collect();
    named.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let named = named.iter().map(|(land, weight)| format!("{} {:.0}%", land.name, 100.0 * weight));
    let named = named.collect::<Vec<_>>().join(", ");
    match ground.climate(at) {
        Ok(climate) => {
            let (temperature, moisture) = (climate.temperature, climate.moisture);
            let temperature = decimals(temperature.into(), 1);
            format!("Here: {named}; {temperature} °C, moisture {moisture:.2}")
        }
        Err(_) => format!("Here: {named}"),
    }
}

/// The range of a field that decides, a little less than what is proven, which is seldom reached.
fn axis(field: &Tree<2>) -> Axis {
    let bounds = field.bounds();
    let (middle, half) = (0.5 * (bounds.min + bounds.max), 0.5 * (bounds.max - bounds.min));
    let half = (0.8 * half).max(1e-3);
    Axis { min: middle - half, max: middle + half }
}
