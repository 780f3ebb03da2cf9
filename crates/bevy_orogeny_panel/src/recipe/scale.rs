//! How a number is dragged: on a slider with even steps, with steps that grow, or without an end.

use orogeny::limits::{Limit, Parameters};

/// The numbers that are whole although their type is not.
const WHOLE: [&str; 1] = ["levels"];
/// Ranges up to this width get a slider, wider ones only a number.
const WIDEST: f64 = 1000.0;

/// How a number is dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Whole numbers.
    Whole,
    /// Even steps.
    Linear,
    /// Steps in proportion to the number, down to a smallest one.
    Logarithmic {
        /// The smallest number above 0 that can be dragged to.
        smallest: f64,
    },
    /// Too wide for a slider.
    Wide,
}

impl Scale {
    /// The scale for a range: logarithmic if it spans decades.
    pub fn of(limit: &Limit) -> Self {
        let Limit { min, max, default, .. } = *limit;
        if WHOLE.contains(&limit.name) {
            return Self::Whole;
        }
        let span = max - min;
        // Angles of one turn in either direction.
        if limit.unit == "degrees" && span <= 720.0 {
            return Self::Linear;
        }
        if span > WIDEST {
            return Self::Wide;
        }
        let smallest = if min > 0.0 { min } else { 1e-4 * max };
        let is_logarithmic = if min > 0.0 {
            max / min >= 200.0
        } else if min == 0.0 {
            max >= 100.0 || default > 0.0 && max / default >= 50.0
        } else {
            // A length or a slope that is seldom large.
            default == 0.0
                && (limit.unit == "m" && max >= 100.0 || limit.unit.is_empty())
                && max >= 10.0
        };
        if is_logarithmic { Self::Logarithmic { smallest } } else { Self::Linear }
    }
}

/// The limits of the numbers of a struct, narrowed by their present values: a minimum is not above
/// its maximum, and the edges between them fit.
pub fn ordered<P: Parameters>(parameters: &mut P) -> Vec<Limit> {
    let values: Vec<f64> = parameters.numbers().iter().map(|number| number.get()).collect();
    let value = |name: &str| {
        let at = P::LIMITS.iter().position(|limit| limit.name == name)?;
        Some(values[at])
    };
    // Only a band of its own has edges that must not overlap.
    let edge = value("soft").unwrap_or(0.0);
    let narrowed = |(limit, own): (&Limit, &f64)| {
        let name = limit.name;
        let [mut min, mut max] = [limit.min, limit.max];
        if let Some(least) = partner(name, "max", "min").and_then(|name| value(&name)) {
            min = min.max(least + if name == "max" { edge } else { 0.0 });
        } else if let Some(most) = partner(name, "min", "max").and_then(|name| value(&name)) {
            max = max.min(most - if name == "min" { edge } else { 0.0 });
        } else if let (Some(low), Some(high)) = (value("min"), value("max")) {
            match name {
                "soft" => max = max.min(high - low),
                "smooth" => max = max.min(0.5 * (high - low)),
                _ => {}
            }
        }
        // What is outside already stays, until the user changes it.
        let fits = (min..=max).contains(own);
        if fits { Limit { min, max, ..*limit } } else { *limit }
    };
    P::LIMITS.iter().zip(&values).map(narrowed).collect()
}

/// The name of the other end of a range: "height.min" of "height.max".
fn partner(name: &str, own: &str, other: &str) -> Option<String> {
    let stem = name.strip_suffix(own)?;
    (stem.is_empty() || stem.ends_with(['.', '_'])).then(|| format!("{stem}{other}"))
}

#[cfg(test)]
mod tests {
    use orogeny::Band;
    use orogeny::drainage::Drainage;
    use orogeny::edits::Path;
    use orogeny::node::Clamp;
    use orogeny::scatter::ScatterKind;

    use super::*;
    use crate::tools::{LIFT, OPACITY, RADIUS, STRENGTH};

    fn limit<P: Parameters>(name: &str) -> &'static Limit {
        P::LIMITS.iter().find(|limit| limit.name == name).unwrap()
    }

    #[test]
    fn ranges_over_decades_are_logarithmic() {
        let logarithmic = |limit: &Limit| match Scale::of(limit) {
            Scale::Logarithmic { smallest } => smallest > 0.0,
            _ => false,
        };
        assert!([STRENGTH, RADIUS, LIFT].iter().all(logarithmic));
        assert!(logarithmic(limit::<Path>("max_grade")));
        assert!(logarithmic(limit::<ScatterKind>("size_max")));
        assert_eq!(Scale::of(&OPACITY), Scale::Linear);
        assert_eq!(Scale::of(limit::<Drainage>("meander")), Scale::Linear);
        assert_eq!(Scale::of(limit::<Drainage>("levels")), Scale::Whole);
        assert_eq!(Scale::of(limit::<Drainage>("spacing")), Scale::Wide);
    }

    #[test]
    fn ends_do_not_cross() {
        let limits = ordered(&mut Clamp { min: 2.0, max: 3.0, smooth: 0.25 });
        let ranges: Vec<_> = limits.iter().map(|limit| (limit.min, limit.max)).collect();
        assert_eq!(ranges, [(-1e6, 3.0), (2.0, 1e6), (0.0, 0.5)]);
        let limits = ordered(&mut Band { min: 2.0, max: 8.0, soft: 2.0 });
        let ranges: Vec<_> = limits.iter().map(|limit| (limit.min, limit.max)).collect();
        assert_eq!(ranges, [(-1e6, 6.0), (4.0, 1e6), (1e-3, 6.0)]);
        // What is wrong already can be put right from either side.
        let limits = ordered(&mut Clamp { min: 2.0, max: 1.0, smooth: 0.0 });
        assert_eq!([limits[0].max, limits[1].min], [1e6, -1e6]);
        let kind = &mut ScatterKind { size_min: 0.5, size_max: 1.5, ..ScatterKind::default() };
        let sizes = |limit: &&Limit| limit.name.starts_with("size");
        let limits = ordered(kind);
        let sizes: Vec<_> = limits.iter().filter(sizes).map(|limit| limit.min).collect();
        assert_eq!(sizes, [0.01, 0.5]);
    }
}
