//! An edit: plain data.

use alloc::vec::Vec;

use crate::edits::anchor::Anchor;
use crate::edits::area::Area;
use crate::edits::operations::{
    Clear, Crater, Flatten, Flood, Hole, Operation, Paint, Path, Plant, PreparedEdit, Raise,
    Roughen, Smooth, Stamp, Terrace,
};
use crate::error::DataError;
use crate::limits::{Limit, Number, Parameters};
use crate::region::Region;

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
    /// Makes a crater.
    Crater(Crater),
    /// Cuts a hole.
    Hole(Hole),
    /// Builds a road, a dam, a canal or a ditch.
    Path(Path),
    /// Stamps a raster onto the ground.
    Stamp(Stamp),
    /// Smooths the ground: blends it with the base without its fine octaves.
    Smooth(Smooth),
    /// Paints a layer of cover.
    Paint(Paint),
    /// Floods the ground.
    Flood(Flood),
    /// Clears plants and rocks.
    Clear(Clear),
    /// Plants one plant or rock.
    Plant(Plant),
}

/// Declares what all operations have in common, listed by the field that is their anchor.
macro_rules! edits {
    ($($anchor:ident: $($name:ident)*;)*) => {
        $($(
            impl From<$name> for Edit {
                fn from(edit: $name) -> Self {
                    Self::$name(edit)
                }
            }

            impl $name {
                /// Checks the whole operation.
                pub(super) fn check(&self) -> Result<(), DataError> {
                    Anchor::check(&self.$anchor)?;
                    self.check_numbers()?;
                    self.check_rest()
                }
            }
        )*)*

        impl Edit {
            /// Checks every number against its limits, and the curve of a path against its reach.
            ///
            /// # Errors
            /// The first number outside its limits, with its path, or the place where a path is too
            /// sharp, too steep or too close to itself.
            pub fn check(&self) -> Result<(), DataError> {
                let (checked, name) = match self {
                    $($(Self::$name(edit) => (edit.check(), stringify!($name)),)*)*
                };
                checked.map_err(|e| e.under(name))
            }

            /// Its numbers with their limits, without those of its area, for a panel to edit.
            pub fn numbers(&mut self) -> (&'static [Limit], Vec<Number<'_>>) {
                match self {
                    $($(Self::$name(edit) => (<$name as Parameters>::LIMITS, edit.numbers()),)*)*
                }
            }

            /// The area of an operation that has one.
            pub fn area(&self) -> Option<&Area> {
                match self { $($(Self::$name(edit) => edit.$anchor.area(),)*)* }
            }

            /// The area of an operation that has one, to be changed.
            pub fn area_mut(&mut self) -> Option<&mut Area> {
                match self { $($(Self::$name(edit) => edit.$anchor.area_mut(),)*)* }
            }

            /// The positions (x, z) that place it, in metres: its centre, or the control points of
            /// a path.
            pub fn positions(&self) -> Vec<[f64; 2]> {
                match self { $($(Self::$name(edit) => edit.$anchor.positions(),)*)* }
            }

            /// Its [`positions`](Self::positions), to be moved.
            pub fn positions_mut(&mut self) -> Vec<[&mut f64; 2]> {
                match self { $($(Self::$name(edit) => edit.$anchor.positions_mut(),)*)* }
            }

            /// Prepares a checked edit for evaluation.
            pub(super) fn prepared(&self) -> PreparedEdit {
                match self { $($(Self::$name(edit) => PreparedEdit::$name(edit.prepared()),)*)* }
            }
        }
    };
}
edits! {
    area: Raise Flatten Roughen Terrace Hole Smooth Paint Flood Clear;
    center: Crater Stamp Plant;
    points: Path;
}

impl Edit {
    /// All ground that the edit changes is in this region.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn region(&self) -> Result<Region, DataError> {
        self.check()?;
        // A stamp takes long to prepare.
        if let Self::Stamp(stamp) = self {
            return Ok(stamp.region());
        }
        Ok(self.prepared().region())
    }

    /// Makes every negative zero positive: edits that are equal have the same bytes then.
    pub(super) fn clear_signs_of_zeros(&mut self) {
        let clear = |mut number: Number<'_>| number.set(number.get() + 0.0);
        let (_, numbers) = self.numbers();
        numbers.into_iter().for_each(clear);
        if let Some(area) = self.area_mut() {
            let numbers = match area {
                Area::Disc(disc) => disc.numbers(),
                Area::Rectangle(rectangle) => rectangle.numbers(),
            };
            numbers.into_iter().for_each(clear);
        }
        for x in self.positions_mut().into_iter().flatten() {
            *x += 0.0;
        }
        match self {
            Self::Path(path) => path.points.iter_mut().for_each(|[_, _, height]| *height += 0.0),
            Self::Stamp(stamp) => stamp.raster.clear_signs_of_zeros(),
            _ => {}
        }
    }
}
