//! Points and vectors on the map.

/// (x, z) in metres.
pub type Point = [f64; 2];

pub fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

/// The point at a part of the way from `a` to `b`.
pub fn mix(a: Point, b: Point, part: f64) -> Point {
    [0, 1].map(|k| a[k] + (b[k] - a[k]) * part)
}

pub fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Positive if `b` is turned from `a` in the direction from x to z.
pub fn cross(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub fn distance(a: Point, b: Point) -> f64 {
    let [x, z] = sub(a, b);
    x.hypot(z)
}

/// The point of a line from `a` to `b` that is nearest to `p`.
pub fn nearest_on([a, b]: [Point; 2], p: Point) -> Point {
    let along = sub(b, a);
    let square = dot(along, along);
    let part = if square > 0.0 { dot(sub(p, a), along) / square } else { 0.0 };
    mix(a, b, part.clamp(0.0, 1.0))
}
