//! Transforms of the domain: a field sampled at scaled, rotated and translated positions.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::slice;

use crate::arrays::Each;
use crate::derivative::affine::Affine;
use crate::derivative::bounds::{Bounds, hull};
use crate::derivative::chain_rule::Differentiated;
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::{self, Limit, Number, Parameters, parameters};
use crate::node::compile::Builder;
use crate::node::interpolation_error::Interpolated;
use crate::node::ops::{Op, Operator};
use crate::node::{Node, numbers_of};
use crate::samples::Buffer;
use crate::samples::positions::Positions;

/// A transform of positions. The field is sampled at the transformed position; its gradient is with
/// respect to the original one.
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
    /// Rotates the position.
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
    /// In two dimensions it rotates counter-clockwise from the first axis to the second: (x cos - z
    /// sin, x sin + z cos). In three it rotates around `axis`, which need not have length 1, by the
    /// right-hand rule. Other dimensions have no rotation.
    ///
    /// Axis-aligned slices of rotated three-dimensional noise do not coincide with lattice planes,
    /// on which gradient noise is weak. So animated slices do not pulse (Andreas Jonsson,
    /// "Generating Perlin Noise", 2002).
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
    /// The map, and the minimum and maximum factor by which it scales distances.
    fn build(&self) -> Result<(Affine<N>, [f64; 2]), DataError> {
        match *self {
            Transform::Scale(factors) => {
                for (k, x) in factors.into_iter().enumerate() {
                    let wrong = |e| DataError::at(format!("Scale[{k}]"), e);
                    limits::SCALE.check(x.abs()).map_err(wrong)?;
                }
                Ok((Affine::diagonal(factors, [0.0; N]), hull(factors.each(f64::abs))))
            }
            Transform::Rotate(rotate) => rotate.build().map_err(|e| e.under("Rotate")),
            Transform::Translate(offset) => {
                for (k, x) in offset.into_iter().enumerate() {
                    let wrong = |e| DataError::at(format!("Translate[{k}]"), e);
                    limits::TRANSLATE.check(x).map_err(wrong)?;
                }
                Ok((Affine::diagonal([1.0; N], offset), [1.0; 2]))
            }
        }
    }
}

impl<const N: usize> Transform<N> {
    /// Its numbers with their limits.
    pub(crate) fn numbers(&mut self) -> Vec<(&'static Limit, Number<'_>)> {
        match self {
            Transform::Rotate(rotate) => numbers_of(rotate),
            Transform::Scale(_) | Transform::Translate(_) => Vec::new(),
        }
    }
}

impl Rotate {
    fn build<const N: usize>(&self) -> Result<(Affine<N>, [f64; 2]), DataError> {
        self.check_numbers()?;
        if !(2..=3).contains(&N) {
            let problem = format!("exists in 2 and 3 dimensions, not in {N}");
            return Err(DataError::here(problem));
        }
        let length = self.axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        limits::AXIS_LENGTH.check(length).map_err(|e| DataError::at("axis", e))?;
        Ok((Affine::rotation(self.degrees, self.axis), [1.0; 2]))
    }
}

/// A field sampled at positions mapped by all transforms.
#[derive(Clone, Debug)]
pub(crate) struct Transformed<const N: usize> {
    field: Box<Op<N>>,
    map: Affine<N>,
}

impl<const N: usize> Transformed<N> {
    pub fn build(
        builder: &mut Builder<'_>,
        field: &Node<N>,
        by: &[Transform<N>],
    ) -> Result<Op<N>, DataError> {
        builder.count(by.len()).map_err(|e| e.under("Domain.by"))?;
        let outside = builder.frame;
        let mut map = Affine::diagonal([1.0; N], [0.0; N]);
        for (i, transform) in by.iter().enumerate() {
            let step = transform.build().and_then(|(next, stretch)| {
                builder.frame = builder.frame.then(stretch, next.shift())?;
                Ok(next)
            });
            map = map.then(&step.map_err(|e| e.under(&format!("Domain.by[{i}]")))?);
        }
        let field = builder.node(field).map_err(|e| e.under("Domain.field"))?;
        builder.frame = outside;
        Ok(Self { field: Box::new(field), map }.into())
    }
}

impl<const N: usize> Operator<N> for Transformed<N> {
    fn operands(&self) -> &[Op<N>] {
        slice::from_ref(&*self.field)
    }

    fn at<T: Differentiated<N>>(&self, p: [f64; N]) -> T {
        self.map.pull_back(self.field.at(self.map.apply(p)))
    }

    fn evaluate<B: Buffer<N>>(&self, positions: Positions<N>, out: &mut B) {
        out.with_spares(1, |out, spares| {
            let spare = &mut spares[0];
            let evaluate = |positions: Positions<N>, out: &mut B| {
                self.field.evaluate(positions, out);
            };
            match positions {
                Positions::Grid(axes) if self.map.keeps_axes() => {
                    let along =
                        |k: usize| axes[k].list().iter().map(move |&x| self.map.along(k, x));
                    spare.evaluate_grid(|k, list| list.extend(along(k)), evaluate);
                }
                _ => spare.evaluate_moved(positions, |_, p| self.map.apply(p), evaluate),
            }
            out.swap(spare);
            out.update(|found| self.map.pull_back(found));
        });
    }

    fn bounds(&self) -> Bounds {
        self.field.bounds().stretched(self.map.norm())
    }

    fn local_bounds(&self, p: [f64; N], radius: f64) -> Option<Bounds> {
        let field = self.field.local_bounds(self.map.apply(p), self.map.reach(p, radius))?;
        Some(field.stretched(self.map.norm()))
    }

    fn interpolated(&self, radius: f64) -> Interpolated {
        let norm = self.map.norm();
        let inner = self.field.interpolated(radius * norm);
        let outer = Interpolated { radius, ..inner };
        outer.with(inner.bounds.stretched(norm), inner.error, inner.swing)
    }

    fn band_limited(&self, spacing: f64) -> Self {
        let field = self.field.band_limited(spacing * self.map.norm());
        Self { field: Box::new(field), map: self.map }
    }

    fn smoothed(&self, wavelength: f64) -> Op<N> {
        let field = self.field.smoothed(wavelength * self.map.norm());
        Self { field: Box::new(field), map: self.map }.into()
    }
}
