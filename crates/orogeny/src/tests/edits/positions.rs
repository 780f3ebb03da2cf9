//! What a panel changes: the numbers, the area and the positions of an edit.

use crate::Node;
use crate::edits::{
    Area, Crater, Edit, EditLog, EditedField, Flatten, Hole, Paint, Path, Raise, Rectangle,
    Roughen, Smooth, Stamp, State, Terrace,
};

fn edits() -> [Edit; 10] {
    let area = Area::Rectangle(Rectangle { center: [3.0, -4.0], ..Rectangle::default() });
    [
        Raise { area, ..Raise::default() }.into(),
        Flatten { area, ..Flatten::default() }.into(),
        Roughen { area, ..Roughen::default() }.into(),
        Terrace { area, ..Terrace::default() }.into(),
        Crater { center: [3.0, -4.0], ..Crater::default() }.into(),
        Hole { area }.into(),
        Path { points: vec![[3.0, -4.0, 1.0], [90.0, 0.0, 2.0]], ..Path::default() }.into(),
        Stamp { center: [3.0, -4.0], ..Stamp::default() }.into(),
        Smooth { area, ..Smooth::default() }.into(),
        Paint { area, ..Paint::default() }.into(),
    ]
}

#[test]
fn edits_move_with_their_positions() {
    for mut edit in edits() {
        let before = edit.region().unwrap();
        let count = if matches!(edit, Edit::Path(_)) { 2 } else { 1 };
        let positions = edit.positions();
        assert_eq!(positions.len(), count);
        assert_eq!(positions[0], [3.0, -4.0], "{edit:?}");
        assert!(
            edit.area()
                .is_none_or(|area| Edit::from(Hole { area: *area }).positions() == positions)
        );
        for [x, z] in edit.positions_mut() {
            *x += 64.0;
            *z -= 32.0;
        }
        let after = edit.region().unwrap();
        for (k, by) in [64.0, -32.0].into_iter().enumerate() {
            assert!((after.min[k] - before.min[k] - by).abs() < 1e-9, "{edit:?}");
            assert!((after.max[k] - before.max[k] - by).abs() < 1e-9, "{edit:?}");
        }
    }
}

#[test]
fn every_number_has_its_limit() {
    for mut edit in edits() {
        let count = edit.numbers().1.len();
        assert_eq!(edit.numbers().0.len(), count);
        for i in 0..count {
            let mut wrong = edit.clone();
            let (limits, mut numbers) = wrong.numbers();
            numbers[i].set(2.0 * limits[i].max + 1.0);
            drop(numbers);
            let problem = wrong.check().unwrap_err().problem;
            assert!(problem.starts_with(limits[i].name), "{problem}");
        }
    }
}

/// The ground without one edit is that of the log with that edit hidden.
#[test]
fn a_snapshot_can_leave_one_edit_out() {
    let base = Node::<2>::noise(3).frequency(0.05).amplitude(20.0).build().unwrap();
    let mut log = EditLog::new();
    let ids = edits().map(|edit| log.add(1, edit).unwrap().change.id);
    for id in ids {
        let mut hidden = log.clone();
        hidden.set(1, id, State::Hidden(log.get(id).unwrap().edit().unwrap().clone())).unwrap();
        let left = EditedField::new(&base, log.edits_without(id));
        let [with, without] = [&log, &hidden].map(|log| EditedField::new(&base, log.edits()));
        let mut differs = false;
        for i in 0..400 {
            let p = [f64::from(i % 20) * 1.3 - 9.0, f64::from(i / 20) * 1.3 - 16.0];
            let bits = |value: f32| if value.is_nan() { None } else { Some(value.to_bits()) };
            assert_eq!(bits(left.value(p)), bits(without.value(p)), "{id:?}");
            differs |= bits(left.value(p)) != bits(with.value(p));
        }
        // Only the last two, which smooth and paint, may leave the heights as they were.
        assert!(differs || ids[8..].contains(&id), "{id:?}");
        // An edit that is hidden already changes nothing.
        assert!(hidden.edits_without(id).is_same(&hidden.edits()));
    }
}
