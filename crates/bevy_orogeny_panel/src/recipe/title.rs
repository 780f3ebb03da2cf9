//! One-line titles of nodes.

use orogeny::Node;
use orogeny::noise::Noise;

use super::choice::name;
use super::labels::inside;
use super::typed::read_number;
use crate::document::layers::layers;

/// The type of a node and its most descriptive parameter.
pub fn title(node: &Node) -> String {
    let kind = name(node);
    match node {
        Node::Constant(value) => format!("{kind} {value}"),
        Node::Wave(wave) => format!("{kind}, {}", length(wave.length)),
        Node::Named(name) => name.clone(),
        Node::Noise(noise) => format!("{kind}: {}", inside(&noise_name(noise))),
        Node::Fractal(fractal) => {
            let of = inside(&name(&fractal.kind));
            format!("{}, {of}", length(1.0 / fractal.frequency))
        }
        Node::Shape { by, .. } => listed(kind, by.iter().map(name)),
        Node::Domain { by, .. } => listed(kind, by.iter().map(name)),
        Node::Blend { of, .. } => format!("{kind} ({})", of.len()),
        Node::Lands(of) => format!("{kind} ({})", of.len()),
        Node::Erode { by, .. } => format!("{kind}, {}", length(by.scale)),
        _ => match layers(node) {
            Some(layers) => format!("{kind} ({})", layers.len()),
            None => kind,
        },
    }
}

fn noise_name(noise: &Noise<2>) -> String {
    name(noise)
}

fn listed(kind: String, parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.map(|part| inside(&part)).collect();
    if parts.is_empty() { kind } else { format!("{kind}: {}", parts.join(", ")) }
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
    use super::{decimals, length, read_length};

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
