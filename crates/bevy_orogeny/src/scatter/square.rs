//! Squares of the plane: tiles and blocks.

use orogeny::Region;

/// The square of an index, in metres from the terrain's origin.
pub fn square(index: [i64; 2], width: f64) -> Region {
    let [min, max] = [0.0, 1.0].map(|by| index.map(|i| (i as f64 + by) * width));
    Region { min, max }
}

/// The distance of a square from a position in metres.
pub fn distance(Region { min, max }: Region, position: [f64; 2]) -> f64 {
    let [x, z] = [0, 1].map(|k| (min[k] - position[k]).max(position[k] - max[k]).max(0.0));
    (x * x + z * z).sqrt()
}
