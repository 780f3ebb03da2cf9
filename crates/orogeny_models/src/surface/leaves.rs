//! Clumps of many small leaves, and tufts of pine needles.

use glam::{Vec2, Vec3};

use super::hash::{hash, noise, smoothstep};

/// Rotations of the three layers of leaves, so that their grids do not show.
const TURNS: [Vec2; 3] = [Vec2::new(1.0, 0.0), Vec2::new(0.76, 0.65), Vec2::new(0.28, -0.96)];

/// One leaf's cell of a layer.
struct Leaf {
    /// Position relative to the centre of the leaf, in cells.
    q: Vec2,
    /// Two random numbers of the leaf.
    own: Vec2,
    /// Whether the leaf lies inside the clump's outline: positive inside.
    inside: f32,
}

fn leaf(p: Vec2, layer: usize, count: f32, seed: f32) -> Leaf {
    let turn = TURNS[layer];
    let spot = Vec2::new(0.37, 0.71) * layer as f32;
    let x = turn.rotate(p - 0.5) * count + spot;
    let cell = x.floor();
    let own = Vec2::new(
        hash(cell.x, cell.y, seed * 3.0 + layer as f32),
        hash(cell.y, cell.x, seed * 3.0 + layer as f32 + 0.5 * 4096.0),
    );
    let centre = cell + 0.5 + 0.16 * (own - 0.5);
    // The outline is decided per leaf, so that whole leaves form it.
    let from_middle = turn.rotate_inverse(centre - spot) / count;
    let lumps = noise(from_middle * 5.0 + 20.0, seed);
    let radius = 0.31 + 0.13 * lumps + 0.06 * own.x;
    Leaf { q: x - centre, own, inside: radius - from_middle.length() }
}

trait Turn {
    fn rotate_inverse(self, other: Vec2) -> Vec2;
}

impl Turn for Vec2 {
    fn rotate_inverse(self, other: Vec2) -> Vec2 {
        Vec2::new(self.x, -self.y).rotate(other)
    }
}

/// A clump of broad leaves, `count` cells across.
pub(super) fn broad(p: Vec2, seed: f32, count: f32) -> (Vec3, f32) {
    let (mut colour, mut edge) = (Vec3::new(0.18, 0.245, 0.1), -0.1_f32);
    for layer in 0..3 {
        let Leaf { q, own, inside } = leaf(p, layer, count, seed);
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

/// A clump of tufts of needles, `count` cells across. `needle` is the width of needles in cells.
pub(super) fn pine(p: Vec2, seed: f32, count: f32, needle: f32) -> (Vec3, f32) {
    let (mut colour, mut edge) = (Vec3::new(0.13, 0.18, 0.1), -0.1_f32);
    for layer in 0..3 {
        let Leaf { q, own, inside } = leaf(p, layer, count, seed);
        let along = (own - 0.5).normalize_or(Vec2::X);
        let ray = sector(Vec2::new(q.dot(along), q.perp_dot(along)).abs());
        let width = needle * (1.1 - ray.x / 0.56).max(0.0) + 0.012;
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

/// Hanging twigs of a birch, `count` on a card.
pub(super) fn birch(p: Vec2, seed: f32, count: f32) -> (Vec3, f32) {
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
