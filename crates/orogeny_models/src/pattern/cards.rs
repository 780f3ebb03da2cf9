//! Cards of foliage: feathered branches and fronds, clumps of leaves and needles, and plumes.

use glam::{Vec2, Vec3};

use super::{hash, noise};
use crate::mesh::smoothstep;

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

/// Rotations of the layers of leaves, so that their grids do not show.
const TURNS: [Vec2; 3] = [Vec2::new(1.0, 0.0), Vec2::new(0.76, 0.65), Vec2::new(0.28, -0.96)];

/// One leaf's cell of a layer.
pub(super) struct Leaf {
    /// Position relative to the centre of the leaf, in cells.
    pub(super) q: Vec2,
    /// Two random numbers of the leaf.
    pub(super) own: Vec2,
    /// From the middle of the card to the centre of the leaf. Outlines are decided by it, so that
    /// whole leaves form them.
    pub(super) place: Vec2,
}

/// The leaf at a place of a card that is `count` cells across, and how far leaves are off the
/// centres of their cells.
pub(super) fn leaf(p: Vec2, layer: usize, count: f32, jitter: f32, seed: f32) -> Leaf {
    let (turn, depth) = (TURNS[layer], layer as f32);
    let spot = Vec2::new(0.37, 0.71) * depth;
    let x = turn.rotate(p - 0.5) * count + spot;
    let cell = x.floor();
    let own = Vec2::new(
        hash(cell.x, cell.y, seed * 3.0 + depth),
        hash(cell.y, cell.x, seed * 3.0 + depth + 2048.0),
    );
    let centre = cell + 0.5 + jitter * (own - 0.5);
    let back = Vec2::new(turn.x, -turn.y);
    Leaf { q: x - centre, own, place: back.rotate(centre - spot) / count }
}

/// How far inside the outline of a clump a leaf is: positive inside.
fn inside(leaf: &Leaf, seed: f32) -> f32 {
    let lumps = noise(leaf.place * 5.0 + 20.0, seed);
    let radius = 0.31 + 0.13 * lumps + 0.06 * leaf.own.x;
    radius - leaf.place.length()
}

/// A clump of broad leaves, seven cells across.
pub(super) fn broad(p: Vec2, seed: f32) -> (Vec3, f32) {
    let (mut colour, mut edge) = (Vec3::new(0.18, 0.245, 0.1), -0.1_f32);
    for layer in 0..3 {
        let leaf = leaf(p, layer, 7.0, 0.16, seed);
        let inside = inside(&leaf, seed);
        let Leaf { q, own, .. } = leaf;
        let along = (own - 0.5).normalize_or(Vec2::X);
        let (a, b) = (q.dot(along), q.perp_dot(along));
        let reach = a / 0.5;
        let here = (0.29 * (1.0 - reach * reach) - b.abs()).min(4.0 * inside);
        if here > edge.min(0.0) {
            let light = (0.12 + 0.25 * layer as f32 + 0.45 * own.y).min(1.0);
            let blade = Vec3::new(0.205, 0.275, 0.11).lerp(Vec3::new(0.33, 0.395, 0.185), light);
            // The halves of a leaf catch the light differently, and its midrib is pale.
            let fold = if b > 0.0 { 1.05 } else { 0.93 };
            let rib = smoothstep(0.04, 0.01, b.abs());
            colour = blade * (fold + 0.12 * rib);
            edge = here;
        }
    }
    (colour, (0.5 + 5.0 * edge).clamp(0.0, 1.0))
}

/// A clump of tufts of needles, five cells across.
pub(super) fn pine(p: Vec2, seed: f32) -> (Vec3, f32) {
    let (mut colour, mut edge) = (Vec3::new(0.13, 0.18, 0.1), -0.1_f32);
    for layer in 0..3 {
        let leaf = leaf(p, layer, 5.0, 0.16, seed);
        let inside = inside(&leaf, seed);
        let Leaf { q, own, .. } = leaf;
        let along = (own - 0.5).normalize_or(Vec2::X);
        let ray = sector(Vec2::new(q.dot(along), q.perp_dot(along)).abs());
        let width = 0.085 * (1.1 - ray.x / 0.56).max(0.0) + 0.012;
        let here = (width - ray.y.abs()).min(4.0 * inside).min(0.5 - ray.x);
        if here > edge.min(0.0) {
            let light = (0.1 + 0.22 * layer as f32 + 0.3 * own.y + 0.7 * ray.x).min(1.0);
            let tuft = Vec3::new(0.147, 0.203, 0.119).lerp(Vec3::new(0.315, 0.378, 0.21), light);
            let bud = smoothstep(0.07, 0.03, ray.x);
            colour = tuft.lerp(Vec3::new(0.24, 0.17, 0.1), 0.7 * bud);
            edge = here;
        }
    }
    (colour, (0.5 + 9.0 * edge).clamp(0.0, 1.0))
}

/// Folds the first quadrant onto one ray of a star with sixteen: x along the ray, y across.
fn sector(q: Vec2) -> Vec2 {
    let q = if q.y > q.x { Vec2::new(q.y, q.x) } else { q };
    let q = Vec2::new(0.923_88, -0.382_68).rotate(q);
    let q = Vec2::new(q.x, q.y.abs());
    Vec2::new(0.980_79, -0.195_09).rotate(q)
}

/// Hanging twigs of a birch.
pub(super) fn birch(p: Vec2, seed: f32) -> (Vec3, f32) {
    let count = 9.0;
    let (mut colour, mut edge) = (Vec3::new(0.22, 0.29, 0.125), -0.1_f32);
    for layer in 0..2 {
        let depth = layer as f32;
        let wave = 1.7 * noise(Vec2::new(p.x * 2.5, p.y * 2.5), seed + depth) - 0.5;
        let x = p.x * (count - 0.7) + wave + 0.5 * depth;
        let strand = x.floor();
        let own = hash(strand, depth, seed);
        // The clump is an oval at the top and frays downwards.
        let from_middle = ((strand + 0.5 - 0.5 * depth) / count * 2.0 - 1.0).abs();
        let top = 0.98 - 0.3 * from_middle * from_middle - 0.25 * own;
        let start = hash(strand, depth + 4.0, seed);
        let bottom = 0.03 + 0.3 * from_middle * from_middle + 0.5 * start;
        let y = p.y * count * 2.1 + 0.5 * own;
        let row = y.floor();
        let level = (row + 0.5) / (count * 2.1);
        let inside = (top - level).min(level - bottom).min(1.02 - from_middle);
        let leaf = hash(strand, row, seed + 2.0 + depth);
        let q = Vec2::new(x - strand - 0.22 - 0.56 * leaf, (y - row - 0.5) * 0.62);
        let along = Vec2::new(leaf - 0.5, -0.55).normalize();
        let (a, b) = (q.dot(along), q.perp_dot(along));
        let reach = a / 0.4;
        let blade = (0.2 + 0.08 * own) * (1.0 - reach * reach) - b.abs();
        // Some leaves are missing.
        let kept = if leaf * 7.0 - (leaf * 7.0).floor() < 0.8 { inside } else { -1.0 };
        let blade = blade.min(4.0 * kept);
        let twig = (0.035 - (x - strand - 0.5).abs()).min(top - p.y).min(p.y - bottom - 0.04);
        if blade.max(twig) > edge.min(0.0) {
            let light = (0.2 + 0.3 * depth + 0.5 * leaf).min(1.0);
            let green = Vec3::new(0.23, 0.3, 0.125).lerp(Vec3::new(0.345, 0.405, 0.195), light);
            colour = if blade > twig { green } else { Vec3::new(0.22, 0.18, 0.14) };
            edge = blade.max(twig);
        }
    }
    (colour, (0.5 + 4.0 * edge).clamp(0.0, 1.0))
}

/// A plume: a loose brown spike of many short branches.
pub(super) fn plume(p: Vec2, seed: f32) -> (Vec3, f32) {
    let v = (2.0 * p.y - 1.0).abs();
    let side = if p.y > 0.5 { 1.0 } else { 0.0 };
    let t = (p.x - 0.25 * v) * 18.0 + 0.5 * side;
    let branch = t.floor();
    let own = hash(branch, side, seed);
    let reach = (3.0 * p.x).min(1.15 - p.x) * (0.6 + 0.4 * own);
    let edge = (0.46 * (1.0 - v / reach.max(0.01)) - (t - branch - 0.5).abs()).max(0.05 - v);
    let colour = Vec3::new(0.26, 0.19, 0.13).lerp(Vec3::new(0.42, 0.34, 0.25), own);
    (colour, (0.5 + 6.0 * edge).clamp(0.0, 1.0))
}
