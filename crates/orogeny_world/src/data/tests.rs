//! Values of all kinds that serde's attributes make, there and back.

use std::collections::{BTreeMap, HashMap, HashSet};

use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::reader::read as from_bytes;
use super::{MAX_DEPTH, to_bytes};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Damage(u32);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Marker;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
enum Side {
    Left,
    Right(i8),
    Up { by: Option<bool> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Item {
    Nothing,
    Sword { damage: Damage },
    Scroll(Scroll),
    Marked(Marker),
    Bag { inside: Vec<Item> },
    Sides { all: BTreeMap<Side, Option<Side>> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Scroll {
    text: String,
    glyph: char,
    twice: Option<Option<u8>>,
    unit: Option<()>,
    // Differs for people and for programs.
    home: std::net::IpAddr,
    tuple: (i64, u64, Damage),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Any {
    Flag(bool),
    Number(i64),
    Ratio(f64),
    Text(String),
    Named { name: Option<Option<char>>, side: Side },
    List(Vec<Any>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Empty,
    One(Damage),
    Two(u8, String),
    Fields { x: f32 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    list: Vec<Node>,
    #[serde(flatten)]
    scroll: Scroll,
    #[serde(flatten)]
    others: BTreeMap<u32, Any>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Node {
    Leaf,
    Item(Item),
    Any(Any),
    Adjacent(Adjacent),
    Flat(Box<Flat>),
    Numbers(u128, i128, i8, u64),
    Floats { x: Bits, y: Bits64 },
    Keys(BTreeMap<(Side, char), Vec<Node>>),
    Raw(#[serde(with = "raw")] Vec<u8>),
    Boxed(Option<Box<Node>>),
    Wrapped(Wrapped),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Wrapped(Option<Option<Box<Node>>>);

/// Floats are equal by their bits, NaN included.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Bits(f32);

impl PartialEq for Bits {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Bits64(f64);

impl PartialEq for Bits64 {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

/// As `serde_bytes` does it.
mod raw {
    use serde::de::{Deserializer, Visitor};
    use serde::ser::Serializer;

    pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(bytes)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        struct Raw;
        impl Visitor<'_> for Raw {
            type Value = Vec<u8>;
            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
                Ok(bytes.into())
            }
        }
        from.deserialize_bytes(Raw)
    }
}

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![
        Just(Side::Left),
        any::<i8>().prop_map(Side::Right),
        any::<Option<bool>>().prop_map(|by| Side::Up { by }),
    ]
}

fn scroll() -> impl Strategy<Value = Scroll> {
    let others = (any::<Option<()>>(), any::<std::net::IpAddr>(), any::<(i64, u64, u32)>());
    (".*", any::<char>(), any::<Option<Option<u8>>>(), others).prop_map(
        |(text, glyph, twice, (unit, home, (a, b, c)))| Scroll {
            text,
            glyph,
            twice,
            unit,
            home,
            tuple: (a, b, Damage(c)),
        },
    )
}

fn item() -> impl Strategy<Value = Item> {
    let sides = prop::collection::btree_map(side(), prop::option::of(side()), 0..4);
    let leaf = prop_oneof![
        Just(Item::Nothing),
        Just(Item::Marked(Marker)),
        any::<u32>().prop_map(|n| Item::Sword { damage: Damage(n) }),
        scroll().prop_map(Item::Scroll),
        sides.prop_map(|all| Item::Sides { all }),
    ];
    leaf.prop_recursive(4, 16, 3, |inner| {
        prop::collection::vec(inner, 0..3).prop_map(|inside| Item::Bag { inside })
    })
}

fn of_any() -> impl Strategy<Value = Any> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Any::Flag),
        any::<i64>().prop_map(Any::Number),
        // An `f64` would be read as one of the integers if it were written as such.
        prop::num::f64::NORMAL.prop_map(Any::Ratio),
        Just(Any::Ratio(3.0)),
        ".*".prop_map(Any::Text),
        (any::<Option<Option<char>>>(), side()).prop_map(|(name, side)| Any::Named { name, side }),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| prop::collection::vec(inner, 0..3).prop_map(Any::List))
}

fn adjacent() -> impl Strategy<Value = Adjacent> {
    prop_oneof![
        Just(Adjacent::Empty),
        any::<u32>().prop_map(|n| Adjacent::One(Damage(n))),
        (any::<u8>(), ".*").prop_map(|(n, text)| Adjacent::Two(n, text)),
        prop::num::f32::NORMAL.prop_map(|x| Adjacent::Fields { x }),
    ]
}

fn node() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        Just(Node::Leaf),
        item().prop_map(Node::Item),
        of_any().prop_map(Node::Any),
        adjacent().prop_map(Node::Adjacent),
        any::<(u128, i128, i8, u64)>().prop_map(|(a, b, c, d)| Node::Numbers(a, b, c, d)),
        any::<(u32, u64)>().prop_map(|(x, y)| Node::Floats {
            x: Bits(f32::from_bits(x)),
            y: Bits64(f64::from_bits(y)),
        }),
        any::<Vec<u8>>().prop_map(Node::Raw),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let list = || prop::collection::vec(inner.clone(), 0..3);
        let others = prop::collection::btree_map(any::<u32>(), of_any(), 0..3);
        prop_oneof![
            (list(), scroll(), others).prop_map(|(list, scroll, others)| {
                Node::Flat(Box::new(Flat { list, scroll, others }))
            }),
            prop::collection::btree_map((side(), any::<char>()), list(), 0..3).prop_map(Node::Keys),
            prop::option::of(inner.clone()).prop_map(|node| Node::Boxed(node.map(Box::new))),
            prop::option::of(prop::option::of(inner.clone()))
                .prop_map(|node| Node::Wrapped(Wrapped(node.map(|node| node.map(Box::new))))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]
    #[test]
    fn any_value_comes_back(value in node()) {
        let bytes = to_bytes(&value).unwrap();
        prop_assert_eq!(from_bytes::<Node>(&bytes).unwrap(), value);
    }

    /// Damaged bytes are an error or another value.
    #[test]
    fn no_bytes_panic(value in node(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = to_bytes(&value).unwrap();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = from_bytes::<Node>(&bytes);
        let _ = from_bytes::<Node>(&bytes[..at]);
        let _ = from_bytes::<Item>(&bytes);
    }

    #[test]
    fn no_noise_panics(bytes in prop::collection::vec(0x78u8..0x92, 0..200)) {
        let _ = from_bytes::<Node>(&bytes);
        let _ = from_bytes::<Any>(&bytes);
    }
}

fn refused<T: Serialize + serde::de::DeserializeOwned>(value: &T) -> String {
    to_bytes(value).unwrap_err().to_string()
}

#[test]
fn what_would_not_come_back_is_refused_with_its_path() {
    // Missing where it is empty, and wanted.
    #[derive(Serialize, Deserialize)]
    struct Bag {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        coins: Vec<u8>,
    }
    assert!(to_bytes(&vec![Bag { coins: vec![1] }]).is_ok());
    let error = refused(&vec![Bag { coins: vec![1] }, Bag { coins: vec![] }]);
    assert!(error.starts_with("[1]: could not be loaded again: missing field `coins`"), "{error}");

    // Of another value than the one that it stands for.
    fn one() -> u8 {
        1
    }
    #[derive(Serialize, Deserialize)]
    struct Stack {
        #[serde(default = "one", skip_serializing_if = "is_zero")]
        count: u8,
    }
    fn is_zero(n: &u8) -> bool {
        *n == 0
    }
    #[derive(Serialize, Deserialize)]
    struct Chest {
        stacks: HashMap<String, Stack>,
    }
    let chest = |count| Chest { stacks: [("gold bars".into(), Stack { count })].into() };
    assert!(to_bytes(&chest(3)).is_ok());
    assert_eq!(
        refused(&chest(0)),
        ".stacks[\"gold bars\"]: would be another value when it is loaded"
    );

    // Read in another order than it is written.
    #[derive(Deserialize)]
    struct Swapped(f32, f32);
    impl Serialize for Swapped {
        fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            (self.1, self.0).serialize(to)
        }
    }
    assert!(to_bytes(&[Swapped(3.0, 3.0)]).is_ok());
    let error = refused(&[Swapped(3.0, 3.0), Swapped(1.0, 2.0)]);
    assert_eq!(error, "[1][0]: would be another value when it is loaded");

    // Serde itself reads no such number before it knows the type.
    #[derive(Serialize, Deserialize)]
    #[serde(tag = "kind")]
    enum Big {
        Number { n: u128 },
        Word(String),
    }
    let error = refused(&(3, Big::Number { n: u128::MAX }));
    assert!(error.contains(": could not be loaded again: "), "{error}");
    // Nor does it write this one.
    let error = refused(&[Big::Word("no".into())]);
    assert!(error.starts_with("[0]: cannot serialize tagged newtype variant"), "{error}");

    // Two fields of one name.
    #[derive(Serialize, Deserialize)]
    struct Twice {
        name: String,
        #[serde(flatten)]
        rest: BTreeMap<String, String>,
    }
    let rest = [("name".into(), "other".into())].into();
    assert!(refused(&Twice { name: "one".into(), rest }).contains("duplicate field"));
}

#[test]
fn depth_is_bounded_when_it_is_written() {
    let nest = |depth| (1..depth).fold(Node::Leaf, |node, _| Node::Boxed(Some(Box::new(node))));
    // A variant and an option each.
    let deepest = nest(MAX_DEPTH / 2);
    let bytes = to_bytes(&deepest).unwrap();
    assert_eq!(from_bytes::<Node>(&bytes).unwrap(), deepest);
    let error = refused(&nest(200));
    assert!(error.ends_with("is nested more than 128 times"), "{error}");
    let lists = [0x8e; 100_000];
    assert!(from_bytes::<Any>(&lists).is_err());
    assert!(from_bytes::<Node>(&lists).is_err());
    assert!(from_bytes::<Wrapped>(&[0x82; 100_000]).is_err());
    // A length is no promise.
    assert!(from_bytes::<String>(&[0x8c, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0]).is_err());
}

#[test]
fn sets_that_are_hashed_have_no_order() {
    let set: HashSet<String> = (0..100).map(|n| n.to_string()).collect();
    let map: HashMap<(i32, char), HashSet<String>> =
        (0..40).map(|n| ((n, 'x'), set.clone())).collect();
    let bytes = to_bytes(&map).unwrap();
    assert_eq!(from_bytes::<HashMap<(i32, char), HashSet<String>>>(&bytes).unwrap(), map);
}

#[test]
fn types_may_change_as_in_other_formats() {
    // A field that became optional, and an integer that became a float.
    let bytes = to_bytes(&(7u8, 3u8)).unwrap();
    assert_eq!(from_bytes::<(Option<u8>, f32)>(&bytes).unwrap(), (Some(7), 3.0));
    // Small numbers are a byte, so lists of bytes are short.
    assert_eq!(to_bytes(&vec![1u8; 1000]).unwrap().len(), 1002);
}
