//! Scatter against a naive oracle, and what it promises about places, edits and queries.

mod along_edits;
mod climate;
mod explain;
mod holes;
mod places;
mod planted;
mod queries;
mod tilings;

use alloc::sync::Arc;

use crate::cover::{Cover, CoverKind, CoverLayer};
use crate::edits::Edits;
use crate::scatter::{Instance, Placement, Scatter, ScatterKind};
use crate::{Appearance, Climate, Field, Landscape, Node, Recipe, Region};

/// The seed of the world.
const SEED: u64 = 9;

/// Kinds of several radii: trees, bushes and grass.
fn kinds() -> Vec<ScatterKind> {
    let kind = |seed, radius, density| ScatterKind {
        seed,
        radius,
        density,
        grass: 1.0,
        forest: 1.0,
        depth: ScatterKind::DEPTH.below(0.0),
        ..ScatterKind::default()
    };
    vec![kind(1, 3.0, 0.7), kind(2, 7.0, 1.0), kind(3, 1.5, 0.5), kind(4, 0.5, 1.0)]
}

fn scatter(kinds: Vec<ScatterKind>) -> Scatter {
    Scatter { kinds, ..Scatter::default() }
}

/// A scatter over level ground that is covered with grass.
fn on_level_ground(scatter: &Scatter) -> Placement {
    on(scatter, Node::<2>::Constant(5.0).build().unwrap())
}

fn on(scatter: &Scatter, field: impl Field<2> + Send + Sync + 'static) -> Placement {
    in_climate(scatter, field, Climate::default())
}

fn in_climate(
    scatter: &Scatter,
    field: impl Field<2> + Send + Sync + 'static,
    climate: Climate,
) -> Placement {
    standing_on(field, Appearance { scatter: scatter.clone(), climate, ..grassland() })
}

fn grassland() -> Appearance {
    let cover = Cover { layers: vec![CoverLayer::of(CoverKind::Grass)] };
    Appearance { cover, ..Appearance::default() }
}

/// What stands on the ground of a field.
fn standing_on(field: impl Field<2> + Send + Sync + 'static, appearance: Appearance) -> Placement {
    Placement::clone(Landscape::new(Arc::new(field), &appearance, SEED).unwrap().placement())
}

/// What stands on the ground of a recipe with edits.
fn placed(recipe: &Recipe, edits: Edits) -> Placement {
    Placement::clone(recipe.build().unwrap().with_edits(edits).placement())
}

/// A recipe with hills, rivers, a sea and patches of forest.
pub fn rivers() -> Recipe {
    let hills = Node::<2>::noise(3).fbm(5).frequency(1.0 / 2500.0).amplitude(120.0) + 30.0;
    let mut recipe = Recipe::new(5, 1.0, hills);
    recipe.rivers = Some(crate::drainage::Drainage { spacing: 1600.0, ..Default::default() });
    recipe.sea_level = Some(0.0);
    recipe.scatter = scatter(kinds());
    recipe.scatter.kinds[0].coverage = 0.6;
    recipe.scatter.kinds[1].temperature.min = 10.0;
    recipe.climate = Climate { sunny_side: 3.0, warm_patches: 2.0, ..Climate::default() };
    recipe
}

/// A square region around the diagonal.
fn square(min: f64, max: f64) -> Region {
    Region { min: [min; 2], max: [max; 2] }
}

fn distance(p: [f64; 2], q: [f64; 2]) -> f64 {
    (p[0] - q[0]).hypot(p[1] - q[1])
}

fn sorted(mut list: Vec<Instance>) -> Vec<Instance> {
    list.sort_by_key(|instance| instance.id);
    list
}
