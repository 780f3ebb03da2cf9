//! Intervals with soft edges: where a land, a layer of cover or a kind of plants is.
//!
//! [`Band`] is one of them. Its edges fade in two ways. Lands shape the ground, so
//! their weights need continuous second derivatives: the quintic fade. Cover and plants only need
//! an opacity, which the shader of the ground computes for each pixel: the cubic fade.

use crate::arrays::Each;
use crate::derivative::bounds::Bounds;
use crate::error::DataError;
use crate::limits::{Parameters, parameters};

parameters! {
    /// An interval with soft edges: of a [`Land`](crate::node::Land) or a
    /// [`Piece`](crate::node::Piece), of a [`CoverLayer`](crate::cover::CoverLayer) and of a
    /// [`ScatterKind`](crate::scatter::ScatterKind).
    ///
    /// At a value x the opacity is s((x - `min`) / `soft` + 1/2) (1 - s((x - `max`) / `soft` +
    /// 1/2)). So an edge is centred on its end, and the opacity is exactly 1 between the edges and
    /// exactly 0 beyond them. With t clamped to 0 to 1,
    ///
    /// s(t) = 6 t^5 - 15 t^4 + 10 t^3
    ///
    /// for lands and pieces, whose weights have continuous second derivatives, and
    ///
    /// s(t) = 3 t^2 - 2 t^3
    ///
    /// for cover and plants, whose edges may overlap.
    ///
    /// The limits here are those of lands and pieces; layers and kinds have their own limits and
    /// defaults for each of their bands.
    #[derive(Copy)]
    pub struct Band {}
    numbers {
        /// The lower end of the band.
        min: f32 = -1e6 "", -1e6 to 1e6;
        /// The upper end of the band, at least `min` + `soft`.
        max: f32 = 1e6 "", -1e6 to 1e6;
        /// The width of each edge.
        soft: f32 = 1 "", 1e-3 to 1e6;
    }
}

/// Declares a structure as [`parameters`] does, with bands of the ground and its climate before its
/// other bands. Their defaults are those of this macro but for a few.
macro_rules! with_ground_bands {
    (
        $(#[$meta:meta])*
        pub struct $name:ident { $($others:tt)* }
        numbers { $($numbers:tt)* }
        ground {
            height.soft: $height_soft:literal,
            slope.max: $slope_max:literal,
            slope.soft: $slope_soft:literal,
            moisture.soft: $moisture_soft:literal,
        }
        bands { $($bands:tt)* }
        $($rest:tt)*
    ) => {
        $crate::limits::parameters! {
            $(#[$meta])*
            pub struct $name { $($others)* }
            numbers { $($numbers)* }
            bands {
                /// The height above the terrain's origin.
                height: Band = HEIGHT {
                    /// The minimum height above the terrain's origin.
                    min: -1e6 "m", -1e6 to 1e6;
                    /// The maximum height above the terrain's origin.
                    max: 1e6 "m", -1e6 to 1e6;
                    /// The width of the band's edges in height.
                    soft: $height_soft "m", 0 to 1e5;
                }
                /// The slope.
                slope: Band = SLOPE {
                    /// The minimum slope. 0 for no minimum.
                    min: 0 "m/m", 0 to 1000;
                    /// The maximum slope.
                    max: $slope_max "m/m", 0 to 1000;
                    /// The width of the band's edges in slope.
                    soft: $slope_soft "m/m", 0 to 10;
                }
                /// The curvature, positive in hollows.
                curvature: Band = CURVATURE {
                    /// The minimum curvature: above 0, only hollows.
                    min: -1000 "1/m", -1000 to 1000;
                    /// The maximum curvature: below 0, only ridges.
                    max: 1000 "1/m", -1000 to 1000;
                    /// The width of the band's edges in curvature.
                    soft: 0.02 "1/m", 0 to 1000;
                }
                /// The temperature.
                temperature: Band = TEMPERATURE {
                    /// The minimum temperature. -1000 for no minimum.
                    min: -1e3 "°C", -1e3 to 1e3;
                    /// The maximum temperature. 1000 for no maximum.
                    max: 1e3 "°C", -1e3 to 1e3;
                    /// The width of the band's edges in temperature.
                    soft: 2 "K", 0 to 100;
                }
                /// The moisture.
                moisture: Band = MOISTURE {
                    /// The minimum moisture. -1 for no minimum.
                    min: -1 "", -1 to 2;
                    /// The maximum moisture. 2 for no maximum.
                    max: 2 "", -1 to 2;
                    /// The width of the band's edges in moisture.
                    soft: $moisture_soft "", 0 to 1;
                }
                $($bands)*
            }
            $($rest)*
        }
    };
}
pub(crate) use with_ground_bands;

/// The minimum width of an edge of cover and plants.
const SHARPEST: f32 = 1e-6;

impl Band {
    /// The same band from a minimum on.
    ///
    /// ```
    /// use orogeny::Band;
    /// use orogeny::cover::CoverLayer;
    ///
    /// let snow = CoverLayer::HEIGHT.above(800.0).soft(250.0);
    /// assert_eq!(snow, Band { min: 800.0, soft: 250.0, ..CoverLayer::HEIGHT });
    /// ```
    #[must_use]
    pub const fn above(self, min: f32) -> Self {
        Self { min, ..self }
    }

    /// The same band up to a maximum.
    #[must_use]
    pub const fn below(self, max: f32) -> Self {
        Self { max, ..self }
    }

    /// The same band with edges of a width.
    #[must_use]
    pub const fn soft(self, soft: f32) -> Self {
        Self { soft, ..self }
    }

    /// Checks the numbers of a land's band, and that its edges do not overlap.
    pub(crate) fn check(&self) -> Result<(), DataError> {
        self.check_numbers()?;
        // 0.3 - 0.2 is 0.1, in f32 as well.
        let least = self.min + self.soft * (1.0 - 1e-5);
        if self.max < least {
            let problem =
                format!("is {}, but must be at least `min` plus `soft`, {least}", self.max);
            return Err(DataError::at("max", problem));
        }
        Ok(())
    }

    /// Checks that the maximum is not below the minimum, in a field of this name.
    pub(crate) fn check_order(&self, name: &str) -> Result<(), DataError> {
        let Self { min, max, .. } = self;
        if max < min {
            let problem = format!("is {max}, but must be at least `{name}.min`, {min}");
            return Err(DataError::at(format!("{name}.max"), problem));
        }
        Ok(())
    }

    /// The same band with edges that are wider than 0.
    pub(crate) fn with_edges(self) -> Self {
        Self { soft: self.soft.max(SHARPEST), ..self }
    }

    /// The opacity of cover and plants at a value. The edges are [wider than 0](Self::with_edges).
    #[inline]
    pub(crate) fn opacity(&self, x: f32) -> f32 {
        let rise = |from: f32| cubic((x - from) / self.soft + 0.5);
        rise(self.min) * (1.0 - rise(self.max))
    }

    /// Whether that opacity is above 0 somewhere between two values, if the edges are displaced by
    /// up to some of their widths. NaN may be any value.
    pub(crate) fn overlaps(&self, [low, high]: [f32; 2], displaced: f32) -> bool {
        // A little more than half of the edge, for rounding.
        let reach = (0.501 + displaced) * self.soft;
        !(high < self.min - reach || low > self.max + reach)
    }

    /// Whether a value is between the ends, which are sharp and included.
    #[inline]
    pub(crate) fn contains(&self, x: f64) -> bool {
        (f64::from(self.min)..=f64::from(self.max)).contains(&x)
    }

    /// The opacity of a land at a value, with its first two derivatives.
    #[inline]
    pub(crate) fn with_derivatives(&self, x: f32) -> [f32; 3] {
        // The edges do not overlap, so at most one of them counts.
        let Self { min, max, soft } = *self;
        let below = x - min < max - x;
        let t = (if below { x - min } else { max - x }) / soft + 0.5;
        let [value, slope, second] = quintic(t);
        let along = if below { 1.0 } else { -1.0 } / soft;
        [value, slope * along, second * along * along]
    }

    /// Bounds of the opacity of a land along a field.
    pub(crate) fn opacity_bounds(&self, field: Bounds) -> Bounds {
        let at = |x: f64| f64::from(self.with_derivatives(x as f32)[0]);
        let [first, last] = [field.min, field.max].each(at);
        let (min, max) = (f64::from(self.min), f64::from(self.max));
        let soft = f64::from(self.soft);
        let half = 0.5 * soft;
        // Between the edges it is 1, and on either side it is monotonic.
        let crosses = field.min < max - half && field.max > min + half;
        let highest = if crosses { 1.0 } else { first.max(last) };
        let lowest = first.min(last);
        let is_flat = lowest == 1.0 || highest == 0.0;
        let [slope, second] =
            if is_flat { [0.0; 2] } else { [SLOPE / soft, SECOND / (soft * soft)] };
        field.mapped([lowest, highest], slope, second)
    }
}

// Fades of edges: from 0 to 1 as t goes from 0 to 1, and flat beyond.

/// 3 t^2 - 2 t^3, with t clamped to 0 to 1. Its slope is continuous.
pub(crate) fn cubic(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// s(t) = 6 t^5 - 15 t^4 + 10 t^3, with t clamped to 0 to 1, and its first two derivatives, which
/// are continuous. Computed from the nearer end.
///
/// Source: the fade of Ken Perlin, "Improving noise", SIGGRAPH 2002.
pub(crate) fn quintic(t: f32) -> [f32; 3] {
    if t <= 0.0 {
        return [0.0; 3];
    }
    if t >= 1.0 {
        return [1.0, 0.0, 0.0];
    }
    let rest = 1.0 - t;
    let rise = |t: f32| t * t * t * (10.0 + t * (6.0 * t - 15.0));
    let value = if t > 0.5 { 1.0 - rise(rest) } else { rise(t) };
    [value, 30.0 * t * t * rest * rest, 60.0 * t * rest * (rest - t)]
}

/// The largest s' and |s''|: 15/8 at 1/2, and 10 / sqrt 3 at 1/2 +- 1 / sqrt 12.
pub(crate) const SLOPE: f64 = 15.0 / 8.0;
pub(crate) const SECOND: f64 = 5.773_502_691_9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_is_one_between_its_edges_and_nothing_beyond() {
        let band = Band { min: 2.0, max: 5.0, soft: 1.0 };
        for (x, opacity) in
            [(1.5, 0.0), (2.0, 0.5), (2.5, 1.0), (3.5, 1.0), (4.5, 1.0), (5.0, 0.5), (5.5, 0.0)]
        {
            assert_eq!([band.with_derivatives(x)[0], band.opacity(x)], [opacity; 2], "{x}");
        }
        assert_eq!(Band::default().with_derivatives(1e5), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn derivatives_are_those_of_the_opacity_and_within_their_bounds() {
        let band = Band { min: -1.0, max: 1.0, soft: 2.0 };
        assert!(band.check().is_ok());
        let at = |x: f64| band.with_derivatives(x as f32).map(f64::from);
        let h = 1.0 / 1024.0;
        for i in -3000..3000 {
            let x = f64::from(i) / 1000.0;
            let [_, slope, second] = at(x);
            let [before, after] = [at(x - h), at(x + h)];
            assert!(((after[0] - before[0]) / (2.0 * h) - slope).abs() < 1e-4, "{x}");
            assert!(((after[1] - before[1]) / (2.0 * h) - second).abs() < 2e-2, "{x}");
            assert!(
                slope.abs() <= SLOPE / 2.0 + 1e-6 && second.abs() <= SECOND / 4.0 + 1e-6,
                "{x}"
            );
        }
    }

    #[test]
    fn edges_that_overlap_are_refused() {
        let error = Band { min: 2.0, max: 2.5, soft: 1.0 }.check().unwrap_err();
        assert_eq!(error.path, "max");
        assert!(Band { min: 0.2, max: 0.3, soft: 0.1 }.check().is_ok());
    }

    #[test]
    fn an_interval_overlaps_a_band_where_it_has_an_opacity() {
        let band = Band { min: 2.0, max: 5.0, soft: 1.0 };
        let any = |low: f32, high: f32| {
            (0..=100).any(|i| band.opacity(low + (high - low) * i as f32 / 100.0) > 0.0)
        };
        for (low, high) in [(0.0, 1.4), (0.0, 1.6), (3.0, 4.0), (5.4, 9.0), (5.6, 9.0)] {
            assert_eq!(band.overlaps([low, high], 0.0), any(low, high), "{low} to {high}");
        }
        assert!(band.overlaps([5.6, 9.0], 0.5) && band.overlaps([f32::NAN; 2], 0.0));
    }
}
