//! Reads structures with bands, and lists with a maximum length, from files.
//!
//! The numbers of bands are parts of fields: `slope: (min: 0.6)`. Files from before bands have
//! `slope_min: 0.6`, which is read, too.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde_with::Same;
use serde_with::de::DeserializeAsWrap;

use super::{CURVE_POINTS, LATTICE_POINTS, Number, PATH_POINTS, Parameters};

/// A structure with numbers that are parts of fields. Numbers are read by the names of their
/// limits.
pub(crate) trait Readable: Parameters + Default {
    /// Its name.
    const NAME: &'static str;
    /// The names of its fields.
    const FIELDS: &'static [&'static str];

    /// Reads a field that is neither a number nor a band.
    fn read_other<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<(), A::Error>;
}

/// The parts of a band.
const PARTS: &[&str] = &["min", "max", "soft"];

/// Reads a structure. Fields and parts of bands that are left out have their defaults.
pub(crate) fn read<'de, T: Readable, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    let mut read = T::default();
    Reader { into: &mut read, seen: &mut Vec::new(), band: None }.deserialize(from)?;
    Ok(read)
}

/// Reads a structure, or one of its bands.
struct Reader<'a, T> {
    into: &'a mut T,
    /// The names that have been read.
    seen: &'a mut Vec<&'static str>,
    band: Option<&'static str>,
}

impl<'de, T: Readable> DeserializeSeed<'de> for Reader<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        let (name, fields) = self.band.map_or((T::NAME, T::FIELDS), |_| ("Band", PARTS));
        from.deserialize_struct(name, fields, self)
    }
}

impl<'de, T: Readable> Visitor<'de> for Reader<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "struct {}", self.band.map_or(T::NAME, |_| "Band"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, values: A) -> Result<(), A::Error> {
        let names = self.band.map_or(T::FIELDS, |_| PARTS).iter();
        self.visit_map(InOrder { names, values })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { into, seen, band } = self;
        while let Some(name) = map.next_key_seed(Name::<T> { band, of: PhantomData })? {
            if seen.contains(&name) {
                return Err(A::Error::duplicate_field(name));
            }
            seen.push(name);
            if let Some(number) = T::LIMITS.iter().position(|limit| limit.name == name) {
                match into.numbers().swap_remove(number) {
                    Number::F32(number) => *number = map.next_value()?,
                    Number::F64(number) => *number = map.next_value()?,
                }
            } else if T::LIMITS.iter().any(|limit| is_part(limit.name, name)) {
                map.next_value_seed(Reader {
                    into: &mut *into,
                    seen: &mut *seen,
                    band: Some(name),
                })?;
            } else {
                into.read_other(name, &mut map)?;
            }
        }
        Ok(())
    }
}

/// The fields of a format that writes no names, such as postcard: all of them, in their order.
struct InOrder<A> {
    names: core::slice::Iter<'static, &'static str>,
    values: A,
}

impl<'de, A: SeqAccess<'de>> MapAccess<'de> for InOrder<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        let name = self.names.next();
        name.map(|name| seed.deserialize(BorrowedStrDeserializer::new(name))).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        let value = self.values.next_element_seed(seed)?;
        value.ok_or_else(|| A::Error::custom("fields are missing"))
    }
}

/// Whether a number is a part of a field.
fn is_part(number: &str, field: &str) -> bool {
    number.split_once('.').is_some_and(|(of, _)| of == field)
}

/// Reads the name of a field, or of a part of a band: as in [`Readable::FIELDS`], or as that of a
/// limit.
struct Name<T> {
    band: Option<&'static str>,
    of: PhantomData<T>,
}

impl<'de, T: Readable> DeserializeSeed<'de> for Name<T> {
    type Value = &'static str;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<&'static str, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl<T: Readable> Visitor<'_> for Name<T> {
    type Value = &'static str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<&'static str, E> {
        let mut limits = T::LIMITS.iter().map(|limit| limit.name);
        if let Some(band) = self.band {
            let found = limits.find(|limit| limit.split_once('.') == Some((band, name)));
            return found.ok_or_else(|| E::unknown_field(name, PARTS));
        }
        let is_old = |limit: &&str| limit.replace('.', "_") == name;
        let found = T::FIELDS.iter().copied().find(|field| *field == name);
        found.or_else(|| limits.find(is_old)).ok_or_else(|| E::unknown_field(name, T::FIELDS))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<&'static str, E> {
        self.visit_str(&String::from_utf8_lossy(name))
    }

    /// The index of a field, from formats that number them.
    fn visit_u64<E: Error>(self, index: u64) -> Result<&'static str, E> {
        let names = self.band.map_or(T::FIELDS, |_| PARTS);
        let name = usize::try_from(index).ok().and_then(|index| names.get(index));
        match name {
            Some(name) => self.visit_str(name),
            None => Err(E::invalid_value(Unexpected::Unsigned(index), &self)),
        }
    }
}

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

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde::de::value::{Error, MapDeserializer};
    use serde::de::{Error as _, IntoDeserializer};

    use super::Readable;
    use crate::scatter::ScatterKind;

    fn read<'de, K: IntoDeserializer<'de, Error>, V: IntoDeserializer<'de, Error>>(
        fields: [(K, V); 1],
    ) -> Result<ScatterKind, Error> {
        ScatterKind::deserialize(MapDeserializer::new(fields.into_iter()))
    }

    /// As derived readers take them: by name, as text or bytes, and by number.
    #[test]
    fn fields_have_names_and_numbers() {
        let expected = Ok(ScatterKind { radius: 7.0, ..ScatterKind::default() });
        let index = |name| ScatterKind::FIELDS.iter().position(|field| *field == name).unwrap();
        assert_eq!(read([("radius", 7.0)]), expected);
        assert_eq!(read([(b"radius".as_slice(), 7.0)]), expected);
        assert_eq!(read([(index("radius"), 7.0)]), expected);

        let slope = ScatterKind::SLOPE.below(0.7);
        let expected = Ok(ScatterKind { slope, ..ScatterKind::default() });
        let part = |part| MapDeserializer::new([(part, 0.7)].into_iter());
        assert_eq!(read([("slope_max", 0.7)]), expected);
        assert_eq!(read([("slope", part(1u64))]), expected);
        let bytes = MapDeserializer::new([(b"max".as_slice(), 0.7)].into_iter());
        assert_eq!(read([(index("slope") as u64, bytes)]), expected);

        let unknown = Error::unknown_field("mass", ScatterKind::FIELDS);
        assert_eq!(read([(b"mass".as_slice(), 7.0)]), Err(unknown));
        assert!(read([(u64::MAX, 7.0)]).is_err());
        assert!(read([("slope", part(3u64))]).is_err());
    }
}
