//! Ground with rivers, as a field.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::derivative::bounds::Bounds;
use crate::derivative::sample::Sample;
use crate::drainage::Drainage;
use crate::drainage::blocks::Blocks;
use crate::drainage::grid;
use crate::drainage::level::Land;
use crate::drainage::network::Network;
use crate::drainage::survey::Survey;
use crate::drainage::valley::Slope;
use crate::drainage::water::{RiverPart, Water, WaterKind, discharge};
use crate::error::RecipeError;
use crate::field::Field;
use crate::lattice::MAX_CELL;
use crate::limits::Parameters;
use crate::samples::grid::Grid;
use crate::samples::{Buffer, Samples};

/// Ground with rivers: valleys around a river network whose heights follow a field.
///
/// Every river ends in the sea, or on land in a basin of the field that is wider than the coarsest
/// rivers are apart. Along a river its bed always falls. All of it is a function of the position:
/// the same bits at points and on grids, in any order, on any thread. What was computed for a place
/// is kept for the next time, without an effect on results, and shared by clones.
///
/// * Gradient: exact. Its direction changes quickly, but without a jump, within centimetres of
///   channels and within some metres of ridges.
/// * Range: proven. Slopes and second derivatives have no bounds, so rays cannot be cast.
/// * Cost: a position far from any other costs milliseconds, its neighbours a microsecond.
///
/// ```
/// use orogeny::drainage::{Drainage, Drained, WaterKind};
/// use orogeny::{Field, Fractal, GradientNoise, Node};
///
/// // Continents of 60 km, up to some 1,000 m high; the sea is at 0.
/// let noise = Fractal { frequency: 1.0 / 60e3, ..Fractal::fbm(2.0, GradientNoise::seeded(7)) };
/// let continents = (Node::from(noise) * 1000.0 + 250.0).build()?;
/// let ground = Drained::new(continents, Drainage { seed: 7, ..Drainage::default() })?;
///
/// let rivers = ground.rivers([50e3, 12e3], [52e3, 14e3]);
/// let river = rivers.max_by(|a, b| a.width.total_cmp(&b.width)).expect("rivers are everywhere");
/// let water = ground.water(river.ends[0]).expect("a river");
/// assert_eq!(water.kind, WaterKind::River);
/// assert!((water.surface - river.surface[0]).abs() < 0.5);
/// assert!(river.surface[1] <= river.surface[0]);
/// # Ok::<(), orogeny::RecipeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Drained<F> {
    field: F,
    relief: Option<Relief>,
    drainage: Drainage,
    /// The network, and what of it was computed.
    shared: Arc<(Network, Blocks)>,
}

/// The slope of valley sides over that of the steepest.
#[derive(Clone)]
struct Relief(Arc<dyn Field<2> + Send + Sync>);

impl fmt::Debug for Relief {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relief").finish_non_exhaustive()
    }
}

/// The smallest factor of slopes: a network needs some slope.
const LEAST_RELIEF: f64 = 0.02;

impl<F: Field<2>> Drained<F> {
    /// Rivers on the ground of a field, whose values are in metres.
    ///
    /// # Errors
    /// The first number outside its limits.
    pub fn new(field: F, drainage: Drainage) -> Result<Self, RecipeError> {
        Parameters::check(&drainage)?;
        Ok(Self { field, relief: None, drainage, shared: shared(&drainage) })
    }

    /// The same with slopes that a field multiplies, limited to 0.02 to 1: flat land, hills and
    /// mountains in one network.
    pub fn with_relief(self, relief: Arc<dyn Field<2> + Send + Sync>) -> Self {
        Self { relief: Some(Relief(relief)), shared: shared(&self.drainage), ..self }
    }

    /// The field that the rivers follow.
    pub fn field(&self) -> &F {
        &self.field
    }

    /// The description of the network.
    pub fn drainage(&self) -> &Drainage {
        &self.drainage
    }

    /// The water at a position: the sea where the ground is below its level, else a river where
    /// the ground is below its surface.
    pub fn water(&self, p: [f64; 2]) -> Option<Water> {
        if !self.is_inside(p) {
            return None;
        }
        let (network, blocks) = &*self.shared;
        self.with_land(|land| {
            let ground = f64::from(blocks.ground(network, p, land).value as f32);
            if ground < land.sea_level {
                return Some(Water {
                    kind: WaterKind::Sea,
                    surface: land.sea_level,
                    depth: land.sea_level - ground,
                    flow: [0.0; 2],
                    width: f64::INFINITY,
                    discharge: 0.0,
                    bank: f64::INFINITY,
                });
            }
            let river = blocks.surface(network, p, land)?;
            (river.height > ground).then(|| Water {
                kind: WaterKind::River,
                surface: river.height,
                depth: river.height - ground,
                flow: river.flow,
                width: river.width,
                discharge: river.discharge,
                bank: river.bank.max(0.0),
            })
        })
    }

    /// All parts of the finest rivers that begin in a box, also of those without visible water.
    /// Along a river each begins where another one ends.
    pub fn rivers(&self, min: [f64; 2], max: [f64; 2]) -> impl Iterator<Item = RiverPart> + use<F> {
        let (network, _) = &*self.shared;
        let area = [min, max];
        let is_valid =
            self.is_inside(min) && self.is_inside(max) && (0..2).all(|k| min[k] <= max[k]);
        let survey = is_valid.then(|| self.with_land(|land| Survey::new(network, area, land)));
        let reaches = survey.map_or_else(Vec::new, |survey| survey.reaches);
        let runoff = network.shape.runoff;
        let is_in = move |p: [f64; 2]| (0..2).all(|k| (min[k]..max[k]).contains(&p[k]));
        reaches.into_iter().filter(move |reach| is_in(reach.start)).map(move |reach| RiverPart {
            ends: reach.ends(),
            surface: [reach.height + reach.fall, reach.height],
            width: 2.0 * reach.half_width,
            discharge: discharge(reach.area, runoff),
        })
    }

    fn with_land<T>(&self, run: impl FnOnce(&Land) -> T) -> T {
        let height = |p| f64::from(self.field.value(p));
        let relief = |p| match &self.relief {
            Some(Relief(field)) => f64::from(field.value(p)).clamp(LEAST_RELIEF, 1.0),
            None => 1.0,
        };
        let sea_level = self.drainage.sea_level.into();
        run(&Land { height: &height, relief: &relief, sea_level })
    }

    /// Whether the network has nodes at a position.
    fn is_inside(&self, p: [f64; 2]) -> bool {
        // Room for the windows of all levels around it.
        let most = 0.25 * MAX_CELL * self.shared.0.shape.spacing.min(1.0);
        p.iter().all(|x| x.abs() <= most)
    }
}

fn shared(drainage: &Drainage) -> Arc<(Network, Blocks)> {
    let network = Network::new(drainage);
    let blocks = Blocks::new(network.shape.spacing);
    Arc::new((network, blocks))
}

fn rounded(ground: Slope<f64>) -> Sample<2> {
    Sample { value: ground.value as f32, gradient: ground.gradient.map(|slope| slope as f32) }
}

impl<F: Field<2>> Field<2> for Drained<F> {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        if !self.is_inside(p) {
            return Sample::OUTSIDE;
        }
        let (network, blocks) = &*self.shared;
        rounded(self.with_land(|land| blocks.ground(network, p, land)))
    }

    fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        let corners = [[0, 0], [1, 1]].map(|[i, j]: [usize; 2]| {
            [(0, i), (1, j)]
                .map(|(k, end)| grid.coordinate(k, end * grid.size[k].saturating_sub(1)))
        });
        if !corners.iter().all(|&corner| self.is_inside(corner)) {
            return out.write(grid.points().map(|p| self.sample(p)));
        }
        out.resize(grid.len());
        let level = out.level();
        self.with_land(|land| {
            grid::fill(&self.shared, land, grid, level, &mut |i, ground| {
                if out.has_gradients() {
                    out.set(i, rounded(ground));
                } else {
                    out.value[i] = ground.value as f32;
                }
            });
        });
    }

    /// Nodes are at least as high as the field is somewhere, and at most as high as the paths that
    /// lead up from the coarsest ones; the ground is a channel lower, or a valley side higher.
    fn bounds(&self) -> Bounds {
        let base = self.field.bounds();
        let (network, _) = &*self.shared;
        Bounds {
            min: base.min - network.shape.deepest(),
            max: base.max + network.climb(),
            ..Bounds::UNKNOWN
        }
    }
}
