//! Writes rows of pixels to a file.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use png::{DeflateCompression, Encoder};

use crate::args::Args;
use crate::kind::Kind;
use crate::pixel::Range;

/// Metadata of a file, for its text chunks or the text file next to it.
pub struct About {
    size: [usize; 2],
    texts: Vec<(&'static str, String)>,
}

/// Collects the metadata of a file, with the range if it is known.
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
    /// The contents of the text file: a key and its value on each line.
    pub fn lines(&self) -> String {
        self.texts.iter().map(|(key, text)| format!("{key} = {text}\n")).collect()
    }
}

/// Writes a file. `rows` writes its pixels row by row.
///
/// # Errors
/// Errors of the file system.
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
            // The default level 6 makes heights only 3 % smaller, but is ten times as slow: the
            // encoding thread would hold up the others.
            encoder.set_deflate_compression(DeflateCompression::Level(1));
            for (key, text) in &about.texts {
                encoder.add_itxt_chunk((*key).into(), text.clone())?;
            }
            let mut png = encoder.write_header()?;
            let mut stream = png.stream_writer()?;
            rows(&mut stream)?;
            // Finish explicitly: dropping the stream would ignore errors such as a full disk.
            stream.finish()?;
            png.finish()?;
        }
    }
    out.flush()
}
