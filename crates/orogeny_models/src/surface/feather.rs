//! Feathered patterns: branches of spruce and fronds of fern.

use glam::{Vec2, Vec3};

use super::hash::{hash, noise, smoothstep};

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

/// A spray of a spruce: two layers of twigs of uneven lengths, with light between them.
pub(super) fn needles(p: Vec2, seed: f32) -> (Vec3, f32) {
    let (mut colour, mut edge) = (Vec3::new(0.17, 0.235, 0.13), -0.1_f32);
    for layer in 0..2 {
        let depth = layer as f32;
        // Twigs are not straight.
        let bend = 0.05 * (noise(p * 6.0, seed + 9.0 + depth) - 0.5);
        let bent = p + Vec2::new(bend, 0.3 * bend);
        let (count, slant) = (11.0 + 3.0 * depth, 0.36 + 0.2 * depth);
        let Feather { v, f, share, own } = feather(bent, count, slant, 0.5, seed + 31.0 * depth);
        // Twigs are uneven in their distances, and have short side twigs that point forwards.
        let f = f + 0.3 * (hash(own * 4096.0, depth, seed) - 0.5);
        let part = v * 10.0 - f.abs() * 1.5 + own * 5.0;
        let tooth = part - part.floor();
        let saw = (v * 43.0 - f.abs() * 2.5 + own).rem_euclid(1.0);
        let shape =
            (0.4 + 0.6 * (1.3 * tooth).min(4.0 * (1.0 - tooth)).min(1.0)) * (0.7 + 0.3 * saw);
        let width = 0.46 * (3.2 * (1.04 - share)).clamp(0.0, 1.0) * shape;
        let axis = 0.05 * (1.15 - p.x) * (0.6 + 0.4 * saw) - v;
        let here = (width - f.abs()).max(6.0 * axis).min(6.0 * (1.0 - p.x));
        if here > edge.min(0.0) {
            let tuft = hash(part.floor(), own * 4096.0, seed + depth);
            let light = 0.05 + 0.2 * depth + 0.3 * share + 0.3 * (own - 0.5) + 0.2 * saw;
            let light = light + 0.35 * tuft * tooth;
            let green = Vec3::new(0.165, 0.232, 0.132);
            colour = green.lerp(Vec3::new(0.295, 0.362, 0.205), light.clamp(0.0, 1.0));
            // Young shoots at the tips of twigs.
            let young = 0.6 * smoothstep(0.65, 1.0, share);
            colour = colour.lerp(Vec3::new(0.35, 0.42, 0.225), young);
            let twig = smoothstep(0.07, 0.03, f.abs()) * smoothstep(0.8, 0.3, share);
            let wood = twig.max(smoothstep(0.025, 0.012, v) * smoothstep(0.9, 0.5, p.x)) * 0.6;
            colour = colour.lerp(Vec3::new(0.25, 0.185, 0.13), wood);
            edge = here;
        }
    }
    (colour, (0.5 + 5.0 * edge).clamp(0.0, 1.0))
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
