//! What a panel changes: the numbers, the area and the positions of an edit.

use crate::edits::{
    Area, Crater, Edit, Flatten, Hole, Paint, Path, Raise, Rectangle, Roughen, Smooth, Stamp,
    Terrace,
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
        assert_eq!(edit.positions_mut().len(), count);
        let [x, z] = &edit.positions_mut()[0];
        assert_eq!([**x, **z], [3.0, -4.0], "{edit:?}");
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
