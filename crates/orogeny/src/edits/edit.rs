//! An edit: plain data.

use crate::edits::operations::{
    Apply, Crater, Flatten, Hole, Operation, Paint, Path, Prepared, Raise, Roughen, Smooth, Stamp,
    Terrace,
};
use crate::edits::region::Region;
use crate::error::RecipeError;

/// A local change of the ground.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum Edit {
    /// Raises or lowers the ground.
    Raise(Raise),
    /// Blends the ground with a plane.
    Flatten(Flatten),
    /// Adds noise.
    Roughen(Roughen),
    /// Cuts terraces.
    Terrace(Terrace),
    /// Blows a crater.
    Crater(Crater),
    /// Takes the ground away.
    Hole(Hole),
    /// Builds a road, a dam, a canal or a ditch.
    Path(Path),
    /// Stamps a raster onto the ground.
    Stamp(Stamp),
    /// Blends the ground with the base without its fine octaves.
    Smooth(Smooth),
    /// Paints a layer of cover.
    Paint(Paint),
}

/// Declares the conversions, and what each operation provides.
macro_rules! edits {
    ($($name:ident),*) => {
        $(
            impl From<$name> for Edit {
                fn from(edit: $name) -> Self {
                    Self::$name(edit)
                }
            }
        )*

        impl Edit {
            /// Checks every number against its limits, and the curve of a path against its reach.
            ///
            /// # Errors
            /// The first number outside its limits, with its path, or the place where a path is too
            /// sharp, too steep or too near to itself.
            pub fn check(&self) -> Result<(), RecipeError> {
                let (checked, name) = match self {
                    $(Self::$name(edit) => (edit.check_all(), stringify!($name)),)*
                };
                checked.map_err(|e| e.under(name))
            }

            /// Prepares a checked edit for evaluation.
            pub(super) fn prepared(&self) -> Prepared {
                match self { $(Self::$name(edit) => edit.prepared(),)* }
            }
        }
    };
}
edits!(Raise, Flatten, Roughen, Terrace, Crater, Hole, Path, Stamp, Smooth, Paint);

impl Edit {
    /// All ground that the edit changes is in this region.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn region(&self) -> Result<Region, RecipeError> {
        self.check()?;
        Ok(self.prepared().region())
    }
}
