//! Lists of shapes, transforms and curve points.

use bevy_egui::egui::Ui;
use orogeny::limits::{CURVE_POINTS, GIVEN, Limit, Number, SCALE, TRANSLATE};
use orogeny::node::{Curve, Rotate};
use orogeny::{Shape, Transform};
use strum::EnumMessage;

use super::labels::inside;
use super::row::{Fault, choose, explain, menu_of, named_number, numbers, row, with_range};
use super::typed::drag;
use crate::controls;
use crate::document::choices::{shapes, transforms};

/// What a list is called, and what its items do.
struct Words {
    item: &'static str,
    about: &'static str,
}

const FUNCTIONS: Words = Words {
    item: "Function",
    about: "A function of the field's value. Functions are applied from top to bottom",
};
const TRANSFORMS: Words = Words {
    item: "Transform",
    about: "A transform of the position. Transforms are applied from top to bottom",
};

/// The functions of a shape, in order of application.
pub fn shaped(ui: &mut Ui, by: &mut Vec<Shape>, fault: Fault<'_>) {
    list(ui, &FUNCTIONS, by, shapes, fault, |ui, shape, fault| match shape {
        Shape::Abs | Shape::Square => explain(ui, fault),
        Shape::Clamp(clamp) => numbers(ui, clamp, fault.under("Clamp")),
        Shape::Terraces(terraces) => numbers(ui, terraces, fault.under("Terraces")),
        Shape::Curve(curve) => points(ui, curve, fault.under("Curve")),
        Shape::Normalize(normalize) => numbers(ui, normalize, fault.under("Normalize")),
    });
}

/// The transforms of a domain, in order of application.
pub fn transformed(ui: &mut Ui, by: &mut Vec<Transform<2>>, fault: Fault<'_>) {
    list(ui, &TRANSFORMS, by, transforms, fault, |ui, transform, fault| match transform {
        Transform::Scale(factors) => axes(ui, "Scale", &SCALE, factors, fault.under("Scale")),
        Transform::Translate(by) => axes(ui, "Offset", &TRANSLATE, by, fault.under("Translate")),
        Transform::Rotate(rotate) => {
            numbers::<Rotate>(ui, rotate, fault.under("Rotate"));
        }
    });
}

fn axes(ui: &mut Ui, name: &str, limit: &Limit, of: &mut [f64; 2], fault: Fault<'_>) {
    for (i, (axis, value)) in ["x", "z"].into_iter().zip(of).enumerate() {
        // The limits of a scale are about its absolute value.
        let limit = if limit.min > 0.0 { Limit { min: -limit.max, ..*limit } } else { *limit };
        named_number(ui, &format!("{name} {axis}"), &limit, Number::F64(value), fault.item(i));
    }
}

/// A list of items, each with a combo box of its type, and buttons to move, remove and add.
fn list<T, const K: usize>(
    ui: &mut Ui,
    words: &Words,
    items: &mut Vec<T>,
    options: fn() -> [T; K],
    fault: Fault<'_>,
    mut edit: impl FnMut(&mut Ui, &mut T, Fault<'_>),
) where
    T: EnumMessage,
    for<'a> &'static str: From<&'a T>,
{
    let item_name = inside(words.item);
    let (mut removed, mut raised) = (None, None);
    for (i, item) in items.iter_mut().enumerate() {
        ui.push_id(i, |ui| {
            ui.horizontal(|ui| {
                if controls::small(ui, i > 0, "⬆", "Apply it earlier") {
                    raised = Some(i);
                }
                if controls::small(ui, true, "✖", &format!("Remove this {item_name}")) {
                    removed = Some(i);
                }
                choose(ui, words.item, words.about, Fault::default(), item, options());
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
    items.extend(menu_of(ui, &format!("Add {item_name}"), words.about, options()));
}

/// The points of a curve.
fn points(ui: &mut Ui, Curve(points): &mut Curve, fault: Fault<'_>) {
    let mut removed = None;
    let count = points.len();
    let about = with_range("The curve maps the first number to the second.", &GIVEN);
    for (i, (x, y)) in points.iter_mut().enumerate() {
        let name = format!("Point {}", i + 1);
        row(ui, &name, &about, fault.item(i), |ui, about| {
            let from = drag(ui, &name, x, &GIVEN).speed(0.01);
            controls::add(ui, from, about);
            ui.label("to");
            let to = drag(ui, &name, y, &GIVEN).speed(0.01);
            controls::add(ui, to, about);
            let enough = count > CURVE_POINTS.min as usize;
            if controls::small(ui, enough, "✖", "Remove this point. A curve has at least two") {
                removed = Some(i);
            }
        });
    }
    if let Some(i) = removed {
        points.remove(i);
    }
    let may_grow = count < CURVE_POINTS.max as usize;
    let about = format!("Add a point after the last one. A curve has {CURVE_POINTS} points");
    if controls::small(ui, may_grow, "Add point", &about) {
        let (x, y) = points.last().copied().unwrap_or_default();
        // Within the limits, after the last point.
        let next = |last: f32| (last + 1.0).min(GIVEN.max as f32);
        points.push((next(x), next(y)));
    }
    if !fault.is_in_item() {
        explain(ui, fault);
    }
}
