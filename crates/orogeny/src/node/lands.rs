//! The lands of a recipe, as plain data.

use alloc::string::String;
use alloc::vec::Vec;

use crate::band::Band;
use crate::error::DataError;
use crate::limits::Limit;
#[cfg(feature = "serde")]
use crate::limits::at_most;
use crate::node::Node;
use crate::node::ops::blend::{MAX_ALONG, check_bands};

/// The lands of a recipe, such as desert, wood and tundra, and where each lies: within bands of the
/// fields [`along`](Self::along), which usually are temperature and moisture.
///
/// They lie over each other like the pieces of a [`Node::Blend`], so their weights add up to 1, and
/// have continuous second derivatives if the fields that decide have. A [`Node::Lands`] has a field
/// for each of them.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Lands {
    /// The fields that decide, at most [`MAX_ALONG`].
    #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_ALONG, _, _>"))]
    pub along: Vec<Node>,
    /// The lands from the lowest to the highest, at most [`MAX_LANDS`]; none for a world of one
    /// land.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_LANDS, _, _>"))]
    pub of: Vec<Land>,
}

/// One land of a recipe.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Land {
    /// Its name, by which a [`Node::Lands`] finds it. No two lands have the same.
    pub name: String,
    /// Its colour on maps: sRGB, each component 0 to 1.
    #[cfg_attr(feature = "serde", serde(default))]
    pub colour: [f32; 3],
    /// One band for each field that decides, in their order; the last ones may be left out. The
    /// first land lies everywhere and has none.
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "at_most::<MAX_ALONG, _, _>"))]
    pub within: Vec<Band>,
}

/// The maximum number of lands.
pub const MAX_LANDS: usize = 32;

/// Limits of a component of a land's colour.
const COLOUR: Limit =
    Limit::new("colour", "", [0.0, 1.0], 0.0, "A component of the colour on maps, sRGB");

impl Lands {
    /// The land of a name.
    pub fn named(&self, name: &str) -> Option<&Land> {
        self.of.iter().find(|land| land.name == name)
    }

    /// Checks all but the fields that decide.
    pub(crate) fn check(&self) -> Result<(), DataError> {
        let (count, max) = (self.of.len(), MAX_LANDS);
        if count > max {
            let problem = format!("has {count} lands, but must have at most {max}");
            return Err(DataError::at("of", problem));
        }
        if self.along.len() > MAX_ALONG {
            let problem =
                format!("must hold at most {MAX_ALONG} fields, but holds {}", self.along.len());
            return Err(DataError::at("along", problem));
        }
        for (i, land) in self.of.iter().enumerate() {
            let here = |error: DataError| error.under(&format!("of[{i}]"));
            let Land { name, colour, within } = land;
            if name.is_empty() || self.of[..i].iter().any(|other| other.name == *name) {
                let problem = format!("is {name:?}, but must differ from all others");
                return Err(here(DataError::at("name", problem)));
            }
            let mut colour = colour.iter();
            colour.try_for_each(|&x| COLOUR.check(x.into())).map_err(|e| here(e.into()))?;
            check_bands(within, self.along.len(), i == 0).map_err(here)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lands() -> Lands {
        let land = |name: &str, within| Land { name: name.into(), within, ..Land::default() };
        let cold = Band { max: 0.0, ..Band::default() };
        Lands { along: vec![1.0.into()], of: vec![land("a", vec![]), land("b", vec![cold])] }
    }

    #[test]
    fn faults_are_named() {
        assert_eq!(lands().check(), Ok(()));
        assert_eq!(Lands::default().check(), Ok(()));
        let fault = |change: fn(&mut Lands)| {
            let mut lands = lands();
            change(&mut lands);
            lands.check().unwrap_err().path
        };
        assert_eq!(fault(|lands| lands.of[1].name.clear()), "of[1].name");
        assert_eq!(fault(|lands| lands.of[1].name = "a".into()), "of[1].name");
        assert_eq!(fault(|lands| lands.of[1].colour[2] = f32::NAN), "of[1].colour");
        assert_eq!(fault(|lands| lands.of[1].within[0].max = -2e6), "of[1].within[0].max");
        assert_eq!(fault(|lands| lands.along.clear()), "of[1].within");
        assert_eq!(fault(|lands| lands.along = vec![Node::default(); 5]), "along");
        assert_eq!(fault(|lands| lands.of.swap(0, 1)), "of[0].within");
        assert_eq!(fault(|lands| lands.of = vec![Land::default(); 33]), "of");
    }
}
