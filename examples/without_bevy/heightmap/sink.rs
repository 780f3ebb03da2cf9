//! From rows of pixels to the bytes of a file.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use png::{DeflateCompression, Encoder};

use crate::args::Args;
use crate::kind::Kind;
use crate::pixel::Range;

/// What a file tells of itself, for its text chunks or the text file beside it.
pub struct About {
    size: [usize; 2],
    texts: Vec<(&'static str, String)>,
}

/// Gathers what a file tells of itself; the range where it is known.
pub fn about(args: &Args, kind: Kind, range: Option<Range>) -> About {
    let [width, height] = args.size;
    let [x, z] = args.origin;
    let mut texts = vec![
        ("orogeny:preset", args.preset.clone()),
        ("orogeny:kind", kind.name().into()),
        ("orogeny:size", format!("{width}x{height}")),
        ("orogeny:origin", format!("{x},{z}")),
        ("orogeny:spacing", args.spacing.to_string()),
        ("orogeny:position", "(x, z) in metres = origin + spacing * (column, row)".into()),
        ("orogeny:formula", kind.formula().into()),
    ];
    if let Some(Range { lo, hi }) = range {
        texts.extend([("orogeny:min", lo.to_string()), ("orogeny:max", hi.to_string())]);
    }
    About { size: args.size, texts }
}

impl About {
    /// The text of a file beside it: a key and its value on each line.
    pub fn lines(&self) -> String {
        self.texts.iter().map(|(key, text)| format!("{key} = {text}\n")).collect()
    }
}

/// Writes a file whose pixels `rows` writes row by row.
///
/// # Errors
/// What the file system says.
pub fn write(
    file: &File,
    kind: Kind,
    about: &About,
    rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    match kind.png() {
        None => rows(&mut out)?,
        Some((colour, depth)) => {
            let [width, height] = about.size.map(|side| side as u32);
            let mut encoder = Encoder::new(&mut out, width, height);
            encoder.set_color(colour);
            encoder.set_depth(depth);
            // Heights pack hardly better at the usual level 6, 3 % smaller, but ten times as
            // slowly: one thread would hold up many.
            encoder.set_deflate_compression(DeflateCompression::Level(1));
            for (key, text) in &about.texts {
                encoder.add_itxt_chunk((*key).into(), text.clone())?;
            }
            let mut png = encoder.write_header()?;
            let mut stream = png.stream_writer()?;
            rows(&mut stream)?;
            // Not left to drop, which would hide that the disk is full.
            stream.finish()?;
            png.finish()?;
        }
    }
    out.flush()
}
