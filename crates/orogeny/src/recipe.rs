//! Recipes: terrain as data.

use crate::fbm::Fbm;
use crate::field::Field;
use crate::grid::{Grid, Samples};
use crate::hash::derive;
use crate::limits::{self, OutOfLimits};
use crate::sample::Sample;

/// The deepest tree of [`Node`]s that a recipe may hold.
pub const MAX_DEPTH: usize = 16;
/// The largest number of [`Node`]s that a recipe may hold.
pub const MAX_NODES: usize = 64;

/// A description of terrain: what a preset file holds.
///
/// Height in metres at (x, z) in metres = `height` * `field`(x, z). A recipe is plain data and may hold anything;
/// [`build`](Self::build) validates it and gives the field.
///
/// ```
/// use orogeny::{Fbm, Field, Node, Recipe};
///
/// let recipe = Recipe {
///     seed: 7,
///     height: 300.0,
///     field: Node::Fbm(Fbm { frequency: 1.0 / 2000.0, ..Fbm::default() }),
/// };
/// let terrain = recipe.build()?;
/// let height_in_metres = terrain.value([0.0, 0.0]);
/// assert!(height_in_metres.abs() < terrain.max_abs());
///
/// let wrong = Recipe { field: Node::Fbm(Fbm { octaves: 0, ..Fbm::default() }), ..recipe };
/// assert_eq!(wrong.build().unwrap_err().path, "field.Fbm.octaves");
/// # Ok::<(), orogeny::RecipeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Recipe {
    /// Chooses the world. It is mixed into the seed of every noise in the tree.
    #[cfg_attr(feature = "serde", serde(default))]
    pub seed: u64,
    /// Metres per unit of the field, 0 to 1e5.
    #[cfg_attr(feature = "serde", serde(default = "one"))]
    pub height: f32,
    /// The shape of the terrain.
    pub field: Node,
}

#[cfg(feature = "serde")]
fn one() -> f32 {
    1.0
}

/// A field of two dimensions, as a tree.
///
/// Noises of one tree with the same seed and parameters are the same noise: multiplying one with itself squares it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Node {
    /// The same value everywhere, -1e6 to 1e6.
    Constant(f32),
    /// Fractional Brownian motion.
    Fbm(Fbm),
    /// The sum of fields.
    Add(Vec<Node>),
    /// The product of fields.
    Multiply(Vec<Node>),
}

/// What is wrong with a recipe, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct RecipeError {
    /// The place in the tree, such as `field.Add[1].Fbm.octaves`.
    pub path: String,
    /// What is wrong there, with the limit that is not kept.
    pub problem: String,
}

impl RecipeError {
    fn new(path: impl Into<String>, problem: impl ToString) -> Self {
        Self { path: path.into(), problem: problem.to_string() }
    }

    fn limit(path: &str, error: OutOfLimits) -> Self {
        Self::new(format!("{path}.{}", error.limit.name), error)
    }
}

/// A validated [`Recipe`], ready to be evaluated: height in metres over (x, z) in metres, with its slopes.
///
/// Domain: positions whose product with the highest frequency in the tree stays below [`MAX_CELL`](crate::MAX_CELL).
#[derive(Clone, Debug, PartialEq)]
pub struct RecipeField {
    root: Node,
    height: f32,
    max_abs: f32,
}

impl RecipeField {
    /// A proven bound: no height is farther from zero than this, in metres.
    pub fn max_abs(&self) -> f32 {
        self.max_abs
    }
}

impl Field<2> for RecipeField {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        self.root.sample(p) * self.height
    }

    fn fill(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        self.root.fill(grid, out);
        out.update(|_, sample| sample * self.height);
    }
}

impl Recipe {
    /// Validates the recipe and makes the field that it describes.
    ///
    /// # Errors
    /// The first number outside its [limits], an empty `Add` or `Multiply`, a tree deeper than
    /// [`MAX_DEPTH`] or larger than [`MAX_NODES`], heights that could exceed [`limits::MAX_HEIGHT`].
    pub fn build(&self) -> Result<RecipeField, RecipeError> {
        limits::HEIGHT.check(self.height.into()).map_err(|e| RecipeError::new("height", e))?;
        let mut nodes = 0;
        self.field.validate("field", 1, &mut nodes)?;
        // A little more than the exact bound, for the rounding of the sums.
        let max_abs = self.height * self.field.max_abs() * 1.0001;
        limits::MAX_HEIGHT.check(max_abs.into()).map_err(|e| RecipeError::new("field", e))?;
        let mut root = self.field.clone();
        root.mix_seed(self.seed);
        Ok(RecipeField { root, height: self.height, max_abs })
    }

    /// Reads a recipe from RON text and validates it.
    ///
    /// # Errors
    /// A syntax error with its line and column; an unknown or missing field or a wrong type with its path;
    /// and all that [`build`](Self::build) refuses.
    #[cfg(feature = "ron")]
    pub fn from_ron(text: &str) -> Result<Self, RecipeError> {
        let options = ron_options();
        let mut deserializer = ron::Deserializer::from_str_with_options(text, &options)
            .map_err(|e| RecipeError::new("recipe", e))?;
        let recipe: Self =
            serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
                let path = error.path().to_string();
                let position = deserializer.span_error(error.into_inner());
                RecipeError::new(if path == "." { "recipe".into() } else { path }, position)
            })?;
        deserializer.end().map_err(|e| RecipeError::new("recipe", deserializer.span_error(e)))?;
        recipe.build()?;
        Ok(recipe)
    }

    /// Writes the recipe as RON text that [`from_ron`](Self::from_ron) reads back unchanged.
    ///
    /// # Errors
    /// None is known; the serialiser's own are passed on.
    #[cfg(feature = "ron")]
    pub fn to_ron(&self) -> Result<String, RecipeError> {
        ron_options()
            .to_string_pretty(self, ron::ser::PrettyConfig::new())
            .map_err(|e| RecipeError::new("recipe", e))
    }
}

/// `Fbm(octaves: 8)` rather than `Fbm((octaves: 8))`.
#[cfg(feature = "ron")]
fn ron_options() -> ron::Options {
    ron::Options::default()
        .with_default_extension(ron::extensions::Extensions::UNWRAP_VARIANT_NEWTYPES)
}

impl Node {
    fn validate(&self, path: &str, depth: usize, nodes: &mut usize) -> Result<(), RecipeError> {
        *nodes += 1;
        if depth > MAX_DEPTH {
            let problem = format!("the tree is deeper than {MAX_DEPTH} levels");
            return Err(RecipeError::new(path, problem));
        }
        if *nodes > MAX_NODES {
            let problem = format!("the tree has more than {MAX_NODES} nodes");
            return Err(RecipeError::new(path, problem));
        }
        match self {
            Node::Constant(value) => limits::CONSTANT
                .check((*value).into())
                .map_err(|e| RecipeError::new(format!("{path}.Constant"), e)),
            Node::Fbm(fbm) => {
                fbm.validate().map_err(|e| RecipeError::limit(&format!("{path}.Fbm"), e))
            }
            Node::Add(children) => validate_all(children, &format!("{path}.Add"), depth, nodes),
            Node::Multiply(children) => {
                validate_all(children, &format!("{path}.Multiply"), depth, nodes)
            }
        }
    }

    /// Mixes the seed of the recipe into those of the tree.
    fn mix_seed(&mut self, seed: u64) {
        match self {
            Node::Constant(_) => {}
            Node::Fbm(fbm) => fbm.seed = derive(seed, fbm.seed),
            Node::Add(children) | Node::Multiply(children) => {
                children.iter_mut().for_each(|child| child.mix_seed(seed));
            }
        }
    }

    /// A bound on the absolute value, by the triangle inequality.
    fn max_abs(&self) -> f32 {
        match self {
            Node::Constant(value) => value.abs(),
            Node::Fbm(fbm) => fbm.max_abs::<2>(),
            Node::Add(children) => children.iter().map(Node::max_abs).sum(),
            Node::Multiply(children) => children.iter().map(Node::max_abs).product(),
        }
    }
}

fn validate_all(
    children: &[Node],
    path: &str,
    depth: usize,
    nodes: &mut usize,
) -> Result<(), RecipeError> {
    if children.is_empty() {
        return Err(RecipeError::new(path, "must hold at least one field"));
    }
    for (i, child) in children.iter().enumerate() {
        child.validate(&format!("{path}[{i}]"), depth + 1, nodes)?;
    }
    Ok(())
}

impl Field<2> for Node {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        match self {
            Node::Constant(value) => Sample::constant(*value),
            Node::Fbm(fbm) => fbm.sample(p),
            Node::Add(children) => join_at(children, p, |a, b| a + b),
            Node::Multiply(children) => join_at(children, p, |a, b| a * b),
        }
    }

    fn fill(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        match self {
            Node::Constant(value) => out.write(grid.indices().map(|_| Sample::constant(*value))),
            Node::Fbm(fbm) => fbm.fill(grid, out),
            Node::Add(children) => join_on(children, grid, out, |a, b| a + b),
            Node::Multiply(children) => join_on(children, grid, out, |a, b| a * b),
        }
    }
}

/// Joins the samples of all children at a point, from left to right.
fn join_at(
    children: &[Node],
    p: [f64; 2],
    join: impl Fn(Sample<2>, Sample<2>) -> Sample<2>,
) -> Sample<2> {
    children.iter().map(|child| child.sample(p)).reduce(join).unwrap_or_default()
}

/// The same on a grid.
fn join_on(
    children: &[Node],
    grid: &Grid<2>,
    out: &mut Samples<2>,
    join: impl Fn(Sample<2>, Sample<2>) -> Sample<2> + Copy,
) {
    let Some((first, rest)) = children.split_first() else {
        return Node::Constant(0.0).fill(grid, out);
    };
    first.fill(grid, out);
    for child in rest {
        out.combine(|other| child.fill(grid, other), join);
    }
}
