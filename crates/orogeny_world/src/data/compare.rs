//! Where two values differ.

use super::token::{Token, step_to};
use super::writer::Written;

/// A value in memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tree<'a> {
    One(Token<'a>),
    Some(Box<Self>),
    Seq(Vec<Self>),
    Tuple(Vec<Self>),
    /// With the bytes of the key, whose order in a key that is a set counts.
    Map(Vec<(&'a [u8], Self)>),
}

/// The way to the first part in which two written values differ, the last step first. `None` if
/// they are the same: sets and maps that are hashed have no order, tuples have.
pub fn difference(a: &Written, b: &Written) -> Option<Vec<String>> {
    if a.bytes == b.bytes {
        return None;
    }
    let trees = [a, b].map(|value| Tree::take(value, &mut &*value.bytes));
    // What was written can be read.
    let [Some(a), Some(b)] = trees else { return Some(Vec::new()) };
    a.difference(&b)
}

impl<'a> Tree<'a> {
    /// Takes the first value off the rest of the bytes. `None` for the end of a list.
    fn take(whole: &Written, bytes: &mut &'a [u8]) -> Option<Self> {
        let start = whole.bytes.len() - bytes.len();
        Some(match Token::take(bytes)? {
            Token::End => return None,
            Token::Some => Self::Some(Box::new(Self::take(whole, bytes)?)),
            Token::Seq => {
                let mut parts = Vec::new();
                while let Some(part) = Self::take(whole, bytes) {
                    parts.push(part);
                }
                // They are in ascending order.
                let is_tuple = whole.tuples.binary_search(&start).is_ok();
                if is_tuple { Self::Tuple(parts) } else { Self::Seq(parts) }
            }
            Token::Map => {
                let mut parts = Vec::new();
                loop {
                    let from = *bytes;
                    if Self::take(whole, bytes).is_none() {
                        break;
                    }
                    parts.push((&from[..from.len() - bytes.len()], Self::take(whole, bytes)?));
                }
                Self::Map(parts)
            }
            token => Self::One(token),
        })
    }

    /// The same value, with all that may have no order in the order of values.
    fn sorted(&self) -> Self {
        match self {
            Self::One(_) => self.clone(),
            Self::Some(part) => Self::Some(Box::new(part.sorted())),
            Self::Seq(parts) => {
                let mut parts: Vec<_> = parts.iter().map(Self::sorted).collect();
                parts.sort_unstable();
                Self::Seq(parts)
            }
            Self::Tuple(parts) => Self::Tuple(parts.iter().map(Self::sorted).collect()),
            Self::Map(parts) => {
                let mut parts: Vec<_> =
                    parts.iter().map(|(key, part)| (*key, part.sorted())).collect();
                parts.sort_unstable();
                Self::Map(parts)
            }
        }
    }

    fn difference(&self, other: &Self) -> Option<Vec<String>> {
        if self.sorted() == other.sorted() {
            return None;
        }
        let found = match (self, other) {
            (Self::Some(a), Self::Some(b)) => a.difference(b),
            (Self::Seq(a), Self::Seq(b)) | (Self::Tuple(a), Self::Tuple(b)) => a
                .iter()
                .zip(b)
                .enumerate()
                .find_map(|(i, (a, b))| Some((i, a.difference(b)?)))
                .map(|(i, steps)| with(steps, format!("[{i}]"))),
            (Self::Map(a), Self::Map(b)) => a.iter().find_map(|(key, part)| {
                let other = b.iter().find(|(other, _)| other == key);
                let steps = other.map_or_else(|| Some(Vec::new()), |(_, b)| part.difference(b))?;
                Some(with(steps, step_to(key)))
            }),
            _ => None,
        };
        Some(found.unwrap_or_default())
    }
}

fn with(mut steps: Vec<String>, step: String) -> Vec<String> {
    steps.push(step);
    steps
}
