//! Parts of files, read on demand by many threads, and what the files of a mosaic share: open
//! files, of which there are few at a time, and memory for TIFFs.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::cache::Cache;
use crate::error::RasterError;
use crate::pool::Pool;
use crate::read::source::{Input, Source};
use crate::read::survey::{Intake, Survey};
use crate::read::tiff::{Decoded, Tiff};
use crate::read::units::Conversion;

/// A rectangle of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    /// The column and the row of its first sample.
    pub first: [usize; 2],
    /// The number of samples: \[columns, rows\].
    pub size: [usize; 2],
}

impl Rect {
    /// The column and the row after its last sample.
    pub fn end(&self) -> [usize; 2] {
        [0, 1].map(|k| self.first[k] + self.size[k])
    }

    /// The number of samples.
    pub fn count(&self) -> usize {
        self.size[0] * self.size[1]
    }

    /// What it shares with another; `None` if that is nothing.
    pub fn shared(&self, other: &Self) -> Option<Self> {
        let first = [0, 1].map(|k| self.first[k].max(other.first[k]));
        let end = [0, 1].map(|k| self.end()[k].min(other.end()[k]));
        let is_any = first[0] < end[0] && first[1] < end[1];
        is_any.then(|| Self { first, size: [end[0] - first[0], end[1] - first[1]] })
    }

    /// Where the rows of a part of it are among its samples, row by row.
    pub fn rows(self, part: Self) -> impl Iterator<Item = Range<usize>> {
        (part.first[1]..part.end()[1]).map(move |j| {
            let start = (j - self.first[1]) * self.size[0] + part.first[0] - self.first[0];
            start..start + part.size[0]
        })
    }
}

/// A raster whose samples are read a rectangle at a time, by many threads.
pub(crate) trait Window: Send + Sync {
    /// Replaces `out` by the heights in metres of a rectangle within the raster, row by row. NaN
    /// marks samples without data.
    fn read(&self, part: Rect, out: &mut [f32]) -> Result<(), RasterError>;

    /// What was seen of all samples that were read, each taken in once; later ones are not.
    fn finish_survey(&self) -> Option<Survey>;
}

/// A file whose parts can be read.
pub(super) struct Opened {
    pub source: Source,
    pub conversion: Conversion,
    pub window: Box<dyn Window>,
    /// How many rows to read at a time, from the first on, to read all.
    pub rows: usize,
}

impl Opened {
    /// Reads all samples.
    pub fn load(self) -> Result<(Source, Intake), RasterError> {
        let Self { source, conversion, window, rows } = self;
        let columns = source.size[0];
        let mut intake = Intake::new(source.size, conversion, Survey::new(false))?;
        let rows = rows.min(source.size[1]);
        for (k, out) in intake.heights.chunks_mut(columns * rows).enumerate() {
            let size = [columns, out.len() / columns];
            window.read(Rect { first: [0, k * rows], size }, out)?;
        }
        intake.survey = window.finish_survey().unwrap_or(intake.survey);
        Ok((source, intake))
    }

    /// The same file with its columns from the east or its rows from the south.
    pub fn flipped(self, mirrored: [bool; 2]) -> Self {
        let (inner, size) = (self.window, self.source.size);
        let window: Box<dyn Window> = match mirrored {
            [false, false] => inner,
            mirrored => Box::new(Flipped { inner, size, mirrored }),
        };
        Self { window, ..self }
    }
}

/// A raster of `size` that is mirrored along some axes.
struct Flipped {
    inner: Box<dyn Window>,
    size: [usize; 2],
    mirrored: [bool; 2],
}

impl Window for Flipped {
    fn read(&self, part: Rect, out: &mut [f32]) -> Result<(), RasterError> {
        let first = [0, 1].map(|k| match self.mirrored[k] {
            true => self.size[k] - part.end()[k],
            false => part.first[k],
        });
        self.inner.read(Rect { first, ..part }, out)?;
        flip(out, part.size[0], 1, self.mirrored);
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

/// The open files of a mosaic, and its memory for TIFFs. Files are known by their indices.
pub(crate) struct Resources {
    files: Arc<OpenFiles>,
    /// Unpacked strips and tiles, by the file and their index in it.
    pub(super) chunks: Cache<[usize; 2], Decoded>,
    /// Decoders, by the file and its image or mask.
    pub(super) decoders: Pool<[usize; 2], Tiff>,
}

/// The resources of a mosaic, for the file of an index.
#[derive(Clone)]
pub(crate) struct Share {
    pub resources: Arc<Resources>,
    pub index: usize,
}

impl Resources {
    /// Unpacked strips and tiles take up to `chunks` bytes. Decoders take up to `decoders` bytes,
    /// or one takes more.
    pub fn new(chunks: usize, decoders: usize) -> Self {
        Self {
            files: Arc::new(Cache::new(MOST_OPEN)),
            chunks: Cache::new(chunks),
            decoders: Pool::new(decoders),
        }
    }

    /// Forgets what was unpacked.
    pub fn forget(&self) {
        self.chunks.clear();
    }

    /// The bytes that are in use for TIFFs.
    pub fn used(&self) -> usize {
        self.chunks.used() + self.decoders.used()
    }
}

impl Share {
    /// The resources of a file that is read alone, however large.
    pub fn alone() -> Self {
        Self { resources: Arc::new(Resources::new(usize::MAX, usize::MAX)), index: 0 }
    }

    /// A reader of the file, at its start.
    pub(super) fn file(&self, input: &Input) -> io::Result<SharedFile> {
        let (files, file) = (self.resources.files.clone(), input.file.try_clone()?);
        files.get(self.index, 1, || Ok(Mutex::new(file)));
        let (index, path, len) = (self.index, input.path.to_owned(), input.len);
        Ok(SharedFile { file: Arc::new(Closed { files, index, path, len }), position: 0 })
    }
}

/// The most files that stay open. Some systems allow a process 256.
const MOST_OPEN: usize = 64;

/// Open files by their indices. The least recently used ones are closed.
type OpenFiles = Cache<usize, io::Result<Mutex<File>>>;

/// How to open a file again.
struct Closed {
    files: Arc<OpenFiles>,
    index: usize,
    path: PathBuf,
    /// Its length in bytes when it was first opened.
    len: u64,
}

/// A reader of a file. A clone starts where this one is, and moves on its own.
#[derive(Clone)]
pub(crate) struct SharedFile {
    file: Arc<Closed>,
    position: u64,
}

impl Closed {
    fn open(&self) -> io::Result<File> {
        let file = File::open(&self.path)?;
        if file.metadata()?.len() != self.len {
            let problem = "it has changed: its length is not that of when it was first opened";
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        Ok(file)
    }

    /// Calls `work` with the file, opened again if it was closed.
    fn with<T>(&self, work: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
        let held = self.files.get(self.index, 1, || self.open().map(Mutex::new));
        match held.get() {
            // Each use seeks first, so a panic elsewhere leaves nothing behind.
            Some(Ok(file)) => work(&mut file.lock().unwrap_or_else(PoisonError::into_inner)),
            Some(Err(error)) => {
                // The next reader tries again.
                self.files.remove(&self.index);
                Err(match error.raw_os_error() {
                    Some(code) => io::Error::from_raw_os_error(code),
                    None => io::Error::new(error.kind(), error.to_string()),
                })
            }
            None => Err(io::Error::other("opening it panicked")),
        }
    }
}

impl Read for SharedFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let start = SeekFrom::Start(self.position);
        let count = self.file.with(|file| {
            file.seek(start)?;
            file.read(out)
        })?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for SharedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (base, offset) = match to {
            SeekFrom::Start(position) => (position, 0),
            SeekFrom::Current(offset) => (self.position, offset),
            SeekFrom::End(offset) => (self.file.with(|file| file.seek(SeekFrom::End(0)))?, offset),
        };
        let to = base.checked_add_signed(offset);
        self.position = to.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.position)
    }
}
