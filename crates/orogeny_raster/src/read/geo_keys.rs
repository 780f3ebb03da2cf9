//! The geo keys of a GeoTIFF: numbers and texts by their identifiers.

use tiff::tags::Tag;

use crate::error::RasterError;
use crate::read::geo_tags::{numbers, text};
use crate::read::tiff::{Tiff, problem};

/// What a key has if its value follows in other keys.
pub(super) const USER_DEFINED: u16 = 32767;

/// The geo keys of a file; none if it has none.
#[derive(Default)]
pub(super) struct Keys {
    /// The minor revision: 0 of GeoTIFF 1.0, 1 of 1.1.
    pub revision: u16,
    entries: Vec<[u16; 4]>,
    numbers: Vec<f64>,
    text: String,
}

impl Keys {
    pub fn read(tiff: &mut Tiff) -> Result<Self, RasterError> {
        let tag = tiff.find_tag_unsigned_vec::<u16>(Tag::GeoKeyDirectoryTag).map_err(problem)?;
        let Some(directory) = tag else { return Ok(Self::default()) };
        let (entries, _) = directory.as_chunks::<4>();
        let Some(([_, _, revision, count], entries)) = entries.split_first() else {
            return Err(RasterError::damaged("its GeoKeyDirectory is too short"));
        };
        let entries = entries.get(..usize::from(*count)).ok_or_else(|| {
            RasterError::damaged(format!("its GeoKeyDirectory has less than {count} keys"))
        })?;
        Ok(Self {
            revision: *revision,
            entries: entries.to_vec(),
            numbers: numbers(tiff, Tag::GeoDoubleParamsTag)?.unwrap_or_default(),
            // Names in other encodings say nothing that is needed.
            text: text(tiff, Tag::GeoAsciiParamsTag).ok().flatten().unwrap_or_default(),
        })
    }

    /// The value of a key that is stored in the directory itself.
    pub fn get(&self, id: u16) -> Option<u16> {
        let [_, location, _, value] = self.entries.iter().find(|entry| entry[0] == id)?;
        (*location == 0).then_some(*value)
    }

    /// The value of a key, unless it is user-defined.
    pub fn code(&self, id: u16) -> Option<u16> {
        self.get(id).filter(|&code| code != USER_DEFINED)
    }

    /// The number of a key.
    pub fn number(&self, id: u16) -> Option<f64> {
        let [_, location, _, value] = self.entries.iter().find(|entry| entry[0] == id)?;
        match *location {
            0 => Some(f64::from(*value)),
            34736 => self.numbers.get(usize::from(*value)).copied().filter(|x| x.is_finite()),
            _ => None,
        }
    }

    /// All texts of the keys, such as names.
    pub fn texts(&self) -> &str {
        &self.text
    }
}
