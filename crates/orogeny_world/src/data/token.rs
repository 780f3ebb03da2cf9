//! The tokens of a value, and their bytes.

/// A token. Those of floats are their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Token<'a> {
    Unit,
    None,
    /// The value of the option follows.
    Some,
    Bool(bool),
    U64(u64),
    /// Negative.
    I64(i64),
    /// Larger than a `u64`.
    U128(u128),
    /// Smaller than an `i64`.
    I128(i128),
    F32(u32),
    F64(u64),
    Char(char),
    Str(&'a str),
    Bytes(&'a [u8]),
    /// Its values follow, and then [`End`](Self::End).
    Seq,
    /// Its keys and values follow in turn, and then [`End`](Self::End).
    Map,
    End,
}

/// Numbers below it are their own tag.
const SMALL: u64 = 0x80;
const UNIT: u8 = 0x80;
const NONE: u8 = 0x81;
const SOME: u8 = 0x82;
const FALSE: u8 = 0x83;
const TRUE: u8 = 0x84;
const U64: u8 = 0x85;
const I64: u8 = 0x86;
const U128: u8 = 0x87;
const I128: u8 = 0x88;
const F32: u8 = 0x89;
const F64: u8 = 0x8a;
const CHAR: u8 = 0x8b;
const STR: u8 = 0x8c;
const BYTES: u8 = 0x8d;
const SEQ: u8 = 0x8e;
const MAP: u8 = 0x8f;
const END: u8 = 0x90;

impl<'a> Token<'a> {
    /// Appends the bytes of the token.
    pub fn put(self, out: &mut Vec<u8>) {
        match self {
            Self::Unit => out.push(UNIT),
            Self::None => out.push(NONE),
            Self::Some => out.push(SOME),
            Self::Bool(false) => out.push(FALSE),
            Self::Bool(true) => out.push(TRUE),
            Self::U64(n) if n < SMALL => out.push(n as u8),
            Self::U64(n) => put_number(U64, n, out),
            // Of -1 that is 0.
            Self::I64(n) => put_number(I64, !n as u64, out),
            Self::U128(n) => put_bytes(U128, &n.to_le_bytes(), out),
            Self::I128(n) => put_bytes(I128, &n.to_le_bytes(), out),
            Self::F32(bits) => put_bytes(F32, &bits.to_le_bytes(), out),
            Self::F64(bits) => put_bytes(F64, &bits.to_le_bytes(), out),
            Self::Char(c) => put_number(CHAR, u32::from(c).into(), out),
            Self::Str(text) => {
                put_number(STR, text.len() as u64, out);
                out.extend_from_slice(text.as_bytes());
            }
            Self::Bytes(bytes) => {
                put_number(BYTES, bytes.len() as u64, out);
                out.extend_from_slice(bytes);
            }
            Self::Seq => out.push(SEQ),
            Self::Map => out.push(MAP),
            Self::End => out.push(END),
        }
    }

    /// Takes the first token off some bytes. `None` if there is none.
    pub fn take(bytes: &mut &'a [u8]) -> Option<Self> {
        let [tag] = take_array(bytes)?;
        Some(match tag {
            UNIT => Self::Unit,
            NONE => Self::None,
            SOME => Self::Some,
            FALSE => Self::Bool(false),
            TRUE => Self::Bool(true),
            U64 => Self::U64(take_number(bytes)?),
            I64 => Self::I64(!i64::try_from(take_number(bytes)?).ok()?),
            U128 => Self::U128(u128::from_le_bytes(take_array(bytes)?)),
            I128 => Self::I128(i128::from_le_bytes(take_array(bytes)?)),
            F32 => Self::F32(u32::from_le_bytes(take_array(bytes)?)),
            F64 => Self::F64(u64::from_le_bytes(take_array(bytes)?)),
            CHAR => Self::Char(u32::try_from(take_number(bytes)?).ok()?.try_into().ok()?),
            STR => Self::Str(core::str::from_utf8(take_counted(bytes)?).ok()?),
            BYTES => Self::Bytes(take_counted(bytes)?),
            SEQ => Self::Seq,
            MAP => Self::Map,
            END => Self::End,
            small if u64::from(small) < SMALL => Self::U64(small.into()),
            _ => return None,
        })
    }
}

fn put_bytes(tag: u8, bytes: &[u8], out: &mut Vec<u8>) {
    out.push(tag);
    out.extend_from_slice(bytes);
}

/// Seven bits a byte, the low ones first. The last byte has no high bit.
fn put_number(tag: u8, mut n: u64, out: &mut Vec<u8>) {
    out.push(tag);
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut n = 0u128;
    for shift in (0..64).step_by(7) {
        let [byte] = take_array(bytes)?;
        n |= u128::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return n.try_into().ok();
        }
    }
    None
}

fn take_array<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*taken)
}

fn take_counted<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let count = take_number(bytes)?.try_into().ok()?;
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

/// A step into a map, from the bytes of its key.
pub fn step_to(key: &[u8]) -> String {
    let mut rest = key;
    match Token::take(&mut rest) {
        Some(Token::Str(name)) if is_name(name) => format!(".{name}"),
        Some(Token::Str(text)) => format!("[{text:?}]"),
        Some(Token::U64(n)) => format!("[{n}]"),
        Some(Token::I64(n)) => format!("[{n}]"),
        Some(Token::Char(c)) => format!("[{c:?}]"),
        Some(Token::Bool(b)) => format!("[{b}]"),
        _ => "[..]".into(),
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}
