//! Numbers that the user types: written as people write them, and exact.
//!
//! Every number of the panel is made here, so that none drops what it cannot read in silence.

use core::cell::Cell;

use bevy_egui::egui::{Context, DragValue, Id, Slider, Ui, emath};
use orogeny::limits::Limit;

use super::scale::Scale;
use crate::controls;

/// What the hover texts of numbers say about commas.
pub const COMMAS: &str = "A comma may be a decimal point, as in 1,5. 1,234 is refused: it may mean \
                          1234 as well";

/// Reads a number with a decimal point or a decimal comma, with or without separators between
/// thousands. Two separators of one kind are between thousands; of two kinds, the last one is the
/// decimal one, and there is one of it. What [`is_ambiguous`] is no number.
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
    if is_ambiguous(&plain) || decimal.is_none() && plain.contains(',') && plain.contains('.') {
        return None;
    }
    let digits = plain.char_indices().filter_map(|(i, c)| match c {
        ',' | '.' => (Some(i) == decimal).then_some('.'),
        other => Some(other),
    });
    digits.collect::<String>().parse().ok().filter(|number: &f64| number.is_finite())
}

/// Whether the only separator of a number is a comma that may be decimal or between thousands:
/// "1,234", but neither "1,5" nor "0,125" nor "1234,567".
fn is_ambiguous(text: &str) -> bool {
    let Some((before, after)) = text.split_once(',') else { return false };
    let before = before.trim_start_matches(|c: char| !c.is_ascii_digit());
    let after_digits = after.chars().take_while(char::is_ascii_digit).count();
    let has_other = after.contains([',', '.']) || before.contains('.');
    let is_group = (1..=3).contains(&before.len()) && !before.starts_with('0');
    !has_other && after_digits == 3 && is_group
}

/// A message about a text that is refused.
fn refused(text: &str, problem: &str) -> String {
    if is_ambiguous(text) {
        let plain = text.trim().replacen(',', "", 1);
        let point = text.trim().replacen(',', ".", 1);
        return format!("“{text}” may mean {plain} or {point}. {UNCHANGED}");
    }
    format!("“{text}” is not {problem}. {UNCHANGED}")
}

/// A number to drag or to type, whose steps are in proportion to it: for ranges over orders of
/// magnitude. `name` is its label.
pub fn drag<'a, T: emath::Numeric>(
    ui: &Ui,
    name: &str,
    value: &'a mut T,
    limit: &Limit,
) -> DragValue<'a> {
    let speed = if T::INTEGRAL {
        (0.005 * value.to_f64().abs()).max(0.1)
    } else {
        // A minimum speed, so that a drag can leave zero.
        let min = if limit.min > 0.0 { limit.min } else { limit.default.abs().max(0.2) };
        0.005 * value.to_f64().abs().max(min)
    };
    DragValue::new(value)
        .speed(speed)
        .max_decimals(7)
        .range(T::from_f64(limit.min)..=T::from_f64(limit.max))
        .suffix(suffix(limit))
        .custom_parser(reader_within(ui, name, limit, T::INTEGRAL))
}

/// A slider with a number to type. `name` is its label.
pub fn slider<'a, T: emath::Numeric>(
    ui: &Ui,
    name: &str,
    value: &'a mut T,
    limit: &Limit,
    scale: Scale,
) -> Slider<'a> {
    let is_whole = T::INTEGRAL || scale == Scale::Whole;
    let slider = Slider::new(value, T::from_f64(limit.min)..=T::from_f64(limit.max))
        .suffix(suffix(limit))
        .custom_parser(reader_within(ui, name, limit, is_whole));
    match scale {
        Scale::Whole => slider.integer(),
        Scale::Logarithmic { smallest } => slider.logarithmic(true).smallest_positive(smallest),
        Scale::Linear | Scale::Wide => slider,
    }
}

/// The unit behind a number. Long units only appear in the hover text.
fn suffix(limit: &Limit) -> String {
    match limit.unit {
        "degrees" => "°".into(),
        unit if (1..=2).contains(&unit.chars().count()) => format!(" {unit}"),
        _ => String::new(),
    }
}

/// A parser of numbers within limits, with or without their unit. What it refuses is noted.
fn reader_within(
    ui: &Ui,
    name: &str,
    limit: &Limit,
    is_whole: bool,
) -> impl Fn(&str) -> Option<f64> + 'static {
    let (context, name, limit) = (ui.ctx().clone(), String::from(name), *limit);
    move |text| {
        let plain = text.trim().trim_end_matches('°');
        let plain = plain.strip_suffix(limit.unit).unwrap_or(plain);
        let is_allowed = |number: &f64| (limit.min..=limit.max).contains(number);
        let number = read_number(plain).filter(is_allowed);
        let number = number.filter(|number| !is_whole || number.fract() == 0.0);
        let kind = if is_whole { "a whole number" } else { "a number" };
        let refused = || format!("{name}: {}", refused(text, &format!("{kind} from {limit}")));
        note(&context, number.is_none().then(refused));
        number
    }
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
        note(&context, number.is_none().then(|| refused(text, "a valid value")));
        number
    }
}

/// A whole number with all of its digits. egui's own widgets round beyond 2^53.
pub fn whole(ui: &mut Ui, name: &str, value: &mut u64, help: &str) {
    let (context, typed) = (ui.ctx().clone(), Cell::new(None));
    let (digits, before) = (value.to_string(), *value as f64);
    let mut dragged = before;
    let read = |text: &str| {
        let number = text.trim().parse::<u64>().ok();
        let refused = || {
            format!("{name}: “{text}” is not a whole number from 0 to {}. {UNCHANGED}", u64::MAX)
        };
        note(&context, number.is_none().then(refused));
        typed.set(number);
        number.map(|number| number as f64)
    };
    let widget = DragValue::new(&mut dragged)
        .speed(0.1)
        .range(0.0..=u64::MAX as f64)
        .custom_formatter(|_, _| digits.clone())
        .custom_parser(read);
    controls::add(ui, widget, help);
    if let Some(typed) = typed.get() {
        *value = typed;
    } else if dragged != before {
        *value = dragged.round() as u64;
    }
}

/// How every message about a refused number ends.
const UNCHANGED: &str = "The value is unchanged.";

/// Where the message about the last refused text is kept.
fn place() -> Id {
    Id::new("not a number")
}

fn note(context: &Context, refused: Option<String>) {
    context.data_mut(|data| match refused {
        Some(text) => drop(data.insert_temp(place(), text)),
        None => data.remove::<String>(place()),
    });
}

/// Why the text that the user typed last was refused, once the user is done.
pub fn take_wrong(context: &Context) -> Option<String> {
    if context.text_edit_focused() {
        return None;
    }
    context.data_mut(|data| data.remove_temp(place()))
}

/// A length with two digits: "450 m", "9.1 km".
pub fn length(metres: f64) -> String {
    let (value, unit) = match metres.abs() {
        x if x >= 1000.0 => (metres / 1000.0, "km"),
        x if x >= 1.0 => (metres, "m"),
        x if x > 0.0 => (metres * 100.0, "cm"),
        _ => return "0 m".into(),
    };
    if value.abs() < 10.0 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

/// A number with some decimals, which is never "-0".
pub fn decimals(value: f64, count: usize) -> String {
    let text = format!("{value:.count$}");
    match text.strip_prefix('-') {
        Some(plain) if plain.chars().all(|c| matches!(c, '0' | '.')) => plain.into(),
        _ => text,
    }
}

/// Metres, from a length as [`length`] writes it, or a number of metres.
pub fn read_length(text: &str) -> Option<f64> {
    let text = text.trim();
    let units = [("km", 1000.0), ("cm", 0.01), ("m", 1.0), ("", 1.0)];
    let (number, unit) =
        units.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)))?;
    Some(read_number(number)? * unit)
}

#[cfg(test)]
mod tests {
    use super::{decimals, is_ambiguous, length, read_length, read_number};

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
            ("0,125", 0.125),
            ("-1,2345", -1.2345),
            ("1234,567", 1234.567),
        ] {
            assert_eq!(read_number(text), Some(number), "{text}");
        }
        for text in ["", "-", "a", "1.2.3,4,5", "0x10", "nan", "inf", "1e999"] {
            assert_eq!(read_number(text), None, "{text}");
        }
    }

    #[test]
    fn a_comma_before_three_digits_is_refused() {
        for text in ["1,234", "-12,500", "999,999", " 1,234 m", "−1,234", "1,000e3"] {
            assert!(is_ambiguous(text) && read_number(text).is_none(), "{text}");
        }
        assert_eq!(read_length("9,100 km"), None);
        for text in ["1,5", "1,23", "0,123", "1,2345", "1,234.5", "1.234,567", "1,234,567", ",5"] {
            assert!(!is_ambiguous(text), "{text}");
        }
    }

    #[test]
    fn lengths_are_short() {
        let lengths = [0.0, 0.25, 1.5, 450.0, 9090.0, 1e5, -2e4].map(length);
        assert_eq!(lengths, ["0 m", "25 cm", "1.5 m", "450 m", "9.1 km", "100 km", "-20 km"]);
        let lengths = ["0 m", "25 cm", "450", "9,1 km", "100km"].map(read_length);
        assert_eq!(lengths, [0.0, 0.25, 450.0, 9100.0, 1e5].map(Some));
        assert_eq!(read_length("5 miles"), None);
    }

    #[test]
    fn nothing_is_minus_zero() {
        let texts = [(-0.0, 0), (-0.04, 1), (-0.06, 1), (0.0, 2)].map(|(x, n)| decimals(x, n));
        assert_eq!(texts, ["0", "0.0", "-0.1", "0.00"]);
    }
}
