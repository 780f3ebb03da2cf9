//! The presets of the project are valid, each is a different landscape, and every kind of plant and
//! rock is found somewhere on its ground, and only where it belongs.

use bevy_orogeny::orogeny::scatter::{Model, Placement, ScatterKind};
use bevy_orogeny::orogeny::{Landscape, Recipe, Region};

use crate::shared::{Preset, presets};

/// The side of the sampled square in metres, about the view distance from its middle. And the
/// number of sampled positions.
const SIDE: f64 = 64_000.0;
const SAMPLES: u32 = 8192;
/// The same for landscapes with rivers, whose continents are wider than that. Each position costs a
/// thousand times as much.
const WIDE: (f64, u32) = (256_000.0, 3072);
/// The offset in metres of a second square, which shows how much a preset differs from itself.
const SECOND_SQUARE: f64 = 1e6;
/// The bins of heights, 100 m each. Values beyond the ends count in the last bins.
const HEIGHTS: Bins<50> = Bins { from: -1500.0, to: 3500.0 };
/// The bins of slopes, 0.05 each.
const SLOPES: Bins<40> = Bins { from: 0.0, to: 2.0 };
/// The minimum total variation of heights or slopes between two presets. A quarter means that a
/// quarter of the ground of one preset has values that the other lacks. Distant squares of one
/// preset must stay below half of that, or the distance between two presets would mean little.
const DISTINCT: f64 = 0.25;

/// The side of the searched square in metres, and that of a world of many lands.
const SEARCHED: f64 = 16_000.0;
const WORLD: f64 = 320_000.0;
/// The side of the plots in it, and their maximum number: together 2.6 square kilometres.
const PLOT: f64 = 64.0;
const PLOTS: u32 = 640;
/// The number of instances to find of each kind.
const ENOUGH: usize = 5;

/// Martin Roberts' R2 sequence: evenly spread, and not aligned with any lattice.
const STEPS: [f64; 2] = [0.754_877_666_246_692_7, 0.569_840_290_998_053_2];

struct Bins<const N: usize> {
    from: f32,
    to: f32,
}

impl<const N: usize> Bins<N> {
    /// The fraction of the values in each bin.
    fn histogram(&self, values: impl ExactSizeIterator<Item = f32>) -> [f64; N] {
        let mut parts = [0.0; N];
        let part = 1.0 / values.len() as f64;
        for value in values {
            let bin = (value - self.from) / (self.to - self.from) * N as f32;
            // A float below zero becomes 0.
            parts[(bin as usize).min(N - 1)] += part;
        }
        parts
    }
}

/// Total variation: half of the sum of differences. 0 for equal histograms, 1 for disjoint ones.
fn total_variation<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0
}

/// The statistics of a square of a landscape.
struct Statistics {
    heights: [f64; 50],
    slopes: [f64; 40],
}

impl Statistics {
    fn of(field: &Landscape, middle: [f64; 2]) -> Self {
        let (side, count) = if field.rivers().is_some() { WIDE } else { (SIDE, SAMPLES) };
        let position = |i: u32| {
            let part = STEPS.map(|step| (step * f64::from(i)).fract() - 0.5);
            [0, 1].map(|k| middle[k] + side * part[k])
        };
        let samples: Vec<_> = (0..count).map(|i| field.sample(position(i))).collect();
        Self {
            heights: HEIGHTS.histogram(samples.iter().map(|sample| sample.value)),
            slopes: SLOPES.histogram(samples.iter().map(|sample| {
                let [dx, dz] = sample.gradient;
                dx.hypot(dz)
            })),
        }
    }

    /// The total variations of heights and of slopes.
    fn distances(&self, other: &Self) -> [f64; 2] {
        [
            total_variation(&self.heights, &other.heights),
            total_variation(&self.slopes, &other.slopes),
        ]
    }
}

#[test]
fn every_preset_is_a_landscape_of_its_own() {
    // A world of many lands is not the same everywhere.
    let presets = presets().iter().filter(|preset| preset.recipe.lands.of.is_empty());
    assert!(presets.clone().count() >= 8, "{} presets", presets.count());
    let all: Vec<(&str, Statistics)> = presets
        .map(|Preset { name, ground, .. }| {
            let statistics = Statistics::of(ground, [0.0; 2]);
            let own = statistics.distances(&Statistics::of(ground, [SECOND_SQUARE, 0.0]));
            println!("{name}: {:.2} / {:.2} from its second square", own[0], own[1]);
            assert!(own.into_iter().all(|own| own < DISTINCT / 2.0), "{name}: {own:?}");
            (name.as_str(), statistics)
        })
        .collect();

    println!("\nTotal variation of heights / of slopes:\n");
    print!("| |");
    all.iter().for_each(|(name, _)| print!(" {name} |"));
    println!("\n|---|{}", "---|".repeat(all.len()));
    let mut alike = Vec::new();
    for (i, (name, statistics)) in all.iter().enumerate() {
        print!("| {name} |");
        for (other, other_statistics) in &all[..i] {
            let [heights, slopes] = statistics.distances(other_statistics);
            print!(" {heights:.2} / {slopes:.2} |");
            if heights.max(slopes) < DISTINCT {
                alike.push(format!("{name} and {other}: {heights:.2} / {slopes:.2}"));
            }
        }
        println!("{}", " |".repeat(all.len() - i));
    }
    assert!(alike.is_empty(), "{alike:?}");
}

#[test]
fn the_distance_is_a_total_variation() {
    let bins = Bins::<4> { from: 0.0, to: 4.0 };
    let samples = 64;
    let of = |value: f32| std::iter::repeat_n(value, samples);
    // Values beyond the ends count in the last bins.
    assert_eq!(bins.histogram(of(-7.0)), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(bins.histogram(of(99.0)), [0.0, 0.0, 0.0, 1.0]);
    let [low, high] = [0.5, 2.5].map(|value| bins.histogram(of(value)));
    let half = [vec![0.5; samples / 2], vec![2.5; samples / 2]].concat();
    let half = bins.histogram(half.into_iter());
    assert_eq!(total_variation(&low, &low), 0.0);
    assert_eq!(total_variation(&low, &high), 1.0);
    assert_eq!(total_variation(&low, &half), 0.5);
}

/// The number found of each kind. Kinds are no longer searched when there are enough of them.
fn count(name: &str, placement: &Placement, recipe: &Recipe) -> Vec<usize> {
    let (sea, side) = (recipe.sea_level, if recipe.lands.of.is_empty() { SEARCHED } else { WORLD });
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
