//! Rasters whose file has its columns from the east or its rows from the south.

use crate::error::RasterError;
use crate::read::survey::Survey;
use crate::read::window::Window;

/// A raster of `size` that is mirrored along some axes.
pub(super) struct Flipped {
    pub inner: Box<dyn Window>,
    pub size: [usize; 2],
    pub mirrored: [bool; 2],
}

impl Window for Flipped {
    fn read(
        &self,
        first: [usize; 2],
        size: [usize; 2],
        out: &mut Vec<f32>,
    ) -> Result<(), RasterError> {
        let start = [0, 1].map(|k| match self.mirrored[k] {
            true => self.size[k] - first[k] - size[k],
            false => first[k],
        });
        self.inner.read(start, size, out)?;
        flip(out, size[0], 1, self.mirrored);
        Ok(())
    }

    fn finish_survey(&self) -> Option<Survey> {
        self.inner.finish_survey()
    }
}

/// Mirrors pixels of `channels` numbers, row by row, along some axes.
pub(super) fn flip<T>(all: &mut [T], columns: usize, channels: usize, mirrored: [bool; 2]) {
    let stride = columns * channels;
    if mirrored[0] {
        for row in all.chunks_exact_mut(stride) {
            row.reverse();
            row.chunks_exact_mut(channels).for_each(<[T]>::reverse);
        }
    }
    if mirrored[1] {
        let rows = all.len() / stride;
        for j in 0..rows / 2 {
            let (north, south) = all.split_at_mut((rows - 1 - j) * stride);
            north[j * stride..(j + 1) * stride].swap_with_slice(&mut south[..stride]);
        }
    }
}
