//! Draws a model orthographically, with a depth buffer.

use glam::{Vec2, Vec3, Vec4};

use super::{ImpostorBounds, ImpostorPart};
use crate::mips::Srgb;

/// Texels along a side of a frame.
pub(super) const FRAME: usize = 64;
/// Samples along a side of a texel.
const FINER: usize = 2;
/// The samples around one, to each side, with which its depth is compared.
const AROUND: usize = 6;
/// Samples along a side of a frame.
const SIDE: usize = FINER * FRAME;

/// The most samples in boxes around triangles, in each frame: a second's work for all frames
/// together. A tree has a twentieth.
const MOST_SAMPLES: usize = 1 << 22;

/// What is seen at a sample.
#[derive(Clone, Copy)]
struct Sample {
    /// How near it is to the eye; negative infinity for nothing.
    depth: f32,
    /// In linear light.
    colour: Vec3,
    normal: Vec3,
    tone: f32,
}

const NOTHING: Sample =
    Sample { depth: f32::NEG_INFINITY, colour: Vec3::ZERO, normal: Vec3::ZERO, tone: 0.0 };

/// A frame while it is drawn.
pub(super) struct Raster {
    samples: Vec<Sample>,
    srgb: Srgb,
}

impl Default for Raster {
    fn default() -> Self {
        Self { samples: vec![NOTHING; SIDE * SIDE], srgb: Srgb::new() }
    }
}

impl Raster {
    /// Draws all of a model, seen from a direction, in the place of what was there.
    pub fn draw(&mut self, parts: &[ImpostorPart], to_eye: Vec3, bounds: ImpostorBounds) {
        self.samples.fill(NOTHING);
        let right = Vec3::Y.cross(to_eye).normalize();
        let up = to_eye.cross(right);
        let half = 0.5 * SIDE as f32;
        // From the upper left corner, in samples.
        let seen = |p: Vec3| {
            let p = p - Vec3::Y * bounds.centre;
            let [x, y] = [p.dot(right) / bounds.width, p.dot(up) / bounds.height];
            Vec3::new(half * (1.0 + x), half * (1.0 - y), p.dot(to_eye))
        };
        let mut left = MOST_SAMPLES;
        for part in parts {
            let texture = Texture { part, srgb: &self.srgb };
            for indices in part.indices.chunks_exact(3) {
                let corners = part.corners(indices);
                let points = [0, 1, 2].map(|k| seen(corners[k].position));
                let [a, b, c] = points.map(Vec3::truncate);
                let area = (b - a).perp_dot(c - a);
                if area.abs() < 1e-6 {
                    continue;
                }
                let [ua, ub, uc] = [0, 1, 2].map(|k| corners[k].uv);
                let level = texture.level((ub - ua).perp_dot(uc - ua) / area);
                let [low, high] = [a.min(b).min(c), a.max(b).max(c)];
                let range = |low: f32, high: f32| {
                    low.floor().max(0.0) as usize..(high.ceil().max(0.0) as usize).min(SIDE)
                };
                let (across, down) = (range(low.x, high.x), range(low.y, high.y));
                left = left.saturating_sub(across.len() * down.len());
                if left == 0 {
                    continue;
                }
                for y in down {
                    for x in across.clone() {
                        let s = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                        let u = (b - s).perp_dot(c - s) / area;
                        let v = (c - s).perp_dot(a - s) / area;
                        let w = 1.0 - u - v;
                        let depth = u * points[0].z + v * points[1].z + w * points[2].z;
                        let sample = &mut self.samples[y * SIDE + x];
                        if u.min(v).min(w) < 0.0 || depth <= sample.depth {
                            continue;
                        }
                        let own = if part.colours.is_empty() {
                            Vec4::ONE
                        } else {
                            let [ca, cb, cc] = [0, 1, 2].map(|k| corners[k].colour);
                            u * ca + v * cb + w * cc
                        };
                        let Some(colour) = texture.at(u * ua + v * ub + w * uc, level, own) else {
                            continue;
                        };
                        let [na, nb, nc] = [0, 1, 2].map(|k| corners[k].normal);
                        let normal = (u * na + v * nb + w * nc).normalize_or(Vec3::Y);
                        let tone = u * corners[0].tone + v * corners[1].tone + w * corners[2].tone;
                        *sample = Sample { depth, colour, normal, tone };
                    }
                }
            }
        }
        self.darken_gaps(bounds.width);
    }

    /// Darkens gaps: samples farther from the eye than those around them, by up to 0.7 where they
    /// are a quarter of the width behind. A flat picture has no shadows of its own parts.
    fn darken_gaps(&mut self, width: f32) {
        let depths = Sums::new(self.samples.iter().map(|sample| sample.depth));
        for (at, sample) in self.samples.iter_mut().enumerate() {
            if sample.depth > f32::NEG_INFINITY {
                let [sum, count] = depths.around([at % SIDE, at / SIDE]);
                let behind = (sum / count) as f32 - sample.depth;
                sample.tone *= 1.0 - 0.7 * (4.0 * behind / width).clamp(0.0, 1.0);
            }
        }
    }

    /// The colour, the normal as 0.5 n + 0.5, and the tone of a texel, each times the coverage,
    /// which follows them.
    pub fn texel(&self, [x, y]: [usize; 2]) -> [Vec4; 3] {
        let mut sums = [Vec4::ZERO; 3];
        for k in 0..FINER * FINER {
            let [x, y] = [FINER * x + k % FINER, FINER * y + k / FINER];
            let sample = &self.samples[y * SIDE + x];
            if sample.depth > f32::NEG_INFINITY {
                let normal = 0.5 * sample.normal + 0.5;
                let all = [sample.colour, normal, Vec3::splat(sample.tone)];
                sums = [0, 1, 2].map(|k| sums[k] + all[k].extend(1.0));
            }
        }
        sums.map(|sum| sum / (FINER * FINER) as f32)
    }
}

/// The sums of all depths above and to the left of each corner of a sample, and their counts: a
/// summed-area table, Crow 1984.
struct Sums(Vec<[f64; 2]>);

/// The corners of samples along a side of a frame.
const CORNERS: usize = SIDE + 1;

impl Sums {
    /// Those of samples, row by row; negative infinity counts as none.
    fn new(depths: impl Iterator<Item = f32>) -> Self {
        let mut sums = vec![[0.0; 2]; CORNERS * CORNERS];
        let mut row = [0.0; 2];
        for (at, depth) in depths.enumerate() {
            let [x, y] = [at % SIDE, at / SIDE];
            let before = if x == 0 { [0.0; 2] } else { row };
            let own = if depth > f32::NEG_INFINITY { [f64::from(depth), 1.0] } else { [0.0; 2] };
            row = [before[0] + own[0], before[1] + own[1]];
            let above = sums[y * CORNERS + x + 1];
            sums[(y + 1) * CORNERS + x + 1] = [above[0] + row[0], above[1] + row[1]];
        }
        Self(sums)
    }

    /// The sum of the depths around a sample, and their count.
    fn around(&self, at: [usize; 2]) -> [f64; 2] {
        let low = at.map(|x| x.saturating_sub(AROUND));
        let high = at.map(|x| (x + AROUND + 1).min(SIDE));
        let sum = |x: usize, y: usize| self.0[y * CORNERS + x];
        let [a, b] = [sum(low[0], low[1]), sum(high[0], low[1])];
        let [c, d] = [sum(low[0], high[1]), sum(high[0], high[1])];
        [0, 1].map(|k| d[k] - c[k] - b[k] + a[k])
    }
}

/// The texture of a part.
struct Texture<'a> {
    part: &'a ImpostorPart<'a>,
    srgb: &'a Srgb,
}

impl Texture<'_> {
    /// The mip level of which a texel is about as large as a sample, for the part of the texture
    /// that a sample shows.
    fn level(&self, share: f32) -> u32 {
        let side = self.part.size as f32;
        let texels = share.abs() * side * side;
        let (mut level, mut covered) = (0, 4.0);
        while covered <= texels && (self.part.size >> level) > 1 {
            (level, covered) = (level + 1, covered * 4.0);
        }
        level
    }

    /// The linear colour, times that of the vertices; `None` where nothing is covered.
    fn at(&self, uv: Vec2, level: u32, vertices: Vec4) -> Option<Vec3> {
        let size = self.part.size as usize;
        // The texels of the levels before.
        let first: usize = (0..level).map(|level| (size >> level) * (size >> level)).sum();
        let side = size >> level;
        let place = |x: f32| (((x - x.floor()) * side as f32) as usize).min(side - 1);
        let at = 4 * (first + place(uv.y) * side + place(uv.x));
        let texel = self.part.texture.get(at..at + 4)?;
        let channel = |k: usize| self.srgb.decode(f32::from(texel[k]) / 255.0);
        let colour = || Vec3::new(channel(0), channel(1), channel(2)) * vertices.truncate();
        // Texels of 128 and more are covered.
        (f32::from(texel[3]) * vertices.w > 127.5).then(colour)
    }
}
