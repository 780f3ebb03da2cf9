//! The reaches of a survey by where they are: what matters at points so far from each other that
//! few share it.
//!
//! Reaches are sorted into square bins, row by row, so that those around a point are a few runs.
//! Of each run the reaches that may matter are found with 32 bits, sixteen at once, with so much
//! slack that none is missed.

use alloc::vec::Vec;

use crate::arrays::{self, Each};
use crate::drainage::ground::reach::Reach;
use crate::drainage::ground::survey::Neighbourhood;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;

/// How many reaches are looked at at once.
const LANES: usize = 16;

/// More than the rounding errors of 32 bits: of heights, over their size, and of places, over the
/// side of a bin. Surveys are less than a hundred bins wide.
const SLACK: f32 = 1e-4;

/// The reaches of a survey in square bins.
#[derive(Clone, Debug)]
pub(in crate::drainage) struct Bins {
    side: f64,
    /// The lower ends of the first bin, and how many there are along both axes.
    corner: [f64; 2],
    count: [i64; 2],
    /// Where the reaches of each bin begin, row by row, and the end.
    begins: Vec<u32>,
    /// How far from its bin a reach may matter, in bins.
    margin: f64,
    /// The number of each reach, and what is known of it: those past the last matter nowhere.
    numbers: Vec<u32>,
    known: Vec<[[f32; LANES]; FIELDS]>,
}

/// What is known of a reach, with places in bins from the first one's corner, and heights in
/// metres.
const FIELDS: usize = 11;

/// Where a reach begins, its direction and its length.
const START: [usize; 2] = [0, 1];
const ALONG: [usize; 2] = [2, 3];
const LENGTH: usize = 4;
/// See [`Reach::base`] and [`Reach::inverse_rise`].
const BASE: usize = 5;
const INVERSE_RISE: usize = 6;
/// The height of the middle line of the valley at the start, and how fast it falls.
const HEIGHT: usize = 7;
const SLOPE: usize = 8;
const STEEPNESS: usize = 9;
/// How far its channel reaches; negative without water.
const CHANNEL: usize = 10;

impl Bins {
    /// Sorts reaches whose valleys end at `range` into bins with a side.
    pub fn new(reaches: &[Reach], range: f64, side: f64) -> Self {
        let middle = |reach: &Reach| [0, 1].each(|k| 0.5 * (reach.start[k] + reach.end[k]));
        let index = |reach: &Reach| middle(reach).each(|x| (x / side).floor() as i64);
        let ends = reaches.iter().map(index).fold([[i64::MAX, i64::MIN]; 2], |ends, at| {
            [0, 1].each(|k| [ends[k][0].min(at[k]), ends[k][1].max(at[k])])
        });
        let first = ends.each(|[first, _]| first);
        let count = ends.each(|[first, last]| if first > last { 0 } else { last - first + 1 });
        let bin = |reach: &Reach| {
            let [x, z] = index(reach);
            ((z - first[1]) * count[0] + (x - first[0])) as usize
        };

        let mut begins = vec![0; (count[0] * count[1]) as usize + 1];
        let mut margin = 0.0f64;
        for reach in reaches {
            begins[bin(reach) + 1] += 1;
            margin = margin.max(0.5 * reach.length + range.max(reach.fading));
        }
        for i in 1..begins.len() {
            begins[i] += begins[i - 1];
        }
        let mut ends = begins.clone();
        let mut numbers = vec![0; reaches.len()];
        let mut known = vec![[[-1.0; LANES]; FIELDS]; reaches.len().div_ceil(LANES) + 1];
        let corner = first.each(|i| i as f64 * side);
        for (reach, number) in reaches.iter().zip(0..) {
            let end = &mut ends[bin(reach)];
            numbers[*end as usize] = number;
            *end += 1;
        }
        for (place, &number) in numbers.iter().enumerate() {
            let reach = &reaches[number as usize];
            let [x, z] = [0, 1].each(|k| (reach.start[k] - corner[k]) / side);
            let channel = if reach.half_width > 0.0 { reach.fading / side } else { -1.0 };
            let fields = [
                x,
                z,
                reach.along[0],
                reach.along[1],
                reach.length / side,
                reach.base,
                reach.inverse_rise / side,
                reach.start_height + reach.lift,
                reach.slope * side,
                reach.steepness * side,
                channel,
            ];
            for (field, value) in fields.into_iter().enumerate() {
                known[place / LANES][field][place % LANES] = value as f32;
            }
        }
        // Far out, indices of bins are rounded.
        let margin = margin / side + 0.01;
        Self { side, corner, count, begins, margin, numbers, known }
    }

    /// Finds what matters at some points, at most [`LANES`].
    #[inline(always)]
    pub fn at(&self, points: &[[f64; 2]], range: f64, around: &mut Neighbourhood) {
        let Neighbourhood { ground, wet, .. } = around;
        ground.clear();
        wet.clear();
        let mut places = [[0.0f32; 3]; LANES];
        let places = &mut places[..points.len()];
        let range = (range / self.side) as f32;
        let mut region = Region::EMPTY;
        for (place, p) in places.iter_mut().zip(points) {
            let at = [0, 1].each(|k| (p[k] - self.corner[k]) / self.side);
            region = region.union(&Region { min: at, max: at });
            let q = at.each(|x| x as f32);
            *place = [q[0], q[1], self.top(at, q, range)];
        }
        self.runs(
            region,
            self.margin,
            #[inline(always)]
            |[begin, end]| {
                for chunk in begin / LANES..end.div_ceil(LANES) {
                    let first = chunk * LANES;
                    let in_run =
                        lanes_below(end - first) & !lanes_below(begin.saturating_sub(first));
                    let mut bits = [0; 2];
                    for &[x, z, top] in &*places {
                        let own = self.matters(chunk, [x, z], range, top);
                        bits = [0, 1].each(|k| bits[k] | own[k]);
                    }
                    push_all(&self.numbers[first..], bits[0] & in_run, ground);
                    push_all(&self.numbers[first..], bits[1] & in_run, wet);
                }
            },
        );
        ground.sort_unstable();
        wet.sort_unstable();
    }

    /// A height that the ground at a point does not exceed.
    #[inline(always)]
    fn top(&self, at: [f64; 2], q: [f32; 2], range: f32) -> f32 {
        let mut top = [f32::INFINITY; LANES];
        let near = Region { min: at, max: at };
        self.runs(
            near,
            0.5 * f64::from(range),
            #[inline(always)]
            |[begin, end]| {
                for chunk in begin / LANES..end.div_ceil(LANES) {
                    let tops = self.tops(chunk, q, range);
                    top = arrays::from_fn(|i| if tops[i] < top[i] { tops[i] } else { top[i] });
                }
            },
        );
        let top = top.into_iter().fold(f32::INFINITY, f32::min);
        top + SLACK * (1.0 + top.abs())
    }

    /// Calls `run` with the reaches of bins up to a distance from a region, each once.
    #[inline(always)]
    fn runs(&self, region: Region, distance: f64, mut run: impl FnMut([usize; 2])) {
        let Region { min, max } = region.grown(distance);
        let ends = [0, 1].each(|k| {
            [(min[k].floor() as i64).max(0), (max[k].floor() as i64).min(self.count[k] - 1)]
        });
        let [[left, right], [near, far]] = ends;
        if left > right {
            return;
        }
        for row in near..=far {
            let bins = [left, right + 1].each(|column| (row * self.count[0] + column) as usize);
            run(bins.each(|bin| self.begins[bin] as usize));
        }
    }

    /// The squares of the distances of a point from some reaches, and how far along them it is.
    #[inline(always)]
    fn squares(&self, chunk: usize, q: [f32; 2]) -> ([f32; LANES], [f32; LANES]) {
        let known = &self.known[chunk];
        let mut squares = [0.0; LANES];
        let mut lengths = [0.0; LANES];
        for i in 0..LANES {
            let d = [q[0] - known[START[0]][i], q[1] - known[START[1]][i]];
            let [x, z] = [known[ALONG[0]][i], known[ALONG[1]][i]];
            let (along, across) = (d[0] * x + d[1] * z, d[0] * z - d[1] * x);
            let length = known[LENGTH][i];
            let inside = if along < 0.0 { 0.0 } else { along };
            let inside = if inside > length { length } else { inside };
            let past = along - inside;
            squares[i] = past * past + across * across;
            lengths[i] = inside;
        }
        (squares, lengths)
    }

    /// Heights above the valleys of some reaches at a point; infinite far from them.
    ///
    /// The way from the closest point is no shorter than the lowest one, see [`Reach::over`]. With
    /// x^2 of at most 1/16, 1 / (1 - x^2) is at most 1 + 16/15 x^2.
    #[inline(always)]
    fn tops(&self, chunk: usize, q: [f32; 2], range: f32) -> [f32; LANES] {
        let known = &self.known[chunk];
        let (squares, along) = self.squares(chunk, q);
        let mut tops = [0.0; LANES];
        for i in 0..LANES {
            let x = squares[i] * (1.0 / (range * range));
            let water = known[HEIGHT][i] - known[SLOPE][i] * along[i];
            let rise = known[STEEPNESS][i] * squares[i].sqrt();
            // `over` is at most the fall of the reach and the rise.
            let over = known[SLOPE][i] * known[LENGTH][i] + rise;
            let top = water + rise + over * (16.0 / 15.0) * x * x;
            tops[i] = if x > 0.25 || known[LENGTH][i] < 0.0 { f32::INFINITY } else { top };
        }
        tops
    }

    /// The bits of those among some reaches whose valleys, and those whose channels, may matter at
    /// a point where the ground is no higher than `top`.
    #[inline(always)]
    fn matters(&self, chunk: usize, q: [f32; 2], range: f32, top: f32) -> [u32; 2] {
        let known = &self.known[chunk];
        let (squares, _) = self.squares(chunk, q);
        let mut bits = [0; 2];
        for i in 0..LANES {
            let most = (top - known[BASE][i]) * known[INVERSE_RISE][i] + SLACK;
            let most = if most > range { range + SLACK } else { most };
            let channel = known[CHANNEL][i] + SLACK;
            let valley = (most > 0.0) & (squares[i] < most * most);
            let water = (channel > 0.0) & (squares[i] < channel * channel);
            bits[0] |= u32::from(valley) << i;
            bits[1] |= u32::from(water) << i;
        }
        bits
    }
}

/// The bits of the first lanes.
#[inline(always)]
fn lanes_below(count: usize) -> u32 {
    if count < LANES { (1 << count) - 1 } else { (1 << LANES) - 1 }
}

/// Adds the numbers whose bits are set to others.
#[inline(always)]
fn push_all(numbers: &[u32], mut bits: u32, to: &mut Vec<u32>) {
    while bits != 0 {
        to.push(numbers[bits.trailing_zeros() as usize]);
        bits &= bits - 1;
    }
}
