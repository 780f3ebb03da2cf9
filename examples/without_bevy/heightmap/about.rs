//! Metadata of a picture: in its text chunks, tags or attributes, or in a text file next to it.

use crate::args::Args;
use crate::kind::Kind;
use crate::picture::Picture;
use crate::tally::Range;
use crate::tiles::Tile;

/// Metadata of a picture.
pub struct About {
    /// Pixels along x and z.
    pub size: [usize; 2],
    /// The position of the first pixel.
    pub origin: [f64; 2],
    /// Metres between pixels.
    pub spacing: f64,
    /// The metres that become 0 and 65535, or the extremes of floats, if known.
    pub range: Option<Range>,
    texts: Vec<(&'static str, String)>,
}

impl About {
    /// Collects the metadata of a tile, with the range if it is known. `layers` names the layers of
    /// cover in each channel.
    pub fn new(
        args: &Args,
        kind: Kind,
        picture: Picture,
        tile: &Tile,
        range: Option<Range>,
        layers: Option<&str>,
    ) -> Self {
        let [width, height] = tile.area.grid.size;
        let origin = [0, 1].map(|k| tile.area.grid.coordinate(k, 0));
        let [x, z] = origin;
        let mut texts = vec![
            ("orogeny:preset", args.preset.clone()),
            ("orogeny:kind", kind.name().into()),
            ("orogeny:size", format!("{width}x{height}")),
            ("orogeny:origin", format!("{x},{z}")),
            ("orogeny:spacing", args.spacing.to_string()),
            ("orogeny:position", "(x, z) in metres = origin + spacing * (column, row)".into()),
            ("orogeny:formula", picture.formula().into()),
        ];
        if let (Some([x, y]), Some([columns, rows])) = (tile.index, args.tiles) {
            texts.push(("orogeny:tile", format!("x{x} y{y} of {columns}x{rows}")));
        }
        if let Some(Range { lo, hi }) = range {
            texts.extend([("orogeny:min", lo.to_string()), ("orogeny:max", hi.to_string())]);
        }
        texts.extend(layers.map(|layers| ("orogeny:layers", layers.into())));
        Self { size: [width, height], origin, spacing: args.spacing, range, texts }
    }

    /// The keys and their values.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.texts.iter().map(|(key, text)| (*key, text.as_str()))
    }

    /// The contents of the text file: a key and its value on each line.
    pub fn lines(&self) -> String {
        self.texts().map(|(key, text)| format!("{key} = {text}\n")).collect()
    }
}
