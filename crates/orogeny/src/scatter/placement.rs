//! The scatter over a ground, and its instances.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::climate::ClimatePoint;
use crate::cover::CoverPoint;
use crate::derivative::sample::Sample;
use crate::edits::{Area, Clear, Disc, EditId, Edits, Plant};
use crate::error::DataError;
use crate::field::Field;
use crate::kind_id::KindId;
use crate::position::Position;
use crate::region::Region;
use crate::scatter::ground::{Appearance, ScatterGround};
use crate::scatter::kind::ScatterKind;
use crate::scatter::prepared_kind::PreparedKind;
use crate::scatter::site;
use crate::scatter::site::SiteCache;
use crate::scatter::squares::Wanted;

/// Identifies an instance, in whatever region it was found. It stays the same as long as the seed
/// of the recipe, and the seed and the radius of the kind do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum InstanceId {
    /// It grew there.
    Natural {
        /// Its kind.
        kind: KindId,
        /// Its cell: its position divided by the radius of its kind, rounded down.
        cell: [i64; 2],
    },
    /// An edit planted it.
    Planted(EditId),
}

/// A thing on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Instance {
    /// Its id.
    pub id: InstanceId,
    /// Its kind.
    pub kind: KindId,
    /// Its position (x, z) in metres.
    pub position: [f64; 2],
    /// Its size over that of the model.
    pub size: f32,
    /// Its turn about the vertical axis as a part of a whole one, 0 to 1, from x to z.
    pub turn: f32,
    /// How far its axis leans along x and z, as slopes.
    pub lean: [f32; 2],
    /// Its shade among those of its kind, 0 to 1. Also which one of several models it has.
    pub tint: f32,
    /// A number from 0 to 1, evenly distributed. All instances with a rank below t are a fraction t
    /// of them, spread evenly: to draw fewer far away, leave out those of high rank.
    pub rank: f32,
}

impl Instance {
    /// The edit that fells it, and nothing else of its kind.
    pub fn felling(&self) -> Clear {
        let disc = Disc { center: self.position, radius: 0.01, falloff: 0.01 };
        Clear { area: Area::Disc(disc), kind: Some(self.kind) }
    }
}

/// A scatter over a ground: which instances there are, anywhere. It is part of a
/// [`Landscape`](crate::Landscape). A clone shares everything. What was computed of the ground is
/// kept for the next time, without an effect on results.
///
/// ```
/// use std::sync::Arc;
/// use orogeny::scatter::{Model, Scatter, ScatterKind};
/// use orogeny::{Appearance, Landscape, Node, Region};
///
/// let hills = Node::<2>::noise(7).fbm(6).frequency(1.0 / 900.0).amplitude(90.0).build()?;
/// let pine = ScatterKind {
///     model: Model::Pine,
///     seed: 1,
///     radius: 3.0,
///     grass: 0.3,
///     forest: 1.0,
///     ..ScatterKind::default()
/// };
/// let scatter = Scatter { kinds: vec![pine], ..Scatter::default() };
/// let world_seed = 42;
/// let appearance = Appearance { scatter, ..Appearance::default() };
/// let ground = Landscape::new(Arc::new(hills), &appearance, world_seed)?;
/// let placement = ground.placement();
///
/// let region = Region { min: [0.0, 0.0], max: [500.0, 500.0] };
/// let trees = placement.in_region(region, |_| true)?;
/// assert!(trees.len() > 100);
/// // Any part of the region has the same trees.
/// let region = Region { min: [100.0, 40.0], max: [200.0, 90.0] };
/// let part = placement.in_region(region, |_| true)?;
/// assert!(!part.is_empty() && part.iter().all(|tree| trees.contains(tree)));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Placement {
    pub(super) kinds: Arc<[PreparedKind]>,
    pub(super) ground: ScatterGround,
    pub(super) sites: SiteCache,
}

impl Placement {
    /// The checked scatter of a ground, in a world with a seed.
    ///
    /// # Errors
    /// None for numbers within their limits.
    pub(crate) fn new(seed: u64, ground: ScatterGround) -> Result<Self, DataError> {
        let Appearance { cover, scatter, .. } = &*ground.appearance;
        let prepared = |kind| PreparedKind::new(kind, seed, cover, scatter.density);
        let kinds = scatter.kinds.iter().map(prepared).collect::<Result<_, _>>()?;
        Ok(Self { kinds, ground, sites: SiteCache::new() })
    }

    /// The same scatter on the same ground with other edits.
    pub(crate) fn with_edits(&self, edits: Edits) -> Self {
        let (kinds, ground) = (self.kinds.clone(), self.ground.with_edits(edits));
        Self { kinds, ground, sites: self.sites.with_other_edits() }
    }

    /// The ground.
    pub(crate) fn ground(&self) -> &ScatterGround {
        &self.ground
    }

    /// The heights of the ground, with its edits.
    pub fn field(&self) -> &(dyn Field<2> + Send + Sync) {
        &self.ground.field
    }

    /// The kinds, in their order.
    pub fn kinds(&self) -> impl ExactSizeIterator<Item = &ScatterKind> + Clone {
        self.kinds.iter().map(|kind| &kind.kind)
    }

    /// The kind with an id, such as that of an instance; `None` if the scatter has no such kind.
    pub fn kind(&self, id: KindId) -> Option<&ScatterKind> {
        self.kinds().find(|kind| kind.id() == id)
    }

    /// The regions in which other things may stand than with other edits of the same ground: those
    /// of edits that differ, and around them. They contain the whole cylinder of what edits have
    /// planted there, if it is solid.
    pub(crate) fn differences(&self, other: &Edits) -> Vec<Region> {
        let edits = self.ground.edits();
        let widest = Wanted::new(&self.kinds, |_| true).map_or(0.0, |all| all.widest);
        let around = widest + site::SPACING + CoverPoint::SCALE;
        let grown = |regions: Vec<Region>, by| regions.into_iter().map(move |all| all.grown(by));
        let differing = edits.all_differences(other);
        let planted = self.planted_solids(&[edits, other], &differing, around);
        let mut regions: Vec<_> = grown(differing, around).chain(planted).collect();
        let farther = self.kinds().map(ScatterKind::edit_reach).fold(0.0, f64::max);
        if farther > 0.0 {
            regions.extend(grown(edits.disturbing_differences(other), around + farther));
        }
        regions
    }

    /// The squares around solid things that edits have planted in some regions, where these stick
    /// out of the regions by more than a margin.
    fn planted_solids(&self, all: &[&Edits], regions: &[Region], margin: f64) -> Vec<Region> {
        let mut solids = Vec::new();
        for region in regions {
            let around = region.grown(margin);
            let mut visit = |_, plant: &Plant| {
                let kind = self.kind(plant.kind).filter(|kind| kind.is_solid());
                let reach = kind.map_or(0.0, |kind| f64::from(kind.solid_radius * plant.size));
                let solid = Region::around(plant.center, [reach; 2]);
                if around.union(&solid) != around {
                    solids.push(solid);
                }
            };
            for edits in all {
                edits.each_planted(&|near| near.meets(region), &mut visit);
            }
        }
        solids
    }

    /// The height and the slopes of the ground under an instance.
    pub fn standing(&self, instance: &Instance) -> Sample<2> {
        self.ground.field.sample(instance.position)
    }

    /// The climate at a position, on ground with edits. In a hole it is that of the ground that was
    /// there.
    pub fn climate<T>(&self, at: impl Position<2, T>) -> ClimatePoint {
        let position = at.coordinates();
        self.ground.climate.at(position, &self.ground.smooth.sample(position))
    }
}
