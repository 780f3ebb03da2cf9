//! A hundred thousand random and mutated files: each is read or refused in time, without a panic.
#![cfg(all(feature = "ron", feature = "json"))]

use super::random::{Random, cases, tree};
use crate::{DataError, Recipe, Sample};

/// Mistakes that people or programs may make in place of a number or a word.
const SPLINTERS: [&str; 28] = [
    "1e6",
    "-1e6",
    "1e9",
    "1e-9",
    "NaN",
    "inf",
    "-inf",
    "1e300",
    "-1",
    "0",
    "1e-300",
    "99999999999999999999",
    "null",
    "true",
    "\"\"",
    "()",
    "[]",
    "{}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    "Add([",
    "Shape(field:",
    "\u{1F3D4}",
    "\0",
];

fn mutate(r: &mut Random, text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..1 + r.below(3) {
        let at = r.below(characters.len().max(1));
        let end = (at + 1 + r.below(12)).min(characters.len());
        match r.below(6) {
            0 => characters.truncate(at),
            1 => drop(characters.drain(at..end)),
            2 => {
                let part = characters[at..end].to_vec();
                characters.splice(at..at, part);
            }
            3 => {
                characters.splice(at..end, SPLINTERS[r.below(SPLINTERS.len())].chars());
            }
            4 => {
                let numbers: Vec<usize> =
                    (0..characters.len()).filter(|&i| characters[i].is_ascii_digit()).collect();
                if !numbers.is_empty() {
                    let at = numbers[r.below(numbers.len())];
                    characters.splice(at..=at, SPLINTERS[r.below(SPLINTERS.len())].chars());
                }
            }
            _ => {
                let other = (32 + r.below(96)) as u8 as char;
                if let Some(c) = characters.get_mut(at) {
                    *c = other;
                }
            }
        }
    }
    characters.into_iter().collect()
}

#[test]
fn random_and_mutated_files_are_read_or_refused() {
    type Read = fn(&str) -> Result<Recipe, DataError>;
    let mut r = Random::new(1);
    let (mut read, mut refused) = (0, 0);
    let mut longest = std::time::Duration::ZERO;
    let recipes = cases(1000);
    for _ in 0..recipes {
        let depth = 1 + r.below(4);
        let recipe = Recipe::new(r.bits(), 100.0, tree(&mut r, depth));
        let Ok(json) = recipe.to_json() else { continue };
        let ron = recipe.to_ron().unwrap();
        assert_eq!(Recipe::from_ron(&ron).as_ref(), Ok(&recipe), "{ron}");
        assert_eq!(Recipe::from_json(&json).as_ref(), Ok(&recipe), "{json}");
        for (text, parse) in [(ron, Recipe::from_ron as Read), (json, Recipe::from_json)] {
            for _ in 0..55 {
                let text = mutate(&mut r, &text);
                let start = std::time::Instant::now();
                match parse(&text) {
                    Ok(recipe) => {
                        read += 1;
                        // A recipe that was read builds, and its heights are finite.
                        let field = recipe.build().unwrap();
                        for p in [[0.0, 0.0], [3.3, -7.7], [-4e5, 1e6]] {
                            let Sample { value, gradient: [dx, dz] } = field.sample(p);
                            let finite = [value, dx, dz].iter().all(|x| x.is_finite());
                            assert!(finite, "{value} {dx} {dz} at {p:?} from {text}");
                        }
                    }
                    Err(error) => {
                        refused += 1;
                        assert!(!error.path.is_empty() && !error.problem.is_empty(), "{text}");
                    }
                }
                longest = longest.max(start.elapsed());
            }
        }
    }
    println!("{read} read, {refused} refused, the slowest in {longest:?}");
    assert!(read + refused >= 100 * recipes && read > recipes && refused > 10 * recipes);
}
