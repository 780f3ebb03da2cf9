//! Encodes rows of pixels: raw numbers, PNG, and the formats of `tiff_file.rs` and `exr_file.rs`.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use png::{DeflateCompression, Encoder};

use crate::export::about::About;
use crate::export::kind::{Format, Picture};
use crate::export::{exr_file, tiff_file};

/// Writes a file. `rows` writes its pixels row by row, and memory use does not depend on their
/// number.
pub fn write(
    file: &File,
    picture: Picture,
    about: &About,
    rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    match picture.format {
        Format::R16 | Format::F32 => rows(&mut out)?,
        Format::Png => png(&mut out, picture, about, rows)?,
        Format::Tiff16 | Format::Tiff32 => tiff_file::write(&mut out, picture, about, rows)?,
        Format::Exr => exr_file::write(&mut out, about, rows)?,
    }
    out.flush()
}

fn png(
    out: impl Write,
    picture: Picture,
    about: &About,
    rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let [width, height] = about.size.map(|side| side as u32);
    let (colour, depth) = picture.png();
    let mut encoder = Encoder::new(out, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    // The default level 6 makes heights only 3 % smaller, but is ten times as slow: the encoding
    // thread would hold up the others.
    encoder.set_deflate_compression(DeflateCompression::Level(1));
    for (key, text) in about.texts() {
        encoder.add_itxt_chunk(key.into(), text.into())?;
    }
    let mut png = encoder.write_header()?;
    let mut stream = png.stream_writer()?;
    rows(&mut stream)?;
    // Finish explicitly: dropping the stream would ignore errors such as a full disk.
    stream.finish()?;
    png.finish()?;
    Ok(())
}

/// Collects bytes into blocks of a length, the last one shorter, and passes each to a function.
pub struct Blocks<F> {
    length: usize,
    block: Vec<u8>,
    put: F,
}

impl<F: FnMut(&[u8]) -> io::Result<()>> Blocks<F> {
    /// Blocks of a length, which is above 0.
    pub fn new(length: usize, put: F) -> Self {
        Self { length, block: Vec::with_capacity(length), put }
    }

    /// Passes the last block on.
    pub fn finish(mut self) -> io::Result<()> {
        if self.block.is_empty() { Ok(()) } else { (self.put)(&self.block) }
    }
}

impl<F: FnMut(&[u8]) -> io::Result<()>> Write for Blocks<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.length - self.block.len());
        self.block.extend_from_slice(&bytes[..taken]);
        if self.block.len() == self.length {
            (self.put)(&self.block)?;
            self.block.clear();
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
