//! Ground with rivers: what it is made of, and what can be asked about it.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::arrays::Each;
use crate::drainage::Drainage;
use crate::drainage::ground::blocks::Blocks;
use crate::drainage::ground::grid::Fill;
use crate::drainage::ground::reach::RiverReach;
use crate::drainage::network::Network;
use crate::drainage::network::node::Catchment;
use crate::drainage::river_field::BandLimit;
use crate::error::DataError;
use crate::field::{Field, SharedField};
use crate::lattice::MAX_CELL;
use crate::lattice::hash::derive;
use crate::limits::{FINEST_RIVERS, Limit, OutOfLimits, POSITION, Parameters, RIVER_REGION};
use crate::node::Node;
use crate::node::compile::{self, World};
use crate::position::Position;
use crate::region::Region;
use crate::samples::positions::Grid;
use crate::simd::best;

/// Ground with rivers: valleys around a river network whose heights follow a field.
///
/// Every river ends in the sea, or in a lake in a basin of the field that is wider than the
/// coarsest rivers are apart. Along a river its surface never rises. All of it is a function of the
/// position: the same bits at points and on grids, in any order, on any thread. What was computed
/// for a place is kept for the next time, without an effect on results, and shared by clones.
///
/// * Domain: that of the field and of the detail. The field is only sampled as far apart as the
///   coarsest rivers are. So a gap in it is bridged where no corner of a square lattice lies in it
///   whose cells are as wide as four times the distance between the finest rivers. There is no
///   ground either where the field has a value, but no node of the coarsest rivers around does.
/// * Gradient: exact. It changes quickly within centimetres of channels and some metres of ridges,
///   and jumps where two banks or two beds meet.
/// * Bounds: the range is proven everywhere, the slope in balls. Second derivatives have none.
/// * Band limit: rivers count like octaves with cells as wide as the rivers are apart.
/// * Cost: a position far from any other costs 0.4 ms, its neighbours 0.4 microseconds, and samples
///   of a grid 50 ns each.
/// * Memory: up to 64 squares are kept, each as wide as 16 times the distance between the finest
///   rivers. They take 0.9 MB each for their rivers, up to half as much for what was found of them,
///   and 2 MB for coarser rivers that they share. Band-limited fields that see coarser rivers share
///   others of those.
///
/// ```
/// use orogeny::drainage::{Drainage, RiverGround, WaterKind};
/// use orogeny::{Field, Fractal, GradientNoise, Node, Region};
///
/// // Continents of 60 km, up to some 1,000 m high; the sea is at 0.
/// let noise = Fractal { frequency: 1.0 / 60e3, ..Fractal::fbm(2.0, GradientNoise::seeded(7)) };
/// let continents = (Node::from(noise) * 1000.0 + 250.0).build()?;
/// let drainage = Drainage { seed: 7, ..Drainage::default() };
/// let ground = RiverGround::new(continents, &drainage)?.with_sea(0.0);
///
/// let reaches = ground.reaches(Region { min: [50e3, 12e3], max: [52e3, 14e3] })?;
/// let largest = reaches.iter().max_by(|a, b| a.discharge.total_cmp(&b.discharge));
/// let river = largest.expect("rivers are everywhere");
/// let water = ground.water(river.ends[0]).expect("a river");
/// assert_eq!(water.kind, WaterKind::River);
/// assert!((water.surface - river.surface[0]).abs() < 0.5);
/// assert!(river.surface[1] <= river.surface[0]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct RiverGround {
    pub(super) field: SharedField<2>,
    pub(super) relief: Option<SharedField<2>>,
    pub(super) detail: Option<SharedField<2>>,
    /// In metres; negative infinity without a sea.
    pub(super) sea_level: f64,
    /// The probability of lakes.
    pub(super) lakes: f64,
    pub(super) rivers: Arc<Blocks>,
    /// The gradients of a coarse level of detail.
    pub(super) limited: Option<(BandLimit, SharedField<2>)>,
}

impl fmt::Debug for RiverGround {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RiverGround").field("network", &self.rivers.network).finish_non_exhaustive()
    }
}

impl RiverGround {
    /// Rivers on the ground of a field, whose values are in metres. There is no sea yet.
    ///
    /// # Errors
    /// The first number outside its limits; rivers closer to each other than [`FINEST_RIVERS`]
    /// allows; and the errors of [`Node::build`](crate::Node::build) in the relief and the detail.
    pub fn new(
        field: impl Field<2> + Send + Sync + 'static,
        drainage: &Drainage,
    ) -> Result<Self, DataError> {
        Self::build(field, drainage, None)
    }

    /// The same in a world, whose seed is mixed into all seeds.
    pub(crate) fn build(
        field: impl Field<2> + Send + Sync + 'static,
        drainage: &Drainage,
        world: Option<&World<'_>>,
    ) -> Result<Self, DataError> {
        drainage.check_numbers()?;
        FINEST_RIVERS.check(drainage.finest()).map_err(DataError::here)?;
        let tree = |node: &Option<Node>, name: &str| -> Result<Option<SharedField<2>>, DataError> {
            let Some(node) = node else { return Ok(None) };
            let tree = compile::build(node, world, None).map_err(|error| error.under(name))?;
            Ok(Some(Arc::new(tree)))
        };
        let own = world.map_or(drainage.seed, |world| derive(world.seed, drainage.seed));
        Ok(Self {
            field: Arc::new(field),
            relief: tree(&drainage.relief, "relief")?,
            detail: tree(&drainage.detail, "detail")?,
            sea_level: f64::NEG_INFINITY,
            lakes: drainage.lakes.into(),
            rivers: Arc::new(Blocks::new(Network::new(drainage, own))),
            limited: None,
        })
    }

    /// The same with a sea at a height in metres, in which rivers end.
    pub fn with_sea(self, level: f32) -> Self {
        let rivers = Arc::new(Blocks::new(self.rivers.network.clone()));
        Self { sea_level: level.into(), rivers, ..self }
    }

    /// The height of the sea in metres, if there is one.
    pub fn sea_level(&self) -> Option<f64> {
        (self.sea_level > f64::NEG_INFINITY).then_some(self.sea_level)
    }

    /// The water at a position; `None` where the ground is dry.
    pub fn water<T>(&self, at: impl Position<2, T>) -> Option<Water> {
        let p = at.coordinates();
        if !self.is_inside(p) {
            return None;
        }
        let (height, river) = self.height_and_river(p)?;
        let ground = f64::from(height);
        if ground.is_nan() {
            return None;
        }
        if let Some(river) = river.filter(|river| river.height > ground.max(self.sea_level)) {
            return Some(Water {
                kind: if river.is_lake { WaterKind::Lake } else { WaterKind::River },
                surface: river.height,
                depth: river.height - ground,
                flow: river.flow,
                width: river.width,
                discharge: river.discharge,
                bank: river.bank.max(0.0),
            });
        }
        (ground <= self.sea_level).then(|| Water::sea(self.sea_level, ground))
    }

    /// Visits all reaches of the finest rivers that begin in a region, without its upper ends, also
    /// those without visible water. Along a river each begins where another one ends.
    ///
    /// Time grows with the area: there are some five reaches for each square of the distance
    /// between the finest rivers.
    ///
    /// # Errors
    /// A side of the region that is longer than [`RIVER_REGION`] allows, or a coordinate beyond the
    /// [domain](Self).
    pub fn each_reach(
        &self,
        region: Region,
        visit: impl FnMut(RiverReach),
    ) -> Result<(), OutOfLimits> {
        let place = Limit { max: self.farthest(), min: -self.farthest(), ..POSITION };
        let mut ends = [region.min, region.max].into_iter().flatten();
        if !region.is_empty() || ends.clone().any(f64::is_nan) {
            ends.try_for_each(|x| place.check(x))?;
            let [x, z] = [0, 1].each(|k| region.max[k] - region.min[k]);
            RIVER_REGION.check(x.max(z) / self.rivers.network.shape.spacing)?;
            self.rivers.each_reach(region, &self.catchment(), visit);
        }
        Ok(())
    }

    /// The reaches that [`each_reach`](Self::each_reach) visits.
    ///
    /// # Errors
    /// As [`each_reach`](Self::each_reach).
    pub fn reaches(&self, region: Region) -> Result<Vec<RiverReach>, OutOfLimits> {
        let mut reaches = Vec::new();
        self.each_reach(region, |reach| reaches.push(reach))?;
        Ok(reaches)
    }

    /// The largest width of rivers and lakes in metres.
    pub fn widest(&self) -> f64 {
        self.rivers.network.shape.widest()
    }

    /// The distance from the bank of the nearest river or lake in metres: negative in its bed.
    /// Infinite if it is larger than [`bank_range`](Self::bank_range), and where there is no
    /// ground.
    pub fn bank_distance<T>(&self, at: impl Position<2, T>) -> f64 {
        let p = at.coordinates();
        if self.is_inside(p) {
            self.rivers.bank_distance(p, &self.catchment())
        } else {
            f64::INFINITY
        }
    }

    /// The largest distance from a bank that is known, in metres: 1.5 times the distance between
    /// the finest rivers.
    pub fn bank_range(&self) -> f64 {
        self.rivers.network.shape.banks()
    }

    /// Calls `set` with the index of each point of a grid whose
    /// [`bank_distance`](Self::bank_distance) is finite and at most `within` metres, and that
    /// distance.
    pub fn bank_distances(&self, grid: &Grid<2>, within: f64, mut set: impl FnMut(usize, f64)) {
        let axes: [Vec<f64>; 2] = [0, 1].map(|axis| grid.coordinates(axis).collect());
        let is_inside = |axis: &Vec<f64>| axis.iter().all(|&x| self.is_inside([x; 2]));
        if axes.iter().all(is_inside) {
            let axes = axes.each_ref().each(Vec::as_slice);
            let (blocks, catchment, level) = (&*self.rivers, &self.catchment(), best());
            Fill { blocks, catchment, axes, level, has_gradients: false }.banks(within, &mut set);
        }
    }

    pub(super) fn catchment(&self) -> Catchment<'_> {
        Catchment {
            height: &*self.field,
            relief: self.relief.as_deref().map(|relief| relief as &dyn Field<2>),
            sea_level: self.sea_level,
            lakes: self.lakes,
        }
    }

    /// Whether the network has nodes at a position.
    pub(super) fn is_inside(&self, p: [f64; 2]) -> bool {
        p.iter().all(|x| x.abs() <= self.farthest())
    }

    /// The largest coordinate at which the network has nodes, with room for the windows of all
    /// levels around it.
    fn farthest(&self) -> f64 {
        0.25 * MAX_CELL * self.rivers.network.shape.spacing.min(1.0)
    }
}

/// What kind of water.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaterKind {
    /// All ground below the sea level.
    Sea,
    /// A lake.
    Lake,
    /// A river.
    River,
}

/// The water at a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Water {
    /// What kind it is.
    pub kind: WaterKind,
    /// The height of its surface in metres.
    pub surface: f64,
    /// Its depth in metres, positive.
    pub depth: f64,
    /// Its mean velocity in m/s along x and z; zero in the sea. It is the same in the middle and at
    /// the banks.
    pub flow: [f64; 2],
    /// The width of the river or lake in metres; infinite in the sea.
    pub width: f64,
    /// The discharge in cubic metres a second with which the channel is full; zero in the sea. It
    /// counts the area within six of the coarsest edges upstream, so it can fall along a long
    /// river.
    pub discharge: f64,
    /// The distance to the nearer bank in metres, at least; infinite in the sea.
    pub bank: f64,
}

impl Water {
    /// The sea at a level over ground at a height, both in metres.
    pub fn sea(level: f64, ground: f64) -> Self {
        Self {
            kind: WaterKind::Sea,
            surface: level,
            depth: level - ground,
            flow: [0.0; 2],
            width: f64::INFINITY,
            discharge: 0.0,
            bank: f64::INFINITY,
        }
    }
}
