//! What rivers do to the ground beside them: channels, banks that hold the water, less
//! detail; and the surface of their water.

use crate::arrays::{self, Each};
use crate::drainage::ground::reach::Reach;
use crate::drainage::ground::valley::{NOWHERE, Offset, Sample64};
use crate::drainage::network::shape::Shape;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::real::Real;

/// How far from the middle banks are as high as the water, over half its width.
pub(in crate::drainage) const CREST: f64 = 1.25;

/// The slope of banks where they are as far away from their crest as that is from the middle.
pub(in crate::drainage) const SLOPE: f64 = 0.3;

/// How much lower than the water banks may be, in metres: the height over which they blend with
/// the ground.
pub(in crate::drainage) const SOFT: f64 = 0.04;

/// The slope of the sides of a river that cuts through the bank of a higher one, over that of the
/// sides of its valley. They are almost cliffs: where a torrent falls beside a river, lower banks
/// would leave its water in the air.
pub(in crate::drainage) const CUT: f64 = 20.0;

/// What rivers do to the ground at a point.
#[derive(Clone, Copy, Debug)]
pub(in crate::drainage) struct Channels<R> {
    /// The ground is at least so high.
    bank: Sample64<R>,
    /// Banks are at most so high.
    cut: Sample64<R>,
    /// And then lower by so much.
    bed: Sample64<R>,
    /// The part of detail that is left.
    pub left: Sample64<R>,
}

impl Reach {
    /// By how much the channel is lower than the ground.
    #[inline(always)]
    fn bed<R: Real>(&self, offset: &Offset<R>) -> Sample64<R> {
        let Offset { past, across, square, .. } = *offset;
        let dry = (-(square * self.inverse_width) + 1.0).clamp(0.0, 1.0);
        let to_square = dry * dry * (-6.0 * self.depth * self.inverse_width);
        let gradient = self.turned(to_square * past, to_square * across);
        Sample64 { value: dry * dry * dry * self.depth, gradient }
    }

    /// The bank, and how high the banks of other rivers may be.
    #[inline(always)]
    fn bank<R: Real>(&self, offset: &Offset<R>) -> (Sample64<R>, Sample64<R>) {
        let Offset { along, past, across, square } = *offset;
        let crest = CREST * self.half_width;
        let far = self.fading * self.fading;
        let distance = square.root();
        let off = (distance + -crest).clamp(0.0, f64::INFINITY);
        let x = square * (1.0 / far);
        let is_near = x.is_below(1.0 - 1e-9);
        let growth = x.splat(1.0) / R::select(is_near, -x + 1.0, x.splat(1.0));
        let steep = off * (SLOPE / crest) * growth;
        let drop = steep * off * 0.5;
        let inside = (past * past).is_below(f64::MIN_POSITIVE);
        let water = (along - past) * -self.slope + (self.height + self.fall - SOFT);
        let side = CUT * self.steepness;
        let rise = distance * growth * side;
        // The distance is at least as large as the crest wherever banks are not level.
        let to_distance = steep + drop * growth * distance * (2.0 / far);
        let to_square = to_distance / (off + crest);
        let on = R::select(inside, x.splat(-self.slope), x.splat(0.0));
        let bank = Sample64 {
            value: R::select(is_near, water - drop, x.splat(-NOWHERE)),
            gradient: self.turned(on - to_square * past, -(to_square * across)),
        };
        // On the middle line it has no direction.
        let rising = (growth + growth * growth * x * 2.0) * side / (distance + 1e-9);
        let cut = Sample64 {
            value: R::select(is_near, water + rise, x.splat(NOWHERE)),
            gradient: self.turned(on + rising * past, rising * across),
        };
        (bank, cut)
    }

    /// The part of detail that is left: t^2 (3 - 2 t) with
    ///
    /// t = (d^2 - b^2) / (r^2 - b^2), limited to 0 to 1,
    ///
    /// for the distance d, half the width b of the river, and the reach r. So there is none in the
    /// water.
    #[inline(always)]
    fn left<R: Real>(&self, offset: &Offset<R>) -> Sample64<R> {
        let Offset { past, across, square, .. } = *offset;
        let near = self.half_width * self.half_width;
        let inverse = 1.0 / (self.fading * self.fading - near);
        let t = ((square + -near) * inverse).clamp(0.0, 1.0);
        // By the chain rule, with the gradient 2 (past, across) of d^2.
        let slope = t * (-t + 1.0) * (12.0 * inverse);
        let gradient = self.turned(slope * past, slope * across);
        Sample64 { value: t * t * (t * -2.0 + 3.0), gradient }
    }
}

/// What some reaches with water do to the ground at a point: the highest of their banks, the
/// deepest of their channels, and the product of what they leave of detail.
#[inline(always)]
pub(in crate::drainage) fn channels<R: Real>(
    reaches: &[Reach],
    wet: &[u32],
    p: [R; 2],
) -> Channels<R> {
    let zero = p[0].splat(0.0);
    let flat = |value: f64| Sample64 { value: zero + value, gradient: [zero; 2] };
    let [bank, cut] = [-NOWHERE, NOWHERE].each(flat);
    let mut all = Channels { bank, cut, bed: flat(0.0), left: flat(1.0) };
    for &i in wet {
        let reach = &reaches[i as usize];
        let offset = reach.offset(p);
        let left = reach.left(&offset);
        let value = all.left.value;
        for k in 0..2 {
            all.left.gradient[k] = all.left.gradient[k] * left.value + value * left.gradient[k];
        }
        all.left.value = value * left.value;
        let (bank, cut) = reach.bank(&offset);
        all.bank = higher(all.bank, bank);
        all.cut = lower(all.cut, cut);
        all.bed = higher(all.bed, reach.bed(&offset));
    }
    all.bank = lower(all.bank, all.cut);
    all
}

/// The higher of two.
#[inline(always)]
fn higher<R: Real>(one: Sample64<R>, other: Sample64<R>) -> Sample64<R> {
    chosen((one.value - other.value).is_below(0.0), one, other)
}

/// The lower of two.
#[inline(always)]
fn lower<R: Real>(one: Sample64<R>, other: Sample64<R>) -> Sample64<R> {
    chosen((other.value - one.value).is_below(0.0), one, other)
}

#[inline(always)]
fn chosen<R: Real>(is_other: R::Mask, one: Sample64<R>, other: Sample64<R>) -> Sample64<R> {
    Sample64 {
        value: R::select(is_other, other.value, one.value),
        gradient: [
            R::select(is_other, other.gradient[0], one.gradient[0]),
            R::select(is_other, other.gradient[1], one.gradient[1]),
        ],
    }
}

impl<R: Real> Channels<R> {
    /// The ground with banks and channels. Ground g and bank b blend where |g - b| < e: to
    /// b + e t^2 with t = (g - b + e) / 2 e.
    #[inline(always)]
    pub fn onto(&self, ground: Sample64<R>) -> Sample64<R> {
        let Self { bank, bed, .. } = *self;
        let over = ground.value - bank.value;
        let is_free = over.is_at_least(SOFT);
        let t = ((over + SOFT) * (0.5 / SOFT)).clamp(0.0, 1.0);
        let held = bank.value + t * t * SOFT;
        let value = R::select(is_free, ground.value, held) - bed.value;
        let rest = -t + 1.0;
        let x = ground.gradient[0] * t + bank.gradient[0] * rest - bed.gradient[0];
        let z = ground.gradient[1] * t + bank.gradient[1] * rest - bed.gradient[1];
        Sample64 { value, gradient: [x, z] }
    }
}

/// What a river at a point would be if the ground were lower than its surface.
#[derive(Clone, Copy, Debug)]
pub(in crate::drainage) struct RiverSurface {
    pub height: f64,
    pub flow: [f64; 2],
    pub width: f64,
    pub discharge: f64,
    pub bank: f64,
    pub is_lake: bool,
}

/// The mean of the rivers at a point with weights (1 - d^2 / b^2)^3, for the distance d from a
/// reach and half its width b: so the surface is smooth along bends and at confluences. `None` if
/// the point is not in the bed of a river.
pub(in crate::drainage) fn river_surface<'a>(
    reaches: impl Iterator<Item = &'a Reach>,
    p: [f64; 2],
    shape: &Shape,
) -> Option<RiverSurface> {
    // The weight of all, of lakes, and the sums of height, width and discharge.
    let mut sums = [0.0; 5];
    let mut flow = [0.0; 2];
    let mut bank = f64::NEG_INFINITY;
    for reach in reaches {
        let Offset { along, square, .. } = reach.offset(p);
        let rest = 1.0 - square * reach.inverse_width;
        if rest <= 0.0 {
            continue;
        }
        let weight = rest * rest * rest;
        let part = along.clamp(0.0, reach.length) / reach.length;
        let discharge = reach.discharge;
        let speed = shape.speed(discharge, reach.half_width, reach.depth);
        let height = reach.height + reach.fall * (1.0 - part);
        let own = [1.0, reach.lake, height, 2.0 * reach.half_width, discharge];
        sums = arrays::from_fn(|k| sums[k] + weight * own[k]);
        flow = [0, 1].each(|k| flow[k] + weight * speed * reach.along[k]);
        bank = bank.max(reach.half_width - square.sqrt());
    }
    let [total, lake, height, width, discharge] = sums;
    (total > 0.0).then(|| RiverSurface {
        height: height / total,
        flow: flow.each(|flow| flow / total),
        width: width / total,
        discharge: discharge / total,
        bank,
        is_lake: lake > 0.5 * total,
    })
}
