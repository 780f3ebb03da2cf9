//! Erosion in vectors, with the names of its formulas in [`Erosion`](crate::Erosion).
//!
//! All of it is arithmetic of samples, which carries the gradient along, but for the stripes: those
//! are derived by hand with respect to the point and to the direction across the slope, which
//! itself depends on the point.

use core::f32::consts::TAU;
use core::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch};
use fearless_simd_macros::simd;

use crate::derivative::elementary::Shaped;
use crate::kernel::corners::{mixed, premixed};
use crate::kernel::ground::{Carried, Ground, store};
use crate::kernel::position::{Positions, Splitter};
use crate::kernel::terms::SampleLanes;
use crate::kernel::vectors::{Visit, each_vector};
use crate::kernel::{Target, Where};
use crate::lattice::cell::split;
use crate::lattice::hash::{Key, premix};
use crate::simd::Level;

/// How far pivots stray from the corners of cells to either side: half of this, in cells.
pub(crate) const JITTER: f32 = 0.7;

/// 0.3^4: below such |Z|^4 stripes fade where they do not fit together.
const FADED: f32 = 0.3 * 0.3 * 0.3 * 0.3;

/// Erosion ready to be evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Erosion {
    pub octaves: Vec<ErosionOctave>,
    /// The square of the slope below which there are no gullies.
    pub threshold: f32,
    pub middle: f32,
    /// The square of the relief.
    pub relief: f32,
    /// The units of length in one unit of the value.
    pub height: f32,
}

/// One octave of gullies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErosionOctave {
    /// Cells per unit of length.
    pub frequency: f64,
    /// Cosine and sine of the angle of its lattice.
    pub turn: [f64; 2],
    pub offset: [f64; 2],
    pub keys: [Key; 2],
    /// In units of length.
    pub amplitude: f32,
    /// The factor of the slope that is added for the next octave.
    pub steer: f32,
    /// The weight of its gradient.
    pub carried: f32,
    pub ridge: Crest,
    pub valley: Crest,
}

/// The function k that sharpens crests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crest {
    /// b.
    width: f32,
    /// The square of b, and 2 / (sqrt(1 + b^2) - b).
    squared: f32,
    scale: f32,
    /// The same two for the slope: of a wider crest, where a grid cannot carry that of this one.
    slope: [f32; 2],
}

impl Crest {
    /// A crest of the width b, whose slope is that of one at least as wide as `least`.
    pub fn new(width: f32, least: f32) -> Self {
        // Multiplied out, so that no digits are lost where b is large.
        let scale = |squared: f32| 2.0 * ((1.0 + squared).sqrt() + squared.sqrt());
        let squared = width * width;
        let wider = squared.max(least * least);
        let slope = [wider, 0.25 * scale(wider)];
        Self { width, squared, scale: scale(squared), slope }
    }

    /// 1 - scale (sqrt(u + b^2) - b) with u = (1 - x) / 2.
    #[inline(always)]
    fn of<S: Simd>(&self, x: SampleLanes<S>) -> SampleLanes<S> {
        let simd = x.value.token();
        let u = S::f32s::splat(simd, 0.5) - x.value * 0.5;
        let root = (u + self.squared).sqrt();
        let value = S::f32s::splat(simd, 1.0) - (root - self.width) * self.scale;
        let [squared, scale] = self.slope;
        let wider = if squared == self.squared { root } else { (u + squared).sqrt() };
        x.map(value, S::f32s::splat(simd, scale) / wider)
    }
}

/// Fills the target, as long as the ground, with the eroded ground.
pub(crate) fn fill(
    erosion: &Erosion,
    ground: Ground,
    places: Where,
    level: Level,
    Target { value, slopes, .. }: Target,
) {
    match (slopes, ground.carried) {
        (Some([dx, dz]), Some(carried)) => {
            let out = [value, dx, dz];
            dispatch!(level, simd => fill_with(simd, &mut Sloped { erosion, ground, carried, out }, places));
        }
        _ => {
            dispatch!(level, simd => fill_values(simd, &mut Flat { erosion, ground, out: value }, places));
        }
    }
}

#[simd]
fn fill_with<S: Simd>(simd: S, visitor: &mut Sloped, places: Where) {
    each_vector::<S>(simd, places, visitor);
}

#[simd]
fn fill_values<S: Simd>(simd: S, visitor: &mut Flat, places: Where) {
    each_vector::<S>(simd, places, visitor);
}

/// With slopes.
struct Sloped<'a, 'b> {
    erosion: &'a Erosion,
    ground: Ground<'a>,
    carried: Carried<'a>,
    out: [&'b mut [f32]; 3],
}

impl<S: Simd> Visit<S> for Sloped<'_, '_> {
    #[inline(always)]
    fn visit(&mut self, simd: S, x: Positions<S>, z: Positions<S>, range: Range<usize>) {
        let ([ground, slope @ ..], erosion) =
            (self.ground.sloped::<S>(simd, &self.carried, &range), self.erosion);
        let eroded = erosion.eroded::<S>(simd, [x, z], ground, slope);
        let [out, out_x, out_z] = &mut self.out;
        store::<S>(eroded.value, out, &range);
        store::<S>(eroded.dx, out_x, &range);
        store::<S>(eroded.dz, out_z, &range);
    }
}

/// Values alone.
struct Flat<'a, 'b> {
    erosion: &'a Erosion,
    ground: Ground<'a>,
    out: &'b mut [f32],
}

impl<S: Simd> Visit<S> for Flat<'_, '_> {
    #[inline(always)]
    fn visit(&mut self, simd: S, x: Positions<S>, z: Positions<S>, range: Range<usize>) {
        // The derivatives that come out of this are not used, so the compiler leaves them out.
        let [ground, slope @ ..] = self.ground.flat::<S>(simd, &range);
        let eroded = self.erosion.eroded::<S>(simd, [x, z], ground, slope);
        store::<S>(eroded.value, self.out, &range);
    }
}

impl Erosion {
    /// The eroded ground.
    #[inline(always)]
    fn eroded<S: Simd>(
        &self,
        simd: S,
        places: [Positions<S>; 2],
        ground: SampleLanes<S>,
        [x, z]: [SampleLanes<S>; 2],
    ) -> SampleLanes<S> {
        let height = self.height;
        let slope = [x.times(height), z.times(height)];
        let gullies = self.gullies::<S>(simd, places, ground.times(height), slope);
        ground + gullies.times(1.0 / height)
    }

    /// The sum of a_i g_i, given the ground and its slope in units of length.
    #[inline(always)]
    fn gullies<S: Simd>(
        &self,
        simd: S,
        [x, z]: [Positions<S>; 2],
        ground: SampleLanes<S>,
        mut slope: [SampleLanes<S>; 2],
    ) -> SampleLanes<S> {
        let mut mask = SampleLanes::constant(S::f32s::splat(simd, 1.0));
        let above = ground.affine(1.0, -self.middle);
        let mut target = above * inverse_root(above * above, self.relief);
        let mut sum = SampleLanes::constant(S::f32s::splat(simd, 0.0));
        for (i, octave) in self.octaves.iter().enumerate() {
            let [sx, sz] = slope;
            let inverse = inverse_root(sx * sx + sz * sz, self.threshold);
            let (ex, ez) = ((sz * inverse).times(-1.0), sx * inverse);
            if i == 0 {
                mask = ex * ex + ez * ez;
            }
            let [real, imaginary] = octave.stripes::<S>(simd, [x, z], [ex, ez]);
            let stretch = stretched(real * real + imaginary * imaginary);
            let (cos, sin) = (real * stretch, imaginary * stretch);
            let profile = octave.valley.of(octave.ridge.of(cos).times(-1.0)).times(-1.0);
            let steer = mask * sin.times(-octave.steer);
            target = target + (profile - target) * mask;
            sum = sum + target.times(octave.amplitude);
            slope = [sx + steer * ex, sz + steer * ez];
            let squared = cos * cos;
            mask = mask * (squared * squared).affine(-1.0, 1.0);
        }
        sum
    }
}

/// 1 / sqrt(f + c).
#[inline(always)]
fn inverse_root<S: Simd>(f: SampleLanes<S>, c: f32) -> SampleLanes<S> {
    let simd = f.value.token();
    let sum = f.value + c;
    let inverse = S::f32s::splat(simd, 1.0) / sum.sqrt();
    f.map(inverse, inverse * -0.5 * (inverse * inverse))
}

/// sqrt(r) / sqrt(r^2 + 0.3^4) of r = |Z|^2. Its slope at 0 is infinite, but is multiplied by a
/// zero there, and counts as 0.
#[inline(always)]
fn stretched<S: Simd>(r: SampleLanes<S>) -> SampleLanes<S> {
    let simd = r.value.token();
    let (zero, half) = (S::f32s::splat(simd, 0.0), S::f32s::splat(simd, 0.5));
    let squared = r.value * r.value;
    let inverse = S::f32s::splat(simd, 1.0) / (squared + FADED);
    let root = (r.value * inverse).sqrt();
    // Of r / (r^2 + c), and then of its root.
    let rising = inverse - squared * (inverse * inverse) * 2.0;
    let slope = root.simd_gt(zero).select(half / root, zero);
    r.map(root, rising * slope)
}

impl ErosionOctave {
    /// Z at the points [x, z], `across` being e.
    #[inline(always)]
    fn stripes<S: Simd>(
        &self,
        simd: S,
        [x, z]: [Positions<S>; 2],
        [ex, ez]: [SampleLanes<S>; 2],
    ) -> [SampleLanes<S>; 2] {
        let [turn_cos, turn_sin] = self.turn;
        // In the axes of the lattice, which is turned.
        let turned_x = [x[0] * turn_cos - z[0] * turn_sin, x[1] * turn_cos - z[1] * turn_sin];
        let turned_z = [x[0] * turn_sin + z[0] * turn_cos, x[1] * turn_sin + z[1] * turn_cos];
        let along_x = self.along::<S>(simd, 0, turned_x);
        let along_z = self.along::<S>(simd, 1, turned_z);
        let [turn_cos, turn_sin] = [turn_cos as f32, turn_sin as f32];
        let across_x = ex.times(turn_cos) + ez.times(-turn_sin);
        let across_z = ex.times(turn_sin) + ez.times(turn_cos);

        let zero = S::f32s::splat(simd, 0.0);
        // Sums over the corners of W cos and W sin; of those times the vector from the pivot; and
        // of the derivatives of W along x and z times cos and sin.
        let [mut real, mut imaginary] = [zero; 2];
        let [mut real_q, mut imaginary_q] = [[zero; 2]; 2];
        let [mut real_w, mut imaginary_w] = [[zero; 2]; 2];
        for (&line, corner_z) in along_z.lines.iter().zip(0u8..) {
            let (weight_z, slope_z) = along_z.weight(simd, corner_z);
            for (&column, corner_x) in along_x.lines.iter().zip(0u8..) {
                let (weight_x, slope_x) = along_x.weight(simd, corner_x);
                let hash = mixed::<S>(column * line + 0x9e37_79b9);
                let next: S::u32s = hash.bitcast();
                let next = mixed::<S>(next + 0x9e37_79b9);
                let qx = (along_x.t - f32::from(corner_x)) - stray::<S>(hash);
                let qz = (along_z.t - f32::from(corner_z)) - stray::<S>(next);
                let [cos, sin] = turn::<S>(simd, qx * across_x.value + qz * across_z.value);
                let weight = weight_x * weight_z;
                let (weighted_cos, weighted_sin) = (weight * cos, weight * sin);
                real += weighted_cos;
                imaginary += weighted_sin;
                real_q = [real_q[0] + weighted_cos * qx, real_q[1] + weighted_cos * qz];
                imaginary_q =
                    [imaginary_q[0] + weighted_sin * qx, imaginary_q[1] + weighted_sin * qz];
                let (along, up) = (slope_x * weight_z, weight_x * slope_z);
                real_w = [real_w[0] + along * cos, real_w[1] + up * cos];
                imaginary_w = [imaginary_w[0] + along * sin, imaginary_w[1] + up * sin];
            }
        }
        // d cos(2 pi q . e) = -2 pi sin (e . dq + q . de), and d sin = 2 pi cos (..).
        let frequency = self.frequency as f32;
        let (across_x, across_z) = (across_x.times(TAU), across_z.times(TAU));
        let across = Across {
            turn: [turn_cos * frequency, turn_sin * frequency],
            across: [across_x, across_z],
        };
        let real_by_q =
            [real_w[0] - imaginary * across_x.value, real_w[1] - imaginary * across_z.value];
        let imaginary_by_q =
            [imaginary_w[0] + real * across_x.value, imaginary_w[1] + real * across_z.value];
        let real = across.derived(real, real_by_q, [-imaginary_q[0], -imaginary_q[1]]);
        let imaginary = across.derived(imaginary, imaginary_by_q, real_q);
        [real.weighted(self.carried), imaginary.weighted(self.carried)]
    }

    /// Where points are along an axis of the lattice.
    #[inline(always)]
    fn along<S: Simd>(&self, simd: S, axis: usize, position: Positions<S>) -> Along<S> {
        let key = &self.keys[axis];
        let places = Splitter::new(simd, self.frequency, self.offset[axis]).split(position);
        let (lines, t) = if places.near {
            ([premixed::<S>(places.cells, key), premixed::<S>(places.cells + 1, key)], places.t)
        } else {
            self.far::<S>(simd, axis, position)
        };
        let one = S::f32s::splat(simd, 1.0);
        let rest = one - t;
        // The quintic fade, from the nearer side.
        let near = t.min(rest);
        let small = near * near * near * (near * (near * 6.0 - 15.0) + 10.0);
        let upper = t.simd_gt(rest).select(one - small, small);
        let bump = t * rest;
        Along { lines, t, upper, slope: bump * bump * 30.0 }
    }

    /// The lines and the places between them where cells are too far out for vectors.
    #[inline(never)]
    fn far<S: Simd>(
        &self,
        simd: S,
        axis: usize,
        position: Positions<S>,
    ) -> ([S::u32s; 2], S::f32s) {
        let mut lines = [S::u32s::splat(simd, 0); 2];
        let mut t = S::f32s::splat(simd, 0.0);
        let [low, high] = &position;
        for (i, &position) in low.as_slice().iter().chain(high.as_slice()).enumerate() {
            let (cell, fraction) = split(position, self.frequency, self.offset[axis]);
            lines[0].as_mut_slice()[i] = premix(cell, &self.keys[axis]);
            lines[1].as_mut_slice()[i] = premix(cell.wrapping_add(1), &self.keys[axis]);
            t.as_mut_slice()[i] = fraction as f32;
        }
        (lines, t)
    }
}

/// What q and e are functions of the point by.
struct Across<S: Simd> {
    /// The derivatives of q_x along x and of q_z along x.
    turn: [f32; 2],
    /// 2 pi e.
    across: [SampleLanes<S>; 2],
}

impl<S: Simd> Across<S> {
    /// A number with its derivatives by q and by 2 pi e.
    #[inline(always)]
    fn derived(&self, value: S::f32s, q: [S::f32s; 2], e: [S::f32s; 2]) -> SampleLanes<S> {
        let ([cos, sin], [ex, ez]) = (self.turn, &self.across);
        SampleLanes {
            value,
            dx: (q[0] * cos + q[1] * sin) + (e[0] * ex.dx + e[1] * ez.dx),
            dz: (q[1] * cos - q[0] * sin) + (e[0] * ex.dz + e[1] * ez.dz),
        }
    }
}

/// Where points are along an axis of a lattice.
struct Along<S: Simd> {
    /// The premixes of the lines below and above.
    lines: [S::u32s; 2],
    t: S::f32s,
    /// The weight of the line above, and its derivative.
    upper: S::f32s,
    slope: S::f32s,
}

impl<S: Simd> Along<S> {
    /// The weight of a line, 0 the lower one, and its derivative.
    #[inline(always)]
    fn weight(&self, simd: S, line: u8) -> (S::f32s, S::f32s) {
        if line == 1 {
            return (self.upper, self.slope);
        }
        (S::f32s::splat(simd, 1.0) - self.upper, -self.slope)
    }
}

/// How far a pivot strays along an axis.
#[inline(always)]
fn stray<S: Simd>(hash: S::i32s) -> S::f32s {
    let hash: S::f32s = hash.to_float();
    hash * (JITTER / (1u64 << 32) as f32)
}

/// Cosine and sine of a number of turns: with a = pi times the fraction of it from -1/2 to 1/2, by
/// 1 - 2 sin^2 a and 2 sin a cos a, and the Taylor series of both: right to 8e-7.
#[inline(always)]
fn turn<S: Simd>(simd: S, turns: S::f32s) -> [S::f32s; 2] {
    let a = (turns - (turns + 0.5).floor()) * core::f32::consts::PI;
    let y = a * a;
    let sin = a
        * (y * (y
            * (y * (y * (y * (-1.0 / 39_916_800.0) + 1.0 / 362_880.0) - 1.0 / 5040.0)
                + 1.0 / 120.0)
            - 1.0 / 6.0)
            + 1.0);
    let cos = y
        * (y * (y
            * (y * (y * (y * (1.0 / 479_001_600.0) - 1.0 / 3_628_800.0) + 1.0 / 40_320.0)
                - 1.0 / 720.0)
            + 1.0 / 24.0)
            - 0.5)
        + 1.0;
    [S::f32s::splat(simd, 1.0) - sin * sin * 2.0, sin * cos * 2.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_those_of_the_circle() {
        #[simd]
        fn at<S: Simd>(simd: S, turns: f32) -> [f32; 2] {
            let [cos, sin] = turn::<S>(simd, S::f32s::splat(simd, turns));
            [cos.as_slice()[0], sin.as_slice()[0]]
        }
        for i in -30_000..30_000 {
            let turns = i as f32 / 10_000.0;
            let [cos, sin] = dispatch!(Level::new(), simd => at(simd, turns));
            let exact = f64::from(turns) * core::f64::consts::TAU;
            assert!((f64::from(cos) - exact.cos()).abs() < 8e-7, "{turns}: {cos}");
            assert!((f64::from(sin) - exact.sin()).abs() < 8e-7, "{turns}: {sin}");
        }
    }
}
