use orogeny::Recipe;

use super::support::recipe;
use crate::document::draft::{Change, Draft, Part};
use crate::document::{Document, Step};

fn seeded(seed: u64) -> Recipe {
    Recipe { seed, ..recipe() }
}

fn document() -> Document {
    Document::new(seeded(1), Some("hills".into()))
}

fn edit(document: &mut Document, seed: u64, step: Step) {
    let draft = Draft { recipe: seeded(seed), ..document.draft().clone() };
    document.edit(draft, step);
}

fn seed(document: &Document) -> u64 {
    document.draft().recipe.seed
}

#[test]
fn a_gesture_is_one_step() {
    let mut document = document();
    (2..9).for_each(|seed| edit(&mut document, seed, Step::Gesture(1)));
    (9..12).for_each(|seed| edit(&mut document, seed, Step::Gesture(2)));
    edit(&mut document, 20, Step::Single);
    edit(&mut document, 21, Step::Single);
    let mut seeds = vec![seed(&document)];
    while document.can_go()[0] {
        document.undo();
        seeds.push(seed(&document));
    }
    assert_eq!(seeds, [21, 20, 11, 8, 1]);
    (0..9).for_each(|_| document.redo());
    assert_eq!((seed(&document), document.can_go()), (21, [true, false]));
    // An edit after an undo discards the redo steps, and is not part of the earlier gesture.
    document.undo();
    edit(&mut document, 30, Step::Gesture(2));
    assert_eq!(document.can_go(), [true, false]);
    document.undo();
    assert_eq!(seed(&document), 20);
}

#[test]
fn nothing_is_no_step() {
    let mut document = document();
    edit(&mut document, 1, Step::Single);
    assert_eq!((document.can_go(), document.revision()), ([false; 2], 0));
    document.undo();
    document.redo();
    assert_eq!(document.revision(), 0);
}

#[test]
fn old_steps_are_forgotten() {
    let mut document = document();
    (2..1000).for_each(|seed| edit(&mut document, seed, Step::Single));
    let mut steps = 0;
    while document.can_go()[0] {
        document.undo();
        steps += 1;
    }
    assert_eq!((steps, seed(&document)), (200, 799));
}

#[test]
fn what_differs_from_the_file_is_unsaved() {
    let mut document = document();
    assert!(!document.is_unsaved());
    edit(&mut document, 2, Step::Single);
    assert!(document.is_unsaved());
    document.undo();
    assert!(!document.is_unsaved());
    document.redo();
    document.saved_as("other".into());
    assert_eq!((document.is_unsaved(), document.file()), (false, Some("other")));
    document.undo();
    assert!(document.is_unsaved());
    document.revert();
    assert_eq!((document.is_unsaved(), seed(&document)), (false, 2));
    // Solo does not change the file.
    let mut draft = document.draft().clone();
    draft.marks.children[0].solo = true;
    document.edit(draft, Step::Single);
    assert!(!document.is_unsaved());
    document.undo();
    assert!(!document.draft().marks.children[0].solo);
}

#[test]
fn broken_text_is_not_pasted() {
    let mut document = document();
    for (text, part) in [
        ("what?", "recipe"),
        ("(field: Add([Constant(1.0)]), colour: 3)", "colour"),
        ("(field: Fractal(octaves: 99.0))", "must be between 1 and 24"),
    ] {
        let error = document.paste(text).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
        assert_eq!((document.can_go(), seed(&document)), ([false; 2], 1));
    }
    let text = Document::new(seeded(9), None).copy().unwrap();
    document.paste(&text).unwrap();
    assert_eq!(
        (seed(&document), document.can_go(), document.is_unsaved()),
        (9, [true, false], true)
    );
}

#[test]
fn a_changed_file_is_taken_unless_edits_would_be_lost() {
    let mut document = document();
    document.read(seeded(2));
    assert_eq!(
        (seed(&document), document.is_unsaved(), document.is_contested()),
        (2, false, false)
    );
    document.undo();
    assert_eq!((seed(&document), document.is_unsaved()), (1, true));
    document.redo();

    edit(&mut document, 3, Step::Single);
    document.read(seeded(4));
    assert_eq!((seed(&document), document.is_contested()), (3, true));
    document.keep_mine();
    assert_eq!((seed(&document), document.is_contested(), document.is_unsaved()), (3, false, true));
    document.read(seeded(5));
    document.take_theirs();
    assert_eq!(
        (seed(&document), document.is_contested(), document.is_unsaved()),
        (5, false, false)
    );
    document.undo();
    assert_eq!((seed(&document), document.is_unsaved()), (3, true));

    // The file equals the recipe here or the last saved one, so there is nothing to ask.
    document.read(seeded(3));
    assert_eq!((document.is_contested(), document.is_unsaved()), (false, false));
    edit(&mut document, 6, Step::Single);
    document.read(seeded(7));
    assert!(document.is_contested());
    document.read(seeded(3));
    assert!(!document.is_contested());
}

#[test]
fn marks_fit_any_tree() {
    let mut document = document();
    let mut draft = document.draft().clone();
    draft.change(Part::Field, Change::Remove(vec![0]));
    draft.marks.children.clear();
    document.edit(draft, Step::Single);
    assert_eq!(document.draft().marks.children.len(), 2);
    assert_eq!(document.draft().marks.children[0].children.len(), 2);
}
