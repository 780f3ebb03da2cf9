//! Transforms of the domain.

use crate::derivative::bounds::hull;
use crate::error::RecipeError;
use crate::limits::{self, Parameters, parameters};
use crate::node::ops::affine::Affine;

/// A transform of positions: the field is sampled at the transformed position, and its gradient is
/// taken with respect to the position before.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr))]
pub enum Transform<const N: usize> {
    /// Multiplies each coordinate by a factor, 1e-9 to 1e9 or its negative: a factor of 2 makes
    /// features half as large. `Scale(2.0, 2.0)` in RON.
    Scale(
        #[cfg_attr(feature = "serde", serde(with = "serde_with::As::<[serde_with::Same; N]>"))]
        [f64; N],
    ),
    /// Turns the position.
    Rotate(Rotate),
    /// Adds to each coordinate, within +-1e15: features move the other way. `Translate(100.0, 0.0)`
    /// in RON.
    Translate(
        #[cfg_attr(feature = "serde", serde(with = "serde_with::As::<[serde_with::Same; N]>"))]
        [f64; N],
    ),
}

parameters! {
    /// A rotation of positions, in two and three dimensions.
    ///
    /// In two dimensions it turns counter-clockwise from the first axis to the second: (x cos - z
    /// sin, x sin + z cos). In three it turns about `axis`, which need not have length 1, by the
    /// rule of the right hand; in others there is none.
    ///
    /// Slices of turned three-dimensional noise have no lattice planes, on which gradient noise is
    /// faint: the cure for animated slices that pulse (Andreas Jonsson, "Generating Perlin
    /// Noise", 2002).
    #[derive(Copy)]
    pub struct Rotate {
        /// The axis in three dimensions.
        axis: [f64; 3] = [1.0; 3],
    }
    numbers {
        /// The angle.
        degrees: f64 = 0 "degrees", -360 to 360;
    }
}

impl<const N: usize> Transform<N> {
    /// The map, and how much it stretches distances at least and at most.
    pub(crate) fn build(&self) -> Result<(Affine<N>, [f64; 2]), RecipeError> {
        match *self {
            Transform::Scale(factors) => {
                for (k, x) in factors.into_iter().enumerate() {
                    let wrong = |e| RecipeError::at(format!("Scale[{k}]"), e);
                    limits::SCALE.check(x.abs()).map_err(wrong)?;
                }
                Ok((Affine::diagonal(factors, [0.0; N]), hull(factors.map(f64::abs))))
            }
            Transform::Rotate(rotate) => rotate.build().map_err(|e| e.under("Rotate")),
            Transform::Translate(offset) => {
                for (k, x) in offset.into_iter().enumerate() {
                    let wrong = |e| RecipeError::at(format!("Translate[{k}]"), e);
                    limits::TRANSLATE.check(x).map_err(wrong)?;
                }
                Ok((Affine::diagonal([1.0; N], offset), [1.0; 2]))
            }
        }
    }
}

impl Rotate {
    fn build<const N: usize>(&self) -> Result<(Affine<N>, [f64; 2]), RecipeError> {
        self.check()?;
        if !(2..=3).contains(&N) {
            let problem = format!("exists in 2 and 3 dimensions, not in {N}");
            return Err(RecipeError::here(problem));
        }
        let length = self.axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        limits::AXIS_LENGTH.check(length).map_err(|e| RecipeError::at("axis", e))?;
        Ok((Affine::rotation(self.degrees, self.axis), [1.0; 2]))
    }
}
