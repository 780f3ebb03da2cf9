//! Reads weights from images.

use std::path::Path;

use crate::error::RasterError;
use crate::read::pixels::{Pixels, pixels};
use crate::reading::Reading;
use crate::weights::Weights;

/// Reads the channels of an image as weights: PNG and TIFF, grey, grey with alpha, RGB or RGBA, of
/// 8 or 16 bits. Alpha is the last weight; no other is multiplied by it. 0 becomes 0, and the
/// largest number 1: sRGB curves are not applied.
///
/// Of `reading`, the format, the spacing, the latitude and the placement are used. A PNG needs a
/// spacing.
///
/// ```no_run
/// use orogeny::Field;
/// use orogeny_raster::{Reading, read_weights};
///
/// let reading = Reading { spacing: Some([1.0, 1.0]), ..Reading::default() };
/// let weights = read_weights("splat.png", &reading)?;
/// weights.check_sums()?;
/// let layers = weights.fields();
/// println!("{} of the second layer", layers[1].value([12.0, -3.0]));
/// # Ok::<(), orogeny_raster::RasterError>(())
/// ```
///
/// # Errors
/// If the file cannot be read, is damaged or of an unsupported kind, is beyond the limits of
/// [`Raster`](crate::Raster), or if it does not say something that `reading` does not give either.
pub fn read_weights(path: impl AsRef<Path>, reading: &Reading) -> Result<Weights, RasterError> {
    let path = path.as_ref();
    let read = || {
        let Pixels { size, spacing, position, channels, largest, values } = pixels(path, reading)?;
        let weight = |value: &u16| f32::from(*value) / f32::from(largest);
        let layer = |k: usize| values.iter().skip(k).step_by(channels).map(weight).collect();
        let layers = (0..channels).map(layer).collect();
        let weights = Weights::new(size, spacing, position, layers)?;
        Ok(weights.with_step(1.0 / f32::from(largest)))
    };
    read().map_err(|e: RasterError| e.in_file(path))
}
