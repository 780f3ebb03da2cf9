//! Numbers that the user types: written as people write them, and exact.
//!
//! Every number of the panel is made here, so that none drops what it cannot read in silence.

use core::cell::Cell;
use core::ops::RangeInclusive;

use bevy_egui::egui::{Context, DragValue, Id, Response, Slider, Ui, emath};

/// Reads a number with a decimal point or a decimal comma, with or without separators between
/// thousands. Two separators of one kind are between thousands; of two kinds, the last one is the
/// decimal one, and there is one of it.
pub fn read_number(text: &str) -> Option<f64> {
    let plain: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '\'' | '’' | '_'))
        .map(|c| if c == '−' { '-' } else { c })
        .collect();
    let decimal = plain.rfind([',', '.']).filter(|&last| {
        let kind = &plain[last..=last];
        plain.matches(kind).count() == 1
    });
    if decimal.is_none() && plain.contains(',') && plain.contains('.') {
        return None;
    }
    let digits = plain.char_indices().filter_map(|(i, c)| match c {
        ',' | '.' => (Some(i) == decimal).then_some('.'),
        other => Some(other),
    });
    digits.collect::<String>().parse().ok().filter(|number: &f64| number.is_finite())
}

/// A number to drag or to type.
pub fn drag_value<'a, T: emath::Numeric>(ui: &Ui, value: &'a mut T) -> DragValue<'a> {
    DragValue::new(value).custom_parser(reader(ui, read_number))
}

/// A slider with a number to type.
pub fn slider<'a, T: emath::Numeric>(
    ui: &Ui,
    value: &'a mut T,
    range: RangeInclusive<T>,
) -> Slider<'a> {
    Slider::new(value, range).custom_parser(reader(ui, read_number))
}

/// A parser for egui that also notes what it cannot read: the panel then says so.
///
/// ```
/// use bevy_orogeny_panel::{egui, reader};
///
/// fn percentage(ui: &mut egui::Ui, value: &mut f64) {
///     let read = reader(ui, |text| text.trim_end_matches('%').trim().parse().ok());
///     ui.add(egui::Slider::new(value, 0.0..=100.0).custom_parser(read));
/// }
/// ```
pub fn reader(
    ui: &Ui,
    read: impl Fn(&str) -> Option<f64> + 'static,
) -> impl Fn(&str) -> Option<f64> + 'static {
    let context = ui.ctx().clone();
    move |text| {
        let number = read(text);
        note(&context, number.is_none().then(|| text.into()));
        number
    }
}

/// A whole number with all of its digits. egui's own widgets round beyond 2^53.
pub fn whole(ui: &mut Ui, value: &mut u64) -> Response {
    let (context, typed) = (ui.ctx().clone(), Cell::new(None));
    let (digits, before) = (value.to_string(), *value as f64);
    let mut dragged = before;
    let read = |text: &str| {
        let number = text.trim().parse::<u64>().ok();
        note(&context, number.is_none().then(|| text.into()));
        typed.set(number);
        number.map(|number| number as f64)
    };
    let widget = DragValue::new(&mut dragged)
        .speed(0.1)
        .range(0.0..=u64::MAX as f64)
        .custom_formatter(|_, _| digits.clone())
        .custom_parser(read);
    let response = ui.add(widget);
    if let Some(typed) = typed.get() {
        *value = typed;
    } else if dragged != before {
        *value = dragged.round() as u64;
    }
    response
}

/// Where the last text that is no number is kept.
fn place() -> Id {
    Id::new("not a number")
}

fn note(context: &Context, wrong: Option<String>) {
    context.data_mut(|data| match wrong {
        Some(text) => drop(data.insert_temp(place(), text)),
        None => data.remove::<String>(place()),
    });
}

/// What the user has typed last, if it is no number and the user is done.
pub fn take_wrong(context: &Context) -> Option<String> {
    if context.text_edit_focused() {
        return None;
    }
    context.data_mut(|data| data.remove_temp(place()))
}

#[cfg(test)]
mod tests {
    use super::read_number;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, number) in [
            ("0,5", 0.5),
            ("0.5", 0.5),
            (" -3 ", -3.0),
            ("−12,25", -12.25),
            ("1 234,5", 1234.5),
            ("1.234,5", 1234.5),
            ("1,234.5", 1234.5),
            ("1,234,567", 1_234_567.0),
            ("1'000.5", 1000.5),
            ("1e12", 1e12),
            ("2,", 2.0),
        ] {
            assert_eq!(read_number(text), Some(number), "{text}");
        }
        for text in ["", "-", "a", "1.2.3,4,5", "0x10", "nan", "inf", "1e999"] {
            assert_eq!(read_number(text), None, "{text}");
        }
    }
}
