//! The bytes of changes, which files and other versions keep.

use orogeny::edits::{Area, Crater, Disc, Edit, EditId, Hole, Paint, Path, Raise, Stamp, State};
use orogeny::edits::{Change, Flatten, Flood, Roughen, Smooth, Terrace};
use orogeny_world::{from_bytes, to_bytes};
use rand::Rng;

use crate::{log, random};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn change(edit: impl Into<Edit>) -> Change {
    let id = EditId { time: 5, author: 1 };
    Change { id, time: id, state: State::Shown(edit.into()) }
}

#[test]
fn changes_come_back() {
    let (_, changes) = log(1, 500);
    for change in changes {
        let bytes = to_bytes(&change);
        assert_eq!(from_bytes(&bytes), Some(change));
        assert_eq!(from_bytes(&bytes[..bytes.len() - 1]), None);
        assert_eq!(from_bytes(&[&bytes[..], &[0]].concat()), None);
    }
    let mut r = random(2);
    for _ in 0..10_000 {
        let mut bytes = vec![0; r.random_range(0..100)];
        r.fill(&mut bytes[..]);
        from_bytes(&bytes);
    }
}

/// Kinds have their numbers for ever, and their fields an order.
#[test]
fn the_bytes_are_pinned() {
    let center = [1.0, 2.0];
    let area = Area::Disc(Disc { center, radius: 3.0, falloff: 4.0 });
    let [one, two] = ["000000000000f03f", "0000000000000040"];
    let disc = format!("00{one}{two}00000000000008400000000000001040");
    let head = "0501050100";
    let raise = change(Raise { area, height: 1.5 });
    assert_eq!(hex(&to_bytes(&raise)), format!("{head}00{disc}0000c03f"));
    let crater = Crater { center, radius: 2.0, depth: 1.5, rim: 0.0 };
    let crater = hex(&to_bytes(&change(crater)));
    assert_eq!(crater, format!("{head}04{one}{two}{two}0000c03f00000000"));
    assert_eq!(hex(&to_bytes(&change(Hole { area }))), format!("{head}05{disc}"));
    let smooth = hex(&to_bytes(&change(Smooth { area, wavelength: 2.0, strength: 1.5 })));
    assert_eq!(smooth, format!("{head}08{disc}{two}0000c03f"));
    let paint = hex(&to_bytes(&change(Paint { area, layer: 6, strength: 1.5 })));
    assert_eq!(paint, format!("{head}09{disc}060000c03f"));
    let flood = hex(&to_bytes(&change(Flood { area, level: 1.5 })));
    assert_eq!(flood, format!("{head}0a{disc}0000c03f"));
    for (kind, edit) in [
        (1, Edit::from(Flatten { area, ..Flatten::default() })),
        (2, Roughen { area, ..Roughen::default() }.into()),
        (3, Terrace { area, ..Terrace::default() }.into()),
        (6, Path { points: vec![[0.0; 3]; 2], ..Path::default() }.into()),
        (7, Stamp::default().into()),
        (8, Smooth { area, ..Smooth::default() }.into()),
    ] {
        assert_eq!(hex(&to_bytes(&change(edit))[5..6]), format!("{kind:02x}"));
    }
    let removed = Change { state: State::Removed, ..raise };
    assert_eq!(hex(&to_bytes(&removed)), "0501050102");
}

/// An ordinary edit of a disc, late in a long log of an author with a random number.
#[test]
fn edits_are_small() {
    let area = Area::Disc(Disc::default());
    for edit in [
        Edit::from(Raise { area, height: 1.0 }),
        Crater::default().into(),
        Hole { area }.into(),
        Terrace { area, ..Terrace::default() }.into(),
        Smooth { area, ..Smooth::default() }.into(),
        Paint { area, ..Paint::default() }.into(),
        Flood { area, level: 1.0 }.into(),
    ] {
        let id = EditId { time: 1_000_000, author: u64::from(u32::MAX) };
        let bytes = to_bytes(&Change { id, time: id, state: State::Shown(edit) });
        assert!(bytes.len() <= 64, "{}", bytes.len());
    }
}
