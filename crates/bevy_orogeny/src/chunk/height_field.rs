//! What chunks need of a field: where there is ground, normals, and slopes filtered for a level.

use bevy_math::Vec3;
use orogeny::{Field, Sample, Samples, SharedField};

use crate::chunk::key::Layout;

/// A field that can be the ground of a terrain: height in metres over (x, z) in metres.
///
/// Implemented for every [`Field`] of two dimensions that is `Send + Sync + 'static`.
pub trait HeightField: Field<2> + Send + Sync + 'static {}

impl<F: Field<2> + Send + Sync + 'static> HeightField for F {}

/// The field that suits a level. `None` if that is the field itself, as at level 0.
///
/// Its heights are those of [`sparse`] ground. Its gradient is band-limited to half the spacing of
/// the vertices. A wave of noise is nearly two cells of the noise long. So octaves count fully with
/// at least four vertices or so per wave, and not at all with less than two.
pub(crate) fn band(field: &dyn HeightField, layout: &Layout, lod: u8) -> Option<SharedField<2>> {
    if lod == 0 { None } else { limited(field, layout.spacing(lod), 0.5 * layout.spacing(lod)) }
}

/// The ground that a level draws. `None` if that is the field itself, as at all levels of a field
/// without rivers, and at those whose vertices are as close to each other as the rivers.
pub(crate) fn sparse(field: &dyn HeightField, layout: &Layout, lod: u8) -> Option<SharedField<2>> {
    if lod == 0 { None } else { field.sparse(layout.spacing(lod)) }
}

/// The field for points `spacing` apart, with a gradient that is band-limited to `wavelength`.
/// `None` if that is the field itself.
pub(super) fn limited(
    field: &dyn HeightField,
    spacing: f64,
    wavelength: f64,
) -> Option<SharedField<2>> {
    match field.sparse(spacing) {
        Some(sparse) => sparse.band_limited(wavelength).or(Some(sparse)),
        None => field.band_limited(wavelength),
    }
}

/// The unit normal of the graph y = f(x, z): (-df/dx, 1, -df/dz), normalised.
pub fn normal(sample: Sample<2>) -> Vec3 {
    let [dx, dz] = sample.gradient;
    normal_of(dx, dz)
}

/// The unit normal for the derivatives along x and z.
pub(super) fn normal_of(dx: f32, dz: f32) -> Vec3 {
    Vec3::new(-dx, 1.0, -dz).normalize()
}

/// Whether there is ground at a vertex of this height. Elsewhere there is a hole.
pub(crate) fn is_ground(height: f32) -> bool {
    height.is_finite()
}

/// What is not finite on a grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flaws {
    /// Whether the field has no height at some vertices.
    pub holes: bool,
    /// Whether some heights are infinite, or slopes not finite although the height is.
    pub errors: bool,
}

/// Makes all slopes finite: where one is not, or where there is a hole, the ground is level.
pub(super) fn make_slopes_finite(samples: &mut Samples<2>) -> Flaws {
    let parts = [samples.values(), samples.derivatives(0), samples.derivatives(1)];
    // No early exit, so that the loop is vectorised.
    let finite =
        parts.iter().all(|part| part.iter().fold(true, |finite, x| finite & x.is_finite()));
    let mut flaws = Flaws::default();
    if !finite {
        samples.update(|sample| {
            let has_slope = sample.gradient.iter().all(|g| g.is_finite());
            flaws.holes |= !is_ground(sample.value);
            flaws.errors |= sample.value.is_infinite() || !has_slope && !sample.value.is_nan();
            let level = Sample { value: sample.value, ..Sample::default() };
            if has_slope && is_ground(sample.value) { sample } else { level }
        });
    }
    flaws
}

/// The minimum and maximum of the heights where there is ground; [0, 0] where there is none.
pub(super) fn range_of_ground(heights: &[f32]) -> [f32; 2] {
    let ground = heights.iter().copied().filter(|&height| is_ground(height));
    let range = ground.fold(None, |range: Option<[f32; 2]>, height| {
        let [low, high] = range.unwrap_or([height; 2]);
        Some([low.min(height), high.max(height)])
    });
    range.unwrap_or_default()
}

/// The minimum and maximum of some numbers. Without any: infinity and minus infinity.
pub(super) fn range(numbers: &[f32]) -> [f32; 2] {
    // In independent lanes, so that no comparison waits for the previous one.
    const LANES: usize = 16;
    let [mut low, mut high] = [[f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]];
    for numbers in numbers.chunks(LANES) {
        for ((low, high), &x) in low.iter_mut().zip(&mut high).zip(numbers) {
            *low = if x < *low { x } else { *low };
            *high = if x > *high { x } else { *high };
        }
    }
    [
        low.into_iter().fold(f32::INFINITY, f32::min),
        high.into_iter().fold(f32::NEG_INFINITY, f32::max),
    ]
}
