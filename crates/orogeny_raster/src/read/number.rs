//! Numbers that files have as texts, as GDAL reads them.

/// A number of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    /// The text is a number.
    Whole(f64),
    /// The text starts with a number.
    Start(f64),
}

/// The number of a text, with words for those that are not finite, such as "nan" or "-1.#IND", and
/// with a comma or a point. `None` if there is none.
pub(super) fn parse(text: &str) -> Option<Number> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    let word = text.to_ascii_lowercase();
    match word.trim_start_matches(['-', '+']) {
        "nan" | "1.#ind" | "1.#qnan" | "1.#snan" | "1.#ind00" | "1.#qnan0" | "nan(ind)" => {
            return Some(Number::Whole(f64::NAN));
        }
        "inf" | "infinity" | "1.#inf" | "1.#inf00" => {
            let sign = if word.starts_with('-') { -1.0 } else { 1.0 };
            return Some(Number::Whole(sign * f64::INFINITY));
        }
        _ => {}
    }
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E' | ',');
    // No number is longer.
    let start: String = text.chars().take_while(|c| is_part(*c)).take(64).collect();
    let has_comma = start.matches(',').count() == 1 && !start.contains('.');
    let plain = if has_comma { start.replace(',', ".") } else { start.clone() };
    // The longest start that is a number: "7e" is 7.
    let number = (1..=plain.len()).rev().find_map(|end| plain[..end].parse::<f64>().ok())?;
    let is_whole = start.len() == text.len() && plain.parse::<f64>().is_ok();
    Some(if is_whole { Number::Whole(number) } else { Number::Start(number) })
}
