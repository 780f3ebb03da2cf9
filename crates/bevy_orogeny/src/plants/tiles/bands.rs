//! Bands: which instances are in tiles of which width.
//!
//! An instance is drawn up to a distance that depends on its rank. Those of low rank are seen from
//! afar, so they are in wide tiles, of which there are few; the others are in narrow ones around
//! the viewers. Each instance is in one tile.

use core::ops::Range;

use orogeny::Region;

use crate::plants::tiers::Class;
use crate::scatter::square::square;

/// The instances of a class with some ranks.
#[derive(Clone, Debug)]
pub struct Band {
    pub class: Class,
    /// The width of its tiles in metres.
    pub width: f64,
    pub ranks: Range<f32>,
}

const fn band(class: Class, width: f64, ranks: Range<f32>) -> Band {
    Band { class, width, ranks }
}

use Class::{Grass, Large, Shrub};

/// All bands. Those of a class have all ranks; they end where some tier of it keeps no more.
pub static BANDS: [Band; 8] = [
    band(Grass, 16.0, 0.7..1.0),
    band(Grass, 16.0, 0.4..0.7),
    band(Grass, 32.0, 0.0..0.4),
    band(Shrub, 32.0, 0.8..1.0),
    band(Shrub, 64.0, 0.0..0.8),
    band(Large, 128.0, 0.6..1.0),
    band(Large, 256.0, 0.25..0.6),
    band(Large, 512.0, 0.0..0.25),
];

impl Band {
    /// The distance in metres up to which some of it are drawn, without the jitter of ranges.
    pub fn reach(&self) -> f64 {
        f64::from(self.class.reach(self.ranks.start))
    }
}

/// A tile: its band, and its place among the tiles of that band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileKey {
    pub band: u8,
    pub index: [i64; 2],
}

impl TileKey {
    pub fn band(self) -> &'static Band {
        &BANDS[usize::from(self.band)]
    }

    /// Its square, in metres from the terrain's origin.
    pub fn square(self) -> Region {
        square(self.index, self.band().width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plants::tiers::TIERS;

    #[test]
    fn every_instance_is_in_one_band_that_reaches_as_far_as_it_is_drawn() {
        for class in Class::ALL {
            let mut bands: Vec<&Band> = BANDS.iter().filter(|band| band.class == class).collect();
            bands.sort_by(|a, b| a.ranks.start.total_cmp(&b.ranks.start));
            assert_eq!((bands[0].ranks.start, bands[bands.len() - 1].ranks.end), (0.0, 1.0));
            assert!(bands.windows(2).all(|pair| pair[0].ranks.end == pair[1].ranks.start));
            for band in bands {
                let farther = |tier: &&crate::plants::tiers::Tier| {
                    tier.class == class && f64::from(tier.range[0]) >= band.reach()
                };
                for tier in TIERS.iter().filter(farther) {
                    // Those of a tier beyond it have shrunk before.
                    assert!(tier.keep[0] <= band.ranks.start, "{band:?} {tier:?}");
                }
            }
        }
    }
}
