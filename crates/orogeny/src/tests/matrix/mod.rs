//! The matrix: every preset and 200 random recipes, times every query, plain and with every kind of
//! edit, near the origin and far from it. Each query has an answer or a documented error.
//!
//! A case is a recipe, a place and edits, all of which follow from its number. `cargo test` runs
//! one case of each recipe or so, in some 20 s. With `OROGENY_MATRIX=all` all of them run, which
//! takes minutes; with a number that case alone. recipes.rs has the recipes, queries.rs the
//! queries of the ground and of what stands on it.
#![cfg(feature = "ron")]

mod queries;
mod recipes;

use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::{env, thread};

use crate::edits::{Edit, EditLog, Plant};
use crate::tests::edits::random as edits;
use crate::tests::random::Random;
use crate::{Landscape, Recipe};
use recipes::Recipes;

/// The distances from the origin in metres.
const DISTANCES: [f64; 3] = [0.0, 1e9, 1e12];
/// No edits, one of each kind, and many.
const EDITS: [&str; 15] = [
    "Nothing", "Raise", "Flatten", "Roughen", "Terrace", "Crater", "Path", "Stamp", "Smooth",
    "Paint", "Flood", "Clear", "Plant", "Hole", "Many",
];
const CASES_OF_RECIPE: usize = DISTANCES.len() * EDITS.len();
/// Every so many cases are run. Less than the cases of a recipe, and without a common divisor.
const STEP: usize = 43;

/// What a case looks at.
struct World {
    recipe: Recipe,
    landscape: Landscape,
    edited: Landscape,
    /// The place in the middle.
    at: [f64; 2],
}

/// An edit of a kind, near a place.
fn edit(r: &mut Random, name: &str, recipe: &Recipe, at: [f64; 2]) -> Edit {
    loop {
        let edit = edits::edit(r, at, true);
        if !format!("{edit:?}").starts_with(&format!("{name}(")) {
            continue;
        }
        let kinds = &recipe.scatter.kinds;
        return match edit {
            // One that there is.
            Edit::Plant(plant) if !kinds.is_empty() => {
                Plant { kind: kinds[r.below(kinds.len())].id(), ..plant }.into()
            }
            edit => edit,
        };
    }
}

fn run(recipes: &Recipes, case: usize) {
    let (number, rest) = (case / CASES_OF_RECIPE, case % CASES_OF_RECIPE);
    let (distance, name) = (DISTANCES[rest / EDITS.len()], EDITS[rest % EDITS.len()]);
    let mut r = Random::new(case as u64);
    let (recipe, landscape) = recipes.build(number);
    let mut side = |_| {
        let sign = if r.below(2) == 0 { -1.0 } else { 1.0 };
        sign * distance + r.within(-3e3, 3e3)
    };
    let at = [0, 1].map(&mut side);
    let mut log = EditLog::new();
    match name {
        "Nothing" => {}
        "Many" => log = edits::log(&mut r, at, 12, true),
        _ => drop(log.add(1, edit(&mut r, name, &recipe, at)).expect("a valid edit")),
    }
    let edited = landscape.with_edits(log.edits());
    let world = World { recipe, landscape, edited, at };
    queries::check_fields(&world, &mut r);
    queries::check_plants(&world, &mut r);
}

/// What a case is, and what is wrong with it.
fn fault(recipes: &Recipes, case: usize) -> Option<String> {
    let caught = catch_unwind(AssertUnwindSafe(|| run(recipes, case))).err()?;
    let text = caught.downcast_ref::<String>().map(String::as_str);
    let text = text.or(caught.downcast_ref::<&str>().copied()).unwrap_or_default();
    let rest = case % CASES_OF_RECIPE;
    let (distance, name) = (DISTANCES[rest / EDITS.len()], EDITS[rest % EDITS.len()]);
    let recipe = recipes.name(case / CASES_OF_RECIPE);
    Some(format!("OROGENY_MATRIX={case} ({recipe}, {name}, at {distance:e} m): {text}"))
}

#[test]
fn every_query_answers_everywhere() {
    let recipes = Recipes::new();
    let count = recipes.len() * CASES_OF_RECIPE;
    let cases: Vec<usize> = match env::var("OROGENY_MATRIX").as_deref() {
        Ok("all") => (0..count).collect(),
        Ok(number) => vec![number.parse().expect("all, or the number of a case")],
        Err(_) => (0..count).step_by(STEP).collect(),
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(cases.len());
    let faults: Vec<String> = thread::scope(|scope| {
        let recipes = &recipes;
        let faults_of = |i: usize| {
            let part = cases.iter().skip(i).step_by(threads);
            scope.spawn(move || part.filter_map(|&case| fault(recipes, case)).collect())
        };
        let tasks: Vec<thread::ScopedJoinHandle<Vec<String>>> =
            (0..threads).map(faults_of).collect();
        tasks.into_iter().flat_map(|task| task.join().expect("faults are caught")).collect()
    });
    let shown = faults.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(faults.is_empty(), "{} of {} cases:\n{shown}", faults.len(), cases.len());
}
