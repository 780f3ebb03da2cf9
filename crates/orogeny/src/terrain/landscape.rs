//! The ground of a recipe.

use crate::drainage::{RiverGround, Water};
use crate::field::{Field, at_positions, forward_field};
use crate::node::tree::Tree;
use crate::position::Position;

/// The ground of a recipe: the result of [`Recipe::build`](crate::Recipe::build).
///
/// It is a field, height in metres over (x, z) in metres, and knows the water on it. A clone shares
/// everything.
#[derive(Clone, Debug)]
pub struct Landscape {
    ground: Ground,
    sea_level: Option<f32>,
}

#[derive(Clone, Debug)]
enum Ground {
    Tree(Tree<2>),
    Rivers(RiverGround),
}

impl Landscape {
    /// Ground without rivers.
    pub(super) fn plain(tree: Tree<2>, sea_level: Option<f32>) -> Self {
        Self { ground: Ground::Tree(tree), sea_level }
    }

    /// Ground with rivers.
    pub(super) fn with_rivers(rivers: RiverGround, sea_level: Option<f32>) -> Self {
        let rivers = sea_level.map_or(rivers.clone(), |level| rivers.with_sea(level));
        Self { ground: Ground::Rivers(rivers), sea_level }
    }

    /// The ground with its rivers, if the recipe has any.
    pub fn rivers(&self) -> Option<&RiverGround> {
        match &self.ground {
            Ground::Tree(_) => None,
            Ground::Rivers(rivers) => Some(rivers),
        }
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
                (ground < level).then(|| Water::sea(level, ground))
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
