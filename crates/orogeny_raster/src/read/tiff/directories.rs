//! Reads the directories of a TIFF before the decoder does: checks that the values of the image's
//! are within the file, so that no memory is reserved for others, and finds its mask.
//!
//! Some bytes of the file then appear to be others, for what the decoder of `tiff` 0.11 lacks:
//!
//! * It fails on tiles that reach beyond the image if they are packed by LZW: it reads them in
//!   parts, and loses the last codes (image-rs/image-tiff, issue 395). It reads whole tiles
//!   correctly, so the image appears as wide as its tiles.
//! * It refuses masks by their photometric interpretation, so that of a mask appears to be grey.
//! * It starts at the first image, so a mask appears to be that.

use std::io::{self, Read, Seek, SeekFrom};

use crate::error::RasterError;
use crate::report::Warning;

/// The bytes of one value of each type from 1 on; 0 for types that do not exist.
const TYPES: [u64; 18] = [1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
/// The most directories that are read. More have the overviews of no image.
const MOST: usize = 256;
/// The bits of a directory's NewSubfileType: an overview, and a mask.
const OVERVIEW: u64 = 1;
const MASK: u64 = 4;

/// An image of a file, as the decoder needs it.
#[derive(Clone, Debug)]
pub(super) struct Directory {
    /// The number of samples: \[columns, rows\]. The decoder may know it wider, by `patches`.
    pub size: [usize; 2],
    pub patches: Vec<Patch>,
}

/// The images of a file that are read.
#[derive(Debug)]
pub(super) struct Directories {
    pub image: Directory,
    /// Where the image has data.
    pub mask: Option<Directory>,
    /// The sizes of the image's overviews.
    pub overviews: Vec<[usize; 2]>,
    pub warnings: Vec<Warning>,
}

/// A directory as it is in the file.
#[derive(Default)]
struct Entries {
    offset: u64,
    next: u64,
    kind: u64,
    columns: Option<Number>,
    rows: Option<Number>,
    tile: Option<Number>,
    photometric: Option<Number>,
    bits: Option<Number>,
}

/// A number of a directory: where it is, its bytes, and its value.
#[derive(Clone, Copy)]
struct Number {
    at: u64,
    bytes: usize,
    value: u64,
}

/// Reads a file of `len` bytes, and leaves it at its start.
pub(super) fn directories(
    mut file: impl Read + Seek,
    len: u64,
) -> Result<Directories, RasterError> {
    let outcome = all(&mut file, len);
    file.seek(SeekFrom::Start(0))?;
    outcome
}

fn all(file: &mut (impl Read + Seek), len: u64) -> Result<Directories, RasterError> {
    let mut reader = Reader::new(file, len).map_err(cut)?;
    let start = reader.start;
    let mut next = reader.read_at(start, reader.width).map_err(cut)?;
    let first = reader.directory(next).map_err(cut)?;
    let (mut seen, mut warnings) = (vec![first.offset], Vec::new());
    let (mut mask, mut overviews, mut others) = (None, Vec::new(), 0);
    next = first.next;
    while next != 0 && !seen.contains(&next) {
        if seen.len() == MOST {
            warnings.push(Warning::Assumed(format!(
                "what is behind the first {MOST} images of the file is not read"
            )));
            break;
        }
        seen.push(next);
        // What is cut may be a mask.
        let entries = reader.directory(next).map_err(cut)?;
        next = entries.next;
        match entries.kind & (OVERVIEW | MASK) {
            MASK if mask.is_none() && entries.size() == first.size() => mask = Some(entries),
            MASK => warnings.push(Warning::Assumed(
                "a further mask, or one of another size than the image, is not read".into(),
            )),
            0 => others += 1,
            OVERVIEW => overviews.extend(entries.size().map(|size| size.map(|side| side as usize))),
            // The masks of overviews.
            _ => {}
        }
    }
    if others > 0 {
        warnings.push(Warning::Assumed("only the first image of several is read".into()));
    }
    Ok(Directories {
        image: reader.image(&first, None)?,
        mask: mask.map(|mask| reader.image(&mask, Some(start))).transpose()?,
        overviews,
        warnings,
    })
}

/// What the end of a file within a directory means.
fn cut(error: RasterError) -> RasterError {
    match error {
        RasterError::Io(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            RasterError::damaged("the TIFF is damaged: it ends within its directory")
        }
        error => error,
    }
}

impl Entries {
    fn size(&self) -> Option<[u64; 2]> {
        Some([self.columns?.value, self.rows?.value])
    }
}

struct Reader<'a, F> {
    file: &'a mut F,
    is_big_endian: bool,
    is_big: bool,
    /// The bytes of an offset.
    width: usize,
    /// Where the offset of the first directory is.
    start: u64,
    len: u64,
}

impl<'a, F: Read + Seek> Reader<'a, F> {
    fn new(file: &'a mut F, len: u64) -> Result<Self, RasterError> {
        let mut start = [0; 4];
        file.read_exact(&mut start)?;
        // The signature was checked: 42 or 43.
        let is_big = start.contains(&43);
        let (width, at) = if is_big { (8, 8) } else { (4, 4) };
        Ok(Self { file, is_big_endian: start[0] == b'M', is_big, width, start: at, len })
    }

    /// An unsigned integer of up to 8 bytes.
    fn read(&mut self, width: usize) -> Result<u64, RasterError> {
        let mut bytes = [0; 8];
        let bytes = &mut bytes[..width];
        self.file.read_exact(bytes)?;
        if !self.is_big_endian {
            bytes.reverse();
        }
        Ok(bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    fn read_at(&mut self, at: u64, width: usize) -> Result<u64, RasterError> {
        self.file.seek(SeekFrom::Start(at))?;
        self.read(width)
    }

    /// The directory at an offset. Values outside the file are an error.
    fn directory(&mut self, offset: u64) -> Result<Entries, RasterError> {
        let count = self.read_at(offset, if self.is_big { 8 } else { 2 })?;
        let mut all = Entries { offset, ..Entries::default() };
        let mut subfile = None;
        for _ in 0..count {
            let tag = self.read(2)?;
            let kind = self.read(2)?;
            let count = self.read(self.width)?;
            let size = kind.checked_sub(1).and_then(|kind| TYPES.get(kind as usize)).unwrap_or(&0);
            let bytes = count.saturating_mul(*size);
            if bytes > self.width as u64 {
                let (offset, len) = (self.read(self.width)?, self.len);
                if offset.saturating_add(bytes) > len {
                    return Err(RasterError::damaged(format!(
                        "the TIFF is damaged: tag {tag} has {bytes} bytes at {offset}, but the \
                         file ends at {len}"
                    )));
                }
                continue;
            }
            let at = self.file.stream_position()?;
            // A short is at the start of the field.
            let used = if kind == 3 { 2 } else { self.width };
            let value = self.read(used)?;
            self.read(self.width - used)?;
            if !matches!(kind, 3 | 4 | 16) || count != 1 {
                continue;
            }
            let value = if *size == 4 && self.width == 8 && self.is_big_endian {
                // A long is at the start of the field, too.
                value >> 32
            } else if *size == 4 {
                value & 0xFFFF_FFFF
            } else {
                value
            };
            let number = Some(Number { at, bytes: *size as usize, value });
            match tag {
                254 => subfile = Some(value),
                // The older SubfileType, in which 2 is an overview.
                255 if value == 2 => all.kind = OVERVIEW,
                256 => all.columns = number,
                257 => all.rows = number,
                258 => all.bits = number,
                262 => all.photometric = number,
                322 => all.tile = number,
                _ => {}
            }
        }
        all.kind = subfile.unwrap_or(all.kind);
        all.next = self.read(self.width)?;
        Ok(all)
    }

    /// What the decoder needs for an image. If it is not the first one, `start` is where the offset
    /// of that is.
    fn image(&self, entries: &Entries, start: Option<u64>) -> Result<Directory, RasterError> {
        let patch = |at, value, bytes| Patch::new(at, value, bytes, self.is_big_endian);
        let wide = entries.columns.zip(entries.tile).and_then(|(columns, tile)| {
            let wide = columns.value.checked_next_multiple_of(tile.value)?;
            (wide != columns.value).then(|| patch(columns.at, wide, columns.bytes))?
        });
        let mut patches: Vec<_> = wide.into_iter().collect();
        if let Some(start) = start {
            patches.extend(patch(start, entries.offset, self.width));
            let mask = entries.photometric.filter(|photometric| photometric.value == 4);
            patches.extend(mask.and_then(|mask| patch(mask.at, 1, mask.bytes)));
        }
        let [columns, rows] = entries.size().unwrap_or([0; 2]).map(|side| side as usize);
        Ok(Directory { size: [columns, rows], patches })
    }
}

/// Bytes that replace others of the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patch {
    at: u64,
    bytes: [u8; 8],
    len: usize,
}

impl Patch {
    /// A number of 2, 4 or 8 bytes; `None` if it does not fit.
    pub fn new(at: u64, value: u64, len: usize, is_big_endian: bool) -> Option<Self> {
        if !matches!(len, 2 | 4 | 8) || (len < 8 && value >> (8 * len) != 0) {
            return None;
        }
        let mut bytes = value.to_le_bytes();
        if is_big_endian {
            bytes[..len].reverse();
        }
        Some(Self { at, bytes, len })
    }
}

/// A reader with patches.
#[derive(Debug)]
pub(crate) struct Patched<R> {
    pub inner: R,
    pub patches: Vec<Patch>,
}

impl<R: Read + Seek> Read for Patched<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.patches.is_empty() {
            return self.inner.read(out);
        }
        let start = self.inner.stream_position()?;
        let count = self.inner.read(out)?;
        for patch in &self.patches {
            for (at, byte) in (patch.at..).zip(&patch.bytes[..patch.len]) {
                if (start..start + count as u64).contains(&at) {
                    out[(at - start) as usize] = *byte;
                }
            }
        }
        Ok(count)
    }
}

impl<R: Seek> Seek for Patched<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }

    fn stream_position(&mut self) -> io::Result<u64> {
        self.inner.stream_position()
    }
}
