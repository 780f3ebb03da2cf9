//! The ground of a recipe.

use crate::climate::ClimateField;
use crate::drainage::{RiverGround, Water};
use crate::field::{Field, at_positions, forward_field};
use crate::node::tree::Tree;
use crate::position::Position;
use crate::terrain::lands_field::LandsField;

/// The ground of a recipe: the result of [`Recipe::build`](crate::Recipe::build).
///
/// It is a field, height in metres over (x, z) in metres, and knows the water on it. A clone shares
/// everything.
#[derive(Clone, Debug)]
pub struct Landscape {
    ground: Ground,
    climate: ClimateField,
    lands: LandsField,
    sea_level: Option<f32>,
}

#[derive(Clone, Debug)]
enum Ground {
    Tree(Tree<2>),
    Rivers(RiverGround),
}

impl Landscape {
    /// Ground without rivers.
    pub(super) fn plain(tree: Tree<2>, climate: ClimateField, sea_level: Option<f32>) -> Self {
        Self { ground: Ground::Tree(tree), climate, lands: LandsField::default(), sea_level }
    }

    /// Ground with rivers.
    pub(super) fn with_rivers(
        rivers: RiverGround,
        climate: ClimateField,
        sea_level: Option<f32>,
    ) -> Self {
        let rivers = sea_level.map_or(rivers.clone(), |level| rivers.with_sea(level));
        let lands = LandsField::default();
        Self { ground: Ground::Rivers(rivers), climate, lands, sea_level }
    }

    /// The same with lands.
    pub(super) fn with_lands(self, lands: LandsField) -> Self {
        Self { lands, ..self }
    }

    /// The ground with its rivers, if the recipe has any.
    pub fn rivers(&self) -> Option<&RiverGround> {
        match &self.ground {
            Ground::Tree(_) => None,
            Ground::Rivers(rivers) => Some(rivers),
        }
    }

    /// How warm and how moist it is.
    pub fn climate(&self) -> &ClimateField {
        &self.climate
    }

    /// Which lands are where; there are none unless the recipe has some.
    pub fn lands(&self) -> &LandsField {
        &self.lands
    }

    /// The water at a position; `None` where the ground is dry.
    ///
    /// ```
    /// use orogeny::drainage::WaterKind;
    /// use orogeny::{Fractal, GradientNoise, Recipe};
    ///
    /// let noise = Fractal { frequency: 1e-4, ..Fractal::fbm(4.0, GradientNoise::seeded(1)) };
    /// let recipe = Recipe { sea_level: Some(2000.0), ..Recipe::new(7, 300.0, noise) };
    /// let water = recipe.build()?.water([0.0, 0.0]).expect("a deep sea");
    /// assert_eq!(water.kind, WaterKind::Sea);
    /// # Ok::<(), orogeny::DataError>(())
    /// ```
    pub fn water<T>(&self, at: impl Position<2, T>) -> Option<Water> {
        let p = at.coordinates();
        match &self.ground {
            Ground::Tree(tree) => {
                let (level, ground) = (f64::from(self.sea_level?), f64::from(tree.value(p)));
                (ground <= level).then(|| Water::sea(level, ground))
            }
            Ground::Rivers(rivers) => rivers.water(p),
        }
    }

    fn field(&self) -> &(dyn Field<2> + Send + Sync) {
        match &self.ground {
            Ground::Tree(tree) => tree,
            Ground::Rivers(rivers) => rivers,
        }
    }
}

at_positions!([] Landscape, 2);

impl Field<2> for Landscape {
    forward_field!(2, self => self.field());
}
