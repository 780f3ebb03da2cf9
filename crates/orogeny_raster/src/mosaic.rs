//! Several rasters as one, in memory or read from files on demand.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::RasterError;
use crate::field::spline::Frame;
use crate::raster::{
    Earth, Raster, check_position, check_spacing, checked_size, checked_tiled_size,
};
use crate::read::survey::Survey;
use crate::read::window::{Rect, Resources, Share, Window};
use crate::read::{self, Said};
use crate::reading::{Placement, Reading};
use crate::report::{Report, Warning};

/// Files that fit together, read on demand.
pub(crate) struct Mosaic {
    parts: Vec<Placed>,
    resources: Arc<Resources>,
}

/// A file, and which samples of the whole are its own.
struct Placed {
    path: PathBuf,
    said: Said,
    window: Box<dyn Window>,
    place: Rect,
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
            Placed { path, said, window, place: Rect { first, size: own.size } }
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
    fn read(&self, wanted: Rect, out: &mut [f32]) -> Result<(), RasterError> {
        if let [only] = &self.parts[..] {
            return only.window.read(wanted, out).map_err(|e| e.in_file(&only.path));
        }
        out.fill(f32::NAN);
        let mut heights = Vec::new();
        for Placed { path, window, place, .. } in &self.parts {
            let Some(shared) = place.shared(&wanted) else { continue };
            heights.resize(shared.count(), f32::NAN);
            let first = [0, 1].map(|k| shared.first[k] - place.first[k]);
            let own = Rect { first, ..shared };
            window.read(own, &mut heights).map_err(|e| e.in_file(path))?;
            overlay(out, wanted, &heights, shared);
        }
        Ok(())
    }

    /// Each file has a survey of its own, see [`Mosaic::reports`].
    fn finish_survey(&self) -> Option<Survey> {
        None
    }
}

impl Raster {
    /// One raster of several that lie on one grid of samples, such as georeferenced tiles. Where
    /// they overlap, the first one with data is taken; between them there is no data. To put files
    /// together that are larger than memory, use
    /// [`RasterTiles::open_mosaic`](crate::RasterTiles::open_mosaic).
    ///
    /// # Errors
    /// If there is none, their projections or spacings differ, their samples are not on one grid,
    /// or the result is beyond the limits of [`new`](Self::new).
    pub fn mosaic(rasters: &[Self]) -> Result<Self, RasterError> {
        let frame = |raster: &Self| Frame::new(raster.size(), raster.spacing(), raster.position());
        let frames: Vec<_> = rasters.iter().map(frame).collect();
        let names: Vec<_> = (0..rasters.len()).map(|k| format!("raster {k}")).collect();
        let places: Vec<_> = rasters.iter().map(Self::earth).collect();
        let earth = common(&names, &places)?;
        let (whole, firsts) = fit(&names, &frames, earth.turn)?;
        let mut heights = vec![f32::NAN; checked_size(whole.size)?];
        let all = Rect { first: [0; 2], size: whole.size };
        for (raster, first) in rasters.iter().zip(firsts) {
            overlay(&mut heights, all, raster.heights(), Rect { first, size: raster.size() });
        }
        Ok(Self::new(whole.size, whole.spacing, whole.corners[0], heights)?.on(earth))
    }
}

/// How far spacings may differ, as a part of them.
const SPACING_TOLERANCE: f64 = 1e-6;
/// How far samples may be from the common grid, in cells.
const OFFSET_TOLERANCE: f64 = 1e-2;
/// The most samples between two rasters. It is far beyond the limits of rasters.
const MOST_APART: f64 = 1e9;

/// The frame of all rasters together, and the index of the first sample of each in it. `turn` is
/// once around the Earth along x, in metres, if all lie on it: rasters on both sides of the
/// antimeridian are then neighbours, beside the first one.
fn fit(
    names: &[String],
    frames: &[Frame],
    turn: Option<f64>,
) -> Result<(Frame, Vec<[usize; 2]>), RasterError> {
    let Some(one) = frames.first() else {
        return Err(RasterError::Mosaic("there is no raster to put together".into()));
    };
    let columns = turn.map(|turn| turn / one.spacing[0]).filter(|columns| *columns > 1.0);
    let turns = columns.map_or_else(|| vec![0.0; frames.len()], |columns| turns(frames, columns));
    let mut offsets = Vec::new();
    for (name, frame) in names.iter().zip(frames) {
        let differs = |k: usize| {
            (frame.spacing[k] - one.spacing[k]).abs() > SPACING_TOLERANCE * one.spacing[k]
        };
        if differs(0) || differs(1) {
            let ([x, z], [x0, z0], first) = (frame.spacing, one.spacing, &names[0]);
            return Err(RasterError::Mosaic(format!(
                "{name} has a spacing of {x} m by {z} m, but {first} has {x0} m by {z0} m. Files \
                 in degrees fit if all are read with the same Reading::latitude, and those in Web \
                 Mercator with the same Reading::spacing"
            )));
        }
        let apart = [0, 1].map(|k| (frame.corners[0][k] - one.corners[0][k]) / one.spacing[k]);
        let apart = [apart[0] + turns[offsets.len()] * columns.unwrap_or(0.0), apart[1]];
        let is_off = apart.iter().any(|x| (x - x.round()).abs() > OFFSET_TOLERANCE);
        if is_off || apart.iter().any(|x| x.abs() > MOST_APART) {
            let ([x, z], first) = (apart, &names[0]);
            return Err(RasterError::Mosaic(format!(
                "{name} is {x:.3} by {z:.3} samples from {first}: its samples are not on one grid \
                 with those of the others"
            )));
        }
        offsets.push(apart.map(|x| x.round() as i64));
    }
    let least = |k: usize| offsets.iter().map(|offset| offset[k]).min().unwrap_or(0);
    let least = [least(0), least(1)];
    let firsts: Vec<[usize; 2]> =
        offsets.iter().map(|offset| [0, 1].map(|k| (offset[k] - least[k]) as usize)).collect();
    let size = [0, 1].map(|k| {
        let ends = firsts.iter().zip(frames).map(|(first, frame)| first[k] + frame.size[k]);
        ends.max().unwrap_or(0)
    });
    let position = [0, 1].map(|k| one.corners[0][k] + least[k] as f64 * one.spacing[k]);
    Ok((Frame::new(size, one.spacing, position), firsts))
}

/// What all rasters share of their places on Earth. Those of several projections do not fit, even
/// if their coordinates do, such as those of two zones of UTM.
fn common(names: &[String], all: &[Earth]) -> Result<Earth, RasterError> {
    let mut known = names.iter().zip(all).filter_map(|(name, own)| Some((name, own.projection?)));
    let one = known.next();
    if let Some((first, code)) = one
        && let Some((name, other)) = known.find(|(_, other)| *other != code)
    {
        let [code, other] = [code, other].map(|code| match code {
            0 => "degrees".into(),
            code => format!("EPSG:{code}"),
        });
        return Err(RasterError::Mosaic(format!(
            "{name} is in {other}, but {first} in {code}: warp them to one projection"
        )));
    }
    let turn = all.first().and_then(|own| own.turn).filter(|one| {
        let is_same = |turn: f64| (turn - one).abs() <= SPACING_TOLERANCE * one.abs();
        all.iter().all(|own| own.turn.is_some_and(is_same))
    });
    Ok(Earth { turn, projection: one.map(|(_, code)| code) })
}

/// By how many turns of `columns` samples each frame is moved, so that all together are as narrow
/// as they can be: they are cut where the widest gap around the Earth is. The first one stays.
fn turns(frames: &[Frame], columns: f64) -> Vec<f64> {
    let spacing = frames[0].spacing[0];
    let start = |frame: &Frame| (frame.corners[0][0] - frames[0].corners[0][0]) / spacing;
    let width = |frame: &Frame| frame.size[0] as f64;
    // Around the Earth from the first one on.
    let wound: Vec<f64> = frames.iter().map(|f| start(f).round().rem_euclid(columns)).collect();
    let mut order: Vec<usize> = (0..frames.len()).collect();
    order.sort_by(|&a, &b| wound[a].total_cmp(&wound[b]));
    // The gap before each, and before the first one again.
    let mut end = width(&frames[order[0]]);
    let mut widest = (f64::NEG_INFINITY, columns);
    for &i in &order {
        if wound[i] - end > widest.0 {
            widest = (wound[i] - end, wound[i]);
        }
        end = end.max(wound[i] + width(&frames[i]));
    }
    // The first one starts at 0, so what is beyond the cut is to the west of it.
    let cut = if columns - end >= widest.0 { columns } else { widest.1 };
    let moved = frames.iter().zip(&wound).map(|(frame, &wound)| {
        let wanted = if wound >= cut { wound - columns } else { wound };
        ((wanted - start(frame)) / columns).round()
    });
    let moved: Vec<f64> = moved.collect();
    // Without a gain they stay where they are.
    let span = |turns: &[f64]| {
        let starts = frames.iter().zip(turns).map(|(frame, turns)| start(frame) + turns * columns);
        let ends = starts.clone().zip(frames).map(|(start, frame)| start + width(frame));
        ends.fold(f64::NEG_INFINITY, f64::max) - starts.fold(f64::INFINITY, f64::min)
    };
    let still = vec![0.0; frames.len()];
    if span(&still) <= span(&moved) + 0.5 { still } else { moved }
}

/// Writes the heights of a part of a rectangle to those of all, where there is no data yet.
fn overlay(out: &mut [f32], all: Rect, heights: &[f32], part: Rect) {
    for (to, from) in all.rows(part).zip(heights.chunks_exact(part.size[0])) {
        for (to, from) in out[to].iter_mut().zip(from) {
            if to.is_nan() {
                *to = *from;
            }
        }
    }
}
