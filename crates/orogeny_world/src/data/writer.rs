//! Writes values.

use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::token::{Token, step_to};
use super::{MAX_DEPTH, ValueError};

/// A value that is written.
pub struct Written {
    pub bytes: Vec<u8>,
    /// Where tuples begin: lists whose order always counts. Sets are lists, too.
    pub tuples: Vec<usize>,
}

/// Writes a value.
pub fn write<T: Serialize + ?Sized>(value: &T) -> Result<Written, ValueError> {
    let mut writer = Writer { out: Vec::new(), tuples: Vec::new(), depth: 0 };
    value.serialize(&mut writer)?;
    Ok(Written { bytes: writer.out, tuples: writer.tuples })
}

struct Writer {
    out: Vec<u8>,
    tuples: Vec<usize>,
    /// The number of values that contain the present one.
    depth: usize,
}

impl Writer {
    fn put(&mut self, token: Token) -> Result<(), ValueError> {
        token.put(&mut self.out);
        Ok(())
    }

    /// Begins a value that contains others.
    fn open(&mut self, token: Token) -> Result<(), ValueError> {
        if self.depth == MAX_DEPTH {
            return Err(ValueError::too_deep());
        }
        self.depth += 1;
        self.put(token)
    }

    fn close(&mut self) -> Result<(), ValueError> {
        self.depth -= 1;
        self.put(Token::End)
    }

    /// Begins a map with the name of a variant as its only key.
    fn open_variant(&mut self, variant: &'static str) -> Result<(), ValueError> {
        self.open(Token::Map)?;
        self.put(Token::Str(variant))
    }
}

/// A list or a map that is being written.
struct Parts<'a> {
    writer: &'a mut Writer,
    /// The number of values so far.
    count: usize,
    /// Where the last key of a map begins.
    key: usize,
    /// The name of its variant, if it is one.
    variant: Option<&'static str>,
}

impl<'a> Parts<'a> {
    fn open(writer: &'a mut Writer, token: Token) -> Result<Self, ValueError> {
        writer.open(token)?;
        Ok(Self { writer, count: 0, key: 0, variant: None })
    }

    fn open_tuple(writer: &'a mut Writer) -> Result<Self, ValueError> {
        writer.tuples.push(writer.out.len());
        Self::open(writer, Token::Seq)
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
        let index = self.count;
        self.count += 1;
        let written = value.serialize(&mut *self.writer);
        written.map_err(|e| self.in_variant(e.within(|| format!("[{index}]"))))
    }

    fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), ValueError> {
        self.key = self.writer.out.len();
        let written = key.serialize(&mut *self.writer);
        written.map_err(|e| self.in_variant(e.within(|| "[a key]".into())))
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
        let end = self.writer.out.len();
        let written = value.serialize(&mut *self.writer);
        written.map_err(|e| self.in_variant(e.within(|| step_to(&self.writer.out[self.key..end]))))
    }

    fn in_variant(&self, error: ValueError) -> ValueError {
        match self.variant {
            Some(variant) => error.within(|| format!(".{variant}")),
            None => error,
        }
    }

    fn close(self) -> Result<(), ValueError> {
        self.writer.close()?;
        if self.variant.is_some() { self.writer.close() } else { Ok(()) }
    }
}

macro_rules! numbers {
    ($($method:ident $number:ty),*) => {
        $(fn $method(self, n: $number) -> Result<(), ValueError> {
            self.serialize_i128(n.into())
        })*
    };
}

impl<'a> Serializer for &'a mut Writer {
    type Ok = ();
    type Error = ValueError;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Parts<'a>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

    // Types differ in what they write for people. Those that were read before their type was known
    // are always read as if for people, so that is what all of them write.
    fn is_human_readable(&self) -> bool {
        true
    }

    numbers!(
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64
    );

    fn serialize_i128(self, n: i128) -> Result<(), ValueError> {
        match (u64::try_from(n), i64::try_from(n), u128::try_from(n)) {
            (Ok(n), ..) => self.put(Token::U64(n)),
            (_, Ok(n), _) => self.put(Token::I64(n)),
            (.., Ok(n)) => self.put(Token::U128(n)),
            _ => self.put(Token::I128(n)),
        }
    }

    fn serialize_u128(self, n: u128) -> Result<(), ValueError> {
        self.put(u64::try_from(n).map_or(Token::U128(n), Token::U64))
    }

    fn serialize_f32(self, x: f32) -> Result<(), ValueError> {
        self.put(Token::F32(x.to_bits()))
    }

    fn serialize_f64(self, x: f64) -> Result<(), ValueError> {
        self.put(Token::F64(x.to_bits()))
    }

    fn serialize_bool(self, is: bool) -> Result<(), ValueError> {
        self.put(Token::Bool(is))
    }

    fn serialize_char(self, c: char) -> Result<(), ValueError> {
        self.put(Token::Char(c))
    }

    fn serialize_str(self, text: &str) -> Result<(), ValueError> {
        self.put(Token::Str(text))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), ValueError> {
        self.put(Token::Bytes(bytes))
    }

    fn serialize_none(self) -> Result<(), ValueError> {
        self.put(Token::None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), ValueError> {
        self.open(Token::Some)?;
        value.serialize(&mut *self)?;
        self.depth -= 1;
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), ValueError> {
        self.put(Token::Unit)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), ValueError> {
        self.put(Token::Unit)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), ValueError> {
        self.put(Token::Str(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), ValueError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), ValueError> {
        self.open_variant(variant)?;
        value.serialize(&mut *self).map_err(|e| e.within(|| format!(".{variant}")))?;
        self.close()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'a>, ValueError> {
        Parts::open(self, Token::Seq)
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'a>, ValueError> {
        Parts::open_tuple(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, ValueError> {
        Parts::open_tuple(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, ValueError> {
        self.open_variant(variant)?;
        Ok(Parts { variant: Some(variant), ..Parts::open_tuple(self)? })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'a>, ValueError> {
        Parts::open(self, Token::Map)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, ValueError> {
        Parts::open(self, Token::Map)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, ValueError> {
        self.open_variant(variant)?;
        Ok(Parts { variant: Some(variant), ..Parts::open(self, Token::Map)? })
    }
}

/// The traits of lists, which differ by the name of a method.
macro_rules! lists {
    ($($list:ident $method:ident),*) => {
        $(impl $list for Parts<'_> {
            type Ok = ();
            type Error = ValueError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
                self.item(value)
            }

            fn end(self) -> Result<(), ValueError> {
                self.close()
            }
        })*
    };
}
lists!(
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
);

macro_rules! structs {
    ($($fields:ident),*) => {
        $(impl $fields for Parts<'_> {
            type Ok = ();
            type Error = ValueError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), ValueError> {
                self.key(name)?;
                self.value(value)
            }

            fn end(self) -> Result<(), ValueError> {
                self.close()
            }
        })*
    };
}
structs!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = ValueError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), ValueError> {
        self.key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
        self.value(value)
    }

    fn end(self) -> Result<(), ValueError> {
        self.close()
    }
}
