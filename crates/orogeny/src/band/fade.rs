//! The fades of edges: from 0 to 1 as t goes from 0 to 1, and flat beyond.

/// 3 t^2 - 2 t^3, with t clamped to 0 to 1. Its slope is continuous.
pub(crate) fn cubic(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// s(t) = 6 t^5 - 15 t^4 + 10 t^3, with t clamped to 0 to 1, and its first two derivatives, which
/// are continuous. Computed from the nearer end.
///
/// Source: the fade of Ken Perlin, "Improving noise", SIGGRAPH 2002.
pub(crate) fn quintic(t: f32) -> [f32; 3] {
    if t <= 0.0 {
        return [0.0; 3];
    }
    if t >= 1.0 {
        return [1.0, 0.0, 0.0];
    }
    let rest = 1.0 - t;
    let rise = |t: f32| t * t * t * (10.0 + t * (6.0 * t - 15.0));
    let value = if t > 0.5 { 1.0 - rise(rest) } else { rise(t) };
    [value, 30.0 * t * t * rest * rest, 60.0 * t * rest * (rest - t)]
}

/// The largest s' and |s''|: 15/8 at 1/2, and 10 / sqrt 3 at 1/2 +- 1 / sqrt 12.
pub(crate) const SLOPE: f64 = 15.0 / 8.0;
pub(crate) const BEND: f64 = 5.773_502_691_9;
