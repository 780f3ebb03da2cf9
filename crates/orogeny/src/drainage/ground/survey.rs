//! The reaches around a box, those that matter in a part of it, and the ground at many points
//! there.

use alloc::vec::Vec;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::arrays::{self, Each};
use crate::drainage::ground::bins::Bins;
use crate::drainage::ground::bounds::Disc;
use crate::drainage::ground::channel::channels;
use crate::drainage::ground::reach::{Reach, SWING, reaches};
use crate::drainage::ground::valley::{Contributions, Sample64, gradient, smooth_minimum};
use crate::drainage::network::Network;
use crate::drainage::network::lattice::{JITTER, Table};
use crate::drainage::network::node::{Catchment, NetworkNode};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::real::{Lanes, Real};
use crate::region::Region;
use crate::simd::{Level, dispatch};
use crate::tiles::{Once, value_of};

/// All reaches whose valleys touch a box.
#[derive(Clone, Debug)]
pub(in crate::drainage) struct Survey {
    pub reaches: Vec<Reach>,
    pub range: f64,
    /// The distance from banks up to which the nearest one is known.
    known_banks: f64,
    /// The side of bins, and all reaches in bins.
    side: f64,
    bins: Once<Bins>,
}

/// The numbers of some reaches of a survey, in ascending order.
pub(in crate::drainage) type List = Vec<u32>;

/// What matters in a part of the plane.
#[derive(Debug, Default)]
pub(in crate::drainage) struct Neighbourhood {
    /// The reaches whose valleys are the ground.
    pub ground: List,
    /// The reaches with water there or near.
    pub wet: List,
    /// Whether the land may end there.
    pub ends: bool,
}

/// How far around a box the nodes lie whose reaches may touch it: the curve through a node stays
/// within its swing.
fn margin(network: &Network) -> f64 {
    network.shape.range() + (SWING + JITTER) * network.shape.spacing
}

impl Survey {
    /// The region whose nodes make the reaches around a box: those that drain to a node lie around
    /// it.
    pub fn nodes_around(network: &Network, region: Region) -> Region {
        region.grown(margin(network)).grown(network.shape.spacing)
    }

    /// What is around a box. `above` has the nodes of the level above the finest, if they are
    /// known: see [`Network::finest`].
    pub fn new(
        network: &Network,
        region: Region,
        above: Option<&Table<NetworkNode>>,
        catchment: &Catchment,
    ) -> Self {
        let (shape, range) = (&network.shape, network.shape.range());
        let nodes = network.finest(above, Self::nodes_around(network, region), catchment);
        let lattice = &network.levels[network.levels.len() - 1].lattice;
        let reaches = reaches(&nodes, lattice, region.grown(margin(network)), shape);
        Self { reaches, range, known_banks: shape.banks(), side: shape.spacing, bins: Once::new() }
    }

    /// Those whose valleys, banks or channels touch a region, and maybe others. The land is taken
    /// to have no end there.
    pub fn in_range(&self, region: Region) -> Neighbourhood {
        let Disc { center, radius } = disc(region);
        let is_near = |reach: &Reach| reach.offset(center).square.sqrt() < radius + self.range;
        let near = self.reaches.iter().zip(0u32..).filter(|(reach, _)| is_near(reach));
        let ground: List = near.map(|(_, i)| i).collect();
        let has_water = |i: &u32| self.reaches[*i as usize].half_width > 0.0;
        Neighbourhood {
            wet: ground.iter().copied().filter(has_water).collect(),
            ground,
            ends: false,
        }
    }

    /// Those among others that affect the ground of a region, and maybe more.
    pub fn around(&self, around: &Neighbourhood, region: Region) -> Neighbourhood {
        let disc = disc(region);
        let ground = self.valleys(&around.ground, disc);
        Neighbourhood { ground, wet: self.wet(&around.wet, disc), ends: around.ends }
    }

    /// Those of a list whose valleys are the ground somewhere in a disc, and maybe others.
    fn valleys(&self, list: &[u32], disc: Disc) -> List {
        // The bottoms, until the lowest top is known.
        let mut found = Vec::with_capacity(list.len());
        let mut top = f64::INFINITY;
        for &i in list {
            let reach = &self.reaches[i as usize];
            let Some([bottom, its_top]) = reach.bounds(disc, self.range, top) else {
                continue;
            };
            // More than rounding errors.
            top = top.min(its_top + 1e-6 * (1.0 + its_top.abs()));
            found.push((i, bottom));
        }
        found.into_iter().filter(|(_, bottom)| *bottom < top).map(|(i, _)| i).collect()
    }

    /// Those of a list with water that affect the ground of a disc by their banks, channels and the
    /// fading of detail, and maybe others.
    fn wet(&self, list: &[u32], Disc { center, radius }: Disc) -> List {
        let is_near = |&i: &u32| {
            let reach = &self.reaches[i as usize];
            reach.offset(center).square.sqrt() < radius + reach.fading
        };
        list.iter().copied().filter(is_near).collect()
    }

    /// Finds what matters at a few points. Faster than [`around`](Self::around) if few share it.
    #[inline(always)]
    fn at(&self, points: &[[f64; 2]], around: &mut Neighbourhood) {
        let bins = value_of(&self.bins, || Bins::new(&self.reaches, self.range, self.side));
        bins.at(points, self.range, around);
    }

    /// Those with water among others whose banks may be the nearest in a region, and no farther
    /// away than `within`.
    pub fn banks(&self, around: &Neighbourhood, region: Region, within: f64) -> Neighbourhood {
        let Disc { center, radius } = disc(region);
        let bank = |&i: &u32| (i, self.reaches[i as usize].bank_distance(center));
        let banks: Vec<(u32, f64)> = around.wet.iter().map(bank).collect();
        let nearest = banks.iter().map(|(_, bank)| *bank).fold(within, f64::min);
        let farthest = (within + radius).min(nearest + 2.0 * radius);
        // More than rounding errors.
        let size = center[0].abs() + center[1].abs();
        let farthest = farthest + 1e-6 * (1.0 + radius) + 8.0 * f64::EPSILON * size;
        let wet = banks.iter().filter(|(_, bank)| *bank <= farthest).map(|(i, _)| *i).collect();
        Neighbourhood { ground: List::new(), wet, ends: around.ends }
    }

    /// The distance of a point from the nearest bank of some reaches with water; infinite if it is
    /// larger than `Shape::banks`, beyond which there may be others.
    pub fn bank_distance(&self, wet: &[u32], p: [f64; 2]) -> f64 {
        let distance = wet.iter().map(|&i| self.reaches[i as usize].bank_distance(p));
        let nearest = distance.fold(f64::INFINITY, f64::min);
        if nearest <= self.known_banks { nearest } else { f64::INFINITY }
    }

    /// The ground at a point, and the part of detail that is left.
    #[inline(always)]
    pub fn ground<R: Real>(
        &self,
        around: &Neighbourhood,
        p: [R; 2],
        contributions: &mut Contributions,
    ) -> (Sample64<R>, Sample64<R>) {
        let value =
            smooth_minimum::<R, true>(&self.reaches, &around.ground, p, self.range, contributions);
        let gradient = gradient(&self.reaches, self.range, value, contributions);
        let channels = channels(&self.reaches, &around.wet, p);
        (channels.onto(Sample64 { value, gradient }), channels.left)
    }

    /// The same without gradients.
    #[inline(always)]
    pub fn height<R: Real>(
        &self,
        around: &Neighbourhood,
        p: [R; 2],
        contributions: &mut Contributions,
    ) -> (R, R) {
        let value =
            smooth_minimum::<R, false>(&self.reaches, &around.ground, p, self.range, contributions);
        let channels = channels(&self.reaches, &around.wet, p);
        let flat = Sample64 { value, gradient: [value.splat(0.0); 2] };
        (channels.onto(flat).value, channels.left.value)
    }
}

/// The disc around a region.
fn disc(Region { min, max }: Region) -> Disc {
    let center = [0, 1].each(|k| 0.5 * (min[k] + max[k]));
    let [dx, dz] = [0, 1].each(|k| 0.5 * (max[k] - min[k]));
    Disc { center, radius: (dx * dx + dz * dz).sqrt() }
}

/// The largest number of lanes.
const LANES: usize = 8;

/// What points are evaluated with.
pub(super) struct Evaluation<'a> {
    pub survey: &'a Survey,
    /// What matters at all points; `None` to find it for those of each vector.
    pub around: Option<&'a Neighbourhood>,
    /// Whether gradients are wanted. Without them they are 0.
    pub has_gradients: bool,
}

impl Evaluation<'_> {
    /// Calls `set` with the number of each point, the point, its ground, and the part of detail
    /// that is left.
    pub fn each(
        &self,
        level: Level,
        points: impl Iterator<Item = (usize, [f64; 2])>,
        set: impl FnMut(usize, [f64; 2], Sample64<f64>, Sample64<f64>),
    ) {
        dispatch!(level, simd => self.in_lanes(simd, points, set));
    }

    fn in_lanes<S: Simd>(
        &self,
        simd: S,
        mut points: impl Iterator<Item = (usize, [f64; 2])>,
        mut set: impl FnMut(usize, [f64; 2], Sample64<f64>, Sample64<f64>),
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut contributions = Contributions::default();
                let (mut numbers, mut at) = ([0; LANES], [[0.0; LANES]; 2]);
                let mut own = Neighbourhood::default();
                loop {
                    let mut count = 0;
                    for (number, [x, z]) in points.by_ref().take(S::f64s::LEN) {
                        numbers[count] = number;
                        (at[0][count], at[1][count]) = (x, z);
                        count += 1;
                    }
                    if count == 0 {
                        return;
                    }
                    // Lanes without a point repeat the last one.
                    for k in count..S::f64s::LEN {
                        (at[0][k], at[1][k]) = (at[0][count - 1], at[1][count - 1]);
                    }
                    let around = self.around.unwrap_or_else(
                        #[inline(always)]
                        || {
                            let points: [_; LANES] = arrays::from_fn(|k| [at[0][k], at[1][k]]);
                            self.survey.at(&points[..count], &mut own);
                            &own
                        },
                    );
                    let zero = Lanes::<S>(S::f64s::splat(simd, 0.0));
                    let p = [zero.load(&at[0]), zero.load(&at[1])];
                    let mut lists = [[0.0; LANES]; 6];
                    if self.has_gradients {
                        let (ground, left) = self.survey.ground(around, p, &mut contributions);
                        ground.value.store(&mut lists[0]);
                        ground.gradient[0].store(&mut lists[1]);
                        ground.gradient[1].store(&mut lists[2]);
                        left.value.store(&mut lists[3]);
                        left.gradient[0].store(&mut lists[4]);
                        left.gradient[1].store(&mut lists[5]);
                    } else {
                        let (ground, left) = self.survey.height(around, p, &mut contributions);
                        ground.store(&mut lists[0]);
                        left.store(&mut lists[3]);
                    }
                    for i in 0..count {
                        let slope = |k: usize| {
                            let gradient = [lists[k + 1][i], lists[k + 2][i]];
                            Sample64 { value: lists[k][i], gradient }
                        };
                        set(numbers[i], [at[0][i], at[1][i]], slope(0), slope(3));
                    }
                }
            },
        );
    }
}
