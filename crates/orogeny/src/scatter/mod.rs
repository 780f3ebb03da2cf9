//! Scatter: trees, bushes, grass, rocks and other things on the ground, as a function of position.
//!
//! A [`Scatter`] is plain data: kinds of things, each with the places where it stands.
//! [`Placement`] is the scatter over a ground. Its instances depend on position alone: they are the
//! same for any region that is asked for, in any order, on any thread and machine.
//!
//! The plane is divided into cells as wide as the radius of a kind. Each cell has one candidate, at
//! a hashed position with a hashed priority. A candidate is kept if no other one of its kind within
//! the radius has a higher priority (Matérn's second hard-core process: B. Matérn, "Spatial
//! variation", 1960). Some 35 % are kept; they are then thinned to the density of the kind at their
//! position. Kinds are placed in the order of the list, and each keeps its distance from those
//! before it.
//!
//! kind.rs has what a kind is, ground.rs what covers a ground and what instances stand on; site.rs
//! evaluates it on a lattice. prepared_kind.rs is a kind in a world, criteria.rs what its density
//! is a product of, and prospects.rs on which ground it cannot grow. candidates.rs hashes, and
//! thinning.rs decides which candidates stay. squares.rs tells what to look for and where;
//! placement.rs, queries.rs, rays.rs and densities.rs answer. explanation.rs is why a kind grows
//! somewhere or does not, as data and as sentences. Start with [`Scatter`].

pub(crate) mod candidates;
mod criteria;
mod densities;
mod explanation;
pub(crate) mod ground;
mod kind;
mod placement;
mod prepared_kind;
mod prospects;
mod queries;
mod rays;
mod site;
mod squares;
mod thinning;

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

pub use explanation::{Cause, CoverShare, Explanation, Factor, Measured, Quantity};
pub use kind::{Model, ScatterKind};
pub use placement::{Instance, InstanceId, Placement};
pub use rays::{MAX_RAY, RayHit};

pub use crate::kind_id::KindId;

use crate::error::DataError;
#[cfg(feature = "serde")]
use crate::limits::at_most;
use crate::limits::{Parameters, parameters};

parameters! {
    /// What stands on the ground.
    ///
    /// ```
    /// use orogeny::scatter::{Model, Scatter, ScatterKind};
    ///
    /// let model = Model::Spruce;
    /// let spruce = ScatterKind { model, seed: 1, forest: 1.0, ..Default::default() };
    /// let scatter = Scatter { kinds: vec![spruce.clone()], ..Scatter::default() };
    /// assert!(scatter.check().is_ok());
    ///
    /// // Seeds tell kinds apart.
    /// let twice = Scatter { kinds: vec![spruce.clone(), spruce], ..Scatter::default() };
    /// assert_eq!(twice.check().unwrap_err().path, "scatter.kinds[1].seed");
    /// ```
    pub struct Scatter {
        /// The kinds in order of placement, at most [`MAX_KINDS`](Self::MAX_KINDS). Each keeps its
        /// distance from those before it, so list trees first and grass last.
        #[cfg_attr(
            feature = "serde",
            serde(deserialize_with = "at_most::<{ Scatter::MAX_KINDS }, _, _>")
        )]
        kinds: Vec<ScatterKind> = Vec::new(),
    }
    numbers {
        /// Multiplies the density of all kinds. 0 removes all of them.
        density: f32 = 1 "", 0 to 1;
    }
}

impl Scatter {
    /// The maximum number of kinds.
    pub const MAX_KINDS: usize = 32;

    /// Checks the number of kinds, the limits of each, and that no two have the same seed.
    ///
    /// # Errors
    /// The first fault, with its path, such as `scatter.kinds[2].radius`.
    pub fn check(&self) -> Result<(), DataError> {
        self.check_kinds().map_err(|error| error.under("scatter"))
    }

    fn check_kinds(&self) -> Result<(), DataError> {
        self.check_numbers()?;
        let (count, max) = (self.kinds.len(), Self::MAX_KINDS);
        if count > max {
            let problem = format!("has {count} kinds, but must have at most {max}");
            return Err(DataError::at("kinds", problem));
        }
        let mut seeds = BTreeSet::new();
        for (i, kind) in self.kinds.iter().enumerate() {
            let under = |error: DataError| error.under(&format!("kinds[{i}]"));
            kind.check().map_err(under)?;
            if !seeds.insert(kind.seed) {
                let problem = format!("is {}, which an earlier kind has", kind.seed);
                return Err(under(DataError::at("seed", problem)));
            }
        }
        Ok(())
    }
}
