//! Reads values.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::token::{Token, step_to};
use super::{MAX_DEPTH, ValueError};

/// The value of some bytes.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ValueError> {
    let mut reader = Reader { rest: bytes, depth: 0 };
    let value = T::deserialize(&mut reader)?;
    if !reader.rest.is_empty() {
        return Err(ValueError::new("has bytes after its end"));
    }
    Ok(value)
}

struct Reader<'de> {
    rest: &'de [u8],
    /// The number of values that contain the present one.
    depth: usize,
}

impl<'de> Reader<'de> {
    fn take(&mut self) -> Result<Token<'de>, ValueError> {
        Token::take(&mut self.rest).ok_or_else(|| ValueError::new("ends in the middle of a value"))
    }

    fn peek(&self) -> Option<Token<'de>> {
        Token::take(&mut { self.rest })
    }

    /// Whether the next token ends a list or a map. It is taken then.
    fn takes_end(&mut self) -> bool {
        let is_end = self.peek() == Some(Token::End);
        if is_end {
            self.rest = &self.rest[1..];
        }
        is_end
    }

    /// Reads a value that contains others.
    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, ValueError>,
    ) -> Result<T, ValueError> {
        if self.depth == MAX_DEPTH {
            return Err(ValueError::too_deep());
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// Reads a list or a map, which must end where its type does.
    fn nested_parts<T>(
        &mut self,
        read: impl FnOnce(&mut Parts<'_, 'de>) -> Result<T, ValueError>,
    ) -> Result<T, ValueError> {
        self.nested(|reader| {
            let mut parts = Parts { reader, count: 0, key: &[], has_ended: false };
            let value = read(&mut parts)?;
            if parts.has_ended || parts.reader.takes_end() {
                Ok(value)
            } else {
                Err(ValueError::new(format!("has more than {} parts", parts.count)))
            }
        })
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = ValueError;

    // See the writer.
    fn is_human_readable(&self) -> bool {
        true
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self.take()? {
            Token::Unit => visitor.visit_unit(),
            Token::None => visitor.visit_none(),
            Token::Some => self.nested(|reader| visitor.visit_some(reader)),
            Token::Bool(is) => visitor.visit_bool(is),
            Token::U64(n) => visitor.visit_u64(n),
            Token::I64(n) => visitor.visit_i64(n),
            Token::U128(n) => visitor.visit_u128(n),
            Token::I128(n) => visitor.visit_i128(n),
            Token::F32(bits) => visitor.visit_f32(f32::from_bits(bits)),
            Token::F64(bits) => visitor.visit_f64(f64::from_bits(bits)),
            Token::Char(c) => visitor.visit_char(c),
            Token::Str(text) => visitor.visit_borrowed_str(text),
            Token::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            Token::Seq => self.nested_parts(|parts| visitor.visit_seq(parts)),
            Token::Map => self.nested_parts(|parts| visitor.visit_map(parts)),
            Token::End => Err(ValueError::new("is missing")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self.peek() {
            Some(Token::None | Token::Some) => self.deserialize_any(visitor),
            // It was no option when it was written.
            _ => self.nested(|reader| visitor.visit_some(reader)),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        match self.take()? {
            Token::Str(name) => visitor.visit_enum(BorrowedStrDeserializer::new(name)),
            Token::Map => self.nested_parts(|parts| visitor.visit_enum(parts)),
            _ => Err(ValueError::new("is not a variant of an enum")),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// A list, a map or a variant that is being read.
struct Parts<'a, 'de> {
    reader: &'a mut Reader<'de>,
    /// The number of values so far.
    count: usize,
    /// From the last key of a map on.
    key: &'de [u8],
    has_ended: bool,
}

impl<'de> Parts<'_, 'de> {
    /// Whether there is no further part.
    fn end(&mut self) -> bool {
        self.has_ended = self.has_ended || self.reader.takes_end();
        self.has_ended
    }

    fn key<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<K::Value, ValueError> {
        self.key = self.reader.rest;
        self.count += 1;
        seed.deserialize(&mut *self.reader)
    }

    fn value<T>(
        &mut self,
        read: impl FnOnce(&mut Reader<'de>) -> Result<T, ValueError>,
    ) -> Result<T, ValueError> {
        let key = self.key;
        read(self.reader).map_err(|error| error.within(|| step_to(key)))
    }
}

impl<'de> SeqAccess<'de> for Parts<'_, 'de> {
    type Error = ValueError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, ValueError> {
        if self.end() {
            return Ok(None);
        }
        let index = self.count;
        self.count += 1;
        let value = seed.deserialize(&mut *self.reader);
        value.map(Some).map_err(|error| error.within(|| format!("[{index}]")))
    }
}

impl<'de> MapAccess<'de> for Parts<'_, 'de> {
    type Error = ValueError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ValueError> {
        if self.end() {
            return Ok(None);
        }
        self.key(seed).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, ValueError> {
        self.value(|reader| seed.deserialize(reader))
    }
}

impl<'de> EnumAccess<'de> for &mut Parts<'_, 'de> {
    type Error = ValueError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self), ValueError> {
        let variant = self.key(seed)?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for &mut Parts<'_, 'de> {
    type Error = ValueError;

    fn unit_variant(self) -> Result<(), ValueError> {
        self.value(|reader| Deserialize::deserialize(reader))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, ValueError> {
        self.value(|reader| seed.deserialize(reader))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, ValueError> {
        self.value(|reader| reader.deserialize_any(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        self.value(|reader| reader.deserialize_any(visitor))
    }
}
