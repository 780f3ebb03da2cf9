//! An edit: plain data, with an anchor that says where it is.

use alloc::format;
use alloc::vec::Vec;

use crate::arrays::Each;
use crate::edits::area::Area;
use crate::edits::operations::{
    Clear, Crater, Flatten, Flood, Hole, Operation, Paint, Path, Plant, PreparedEdit, Raise,
    Roughen, Smooth, Stamp, Terrace,
};
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::{Limit, Number, PATH_HEIGHT, PATH_POINTS, PATH_STEP, POSITION, Parameters};
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

/// The field of an edit that says where it is.
trait Anchor {
    /// Checks its numbers against their limits. Errors name the field.
    fn check(&self) -> Result<(), DataError>;

    /// The area, if it is one.
    fn area(&self) -> Option<&Area> {
        None
    }

    /// The area, to be changed.
    fn area_mut(&mut self) -> Option<&mut Area> {
        None
    }

    /// Its positions (x, z) in metres.
    fn positions(&self) -> Vec<[f64; 2]>;

    /// Its positions, to be moved.
    fn positions_mut(&mut self) -> Vec<[&mut f64; 2]>;
}

impl Anchor for Area {
    fn check(&self) -> Result<(), DataError> {
        let (center, numbers, name) = match self {
            Self::Disc(disc) => (disc.center, disc.check_numbers(), "Disc"),
            Self::Rectangle(own) => (own.center, own.check_numbers(), "Rectangle"),
        };
        let checked = center.check().and_then(|()| Ok(numbers?));
        checked.map_err(|e| e.under(name).under("area"))
    }

    fn area(&self) -> Option<&Area> {
        Some(self)
    }

    fn area_mut(&mut self) -> Option<&mut Area> {
        Some(self)
    }

    fn positions(&self) -> Vec<[f64; 2]> {
        self.center().positions()
    }

    fn positions_mut(&mut self) -> Vec<[&mut f64; 2]> {
        self.center_mut().positions_mut()
    }
}

/// A centre.
impl Anchor for [f64; 2] {
    fn check(&self) -> Result<(), DataError> {
        for (k, x) in self.iter().enumerate() {
            POSITION.check(*x).map_err(|e| DataError::at(format!("center[{k}]"), e))?;
        }
        Ok(())
    }

    fn positions(&self) -> Vec<[f64; 2]> {
        vec![*self]
    }

    fn positions_mut(&mut self) -> Vec<[&mut f64; 2]> {
        vec![self.each_mut()]
    }
}

/// The control points (x, z, height) of a path.
impl Anchor for Vec<[f64; 3]> {
    fn check(&self) -> Result<(), DataError> {
        let wrong = |i: usize| move |e| DataError::at(format!("points[{i}]"), e);
        PATH_POINTS.check(self.len() as f64).map_err(|e| DataError::at("points", e))?;
        for (i, &[x, z, height]) in self.iter().enumerate() {
            let position = POSITION.check(x).and(POSITION.check(z));
            position.and(PATH_HEIGHT.check(height)).map_err(wrong(i))?;
        }
        for (i, pair) in self.windows(2).enumerate() {
            let [x, z] = [0, 1].each(|k| pair[1][k] - pair[0][k]);
            PATH_STEP.check((x * x + z * z).sqrt()).map_err(wrong(i))?;
        }
        Ok(())
    }

    fn positions(&self) -> Vec<[f64; 2]> {
        self.iter().map(|&[x, z, _]| [x, z]).collect()
    }

    fn positions_mut(&mut self) -> Vec<[&mut f64; 2]> {
        self.iter_mut().map(|[x, z, _]| [x, z]).collect()
    }
}
