//! The range and the statistics of a picture's numbers, and its metadata: in text chunks, tags or
//! attributes, or in a text file next to it.

use crate::export::args::CommonArgs;
use crate::export::kind::{Kind, Picture};
use crate::export::tiles::Tile;

/// The heights that become 0 and 65535, in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// Becomes 0.
    pub lo: f64,
    /// Becomes 65535.
    pub hi: f64,
}

impl Range {
    /// The metres of a step. On flat ground, where both ends are equal, it is 0.
    pub fn step(self) -> f64 {
        (self.hi - self.lo) / f64::from(u16::MAX)
    }

    /// The nearest step. If both ends are equal, as on flat ground, it is 0.
    pub fn quantise(self, height: f32) -> u16 {
        (self.part(height).clamp(0.0, 1.0) * f64::from(u16::MAX)).round() as u16
    }

    /// 0 at the lower end, 1 at the upper end. If both ends are equal, it is 0.
    pub fn part(self, height: f32) -> f64 {
        let extent = self.hi - self.lo;
        if extent > 0.0 { (f64::from(height) - self.lo) / extent } else { 0.0 }
    }

    fn contains(self, height: f32) -> bool {
        (self.lo..=self.hi).contains(&f64::from(height))
    }
}

/// Statistics of heights or depths.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    /// The lowest, in metres.
    pub min: f32,
    /// The highest, in metres.
    pub max: f32,
    /// The number of heights outside the range.
    pub clamped: u64,
    /// The number of positions without a height.
    pub missing: u64,
}

impl Default for Tally {
    fn default() -> Self {
        Self { min: f32::INFINITY, max: f32::NEG_INFINITY, clamped: 0, missing: 0 }
    }
}

impl Tally {
    /// The statistics of heights. Without a range none counts as clamped.
    pub fn of(heights: &[f32], range: Option<Range>) -> Self {
        let mut tally = Self::default();
        for &height in heights {
            tally.min = tally.min.min(height);
            tally.max = tally.max.max(height);
            tally.missing += u64::from(height.is_nan());
            tally.clamped += u64::from(range.is_some_and(|range| !range.contains(height)));
        }
        tally
    }

    /// Combines the statistics of two parts.
    pub fn join(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            clamped: self.clamped + other.clamped,
            missing: self.missing + other.missing,
        }
    }

    /// The extremes as a range.
    pub fn range(&self) -> Option<Range> {
        (self.min <= self.max).then(|| Range { lo: self.min.into(), hi: self.max.into() })
    }
}

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
        args: &CommonArgs,
        kind: Kind,
        picture: Picture,
        tile: &Tile,
        range: Option<Range>,
        layers: Option<&str>,
    ) -> Self {
        let [width, height] = tile.grid.size;
        let origin = [0, 1].map(|k| tile.grid.coordinate(k, 0));
        let [x, z] = origin;
        let mut texts = vec![
            ("orogeny:preset", args.preset.clone()),
            ("orogeny:kind", kind.name().into()),
            ("orogeny:size", format!("{width}x{height}")),
            ("orogeny:origin", format!("{x},{z}")),
            ("orogeny:spacing", args.spacing.to_string()),
            ("orogeny:position", "(x, z) in metres = origin + spacing * (column, row)".into()),
            ("orogeny:formula", picture.formula()),
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
