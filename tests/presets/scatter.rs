//! Every kind of plant and rock of a preset is found somewhere on its ground, and only where it
//! belongs.

use bevy_orogeny::orogeny::scatter::{Model, Placement, ScatterKind};
use bevy_orogeny::orogeny::{Recipe, Region};

use super::project::STEPS;
use crate::shared::preset_list::{Preset, presets};

/// The side of the searched square in metres, and that of a world of many lands.
const SIDE: f64 = 16_000.0;
const WORLD: f64 = 320_000.0;
/// The side of the plots in it, and their maximum number: together 2.6 square kilometres.
const PLOT: f64 = 64.0;
const PLOTS: u32 = 640;
/// The number of instances to find of each kind.
const ENOUGH: usize = 5;

/// The number found of each kind. Kinds are no longer searched when there are enough of them.
fn count(name: &str, placement: &Placement, recipe: &Recipe) -> Vec<usize> {
    let (sea, side) = (recipe.sea_level, if recipe.lands.of.is_empty() { SIDE } else { WORLD });
    let mut found = vec![0; placement.kinds().len()];
    let index = |id| placement.kinds().position(|kind| kind.id() == id).unwrap();
    for i in 0..PLOTS {
        let part = STEPS.map(|step| (step * f64::from(i)).fract() - 0.5);
        let min = part.map(|part| side * part);
        let plot = Region { min, max: min.map(|x| x + PLOT) };
        let is_rare = |kind: &ScatterKind| found[index(kind.id())] < ENOUGH;
        for instance in placement.in_region(plot, is_rare).unwrap() {
            found[index(instance.kind)] += 1;
            let kind = placement.kind(instance.kind).unwrap();
            let is_tree =
                matches!(kind.model, Model::Spruce | Model::Pine | Model::Broadleaf | Model::Birch);
            let height = placement.field().value(instance.position);
            assert!(
                !is_tree || sea.is_none_or(|sea| height > sea),
                "{name}: a {} in the sea at {:?}",
                kind.name,
                instance.position
            );
        }
        if found.iter().all(|&found| found >= ENOUGH) {
            break;
        }
    }
    found
}

#[test]
fn every_kind_of_every_preset_is_found() {
    for Preset { name, recipe, ground, .. } in presets() {
        let placement = ground.placement();
        assert!(placement.kinds().len() > 0, "nothing stands in {name}");
        let found = count(name, placement, recipe);
        for (kind, found) in placement.kinds().zip(found) {
            assert!(found >= ENOUGH, "{name}: {found} of {}", kind.name);
        }
    }
}
