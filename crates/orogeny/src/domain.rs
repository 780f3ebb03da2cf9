//! Transforms of the domain.

use crate::affine::Affine;
use crate::error::RecipeError;
use crate::limits::{Parameters, parameters};

/// A transform of positions: the field is sampled at the transformed position, and its gradient is taken with respect to the position before.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Transform<const N: usize> {
    /// Multiplies each coordinate by a factor, 1e-9 to 1e9 or its negative: a factor of 2 makes features half as large.
    Scale(
        #[cfg_attr(feature = "serde", serde(with = "serde_with::As::<[serde_with::Same; N]>"))]
        [f64; N],
    ),
    /// Turns the position.
    Rotate(Rotate),
    /// Adds to each coordinate, within +-1e15: features move the other way.
    Translate(
        #[cfg_attr(feature = "serde", serde(with = "serde_with::As::<[serde_with::Same; N]>"))]
        [f64; N],
    ),
}

parameters! {
    /// A rotation of positions, in two and three dimensions.
    ///
    /// In two dimensions it turns counter-clockwise from the first axis to the second: (x cos - z sin, x sin + z cos). In three it turns about
    /// `axis`, which need not have length 1, by the rule of the right hand; in others there is none.
    ///
    /// Slices of turned three-dimensional noise have no lattice planes, on which gradient noise is faint: the cure for animated slices that
    /// pulse (Andreas Jonsson, "Generating Perlin Noise", 2002).
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
    /// The map, and how much it stretches at most.
    pub(crate) fn build(&self) -> Result<(Affine<N>, f64), RecipeError> {
        match *self {
            Transform::Scale(factors) => {
                let wrong = |x: &f64| !(1e-9..=1e9).contains(&x.abs());
                if let Some(x) = factors.into_iter().find(wrong) {
                    let problem =
                        format!("is {x}, but must lie within 1e-9 and 1e9, or their negatives");
                    return Err(RecipeError::at("Scale", problem));
                }
                let norm = factors.iter().fold(0f64, |norm, x| norm.max(x.abs()));
                Ok((Affine::diagonal(factors, [0.0; N]), norm))
            }
            Transform::Rotate(rotate) => rotate.build().map_err(|e| e.under("Rotate")),
            Transform::Translate(offset) => {
                if let Some(x) = offset.into_iter().find(|x| !(-1e15..=1e15).contains(x)) {
                    let problem = format!("is {x}, but must lie within -1e15 and 1e15");
                    return Err(RecipeError::at("Translate", problem));
                }
                Ok((Affine::diagonal([1.0; N], offset), 1.0))
            }
        }
    }
}

impl Rotate {
    fn build<const N: usize>(&self) -> Result<(Affine<N>, f64), RecipeError> {
        self.check()?;
        if !(2..=3).contains(&N) {
            let problem = format!("exists in 2 and 3 dimensions, not in {N}");
            return Err(RecipeError::here(problem));
        }
        let length = self.axis.iter().map(|x| x * x).sum::<f64>();
        if !(1e-12..=1e12).contains(&length) {
            let problem = format!("is {:?}, but must be 1e-6 to 1e6 long", self.axis);
            return Err(RecipeError::at("axis", problem));
        }
        Ok((Affine::rotation(self.degrees, self.axis), 1.0))
    }
}
