//! Reads structures with bands from files, whose numbers are parts of fields: `slope: (min: 0.6)`.
//! Files from before bands have `slope_min: 0.6`, which is read, too.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::{Number, Parameters};

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
}
