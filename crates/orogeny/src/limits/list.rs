//! Reads lists from files, but not beyond their limit.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde_with::Same;
use serde_with::de::DeserializeAsWrap;

use super::{CURVE_POINTS, LATTICE_POINTS, PATH_POINTS};

/// The maximum length of a curve's list of points.
pub(crate) const MAX_CURVE_POINTS: usize = CURVE_POINTS.max as usize;

/// The maximum length of a list of lattice points or gradients.
pub(crate) const MAX_LATTICE_POINTS: usize = LATTICE_POINTS.max as usize;

/// The maximum length of a path's list of points.
pub(crate) const MAX_PATH_POINTS: usize = PATH_POINTS.max as usize;

/// Reads a list of at most `MAX` items. A longer list is an error at item `MAX` + 1, and the rest
/// is not read.
pub(crate) fn at_most<'de, const MAX: usize, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_seq(List::<MAX, T>(PhantomData))
}

/// [`at_most`] for arrays of a generic length, which serde does not support.
pub(crate) fn arrays_at_most<'de, const MAX: usize, const N: usize, T, D>(
    deserializer: D,
) -> Result<Vec<[T; N]>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    let list = at_most::<MAX, DeserializeAsWrap<[T; N], [Same; N]>, D>(deserializer)?;
    Ok(list.into_iter().map(DeserializeAsWrap::into_inner).collect())
}

struct List<const MAX: usize, T>(PhantomData<T>);

impl<'de, const MAX: usize, T: Deserialize<'de>> Visitor<'de> for List<MAX, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {MAX} items")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            if list.len() == MAX {
                return Err(A::Error::custom(format!("the list has more than {MAX} items")));
            }
            list.push(item);
        }
        Ok(list)
    }
}
