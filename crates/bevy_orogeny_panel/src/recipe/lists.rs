//! Lists of shapes, transforms and curve points.

use bevy_egui::egui::{Button, Ui};
use orogeny::limits::{CURVE_POINTS, GIVEN, Number, SCALE, TRANSLATE};
use orogeny::node::{Curve, Rotate};
use orogeny::{Shape, Transform};
use strum::EnumMessage;

use super::choice::{choose, help, name};
use super::row::{explain, named_number, numbers, row};
use super::typed::drag_value;
use crate::document::layers::{shapes, transforms};
use crate::recipe::fault::Fault;

/// The functions of a shape, in order of application.
pub fn shaped(ui: &mut Ui, by: &mut Vec<Shape>, fault: Fault<'_>) {
    list(ui, "function", by, shapes, fault, |ui, shape, fault| match shape {
        Shape::Abs | Shape::Square => explain(ui, fault),
        Shape::Clamp(clamp) => numbers(ui, clamp, fault.under("Clamp")),
        Shape::Terraces(terraces) => numbers(ui, terraces, fault.under("Terraces")),
        Shape::Curve(curve) => points(ui, curve, fault.under("Curve")),
        Shape::Normalize(normalize) => numbers(ui, normalize, fault.under("Normalize")),
    });
}

/// The transforms of a domain, in order of application.
pub fn transformed(ui: &mut Ui, by: &mut Vec<Transform<2>>, fault: Fault<'_>) {
    list(ui, "transform", by, transforms, fault, |ui, transform, fault| match transform {
        Transform::Scale(factors) => axes(ui, &SCALE, factors, fault.under("Scale")),
        Transform::Translate(by) => axes(ui, &TRANSLATE, by, fault.under("Translate")),
        Transform::Rotate(rotate) => {
            numbers::<Rotate>(ui, rotate, fault.under("Rotate"));
        }
    });
}

fn axes(ui: &mut Ui, limit: &'static orogeny::limits::Limit, of: &mut [f64; 2], fault: Fault<'_>) {
    for (i, (axis, value)) in ["x", "z"].into_iter().zip(of).enumerate() {
        // The limits of a scale are about its absolute value.
        let limit = if limit.min > 0.0 {
            orogeny::limits::Limit { min: -limit.max, ..*limit }
        } else {
            *limit
        };
        let title = format!("{} {axis}", limit.name);
        named_number(ui, &title, &limit, Number::F64(value), fault.item(i));
    }
}

/// A list of items, each with a combo box of its type, and buttons to move, remove and add.
fn list<T, const K: usize>(
    ui: &mut Ui,
    title: &str,
    items: &mut Vec<T>,
    options: fn() -> [T; K],
    fault: Fault<'_>,
    mut edit: impl FnMut(&mut Ui, &mut T, Fault<'_>),
) where
    T: EnumMessage,
    for<'a> &'static str: From<&'a T>,
{
    let (mut removed, mut raised) = (None, None);
    for (i, item) in items.iter_mut().enumerate() {
        ui.push_id(i, |ui| {
            ui.horizontal(|ui| {
                let up = ui.add_enabled(i > 0, Button::new("⬆").small());
                if up.on_hover_text("Apply it earlier").clicked() {
                    raised = Some(i);
                }
                if ui.small_button("✖").on_hover_text("Remove").clicked() {
                    removed = Some(i);
                }
                choose(ui, title, "", Fault::default(), item, options());
            });
            edit(ui, item, fault.item(i));
        });
    }
    if let Some(i) = raised {
        items.swap(i - 1, i);
    }
    if let Some(i) = removed {
        items.remove(i);
    }
    ui.menu_button(format!("add {title}"), |ui| {
        for option in options() {
            if ui.button(name(&option)).on_hover_text(help(&option)).clicked() {
                items.push(option);
                ui.close();
            }
        }
    });
}

/// The points of a curve.
fn points(ui: &mut Ui, Curve(points): &mut Curve, fault: Fault<'_>) {
    let mut removed = None;
    let count = points.len();
    let about = format!("Maps this value of the field to this output: {GIVEN}");
    for (i, (x, y)) in points.iter_mut().enumerate() {
        row(ui, &format!("point {}", i + 1), &about, fault.item(i), |ui| {
            let limit = GIVEN.min as f32..=GIVEN.max as f32;
            let edited = ui.add(drag_value(ui, x).speed(0.01).range(limit.clone()));
            ui.label("→");
            let edited = edited | ui.add(drag_value(ui, y).speed(0.01).range(limit));
            let enough = count > CURVE_POINTS.min as usize;
            if ui.add_enabled(enough, Button::new("✖").small()).clicked() {
                removed = Some(i);
            }
            edited
        });
    }
    if let Some(i) = removed {
        points.remove(i);
    }
    let may_grow = count < CURVE_POINTS.max as usize;
    let more = ui.add_enabled(may_grow, Button::new("add point").small());
    if more.on_hover_text(format!("{}: {CURVE_POINTS}", CURVE_POINTS.help)).clicked() {
        let (x, y) = points.last().copied().unwrap_or_default();
        points.push((x + 1.0, y + 1.0));
    }
    if fault.text().is_some_and(|text| !text.starts_with('[')) {
        explain(ui, fault);
    }
}
