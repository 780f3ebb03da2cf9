//! What says where an edit is: an area, a centre, or the points of a path.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use crate::edits::area::Area;
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::{PATH_HEIGHT, PATH_POINTS, PATH_STEP, POSITION, Parameters};

/// The field of an edit that says where it is.
pub(super) trait Anchor {
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
            let [x, z] = [0, 1].map(|k| pair[1][k] - pair[0][k]);
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
