//! A TIFF of which some bytes appear to be others, for what the decoder of `tiff` 0.11 does not do:
//!
//! * It fails on tiles that reach beyond the image if they are packed by LZW: it reads them in
//!   parts, and loses the last codes (image-rs/image-tiff, issue 395). It reads whole tiles
//!   correctly, so the image appears as wide as its tiles.
//! * It refuses masks by their photometric interpretation, so that of a mask appears to be grey.
//! * It starts at the first image, so a mask appears to be that.

use std::io::{self, Read, Seek, SeekFrom};

/// Bytes that replace others of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
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
pub(super) struct Patched<R> {
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
