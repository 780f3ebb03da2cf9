//! The document: its steps, its file, and the trees of its draft.

use orogeny::Node::{Add, Constant, Multiply};
use orogeny::Recipe;
use orogeny::drainage::Drainage;

use super::support::{hills, recipe};
use crate::document::choices::{new_layers, unused_seed, wrappers};
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

fn draft() -> Draft {
    Draft::new(recipe())
}

fn value(draft: &Draft) -> f32 {
    draft.active_recipe().build().unwrap().value([0.0; 2]) / draft.recipe.height
}

#[test]
fn muted_layers_are_left_out_and_stay_in_the_recipe() {
    let mut draft = draft();
    assert_eq!(value(&draft), 11.0);
    draft.marks.children[1].muted = true;
    assert_eq!(value(&draft), 5.0);
    draft.marks.children[1].children[0].muted = true;
    draft.marks.children[1].muted = false;
    assert_eq!(value(&draft), 8.0);
    assert_eq!(draft.recipe, recipe());
    // An empty product is 1, an empty sum 0.
    draft.marks.children[1].children[1].muted = true;
    assert_eq!(value(&draft), 6.0);
    draft.marks.children.iter_mut().for_each(|marks| marks.muted = true);
    assert_eq!(value(&draft), 0.0);
}

#[test]
fn solo_is_louder_than_mute() {
    let mut draft = draft();
    draft.marks.children[2].solo = true;
    draft.marks.children[2].muted = true;
    assert_eq!(value(&draft), 4.0);
    draft.marks.children[0].solo = true;
    assert_eq!(value(&draft), 5.0);
}

#[test]
fn layers_move_with_their_marks() {
    let mut draft = draft();
    draft.marks.children[2].muted = true;
    draft.change(Part::Field, Change::Move(vec![2], -1));
    let Add(layers) = &draft.recipe.field else { panic!() };
    assert_eq!(layers[1], Constant(4.0));
    assert_eq!(
        draft.marks.children.iter().map(|m| m.muted).collect::<Vec<_>>(),
        [false, true, false]
    );
    assert_eq!(draft.marks.children[2].children.len(), 2);
    draft.change(Part::Field, Change::Remove(vec![0]));
    assert_eq!(value(&draft), 6.0);
    draft.change(Part::Field, Change::Duplicate(vec![1]));
    assert_eq!(value(&draft), 12.0);
    // Invalid moves and paths change nothing.
    let before = draft.clone();
    for change in [
        Change::Move(vec![0], -1),
        Change::Move(vec![2], 1),
        Change::Remove(vec![9, 1]),
        Change::Unwrap(vec![0]),
    ] {
        draft.change(Part::Field, change);
        assert_eq!(draft, before);
    }
}

#[test]
fn the_last_layer_stays() {
    let mut draft = draft();
    (0..5).for_each(|_| draft.change(Part::Field, Change::Remove(vec![0])));
    assert_eq!(draft.recipe.field, Add(vec![Constant(4.0)]));
}

#[test]
fn layers_are_added_where_they_were_asked_for() {
    let mut draft = draft();
    draft.change(Part::Field, Change::Add(vec![1], Constant(10.0)));
    assert_eq!(value(&draft), 65.0);
    draft.change(Part::Field, Change::Replace(vec![1], Constant(0.5)));
    assert_eq!((value(&draft), draft.marks.children[1].children.len()), (5.5, 0));
}

/// A node can be put into each wrapper and unwrapped again. The recipe stays valid, and the marks
/// are kept.
#[test]
fn wrapping_can_be_undone_by_unwrapping() {
    let mut recipe = recipe();
    recipe.field = Add(vec![hills(1), Multiply(vec![hills(2), Constant(0.5)])]);
    let mut plain = Draft::new(recipe);
    plain.marks.children[1].muted = true;
    plain.marks.children[1].children[1].solo = true;
    for path in [vec![], vec![0], vec![1], vec![1, 0]] {
        let mut node = &plain.recipe.field;
        path.iter().for_each(|&i| node = node.children()[i]);
        let all = wrappers(node.clone(), 7);
        assert_eq!(all.len(), 10);
        for around in all {
            let mut draft = plain.clone();
            draft.change(Part::Field, Change::Wrap(path.clone(), around.clone()));
            assert_ne!(draft.recipe, plain.recipe);
            if let Err(error) = draft.recipe.build() {
                panic!("{around:?}: {error}");
            }
            draft.change(Part::Field, Change::Unwrap(path.clone()));
            assert_eq!(draft, plain, "{around:?}");
        }
    }
}

#[test]
fn new_layers_build_and_have_a_seed_of_their_own() {
    let field = Add(vec![hills(1), hills(2), Constant(1.0)]);
    assert_eq!(unused_seed(&field), 3);
    for layer in new_layers(3) {
        // In a recipe, where names are known.
        let recipe = Recipe { field: layer, ..recipe() };
        assert!(recipe.build().is_ok(), "{recipe:?}");
    }
}

#[test]
fn the_trees_of_rivers_change_and_mute_like_the_field() {
    let rivers = Drainage { detail: Some(Add(vec![Constant(1.0)])), ..Drainage::default() };
    let mut draft = Draft::new(Recipe { rivers: Some(rivers), ..recipe() });
    let before = draft.clone();
    // There is no relief to change.
    draft.change(Part::Relief, Change::Add(vec![], Constant(2.0)));
    assert_eq!(draft, before);
    draft.change(Part::Detail, Change::Add(vec![], Constant(2.0)));
    let detail = |recipe: &Recipe| recipe.rivers.as_ref().unwrap().detail.clone().unwrap();
    assert_eq!(detail(&draft.recipe), Add(vec![Constant(1.0), Constant(2.0)]));
    draft.tree(Part::Detail).unwrap().1.children[0].muted = true;
    assert_eq!(detail(&draft.active_recipe()), Add(vec![Constant(2.0)]));
    assert_eq!(draft.active_recipe().field, draft.recipe.field);
}
