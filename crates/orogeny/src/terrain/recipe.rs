//! Recipes: terrain as data.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::climate::{Climate, ClimateField};
use crate::cover::Cover;
use crate::derivative::bounds::Bounds;
use crate::drainage::{Drainage, RiverGround};
use crate::error::DataError;
use crate::field::{Field, SharedField};
use crate::limits;
use crate::node::compile::{World, build};
use crate::node::{Lands, Node};
use crate::scatter::Scatter;
use crate::scatter::ground::Appearance;
use crate::scatter::ground::ScatterGround;
use crate::terrain::lands_field::LandsField;
use crate::terrain::landscape::Landscape;
#[cfg(any(feature = "ron", feature = "json"))]
use crate::text;

/// A description of terrain: the contents of a preset file.
///
/// Height in metres at (x, z) in metres = `height` * `field`(x, z), and with rivers the valleys
/// that drain this land, see [`RiverGround`]. A recipe is plain data and may contain anything;
/// [`build`](Self::build) validates it and returns the field.
///
/// ```
/// use orogeny::{Field, Fractal, GradientNoise, Node, Recipe};
///
/// let hills = Fractal { frequency: 1.0 / 2000.0, ..Fractal::fbm(8.0, GradientNoise::seeded(1)) };
/// let recipe = Recipe::new(7, 300.0, hills.clone());
/// let terrain = recipe.build()?;
/// let height_in_metres = terrain.value([0.0, 0.0]);
/// assert!(f64::from(height_in_metres.abs()) < terrain.bounds().max);
///
/// let wrong = Recipe { field: Fractal { octaves: 0.0, ..hills }.into(), ..recipe };
/// assert_eq!(wrong.build().unwrap_err().path, "field.Fractal.octaves");
/// # Ok::<(), orogeny::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "describe", derive(documented::DocumentedFields))]
pub struct Recipe {
    /// The seed of the world. It is mixed into the seed of every noise.
    #[cfg_attr(feature = "serde", serde(default))]
    pub seed: u64,
    /// Metres per unit of the field, 0 to 1e5.
    #[cfg_attr(feature = "serde", serde(default = "one"))]
    pub height: f32,
    /// Fields with a name, which all nodes of the recipe may use, see [`Node::Named`]; at most
    /// [`MAX_FIELDS`](Self::MAX_FIELDS). "temperature" and "moisture" are those of the climate.
    #[cfg_attr(
        feature = "serde",
        serde(default, with = "::serde_with::rust::maps_duplicate_key_is_error")
    )]
    pub fields: BTreeMap<String, Node>,
    /// The lands, which nodes may tell apart, see [`Node::Lands`]. By default there are none.
    #[cfg_attr(feature = "serde", serde(default))]
    pub lands: Lands,
    /// The shape of the terrain. With rivers, only its broad shape counts.
    pub field: Node,
    /// Rivers and their valleys. `None` for no rivers.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rivers: Option<Drainage>,
    /// The ground cover: layers of rock, grass, snow and others, that lie on each other.
    #[cfg_attr(feature = "serde", serde(default))]
    pub cover: Cover,
    /// The height of the sea above the terrain's origin in metres, -1e5 to 1e5. `None` for no sea.
    #[cfg_attr(feature = "serde", serde(default))]
    pub sea_level: Option<f32>,
    /// The climate: temperature and moisture.
    #[cfg_attr(feature = "serde", serde(default))]
    pub climate: Climate,
    /// What grows or stands on the ground: trees, grass, rocks.
    #[cfg_attr(feature = "serde", serde(default))]
    pub scatter: Scatter,
}

#[cfg(feature = "serde")]
fn one() -> f32 {
    1.0
}

impl Recipe {
    /// The maximum number of fields with a name.
    pub const MAX_FIELDS: usize = 64;

    /// A recipe with the default cover and climate, without rivers, a sea and scatter.
    pub fn new(seed: u64, height: f32, field: impl Into<Node>) -> Self {
        Self {
            seed,
            height,
            fields: BTreeMap::new(),
            lands: Lands::default(),
            field: field.into(),
            rivers: None,
            cover: Cover::default(),
            sea_level: None,
            climate: Climate::default(),
            scatter: Scatter::default(),
        }
    }

    /// Validates the recipe and builds its ground.
    ///
    /// # Errors
    /// The errors of [`Node::build`], names that are not those of a field or a land, fields that
    /// contain themselves; lands, rivers, cover, climate, seas and scatter outside their limits;
    /// heights that could exceed [`limits::MAX_HEIGHT`], and cover or scatter that depends on
    /// distances from water beyond [`RiverGround::bank_range`].
    pub fn build(&self) -> Result<Landscape, DataError> {
        limits::HEIGHT.check(self.height.into())?;
        self.cover.check()?;
        self.scatter.check()?;
        self.sea_level.map_or(Ok(()), |level| limits::SEA_LEVEL.check(level.into()))?;
        let nodes = [self.climate.temperature_node(), self.climate.moisture_node()];
        let world = self.world(&nodes)?;
        let lands = LandsField::new(&self.lands, &world)?;
        let climate = self.climate.build_in(&world)?;
        let tree = build(&self.field, Some(&world), Some(self.height));
        let tree = tree.map_err(|e| e.under("field"))?;
        let (field, rivers): (SharedField<2>, _) = match &self.rivers {
            None => (Arc::new(tree), None),
            Some(rivers) => {
                let rivers = RiverGround::build(tree, rivers, Some(&world));
                let rivers = rivers.map_err(|e| e.under("rivers"))?;
                self.check_banks(rivers.bank_range())?;
                let rivers = match self.sea_level {
                    Some(level) => rivers.with_sea(level),
                    None => rivers,
                };
                (Arc::new(rivers.clone()), Some(rivers))
            }
        };
        let Bounds { min, max, .. } = field.bounds();
        let highest = min.abs().max(max.abs());
        let part = if self.rivers.is_some() { "rivers" } else { "field" };
        limits::MAX_HEIGHT.check(highest).map_err(|e| DataError::at(part, e))?;
        Landscape::on(
            ScatterGround::new(field, rivers, climate, self.appearance()),
            lands,
            self.seed,
        )
    }

    /// What covers the ground, the level of the sea, the climate, and what stands on the ground.
    pub fn appearance(&self) -> Appearance {
        Appearance {
            cover: self.cover.clone(),
            sea_level: self.sea_level,
            climate: self.climate.clone(),
            scatter: self.scatter.clone(),
        }
    }

    /// Validates the climate and builds it, without the ground.
    ///
    /// # Errors
    /// Those of [`build`](Self::build) in the climate and in the fields with a name.
    pub fn build_climate(&self) -> Result<ClimateField, DataError> {
        let nodes = [self.climate.temperature_node(), self.climate.moisture_node()];
        self.climate.build_in(&self.world(&nodes)?)
    }

    /// Whether the ground depends on fields with a name, and so perhaps on the climate.
    pub fn has_names(&self) -> bool {
        let rivers =
            self.rivers.iter().flat_map(|rivers| rivers.relief.iter().chain(&rivers.detail));
        let mut open: Vec<&Node> = rivers.chain([&self.field]).collect();
        while let Some(node) = open.pop() {
            if matches!(node, Node::Named(_) | Node::Lands(_)) {
                return true;
            }
            open.extend(node.children());
        }
        false
    }

    /// The fields with a name, each of which builds, and those of the climate.
    fn world<'a>(&'a self, climate: &'a [Cow<'a, Node>; 2]) -> Result<World<'a>, DataError> {
        let (count, max) = (self.fields.len(), Self::MAX_FIELDS);
        if count > max {
            let problem = format!("has {count} fields, but must have at most {max}");
            return Err(DataError::at("fields", problem));
        }
        if self.fields.contains_key("") {
            return Err(DataError::at("fields", "has a field without a name"));
        }
        let own = || self.fields.iter().map(|(name, node)| (name.as_str(), node));
        let mut fields: BTreeMap<_, _> = own().collect();
        for (name, node) in ["temperature", "moisture"].into_iter().zip(climate) {
            if fields.insert(name, node).is_some() {
                let problem = "is the name of a field of the climate, which `climate` sets";
                return Err(DataError::at(format!("fields.{name}"), problem));
            }
        }
        self.lands.check().map_err(|e| e.under("lands"))?;
        let world = World { seed: self.seed, fields, lands: Some(&self.lands) };
        for (name, node) in own() {
            build(node, Some(&world), None).map_err(|e| e.under(name).under("fields"))?;
        }
        Ok(world)
    }

    /// Checks that no layer and no kind depends on distances from banks that are not known.
    fn check_banks(&self, range: f64) -> Result<(), DataError> {
        let check = |path: String, distance: f64| {
            let problem = format!(
                "is a distance of {distance} m from water, but distances are only known up to \
                 {range} m, 1.5 times the spacing of the finest rivers"
            );
            if distance <= range { Ok(()) } else { Err(DataError::at(path, problem)) }
        };
        for (i, layer) in self.cover.layers.iter().enumerate().filter(|(_, l)| l.is_bank()) {
            check(format!("cover[{i}].bank.max"), layer.bank_reach())?;
        }
        for (i, kind) in self.scatter.kinds.iter().enumerate() {
            let path = |name: &str| format!("scatter.kinds[{i}].{name}");
            check(path("bank.min"), kind.bank.min.into())?;
            if kind.has_bank_max() {
                check(path("bank.max"), kind.bank.max.into())?;
            }
        }
        Ok(())
    }
}

#[cfg(feature = "ron")]
impl Recipe {
    /// Reads a recipe from RON text and validates it.
    ///
    /// # Errors
    /// A syntax error with its line and column; an unknown or missing field or a wrong type with
    /// its path; and all errors of [`build`](Self::build).
    pub fn from_ron(text: &str) -> Result<Self, DataError> {
        Self::build_ron(text).map(|(recipe, _)| recipe)
    }

    /// Reads a recipe from RON text, and returns it with its field, which validation builds anyway.
    ///
    /// # Errors
    /// As [`from_ron`](Self::from_ron).
    pub fn build_ron(text: &str) -> Result<(Self, Landscape), DataError> {
        let recipe: Self = text::from_ron(text, "recipe")?;
        let ground = recipe.build()?;
        Ok((recipe, ground))
    }

    /// Writes the recipe as RON text that [`from_ron`](Self::from_ron) reads back unchanged.
    ///
    /// # Errors
    /// A recipe that does not [`build`](Self::build). So everything that is written can be read.
    pub fn to_ron(&self) -> Result<String, DataError> {
        self.build()?;
        text::to_ron(self, "recipe")
    }
}

#[cfg(feature = "json")]
impl Recipe {
    /// Reads a recipe from JSON text and validates it.
    ///
    /// # Errors
    /// As [`from_ron`](Self::from_ron).
    pub fn from_json(text: &str) -> Result<Self, DataError> {
        Self::build_json(text).map(|(recipe, _)| recipe)
    }

    /// Reads a recipe from JSON text, and returns it with its field, as
    /// [`build_ron`](Self::build_ron).
    ///
    /// # Errors
    /// As [`from_ron`](Self::from_ron).
    pub fn build_json(text: &str) -> Result<(Self, Landscape), DataError> {
        // Serde would accept a list of the fields' values in order.
        if text::content(text).trim_start().starts_with('[') {
            return Err(DataError::at("recipe", "must be an object, not a list"));
        }
        let recipe: Self = text::from_json(text, "recipe")?;
        let ground = recipe.build()?;
        Ok((recipe, ground))
    }

    /// Writes the recipe as JSON text that [`from_json`](Self::from_json) reads back unchanged.
    ///
    /// # Errors
    /// As [`to_ron`](Self::to_ron).
    pub fn to_json(&self) -> Result<String, DataError> {
        self.build()?;
        text::to_json(self, "recipe")
    }
}
