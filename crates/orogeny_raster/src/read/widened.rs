//! A TIFF whose width appears to be that of its tiles.
//!
//! The decoder of `tiff` 0.11 fails on tiles that reach beyond the image if they are packed by LZW:
//! it reads them in parts, and loses the last codes (image-rs/image-tiff, issue 395). It reads
//! whole tiles correctly.

use std::io::{self, Read, Seek, SeekFrom};

/// Bytes that replace others of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    at: u64,
    bytes: [u8; 4],
    len: usize,
}

impl Patch {
    /// A number of 2 or 4 bytes; `None` if it does not fit.
    pub fn new(at: u64, value: u64, len: usize, is_big_endian: bool) -> Option<Self> {
        let value = u32::try_from(value).ok()?;
        let bytes = match (len, is_big_endian) {
            (2, true) => [u16::try_from(value).ok()?.to_be_bytes(), [0; 2]].concat(),
            (2, false) => [u16::try_from(value).ok()?.to_le_bytes(), [0; 2]].concat(),
            (4, true) => value.to_be_bytes().to_vec(),
            (4, false) => value.to_le_bytes().to_vec(),
            _ => return None,
        };
        Some(Self { at, bytes: bytes.try_into().ok()?, len })
    }
}

/// A reader with a patch.
#[derive(Debug)]
pub(super) struct Widened<R> {
    pub inner: R,
    pub patch: Option<Patch>,
}

impl<R: Read + Seek> Read for Widened<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Some(patch) = self.patch else { return self.inner.read(out) };
        let start = self.inner.stream_position()?;
        let count = self.inner.read(out)?;
        for (at, byte) in (patch.at..).zip(&patch.bytes[..patch.len]) {
            if (start..start + count as u64).contains(&at) {
                out[(at - start) as usize] = *byte;
            }
        }
        Ok(count)
    }
}

impl<R: Seek> Seek for Widened<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }

    fn stream_position(&mut self) -> io::Result<u64> {
        self.inner.stream_position()
    }
}
