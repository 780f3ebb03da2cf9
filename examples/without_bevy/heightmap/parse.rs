//! Parses the values of options. Each error says what is allowed.

use crate::tally::Range;

/// The longest side of a picture, in pixels.
pub const MAX_SIDE: usize = 65_536;
/// The maximum number of tiles along a side.
pub const MAX_TILES: usize = 256;
/// The maximum height of a recipe, in metres: no range needs to be wider.
const MAX_HEIGHT: f64 = orogeny::limits::MAX_HEIGHT.max;

/// `N` or `WxH`.
pub fn size(text: &str) -> Result<[usize; 2], String> {
    sides(text, MAX_SIDE)
        .ok_or_else(|| format!("a size is like 8192 or 8192x4096, each side 1 to {MAX_SIDE}"))
}

/// `N` or `NxM`.
pub fn tiles(text: &str) -> Result<[usize; 2], String> {
    sides(text, MAX_TILES)
        .ok_or_else(|| format!("a number of tiles is like 4 or 4x2, each side 1 to {MAX_TILES}"))
}

fn sides(text: &str, max: usize) -> Option<[usize; 2]> {
    let sides: Option<Vec<usize>> = text.split(['x', 'X']).map(|side| side.parse().ok()).collect();
    let sides = match sides.as_deref() {
        Some(&[side]) => [side, side],
        Some(&[width, height]) => [width, height],
        _ => return None,
    };
    sides.iter().all(|side| (1..=max).contains(side)).then_some(sides)
}

/// Two finite numbers.
pub fn pair(text: &str) -> Result<[f64; 2], String> {
    text.split_once(',')
        .and_then(|(a, b)| Some([a.trim().parse().ok()?, b.trim().parse().ok()?]))
        .filter(|pair: &[f64; 2]| pair.iter().all(|number| number.is_finite()))
        .ok_or_else(|| "must be two finite numbers like -2000,512.5".into())
}

/// Metres above 0.
pub fn spacing(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|spacing: &f64| spacing.is_finite() && *spacing > 0.0)
        .ok_or_else(|| "must be a finite number above 0, in metres".into())
}

/// `LO,HI`.
pub fn range(text: &str) -> Result<Range, String> {
    pair(text)
        .ok()
        .filter(|[lo, hi]| lo < hi && -MAX_HEIGHT <= *lo && *hi <= MAX_HEIGHT)
        .map(|[lo, hi]| Range { lo, hi })
        .ok_or_else(|| {
            format!("must be LO,HI in metres, LO below HI, both -{MAX_HEIGHT:e} to {MAX_HEIGHT:e}")
        })
}

/// A whole number from 1 to a maximum.
pub fn count<const MAX: usize>(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|count| (1..=MAX).contains(count))
        .ok_or_else(|| format!("must be a whole number from 1 to {MAX}"))
}
