//! Fields that replace each other along others, such as lands in a climate.
//!
//! [`Piece`] is one of them with its [`Band`]s, and [`Blend`] the operator.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

use crate::arrays;
use crate::band::Band;
use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::{Differentiated, lerp, lerp_bounds};
use crate::derivative::elementary::Shaped;
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
#[cfg(feature = "serde")]
use crate::limits::at_most;
use crate::node::Node;
use crate::node::compile::Builder;
use crate::node::interpolation_error::Interpolated;
use crate::node::local_bounds::rounded;
use crate::node::ops::remap::{Function, remapped};
use crate::node::ops::{Op, Operator, all_band_limited, all_smoothed};
use crate::samples::Buffer;
use crate::samples::positions::Positions;

/// The maximum number of fields that decide in a [`Node::Blend`].
pub const MAX_ALONG: usize = 4;

/// A field of a [`Node::Blend`], and where it lies.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Piece<const N: usize> {
    /// One band for each field that decides, in their order; the last ones may be left out. The
    /// opacity of the piece is the product of theirs. The first piece lies everywhere and has none.
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "at_most::<MAX_ALONG, _, _>"))]
    pub within: Vec<Band>,
    /// The field.
    pub field: Box<Node<N>>,
}

impl<const N: usize> Piece<N> {
    /// A field within bands, none for the first piece.
    pub fn new(within: impl Into<Vec<Band>>, field: impl Into<Node<N>>) -> Self {
        Self { within: within.into(), field: Box::new(field.into()) }
    }
}

/// A blend, prepared for evaluation.
#[derive(Clone, Debug)]
pub(crate) struct Blend<const N: usize> {
    /// The fields that decide, and then the pieces.
    operands: Vec<Op<N>>,
    along: usize,
    /// Of each piece.
    bands: Vec<Vec<Band>>,
}

impl<const N: usize> Blend<N> {
    pub fn build(
        builder: &mut Builder<'_>,
        along: &[Node<N>],
        of: &[Piece<N>],
    ) -> Result<Op<N>, DataError> {
        if along.len() > MAX_ALONG {
            let problem =
                format!("must hold at most {MAX_ALONG} fields, but holds {}", along.len());
            return Err(DataError::at("Blend.along", problem));
        }
        let along = builder.list(along, "Blend.along")?;
        if of.is_empty() {
            return Err(DataError::at("Blend.of", "must hold at least one field"));
        }
        let mut pieces = Vec::new();
        for (i, piece) in of.iter().enumerate() {
            let here = |e: DataError| e.under(&format!("Blend.of[{i}]"));
            check_bands(&piece.within, along.len(), i == 0).map_err(here)?;
            let field = builder.node(&piece.field).map_err(|e| here(e.under("field")))?;
            pieces.push((piece.within.clone(), field));
        }
        Ok(Self::new(along, pieces).into())
    }

    /// Pieces with their bands along fields. The first one has none.
    pub fn new(along: Vec<Op<N>>, pieces: Vec<(Vec<Band>, Op<N>)>) -> Self {
        let (count, mut operands) = (along.len(), along);
        let (bands, fields): (Vec<_>, Vec<_>) = pieces.into_iter().unzip();
        operands.extend(fields);
        Self { operands, along: count, bands }
    }

    fn along(&self) -> &[Op<N>] {
        &self.operands[..self.along]
    }

    /// The opacity of a piece, given the fields that decide.
    fn opacity<T: Differentiated<N>>(&self, piece: usize, along: &[T]) -> T {
        let bands = self.bands[piece].iter().zip(along);
        bands.fold(T::constant(1.0), |opacity, (band, &x)| opacity * band.apply(x))
    }

    /// Bounds of the opacity of a piece, given those of the fields that decide.
    fn opacity_bounds(&self, piece: usize, along: &[Bounds]) -> Bounds {
        let bands = self.bands[piece].iter().zip(along);
        bands.fold(Bounds::constant(1.0), |opacity, (band, &x)| opacity * band.bounds(x))
    }

    /// The pieces that are not hidden somewhere, each with the bounds of its opacity, from the
    /// lowest to the highest. The opacity of the lowest one does not count.
    fn seen<'a>(&'a self, along: &'a [Bounds]) -> impl Iterator<Item = (usize, Bounds)> + 'a {
        let opacity = |piece| self.opacity_bounds(piece, along);
        let lowest = (1..self.bands.len()).rev().find(|&piece| opacity(piece).min >= 1.0);
        let lowest = lowest.unwrap_or(0);
        let above = (lowest + 1..self.bands.len()).map(move |piece| (piece, opacity(piece)));
        core::iter::once((lowest, Bounds::constant(1.0))).chain(above.filter(|(_, o)| o.max > 0.0))
    }

    /// The only piece that shows at positions, if bounds of the fields that decide prove that there
    /// is one.
    fn only(&self, positions: Positions<N>) -> Option<&Op<N>> {
        // Bounds cost as much as a few samples.
        if positions.len() < 32 || !positions.are_finite() {
            return None;
        }
        let [low, high] = positions.extent()?;
        let center = arrays::from_fn(|k| 0.5 * (low[k] + high[k]));
        let half = (0..N).map(|k| 0.5 * (high[k] - low[k]));
        // More than rounding.
        let radius = half.map(|x| x * x).sum::<f64>().sqrt() * (1.0 + 1e-9);
        let mut along = [Bounds::constant(0.0); MAX_ALONG];
        for (x, op) in along.iter_mut().zip(self.along()) {
            *x = op.local_bounds(center, radius)?;
        }
        let mut seen = self.seen(&along[..self.along]);
        let (piece, _) = seen.next()?;
        if seen.next().is_some() {
            return None;
        }
        // Bounds do not count positions outside the domains, which are convex.
        let corner = |i: usize| arrays::from_fn(|k| if i >> k & 1 == 0 { low[k] } else { high[k] });
        let is_inside = |op: &Op<N>| (0..1 << N).all(|i| !op.at::<f32>(corner(i)).is_nan());
        self.along().iter().all(is_inside).then(|| self.piece(piece))
    }

    fn piece(&self, piece: usize) -> &Op<N> {
        &self.operands[self.along + piece]
    }
}

/// Checks the bands of a piece.
pub(crate) fn check_bands(bands: &[Band], along: usize, is_first: bool) -> Result<(), DataError> {
    if is_first && !bands.is_empty() {
        let problem = "must be empty: the first piece lies everywhere, below all others";
        return Err(DataError::at("within", problem));
    }
    if bands.len() > along {
        let problem = format!("has {} bands, but only {along} fields decide", bands.len());
        return Err(DataError::at("within", problem));
    }
    let mut bands = bands.iter().enumerate();
    bands.try_for_each(|(i, band)| band.check().map_err(|e| e.under(&format!("within[{i}]"))))
}

/// One more piece over those below it.
#[inline]
fn over<const N: usize, T: Differentiated<N>>(below: T, piece: T, opacity: T) -> T {
    // Where the opacity is 0 or 1 its derivatives are 0, and a hidden field may be NaN.
    if opacity.value() == 0.0 {
        below
    } else if opacity.value() == 1.0 {
        piece
    } else {
        lerp(below, piece, opacity)
    }
}

impl Function for Band {
    #[inline]
    fn apply<const N: usize, T: Differentiated<N>>(&self, field: T) -> T {
        remapped(field, |x| self.with_derivatives(x))
    }

    fn bounds(&self, field: Bounds) -> Bounds {
        self.opacity_bounds(field)
    }

    fn largest_term(&self) -> f64 {
        // Of the differences, in units of the edge.
        f64::from(self.min.abs().min(self.max.abs()) / self.soft)
    }
}

/// The range of the numbers of a list, without NaN: empty if there are none. And whether any is
/// NaN.
fn range(values: &[f32]) -> (Bounds, bool) {
    const LANES: usize = 16;
    let (mut min, mut max) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
    let mut nan = [false; LANES];
    // In lanes, and by comparisons that skip NaN: the compiler vectorises both.
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut add = |lane: usize, x: f32| {
        min[lane] = if x < min[lane] { x } else { min[lane] };
        max[lane] = if x > max[lane] { x } else { max[lane] };
        nan[lane] |= x.is_nan();
    };
    chunks.iter().for_each(|chunk| (0..LANES).for_each(|lane| add(lane, chunk[lane])));
    rest.iter().for_each(|&x| add(0, x));
    let min = min.into_iter().fold(f32::INFINITY, f32::min).into();
    let max = max.into_iter().fold(f32::NEG_INFINITY, f32::max).into();
    (Bounds { min, max, lipschitz: 0.0, curvature: 0.0 }, nan.contains(&true))
}

impl<const N: usize> Operator<N> for Blend<N> {
    fn operands(&self) -> &[Op<N>] {
        &self.operands
    }

    fn at<T: Differentiated<N>>(&self, p: [f64; N]) -> T {
        let mut along = [T::default(); MAX_ALONG];
        for (x, op) in along.iter_mut().zip(self.along()) {
            *x = op.at(p);
            if x.value().is_nan() {
                return T::OUTSIDE;
            }
        }
        let opacity = |piece| self.opacity(piece, &along[..self.along]);
        let count = self.bands.len();
        let lowest = (1..count).rev().find(|&piece| opacity(piece).value() == 1.0).unwrap_or(0);
        let mut blend: T = self.piece(lowest).at(p);
        for piece in lowest + 1..count {
            let opacity = opacity(piece);
            if opacity.value() != 0.0 {
                blend = over(blend, self.piece(piece).at(p), opacity);
            }
        }
        blend
    }

    fn evaluate<B: Buffer<N>>(&self, positions: Positions<N>, out: &mut B) {
        if let Some(piece) = self.only(positions) {
            return piece.evaluate(positions, out);
        }
        let len = positions.len();
        out.with_spares(self.along + 2, |out, spares| {
            let (along, rest) = spares.split_at_mut(self.along);
            let [field, opacity] = rest else { return };
            let mut ranges = [Bounds::constant(0.0); MAX_ALONG];
            let mut has_outside = [false; MAX_ALONG];
            for (k, (op, x)) in self.along().iter().zip(&mut *along).enumerate() {
                op.evaluate(positions, x);
                (ranges[k], has_outside[k]) = range(x.values());
            }
            for (piece, shown) in self.seen(&ranges[..self.along]) {
                if shown.min >= 1.0 {
                    self.piece(piece).evaluate(positions, out);
                    continue;
                }
                opacity.set_all(len, B::Item::constant(1.0));
                for (band, x) in self.bands[piece].iter().zip(&*along) {
                    opacity.join([x], |opacity, [x]| opacity * band.apply(x));
                }
                self.piece(piece).evaluate(positions, field);
                out.join([&*field, &*opacity], |below, [piece, o]| over(below, piece, o));
            }
            for (x, has_outside) in along.iter().zip(has_outside) {
                if has_outside {
                    let outside = |own, [x]: [B::Item; 1]| match x.value().is_nan() {
                        true => B::Item::OUTSIDE,
                        false => own,
                    };
                    out.join([x], outside);
                }
            }
        });
    }

    fn bounds(&self) -> Bounds {
        let along: Vec<_> = self.along().iter().map(Op::bounds).collect();
        let all = self.seen(&along).map(|(piece, opacity)| (self.piece(piece).bounds(), opacity));
        all.reduce(|(below, _), (piece, opacity)| (lerp_bounds(below, piece, opacity), opacity))
            .map_or(Bounds::UNKNOWN, |(bounds, _)| bounds)
    }

    fn local_bounds(&self, p: [f64; N], radius: f64) -> Option<Bounds> {
        let mut along = [Bounds::constant(0.0); MAX_ALONG];
        for (x, op) in along.iter_mut().zip(self.along()) {
            *x = op.local_bounds(p, radius)?;
        }
        let mut seen = self.seen(&along[..self.along]);
        let lowest = self.piece(seen.next()?.0).local_bounds(p, radius)?;
        seen.try_fold(lowest, |below, (piece, opacity)| {
            let piece = self.piece(piece).local_bounds(p, radius)?;
            // Of a few products of numbers up to 1.
            let opacity = rounded(opacity, 1.0);
            let opacity =
                Bounds { min: opacity.min.max(0.0), max: opacity.max.min(1.0), ..opacity };
            let size = 2.0 * (below.max_abs() + piece.max_abs());
            Some(rounded(lerp_bounds(below, piece, opacity), size))
        })
    }

    fn interpolated(&self, radius: f64) -> Interpolated {
        let along: Vec<_> = self.along().iter().map(|op| op.interpolated(radius)).collect();
        let bounds: Vec<_> = along.iter().map(|x| x.bounds).collect();
        let opacity = |piece: usize| {
            let one = Interpolated::new(Bounds::constant(1.0), radius);
            let bands = self.bands[piece].iter().zip(&along);
            bands.fold(one, |opacity, (band, &x)| opacity.product(band.interpolated(x)))
        };
        let of = |piece| self.piece(piece).interpolated(radius);
        let mut seen = self.seen(&bounds).map(|(piece, _)| piece);
        let Some(lowest) = seen.next() else { return Interpolated::new(Bounds::UNKNOWN, radius) };
        seen.fold(of(lowest), |below, piece| {
            // (1 - o) a + o b = a + (b - a) o.
            let (piece, opacity) = (of(piece), opacity(piece));
            let sum = below.plus(piece.plus(below.times(-1.0)).product(opacity));
            let bounds = lerp_bounds(below.bounds, piece.bounds, opacity.bounds);
            sum.with(bounds, sum.error, sum.swing)
        })
    }

    fn band_limited(&self, spacing: f64) -> Self {
        Self { operands: all_band_limited(&self.operands, spacing), ..self.clone() }
    }

    fn smoothed(&self, wavelength: f64) -> Op<N> {
        Self { operands: all_smoothed(&self.operands, wavelength), ..self.clone() }.into()
    }
}
