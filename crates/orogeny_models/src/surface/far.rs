//! Silhouettes of whole crowns.

use glam::{Vec2, Vec3};

use super::hash::hash;

/// The crown of a spruce: tiers of drooping branches whose tips form a jagged outline.
pub(super) fn conifer(p: Vec2, seed: f32) -> (Vec3, f32) {
    let s = 2.0 * p.x - 1.0;
    let v = s.abs();
    let side = if s > 0.0 { 1.0 } else { 0.0 };
    // The tiers crowd towards the top, as whorls do.
    let y = p.y * (1.0 + 0.5 * p.y);
    let t = (y + 0.16 * v) * 17.0 + 0.5 * side;
    let tier = t.floor();
    let f = t - tier;
    let own = hash(tier, side, seed);
    let middle = ((tier + 0.5 - 0.5 * side) / 17.0).max(0.0);
    let root = ((1.0 + 2.0 * middle).sqrt() - 1.0).min(1.0);
    let reach = (1.03 - root) * (1.12 - 0.12 * root) * (0.6 + 5.0 * root).min(1.0);
    let reach = (reach * (0.68 + 0.32 * own)).max(0.012);
    let share = v / reach;
    let saw = (v * 37.0 - (f - 0.5).abs() * 3.0 + own).rem_euclid(1.0);
    let width = 0.5 * (1.25 - share * share) * (0.75 + 0.25 * saw);
    // The lowest tier ends in fringes.
    let fringe = hash((s * 23.0).floor(), 5.0, seed);
    let edge = (width - (f - 0.5).abs()).min(4.0 * (1.08 - share)).min(6.0 * p.y - 0.25 * fringe);
    let twig = hash((s * 19.0 + 3.0 * f).floor(), tier, seed + 1.0);
    let light = 0.5 * f + 0.35 * share + 0.2 * saw + 0.5 * twig - 0.15;
    let light = light.clamp(0.0, 1.0);
    let colour = Vec3::new(0.15, 0.215, 0.115).lerp(Vec3::new(0.275, 0.345, 0.18), light);
    (colour, (0.5 + 5.0 * edge).clamp(0.0, 1.0))
}
