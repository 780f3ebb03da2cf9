//! One kind of things.

use alloc::collections::BTreeMap;
use alloc::string::String;

use crate::band::{Band, with_ground_bands};
use crate::cover::{CoverKind, climate_bands};
use crate::error::DataError;
use crate::kind_id::KindId;
use crate::limits::{Limit, Parameters};

with_ground_bands! {
    /// A kind of things that stand on the ground: where, how densely, how large.
    ///
    /// Its density at a point, 0 to 1, is a product:
    /// * the sum over the layers of cover of their weights times the density on that kind of cover,
    /// * [`Band`]s in height, slope and curvature, as those of a
    ///   [`CoverLayer`](crate::cover::CoverLayer),
    /// * bands in temperature and moisture of the [`Climate`](crate::Climate),
    /// * bands in the distance from water and in the depth, whose ends are sharp,
    /// * its clusters, how much edits disturb the ground, and how far away they are,
    /// * its `density`, and that of the [`Scatter`](crate::scatter::Scatter).
    ///
    /// At density 1 there are some 0.35 instances for each square of the radius.
    pub struct ScatterKind {
        /// The name of the kind, for panels and games.
        name: String = String::new(),
        /// The model of the kind.
        model: Model = Model::Spruce,
        /// Identifies the kind, see [`id`](Self::id), and decides where its instances are.
        seed: u64 = 0,
        /// The density on each custom kind of cover, by name: 0 to 1, and 0 on those that are not
        /// here.
        custom: BTreeMap<String, f32> = BTreeMap::new(),
    }
    numbers {
        /// The minimum distance between two instances. Instances of different kinds keep the
        /// smaller of their radii.
        radius: f64 = 2.5 "m", 0.05 to 1000;
        /// Multiplies the density on all cover.
        density: f32 = 1 "", 0 to 1;
        /// The density on rock.
        rock: f32 = 0 "", 0 to 1;
        /// The density on scree, which includes gravel.
        scree: f32 = 0 "", 0 to 1;
        /// The density on grass.
        grass: f32 = 0 "", 0 to 1;
        /// The density on forest floor.
        forest: f32 = 0 "", 0 to 1;
        /// The density on sand.
        sand: f32 = 0 "", 0 to 1;
        /// The density on snow.
        snow: f32 = 0 "", 0 to 1;
    }
    ground {
        height.soft: 60,
        slope.max: 1,
        slope.soft: 0.3,
        moisture.soft: 0.2,
    }
    bands {
        /// The distance from rivers and lakes.
        bank: Band = BANK {
            /// The minimum distance from rivers and lakes, negative in their water. At most 1.5
            /// times the spacing of the finest rivers.
            min: 0.5 "m", -1e3 to 1e6;
            /// The maximum distance from rivers and lakes. Below its default, at most 1.5 times the
            /// spacing of the finest rivers.
            max: 1e6 "m", -1e3 to 1e6;
            /// The ends are sharp.
            soft: 0 "m", 0 to 0;
        }
        /// The depth below the surface of the sea or a flood, negative above it.
        depth: Band = DEPTH {
            /// The minimum depth below the surface of the sea or a flood, negative above it.
            min: -1e6 "m", -1e6 to 1e6;
            /// The maximum depth below the surface of the sea or a flood, negative above it.
            max: -0.3 "m", -1e6 to 1e6;
            /// The ends are sharp.
            soft: 0 "m", 0 to 0;
        }
    }
    numbers {
        /// The density on ground that edits have flattened, dug or built on.
        disturbed: f32 = 0 "", 0 to 1;
    }
    bands {
        /// The distance from ground that edits have flattened, dug or built on.
        edit: Band = EDIT {
            /// The minimum distance from ground that edits have flattened, dug or built on. It
            /// counts from the core of an edit, or from the carriageway of a path, with round ends.
            /// On the falloff, `disturbed` thins the kind as well.
            min: 0 "m", 0 to 1000;
            /// The maximum distance from such ground, for kinds that line paths. 1000 for no
            /// maximum.
            max: 1000 "m", 0 to 1000;
            /// The ends are sharp.
            soft: 0 "m", 0 to 0;
        }
    }
    numbers {
        /// The fraction of the ground that clusters cover. 1 for an even density.
        coverage: f32 = 1 "", 0 to 1;
        /// The width of the clusters.
        cluster_size: f32 = 60 "m", 8 to 1e5;
        /// The minimum size, relative to the model.
        size_min: f32 = 0.75 "", 0.01 to 100;
        /// The maximum size, relative to the model.
        size_max: f32 = 1.25 "", 0.01 to 100;
        /// How much smaller instances are where they are sparse, such as at the tree line. A
        /// climate that all kinds share does not count.
        stunting: f32 = 0.4 "", 0 to 0.95;
        /// The maximum lean, as a slope.
        lean: f32 = 0.04 "m/m", 0 to 2;
        /// How far instances follow the slope of the ground: 0 is upright, 1 perpendicular to it.
        align: f32 = 0 "", 0 to 1;
        /// The variation of colour between instances.
        tint: f32 = 0.5 "", 0 to 1;
        /// Multiplies the red of the model, in sRGB. Custom models ignore it.
        red: f32 = 1 "", 0 to 1.9;
        /// Multiplies the green of the model.
        green: f32 = 1 "", 0 to 1.9;
        /// Multiplies the blue of the model.
        blue: f32 = 1 "", 0 to 1.9;
        /// The radius of the upright cylinder that bodies and rays hit, at size 1. 0 for none.
        solid_radius: f32 = 0 "m", 0 to 100;
        /// The height of that cylinder, at size 1.
        solid_height: f32 = 0 "m", 0 to 1000;
    }
}

/// Limits of the density on a custom kind of cover.
pub(crate) const CUSTOM_DENSITY: Limit =
    Limit::new("custom", "", [0.0, 1.0], 0.0, "The density on a custom kind of cover");

/// The limit of distances from edits, and of temperatures either way, that stands for none.
const NO_EDGE: f32 = 1000.0;

impl ScatterKind {
    /// Its id: its seed.
    pub fn id(&self) -> KindId {
        KindId(self.seed)
    }

    /// The density on a kind of cover.
    pub fn density_on(&self, cover: &CoverKind) -> f32 {
        match cover {
            CoverKind::Rock => self.rock,
            CoverKind::Scree => self.scree,
            CoverKind::Grass => self.grass,
            CoverKind::Forest => self.forest,
            CoverKind::Sand => self.sand,
            CoverKind::Snow => self.snow,
            CoverKind::Custom(name) => self.custom.get(name).copied().unwrap_or(0.0),
        }
    }

    /// Whether bodies and rays hit it: it has a solid radius and a solid height.
    pub fn is_solid(&self) -> bool {
        self.solid_radius > 0.0 && self.solid_height > 0.0
    }

    /// The solid radius of the largest one that grows, in metres; 0 if it is not solid. Edits may
    /// plant larger ones.
    pub fn widest_solid(&self) -> f64 {
        if self.is_solid() { f64::from(self.solid_radius * self.size_max) } else { 0.0 }
    }

    /// Whether it grows in some climates only.
    pub fn has_climate(&self) -> bool {
        self.climate_bands().is_some()
    }

    /// The bands of temperature and moisture; `None` if it grows in any climate.
    pub(super) fn climate_bands(&self) -> Option<[Band; 2]> {
        climate_bands([self.temperature, self.moisture])
    }

    /// How far around an edit of the ground its density may differ, in metres.
    pub(super) fn edit_reach(&self) -> f64 {
        f64::from(if self.is_along_edits() { self.edit.max } else { self.edit.min })
    }

    /// Whether it lines edits or water, so that there is none of it far from them.
    pub fn is_local(&self) -> bool {
        self.is_along_edits() || self.has_bank_max()
    }

    /// Whether there is none of it far from water.
    pub(crate) fn has_bank_max(&self) -> bool {
        self.bank.max < 1e6
    }

    /// Whether there is none of it far from edits.
    pub(super) fn is_along_edits(&self) -> bool {
        self.edit.max < NO_EDGE
    }

    pub(super) fn check(&self) -> Result<(), DataError> {
        self.check_numbers()?;
        for (name, &density) in &self.custom {
            let wrong = |error| DataError::at(format!("custom.{name}"), error);
            CUSTOM_DENSITY.check(density.into()).map_err(wrong)?;
        }
        self.check_order()?;
        let Self { size_min, size_max, .. } = self;
        if size_max < size_min {
            let problem = format!("is {size_max}, but must be at least `size_min`, {size_min}");
            return Err(DataError::at("size_max", problem));
        }
        Ok(())
    }
}

/// The model of a kind. `orogeny_models` grows those of [`GROWN`](Self::GROWN).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum Model {
    /// A slender Norway spruce, about 16 m high.
    #[default]
    Spruce,
    /// A Scots pine with a bare lower trunk, about 14 m high.
    Pine,
    /// A broad-leaved tree such as a maple or lime, about 13 m high.
    Broadleaf,
    /// A slender birch with drooping twigs, about 12 m high.
    Birch,
    /// A leafy bush, about 1.6 m high.
    Bush,
    /// A fern with arching fronds, about 0.7 m high.
    Fern,
    /// A tuft of grass, about 0.45 m high.
    Grass,
    /// A clump of reed, about 1.8 m high.
    Reed,
    /// A fallen log with stubs of branches, about 5 m long.
    Deadwood,
    /// A boulder, about 1.6 m across.
    Boulder,
    /// A stone, about 0.35 m across.
    Stone,
    /// Flowers of a meadow, about 0.5 m high: daisies, buttercups, cranesbills or clover.
    Flower,
    /// A mesh or scene that the game provides under this name.
    Custom(String),
}

impl Model {
    /// All models but the custom ones. Their order decides their shapes: add new ones at the end.
    pub const GROWN: &'static [Self] = &[
        Self::Spruce,
        Self::Pine,
        Self::Broadleaf,
        Self::Birch,
        Self::Bush,
        Self::Fern,
        Self::Grass,
        Self::Reed,
        Self::Deadwood,
        Self::Boulder,
        Self::Stone,
        Self::Flower,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_custom_kind_of_cover_has_its_own_density() {
        let lava = || CoverKind::Custom("lava".into());
        let custom = BTreeMap::from([("lava".into(), 0.25)]);
        let kind = ScatterKind { custom, rock: 1.0, ..ScatterKind::default() };
        assert_eq!(kind.density_on(&lava()), 0.25);
        assert_eq!(kind.density_on(&CoverKind::Custom("ash".into())), 0.0);
        assert_eq!(kind.density_on(&CoverKind::Rock), 1.0);
        assert_eq!(kind.check(), Ok(()));
        for wrong in [-0.1, 1.1, f32::NAN] {
            let custom = BTreeMap::from([("lava".into(), wrong)]);
            let error = ScatterKind { custom, ..kind.clone() }.check().unwrap_err();
            assert_eq!(error.path, "custom.lava");
        }
    }
}
