//! Files that fit together, read on demand.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::RasterError;
use crate::field::frame::Frame;
use crate::mosaic::fit::{common, fit, overlay};
use crate::raster::{check_position, check_spacing, checked_tiled_size};
use crate::read::resources::{Resources, Share};
use crate::read::survey::Survey;
use crate::read::window::Window;
use crate::read::{self, Said};
use crate::reading::{Placement, Reading};
use crate::report::Report;
use crate::warning::Warning;

/// Files that fit together, read on demand.
pub(crate) struct Mosaic {
    parts: Vec<Placed>,
    resources: Arc<Resources>,
}

/// A file, and the indices of its first sample and of the sample after its last one.
struct Placed {
    path: PathBuf,
    said: Said,
    window: Box<dyn Window>,
    corners: [[usize; 2]; 2],
}

/// Opens files as one raster, with resources that no other raster uses.
pub(crate) fn open_mosaic(
    paths: &[impl AsRef<Path>],
    reading: &Reading,
    resources: Resources,
) -> Result<(Frame, Mosaic), RasterError> {
    if paths.len() > 1 && reading.placement != Placement::Georeferenced {
        return Err(RasterError::setting(
            "placement",
            "several files fit together by their georeferences only: give \
             Placement::Georeferenced",
        ));
    }
    let resources = Arc::new(resources);
    let (mut windows, mut places, mut frames) = (Vec::new(), Vec::new(), Vec::new());
    for (index, path) in paths.iter().map(AsRef::as_ref).enumerate() {
        let share = Share { resources: resources.clone(), index };
        let (said, window) = read::open(path, reading, share)?;
        let report = said.report(None, reading);
        let (Some(spacing), Some(position), true) =
            (report.spacing, report.position, report.missing.is_empty())
        else {
            return Err(RasterError::Missing(report.missing).in_file(path));
        };
        let checked = check_spacing(spacing).and(check_position(position));
        checked.map_err(|e| e.in_file(path))?;
        frames.push(Frame::new(report.size, spacing, position));
        places.push(said.place(reading).earth);
        windows.push((path.to_owned(), said, window));
    }
    let names: Vec<String> = paths.iter().map(|p| p.as_ref().display().to_string()).collect();
    let (frame, offsets) = fit(&names, &frames, common(&names, &places)?.turn)?;
    checked_tiled_size(frame.size)?;
    let parts =
        windows.into_iter().zip(offsets).zip(frames).map(|(((path, said, window), first), own)| {
            let end = [0, 1].map(|k| first[k] + own.size[k]);
            Placed { path, said, window, corners: [first, end] }
        });
    Ok((frame, Mosaic { parts: parts.collect(), resources }))
}

impl Mosaic {
    /// The report of each file. After a scan of all samples it says what was seen of them.
    pub fn reports(&self, is_scanned: bool, reading: &Reading) -> Vec<Report> {
        let report = |part: &Placed| {
            let survey = part.window.finish_survey().filter(|_| is_scanned);
            let mut report = part.said.report(survey.as_ref(), reading);
            if !is_scanned {
                report.warnings.push(Warning::NotSurveyed);
            }
            report
        };
        self.parts.iter().map(report).collect()
    }

    /// Forgets what is kept in memory.
    pub fn forget(&self) {
        self.resources.forget();
    }

    /// The bytes that are in use for TIFFs.
    pub fn used(&self) -> usize {
        self.resources.used()
    }
}

impl Window for Mosaic {
    fn read(
        &self,
        first: [usize; 2],
        size: [usize; 2],
        out: &mut Vec<f32>,
    ) -> Result<(), RasterError> {
        if let [only] = &self.parts[..] {
            return only.window.read(first, size, out).map_err(|e| e.in_file(&only.path));
        }
        out.clear();
        out.resize(size[0] * size[1], f32::NAN);
        let mut heights = Vec::new();
        for Placed { path, window, corners: [own, own_end], .. } in &self.parts {
            let from = [0, 1].map(|k| own[k].max(first[k]));
            let to = [0, 1].map(|k| own_end[k].min(first[k] + size[k]));
            if from[0] >= to[0] || from[1] >= to[1] {
                continue;
            }
            let start = [0, 1].map(|k| from[k] - own[k]);
            let shared = [0, 1].map(|k| to[k] - from[k]);
            let offset = [0, 1].map(|k| from[k] - first[k]);
            window.read(start, shared, &mut heights).map_err(|e| e.in_file(path))?;
            overlay(out, size[0], &heights, shared[0], offset);
        }
        Ok(())
    }

    /// Each file has a survey of its own, see [`Mosaic::reports`].
    fn finish_survey(&self) -> Option<Survey> {
        None
    }
}
