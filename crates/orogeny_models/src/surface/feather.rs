//! Feathered patterns: branches of spruce and fronds of fern.

use glam::{Vec2, Vec3};

use super::hash::{hash, smoothstep};

/// A position relative to the nearest side twig of a feather.
struct Feather {
    /// Distance from the axis, 1 at the card's edge.
    v: f32,
    /// Signed distance from the centre line of the twig, within -0.5..=0.5.
    f: f32,
    /// 0 at the root of the twig and 1 at its tip.
    share: f32,
    /// A random number of the twig.
    own: f32,
}

/// `count` twigs on each side leave the axis forwards with a slope of `slant`. They fill a kite
/// which is widest at u = 0.45.
fn feather(p: Vec2, count: f32, slant: f32, raggedness: f32, seed: f32) -> Feather {
    let s = 2.0 * p.y - 1.0;
    let v = s.abs();
    let side = if s > 0.0 { 1.0 } else { 0.0 };
    let t = (p.x - slant * v) * count + 0.5 * side;
    let twig = t.floor();
    let own = hash(twig, side, seed);
    let root = (twig + 0.5 - 0.5 * side) / count;
    let reach = (9.0 * root + 0.1).min((1.0 - root) / (0.56 + slant));
    let reach = (reach * (1.0 - raggedness * own)).max(0.01);
    Feather { v, f: t - twig - 0.5, share: v / reach, own }
}

/// A branch of a spruce.
pub(super) fn needles(p: Vec2, seed: f32) -> (Vec3, f32) {
    let Feather { v, f, share, own } = feather(p, 13.0, 0.42, 0.35, seed);
    // Needles: a saw along both edges of the twig, slanted forwards.
    let saw = (v * 26.0 - f.abs() * 3.0 + own).rem_euclid(1.0);
    let width = 0.47 * (1.05 - share * share) * (0.62 + 0.38 * saw);
    let axis = 0.035 * (1.1 - p.x) + 0.03 * saw - v;
    let edge = (width - f.abs()).max(6.0 * axis);
    let light = (0.15 + 0.6 * share + 0.35 * (own - 0.5) + 0.3 * saw).clamp(0.0, 1.0);
    let mut colour = Vec3::new(0.15, 0.22, 0.115).lerp(Vec3::new(0.26, 0.33, 0.175), light);
    // Young shoots at the tips of twigs.
    colour = colour.lerp(Vec3::new(0.293, 0.359, 0.173), 0.5 * smoothstep(0.7, 1.0, share));
    let twig = smoothstep(0.09, 0.04, f.abs()) * smoothstep(0.9, 0.4, share);
    let wood = twig.max(smoothstep(0.03, 0.015, v)) * 0.55;
    (colour.lerp(Vec3::new(0.204, 0.156, 0.108), wood), (0.5 + 5.0 * edge).clamp(0.0, 1.0))
}

/// A frond of a fern: regular leaflets with toothed edges.
pub(super) fn frond(p: Vec2, seed: f32) -> (Vec3, f32) {
    let Feather { v, f, share, own } = feather(p, 17.0, 0.16, 0.12, seed);
    let saw = (v * 11.0 - f.abs() * 1.2).rem_euclid(1.0);
    let width = 0.46 * (1.02 - share * share) * (0.72 + 0.28 * saw);
    let stalk = 0.022 * (1.2 - p.x) - v;
    let edge = (width - f.abs()).max(8.0 * stalk);
    let light = (0.35 + 0.4 * own + 0.3 * share + 0.25 * f).clamp(0.0, 1.0);
    let colour = Vec3::new(0.19, 0.28, 0.085).lerp(Vec3::new(0.31, 0.39, 0.14), light);
    let rib = smoothstep(0.07, 0.02, f.abs()) * 0.3;
    let colour = colour.lerp(Vec3::new(0.36, 0.42, 0.18), rib);
    let colour = colour.lerp(Vec3::new(0.3, 0.28, 0.13), smoothstep(0.0, 0.03, stalk));
    (colour, (0.5 + 6.0 * edge).clamp(0.0, 1.0))
}
