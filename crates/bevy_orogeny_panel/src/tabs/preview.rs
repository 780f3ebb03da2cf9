//! The tab Preview: a map and a profile.

use bevy::prelude::*;
use bevy_egui::egui::{
    Align2, Color32, FontId, Pos2, Rect, Sense, Shape, Stroke, TextureOptions, Ui, pos2, vec2,
};
use bevy_orogeny::{Terrain, TerrainOrigin, TerrainViewer};
use egui_plot::{HoverPosition, Line, Plot, VLine};
use strum::{EnumMessage, IntoEnumIterator};

use crate::preview::{MapStyle, Preview, Section, View};
use crate::recipe::typed::{reader, slider};
use crate::recipe::{length, plain, read_length};
use crate::viewer::freeze::Frozen;

/// Metres per pixel, minimum and maximum.
const SPACING: [f64; 2] = [0.05, 2000.0];
/// Pixels that the picture extends beyond the view on each side, so that small moves need no new
/// one.
const MARGIN: f64 = 24.0;
/// Height over width.
const ASPECT: f32 = 0.7;
const SIGN: Color32 = Color32::from_rgb(255, 220, 60);

/// Draws the tab.
pub fn show(
    mut ui: InMut<Ui>,
    mut preview: ResMut<Preview>,
    terrains: Query<&Transform, With<Terrain>>,
    cameras: Query<Entity, (With<Camera3d>, Or<(With<TerrainViewer>, With<Frozen>)>)>,
    transforms: TransformHelper,
    origin: Res<TerrainOrigin>,
) {
    let (ui, preview) = (&mut *ui, &mut *preview);
    // Positions are relative to the terrain.
    let home = terrains.iter().next().map_or(Vec3::ZERO, |terrain| terrain.translation);
    let camera = cameras.iter().find_map(|camera| transforms.compute_global_transform(camera).ok());
    let camera = camera.map(|camera| {
        let [x, _, z] = origin.position(camera.translation());
        let forward = camera.forward().xz().normalize_or_zero().as_dvec2();
        ([x - f64::from(home.x), z - f64::from(home.z)], [forward.x, forward.y])
    });
    choose(ui, preview);
    if let Some((position, _)) = camera
        && preview.follow
    {
        preview.view.centre = position;
    }
    picture(ui, preview, camera);
    ui.add_space(4.0);
    if let Some((from, towards)) = camera
        && towards != [0.0; 2]
    {
        profile(ui, preview, Section { from, towards, length: preview.length });
    }
}

fn choose(ui: &mut Ui, preview: &mut Preview) {
    ui.horizontal_wrapped(|ui| {
        for style in MapStyle::iter() {
            let name: &'static str = style.into();
            let help = plain(style.get_documentation().unwrap_or_default());
            if ui.selectable_label(preview.view.style == style, name).on_hover_text(help).clicked()
            {
                preview.view.style = style;
            }
        }
        let help = "The map follows the camera. Dragging the map ends that";
        ui.checkbox(&mut preview.follow, "follow").on_hover_text(help);
    });
}

/// The rectangle on the screen in which `view` appears if `of` is centred in `rect`. A pixel of a
/// picture is a pixel on the screen.
fn seen(view: &View, rect: Rect, of: &View) -> Rect {
    let half = [0, 1].map(|k| view.size[k] as f64 / 2.0);
    let corner = |sign: f64| {
        let [x, y] = of.point(view.position(half.map(|half| sign * half)));
        rect.center() + vec2(x as f32, y as f32)
    };
    Rect::from_min_max(corner(-1.0), corner(1.0))
}

fn picture(ui: &mut Ui, preview: &mut Preview, camera: Option<([f64; 2], [f64; 2])>) {
    let width = ui.available_width().floor();
    let (rect, response) =
        ui.allocate_exact_size(vec2(width, (ASPECT * width).floor()), Sense::drag());
    if response.dragged() {
        let by = response.drag_delta();
        preview.follow = false;
        preview.view.centre = preview.view.position([-f64::from(by.x), -f64::from(by.y)]);
    }
    if let Some(pointer) = response.hover_pos() {
        zoom(ui, preview, pointer - rect.center());
    }
    let view = preview.view;
    let size = [rect.width(), rect.height()].map(|side| f64::from(side) + 2.0 * MARGIN);
    let wanted = View { size: size.map(|side| side as usize), ..view }.in_steps(MARGIN);
    let context = ui.ctx().clone();
    if let Some(picture) = preview.picture(wanted) {
        let texture =
            context.load_texture("preview", picture.image.clone(), TextureOptions::LINEAR);
        preview.texture = Some((picture.view, texture));
    }
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 2.0, Color32::from_gray(24));
    if let Some((shown, texture)) = &preview.texture {
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        painter.image(texture.id(), seen(shown, rect, &view), whole, Color32::WHITE);
    } else {
        painter.text(
            rect.center(),
            Align2::CENTER_CENTER,
            "drawing ...",
            FontId::proportional(14.0),
            Color32::GRAY,
        );
    }
    if let Some((position, towards)) = camera {
        let [x, y] = view.point(position);
        let at = rect.center() + vec2(x as f32, y as f32);
        painter.add(arrow(at, vec2(towards[0] as f32, towards[1] as f32)));
    }
    scale(&painter, rect, view.spacing);
    let text = match (response.hover_pos(), &preview.field) {
        (Some(pointer), Some(field)) => {
            let from = pointer - rect.center();
            let [x, z] = view.position([from.x.into(), from.y.into()]);
            let sample = field.sample([x, z]);
            let slope = sample.gradient[0].hypot(sample.gradient[1]).atan().to_degrees();
            format!("x {x:.0}  z {z:.0}  height {:.1} m  slope {slope:.0}°", sample.value)
        }
        _ => "drag to move, wheel to zoom, hover to measure".into(),
    };
    ui.weak(text);
}

/// Zooms with the wheel around the pointer, or around the middle while the picture follows the
/// camera.
fn zoom(ui: &Ui, preview: &mut Preview, from: bevy_egui::egui::Vec2) {
    let scrolled = ui.input_mut(|input| core::mem::take(&mut input.smooth_scroll_delta.y));
    if scrolled == 0.0 {
        return;
    }
    let at = [f64::from(from.x), f64::from(from.y)];
    let fixed = preview.view.position(at);
    let spacing = preview.view.spacing * (-0.005 * f64::from(scrolled)).exp();
    preview.view.spacing = spacing.clamp(SPACING[0], SPACING[1]);
    if !preview.follow {
        let moved = preview.view.position(at);
        preview.view.centre = [0, 1].map(|k| preview.view.centre[k] + fixed[k] - moved[k]);
    }
}

/// The camera's position and direction.
fn arrow(at: Pos2, ahead: bevy_egui::egui::Vec2) -> Shape {
    let aside = ahead.rot90();
    let points =
        vec![at + 9.0 * ahead, at - 5.0 * ahead + 5.0 * aside, at - 5.0 * ahead - 5.0 * aside];
    Shape::convex_polygon(points, SIGN, Stroke::new(1.0, Color32::BLACK))
}

/// A bar of a round length.
fn scale(painter: &bevy_egui::egui::Painter, rect: Rect, spacing: f64) {
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
fn profile(ui: &mut Ui, preview: &mut Preview, section: Section) {
    ui.horizontal(|ui| {
        ui.strong("Profile").on_hover_text("Heights along the viewing direction of the camera");
        ui.spacing_mut().slider_width = 110.0;
        let read = reader(ui, read_length);
        let slider = slider(ui, &mut preview.length, 100.0..=100_000.0).custom_parser(read);
        ui.add(slider.logarithmic(true).custom_formatter(|metres, _| length(metres)));
    });
    let Some(profile) = preview.profile(section.in_steps()) else { return };
    let points = profile.0.clone();
    Plot::new("profile")
        .height(110.0)
        .show_axes([true, true])
        .y_axis_min_width(36.0)
        .x_axis_formatter(|mark, _| length(mark.value))
        .label_formatter(|hover| {
            let (HoverPosition::NearDataPoint { position: at, .. }
            | HoverPosition::Elsewhere { position: at }) = hover;
            Some(format!("{}\n{:.1} m high", length(at.x), at.y))
        })
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show(ui, |plot| {
            plot.vline(VLine::new("camera", 0.0).color(SIGN));
            plot.line(
                Line::new("height", points).color(Color32::from_rgb(150, 200, 120)).width(1.5),
            );
        });
}
