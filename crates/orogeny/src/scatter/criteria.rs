//! What the density of a kind is a product of, and how each factor is found.
//!
//! Some are known at the points of the lattice, and interpolated between them. Others are found at
//! the position itself. Limits of height, slope and curvature are both: between the points of the
//! lattice the ground may be beyond them.

use alloc::vec::Vec;

use crate::cover::CoverPoint;
use crate::derivative::sample::Sample;
use crate::edits::{Edits, Planting};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;
use crate::samples::positions::Grid;
use crate::scatter::explanation::Quantity;
use crate::scatter::ground::ScatterGround;
use crate::scatter::prepared_kind::PreparedKind;
use crate::scatter::site::{Bilinear, FAR, SPACING, Site, SitePoint};

/// A factor of a density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Criterion {
    /// There is ground.
    Ground,
    /// The density of the scatter.
    Scatter,
    /// The density of the kind.
    Kind,
    /// The density of the kind on the cover.
    Cover,
    /// A number is within a band.
    Within(Quantity),
    /// Clusters.
    Clusters,
    /// How far edits have disturbed the ground.
    Disturbance,
    /// No edit has cleared the ground.
    Cleared,
}

use Criterion::{Cleared, Clusters, Cover, Disturbance, Ground, Kind, Scatter, Within};
use Quantity::{Bank, Curvature, Depth, Edit, Height, Moisture, Slope, Temperature};

/// The factors at a point of the lattice, in groups that are multiplied first. Clusters are the
/// last one.
const AMOUNT: [Criterion; 3] = [Scatter, Kind, Cover];
const LANDFORM: [Criterion; 3] = [Within(Height), Within(Slope), Within(Curvature)];
const CLIMATE: [Criterion; 2] = [Within(Temperature), Within(Moisture)];

/// The factors at a position, whatever the height of its ground is.
const BY_POSITION: [Criterion; 4] = [Within(Bank), Ground, Within(Edit), Disturbance];
/// What is tested on its ground, the cheapest ones first.
const BY_GROUND: [Criterion; 4] = [Within(Depth), Within(Height), Within(Slope), Within(Curvature)];

impl Criterion {
    /// All factors, in the order of explanations.
    pub const ALL: [Self; 15] = [
        Ground,
        Scatter,
        Kind,
        Cover,
        Within(Height),
        Within(Slope),
        Within(Curvature),
        Within(Temperature),
        Within(Moisture),
        Clusters,
        Within(Bank),
        Within(Depth),
        Within(Edit),
        Disturbance,
        Cleared,
    ];

    /// The factor at a point of the lattice; 1 for those that are not known there, and clusters.
    #[inline]
    pub fn at(self, kind: &PreparedKind, point: &SitePoint) -> f32 {
        match self {
            Scatter => kind.of_scatter,
            Kind => kind.kind.density,
            Cover => kind.on_cover(&point.cover),
            Within(Height) => kind.within(Height, point.height),
            Within(Slope) => kind.within(Slope, point.slope),
            Within(Curvature) => kind.within(Curvature, point.curvature),
            Within(Temperature) => kind.within(Temperature, point.climate.temperature),
            Within(Moisture) => kind.within(Moisture, point.climate.moisture),
            _ => 1.0,
        }
    }
}

/// The product of the factors at a point of the lattice but for clusters. Where there is no ground
/// it may be NaN: so is what is interpolated between it and other points.
#[inline]
pub(super) fn product(of: impl Fn(Criterion) -> f32) -> f32 {
    let amount: f32 = AMOUNT.into_iter().map(&of).product();
    if amount.is_nan() || amount <= 0.0 {
        return 0.0;
    }
    let landform: f32 = LANDFORM.into_iter().map(&of).product();
    amount * landform * CLIMATE.into_iter().map(&of).product::<f32>()
}

impl PreparedKind {
    /// Its density at each point of a grid; `None` if it is 0 everywhere.
    pub fn on(&self, grid: &Grid<2>, points: &[SitePoint]) -> Option<Vec<f32>> {
        let at = |point| product(|criterion| criterion.at(self, point));
        let mut densities: Vec<f32> = points.iter().map(at).collect();
        let any = |densities: &[f32]| densities.iter().any(|&density| density != 0.0);
        if !any(&densities) {
            return None;
        }
        let Some(clusters) = self.clusters_on(grid) else { return Some(densities) };
        for (density, cluster) in densities.iter_mut().zip(clusters) {
            *density *= cluster;
        }
        any(&densities).then_some(densities)
    }
}

/// The edits of the ground, if any may change the density of a kind in a region. Those that clear
/// and plant do not.
pub(super) fn edits_near<'a>(
    PreparedKind { kind, .. }: &PreparedKind,
    ground: &'a ScatterGround,
    region: &Region,
) -> Option<&'a Edits> {
    let edits = ground.edits();
    edits.touch_ground(&region.grown(kind.edit_reach())).then_some(edits)
}

/// A position, and the kind and the ground there.
pub(super) struct Here<'a> {
    pub kind: &'a PreparedKind,
    pub ground: &'a ScatterGround,
    pub site: &'a Site,
    /// The edits, if any are [near](edits_near).
    pub edits: Option<&'a Edits>,
    pub p: [f64; 2],
    /// Where it is on the lattice of the site.
    pub at: Bilinear,
}

impl Here<'_> {
    /// What water and edits leave of the density, but for what they have cleared: 0 to 1.
    #[inline]
    pub fn suitability(&self) -> f32 {
        let mut left = 1.0;
        for criterion in BY_POSITION {
            left *= self.by_position(criterion);
            if left == 0.0 {
                break;
            }
        }
        left
    }

    /// Whether the kind may stand on the ground here.
    #[inline]
    pub fn may_stand(&self, sample: &Sample<2>) -> bool {
        BY_GROUND.into_iter().all(|criterion| self.suits(criterion, sample))
    }

    /// The factor at the position; 1 for those that depend on the ground.
    #[inline]
    pub fn by_position(&self, criterion: Criterion) -> f32 {
        let Self { kind: PreparedKind { kind, .. }, edits, p, .. } = *self;
        let suits = match criterion {
            Ground => !edits.is_some_and(|edits| edits.has_hole(p)),
            Within(Bank) => self.bank_distance().is_none_or(|bank| kind.bank.contains(bank)),
            Within(Edit) => self.edit_distance().is_none_or(|distance| {
                let is_near = distance <= kind.edit_reach() || !kind.is_along_edits();
                f64::from(kind.edit.min) <= distance && is_near
            }),
            Disturbance => return 1.0 - self.disturbance() * (1.0 - kind.disturbed),
            Cleared => !self.is_cleared(),
            _ => true,
        };
        f32::from(suits)
    }

    /// Whether the ground suits a kind; `true` if it does not matter. NaN, where there is none, is
    /// within no band.
    #[inline]
    pub fn suits(&self, criterion: Criterion, sample: &Sample<2>) -> bool {
        let kind = self.kind;
        match criterion {
            Ground => !sample.value.is_nan(),
            Within(Curvature) if kind.suits_any_curvature() => true,
            Within(Depth) => kind.kind.depth.contains(self.depth(sample).into()),
            Within(quantity @ (Height | Slope | Curvature)) => {
                kind.within(quantity, self.value(quantity, sample)) > 0.0
            }
            _ => true,
        }
    }

    /// A number at the position itself: not finite if there is none.
    #[inline]
    pub fn value(&self, quantity: Quantity, sample: &Sample<2>) -> f32 {
        let Self { ground, p, .. } = *self;
        match quantity {
            Height => sample.value,
            Slope => {
                let [x, z] = sample.gradient;
                (x * x + z * z).sqrt()
            }
            Curvature => CoverPoint::curvature_of(&*ground.smooth, p, CoverPoint::SCALE),
            Temperature => ground.climate.at(p, sample).temperature,
            Moisture => ground.climate.at(p, sample).moisture,
            Bank => ground.rivers.as_ref().map_or(f32::INFINITY, |all| all.bank_distance(p) as f32),
            Edit => self.edit_distance().unwrap_or(f64::INFINITY) as f32,
            Depth => {
                let depth = self.depth(sample);
                if depth == -FAR { f32::NEG_INFINITY } else { depth }
            }
        }
    }

    /// The depth under the sea or a flood in metres.
    #[inline]
    fn depth(&self, sample: &Sample<2>) -> f32 {
        self.ground.depth(self.p, sample.value)
    }

    /// The distance from rivers and lakes in metres, if the ground has some: exact where it decides
    /// whether the kind grows.
    #[inline]
    fn bank_distance(&self) -> Option<f64> {
        let (site, kind) = (self.site, &self.kind.kind);
        let rivers = self.ground.rivers.as_ref()?;
        let bank = f64::from(site.at(self.at, |point| point.bank));
        // The lattice misses brooks that are narrower than its cells, and ends at `FAR`.
        let near = SPACING * 2.0;
        let is_far = kind.has_bank_max() && bank > f64::from(FAR) - near;
        let decides = bank < near + f64::from(kind.bank.min.max(0.0)) || is_far;
        Some(if decides { rivers.bank_distance(self.p) } else { bank })
    }

    /// The distance from edits in metres, if it matters to the kind: infinite if it is larger than
    /// the distance that does.
    #[inline]
    pub fn edit_distance(&self) -> Option<f64> {
        let kind = &self.kind.kind;
        let reach = kind.edit_reach();
        // A distance equal to the limit is found, too.
        let distance = |edits: &Edits| edits.disturbed_distance(self.p, reach.next_up());
        let matters = reach > 0.0 || kind.is_along_edits();
        matters.then(|| self.edits.map_or(f64::INFINITY, distance))
    }

    /// How far edits have disturbed the ground, 0 to 1.
    #[inline]
    pub fn disturbance(&self) -> f32 {
        self.edits.map_or(0.0, |edits| edits.disturbance(self.p))
    }

    /// Whether an edit has cleared the ground of the kind.
    fn is_cleared(&self) -> bool {
        let mut is_cleared = false;
        self.ground.edits().each_planting(&Region::around(self.p, [0.0; 2]), |planting| {
            if let Planting::Clear(clear) = planting {
                is_cleared |= clear.removes(self.kind.kind.id(), self.p);
            }
        });
        is_cleared
    }
}
