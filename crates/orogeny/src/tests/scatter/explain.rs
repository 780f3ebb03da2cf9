//! Explanations of densities: they multiply to the density, and name what is in the way.

use crate::edits::{Area, Clear, Disc, Edit, Edits, Flatten, Flood, Hole};
use crate::scatter::{Cause, Explanation, KindId, Placement, Quantity, Scatter, ScatterKind};
use crate::tests::edits::edited;
use crate::tests::random::Random;
use crate::tests::scatter::{in_climate, on, on_level_ground, placed, rivers, scatter};
use crate::{Climate, Field, Node, Recipe, Sample};

macro_rules! presets {
    ($($name:literal),* $(,)?) => {
        [$((
            $name,
            include_str!(concat!("../../../../../assets/presets/", $name, ".terrain.ron")),
        )),*]
    };
}

const PRESETS: [(&str, &str); 13] = presets![
    "alpine",
    "archipelago",
    "badlands",
    "canyon",
    "craters",
    "dunes",
    "fjords",
    "highlands",
    "hills",
    "lowlands",
    "ridges",
    "sierra",
    "valleys",
];

fn explain(placement: &Placement, kind: KindId, p: [f64; 2]) -> Explanation {
    placement.explain(kind, p).unwrap().unwrap()
}

/// A kind of grassland.
fn kind() -> ScatterKind {
    ScatterKind { seed: 1, grass: 1.0, ..ScatterKind::default() }
}

fn disc(radius: f64, falloff: f64) -> Area {
    Area::Disc(Disc { center: [0.0; 2], radius, falloff })
}

/// Edits of all sorts around the origin.
fn edits() -> Edits {
    edited::<Edit>([
        Flatten { area: disc(60.0, 40.0), height: 50.0, ..Flatten::default() }.into(),
        Hole { area: disc(20.0, 1.0) }.into(),
        Flood { area: disc(150.0, 10.0), level: 60.0 }.into(),
        Clear { area: disc(200.0, 1.0), ..Clear::default() }.into(),
    ])
}

/// Checks an explanation against the density, and returns that and how many factors there are.
fn check(placement: &Placement, kind: KindId, p: [f64; 2]) -> (f32, usize) {
    let density = placement.densities(kind, &[p]).unwrap()[0];
    let explanation = explain(placement, kind, p);
    let all = &explanation.factors;
    assert_eq!(explanation.density().to_bits(), density.to_bits(), "{explanation:?} at {p:?}");
    assert_eq!(density == 0.0, explanation.first_zero().is_some(), "{explanation:?}");
    assert_eq!(density == 0.0, explanation.reason().is_some(), "{explanation:?}");
    assert!(all.iter().all(|factor| (0.0..=1.0).contains(&factor.factor)), "{explanation:?}");
    assert!(all.windows(2).all(|pair| pair[1].left <= pair[0].left * 1.000001), "{explanation:?}");
    let product: f64 = all.iter().map(|factor| f64::from(factor.factor)).product();
    assert!((product - f64::from(density)).abs() <= 1e-5 * product, "{product} {explanation:?}");
    (density, all.len())
}

/// Of every preset, near its origin and far from it, with and without edits.
#[test]
fn factors_multiply_to_the_density() {
    let (mut zeros, mut others) = (0, 0);
    for (name, text) in PRESETS {
        let placement = placed(&Recipe::from_ron(text).unwrap(), Edits::new());
        let kinds: Vec<KindId> = placement.kinds().map(ScatterKind::id).collect();
        assert!(!kinds.is_empty(), "{name}");
        let mut random = Random::new(11);
        for (placement, reach, count) in [
            (placement.with_edits(edits()), 250.0, 20),
            (placement.clone(), 4e3, 12),
            (placement, 1e9, 3),
        ] {
            for _ in 0..count {
                let p = random.point(reach);
                for &kind in &kinds {
                    let is_zero = check(&placement, kind, p).0 == 0.0;
                    *(if is_zero { &mut zeros } else { &mut others }) += 1;
                }
            }
        }
    }
    assert!(zeros > 500 && others > 300, "{zeros} {others}");
}

/// Asked for together, positions have the densities that are explained apart.
#[test]
fn maps_of_the_density_agree() {
    let mut recipe = rivers();
    recipe.scatter.kinds[2].edit.min = 30.0;
    recipe.scatter.kinds[3].bank.max = 40.0;
    let placement = placed(&recipe, edits());
    let mut random = Random::new(3);
    let places: Vec<[f64; 2]> = (0..60).map(|_| random.point(900.0)).collect();
    for kind in placement.kinds() {
        let densities = placement.densities(kind.id(), &places).unwrap();
        for (&p, density) in places.iter().zip(densities) {
            assert_eq!(explain(&placement, kind.id(), p).density(), density, "{p:?}");
        }
    }
}

/// The sentence of the only factor that is 0.
fn only_reason(placement: &Placement, p: [f64; 2]) -> String {
    let explanation = explain(placement, KindId(1), p);
    check(placement, KindId(1), p);
    let zeros = explanation.factors.iter().filter(|factor| factor.factor == 0.0);
    assert_eq!(zeros.count(), 1, "{explanation:?}");
    let reason = explanation.reason().unwrap();
    assert_eq!(explanation.to_string(), reason);
    reason
}

/// The ground is 5 m high, 10 °C warm and covered with grass.
#[test]
fn each_limit_is_a_reason() {
    let cases = [
        (ScatterKind { density: 0.0, ..kind() }, "the kind's own density: 0"),
        (
            ScatterKind { grass: 0.0, forest: 0.5, rock: 1.0, ..kind() },
            "cover: 100% grass, the kind grows on rock or forest",
        ),
        (ScatterKind { grass: 0.0, ..kind() }, "cover: 100% grass, the kind grows on none"),
        (
            ScatterKind { height: ScatterKind::HEIGHT.above(40.0).soft(10.0), ..kind() },
            "height: 5 m, the kind needs at least 40 m",
        ),
        (
            ScatterKind { slope: ScatterKind::SLOPE.above(0.5), ..kind() },
            "slope: 0 m/m, the kind needs 0.5 to 1 m/m",
        ),
        (
            ScatterKind { curvature: ScatterKind::CURVATURE.above(0.1), ..kind() },
            "curvature: 0 1/m, the kind needs at least 0.1 1/m",
        ),
        (
            ScatterKind { temperature: ScatterKind::TEMPERATURE.below(7.0), ..kind() },
            "temperature: 10 °C, the kind needs at most 7 °C",
        ),
        (
            ScatterKind { moisture: ScatterKind::MOISTURE.above(0.7).below(0.9), ..kind() },
            "moisture: 0.5, the kind needs 0.7 to 0.9",
        ),
        (
            ScatterKind { coverage: 0.0, ..kind() },
            "clusters: none here, they cover 0% of the ground",
        ),
        (
            ScatterKind { edit: ScatterKind::EDIT.below(30.0), ..kind() },
            "distance from edits: no edit nearby, the kind needs at most 30 m",
        ),
        (
            ScatterKind { depth: ScatterKind::DEPTH.above(1.0).below(4.0), ..kind() },
            "depth under water: no water nearby, the kind needs 1 to 4 m",
        ),
    ];
    for (kind, expected) in cases {
        let placement = on_level_ground(&scatter(vec![kind]));
        assert_eq!(only_reason(&placement, [31.0, -8.5]), expected);
    }
    let nothing = on_level_ground(&Scatter { density: 0.0, ..scatter(vec![kind()]) });
    assert_eq!(only_reason(&nothing, [3.0, 4.0]), "overall density: 0");
    let full = on_level_ground(&Scatter { density: 0.5, ..scatter(vec![kind()]) });
    let full = explain(&full, KindId(1), [3.0, 4.0]);
    assert_eq!((full.reason(), full.to_string()), (None, "density 0.5".into()));
}

#[test]
fn each_edit_is_a_reason() {
    let flatten = |radius| {
        Edit::from(Flatten { area: disc(radius, 10.0), height: 5.0, ..Flatten::default() })
    };
    let far = ScatterKind { edit: ScatterKind::EDIT.above(30.0), ..kind() };
    let cases: [(ScatterKind, Edit, &str); 5] = [
        (
            ScatterKind { disturbed: 0.0, ..kind() },
            flatten(20.0),
            "disturbed ground: 100%, where the density of the kind is 0",
        ),
        (
            ScatterKind { disturbed: 1.0, ..far },
            flatten(20.0),
            "distance from edits: 0 m, the kind needs at least 30 m",
        ),
        (
            ScatterKind { disturbed: 1.0, ..kind() },
            Hole { area: disc(20.0, 1.0) }.into(),
            "ground: a hole",
        ),
        (
            kind(),
            Flood { area: disc(20.0, 1.0), level: 7.5 }.into(),
            "depth under water: 2.5 m, the kind needs at most -0.3 m",
        ),
        (
            kind(),
            Clear { area: disc(20.0, 1.0), ..Clear::default() }.into(),
            "clearing: an edit has cleared this place",
        ),
    ];
    for (kind, edit, expected) in cases {
        let placement = on_level_ground(&scatter(vec![kind])).with_edits(edited([edit]));
        assert_eq!(only_reason(&placement, [2.0, -1.0]), expected);
        assert_eq!(explain(&placement, KindId(1), [200.0, 0.0]).reason(), None, "{expected}");
    }
}

#[test]
fn water_is_a_reason() {
    let mut recipe = rivers();
    let near = ScatterKind {
        bank: ScatterKind::BANK.below(20.0),
        slope: ScatterKind::SLOPE.below(1e3),
        grass: 1.0,
        ..kind()
    };
    recipe.cover.layers.truncate(1);
    recipe.scatter = scatter(vec![near]);
    let placement = placed(&recipe, Edits::new());
    let land = recipe.build().unwrap();
    let rivers = land.rivers().unwrap();
    let mut random = Random::new(8);
    let [mut dry, mut wet] = [0; 2];
    for _ in 0..300 {
        let p = random.point(2e3);
        let explanation = explain(&placement, KindId(1), p);
        let bank = explanation.factors.iter().find_map(|factor| match factor.cause {
            Cause::Measured(bank) if bank.quantity == Quantity::Bank => Some((bank, factor.factor)),
            _ => None,
        });
        let (bank, factor) = bank.expect("a terrain with rivers");
        assert_eq!((bank.min, bank.max), (Some(0.5), Some(20.0)));
        let distance = rivers.bank_distance(p);
        assert_eq!(bank.value, Some(distance as f32).filter(|distance| distance.is_finite()));
        let suits = (0.5..=20.0).contains(&distance);
        // Between points of the lattice, the distance that decides is interpolated.
        if (distance - 20.0).abs() > 2.0 {
            assert_eq!(factor, f32::from(suits), "{bank} at {p:?}");
        }
        *(if suits { &mut wet } else { &mut dry }) += 1;
    }
    assert!(dry > 200 && wet > 3, "{dry} {wet}");
}

/// Ground up to x = 100 m.
#[derive(Clone)]
struct Ends;

impl Field<2> for Ends {
    fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
        let value = if x <= 100.0 { 5.0 } else { f32::NAN };
        Sample { value, gradient: [0.0 * value; 2] }
    }
}

#[test]
fn the_end_of_the_ground_is_a_reason() {
    let placement = on(&scatter(vec![kind()]), Ends);
    for x in [80.0, 97.0, 99.0, 100.0, 101.0, 130.0] {
        check(&placement, KindId(1), [x, 0.5]);
    }
    let reason = explain(&placement, KindId(1), [130.0, 0.0]).reason();
    assert_eq!(reason.as_deref(), Some("ground: a hole"));
}

/// What was measured does not depend on the kind, and equals other queries.
#[test]
fn values_are_those_of_the_position() {
    let hills = Node::<2>::noise(4).fbm(3).frequency(1.0 / 700.0).amplitude(300.0);
    let climate = Climate { sunny_side: 5.0, moist_patches: 0.4, ..Climate::default() };
    let placement = in_climate(&scatter(vec![kind()]), hills.build().unwrap(), climate);
    let mut random = Random::new(4);
    for _ in 0..50 {
        let p = random.point(2e3);
        let explanation = explain(&placement, KindId(1), p);
        let value = |quantity: Quantity| {
            let mut all = explanation.factors.iter();
            all.find_map(|factor| match factor.cause {
                Cause::Measured(it) if it.quantity == quantity => it.value,
                _ => None,
            })
        };
        let climate = placement.climate(p);
        assert_eq!(value(Quantity::Temperature), Some(climate.temperature));
        assert_eq!(value(Quantity::Moisture), Some(climate.moisture));
        let height = placement.field().value(p);
        assert!((value(Quantity::Height).unwrap() - height).abs() < 1.0, "{explanation:?}");
    }
}

#[test]
fn what_is_wrong_with_a_question_is_an_answer() {
    let placement = on_level_ground(&scatter(vec![kind()]));
    assert_eq!(placement.explain(KindId(9), [0.0; 2]), Ok(None));
    for wrong in [[f64::NAN, 0.0], [0.0, 1e16]] {
        let error = placement.explain(KindId(1), wrong).unwrap_err();
        let expected = placement.densities(KindId(1), &[wrong]).unwrap_err();
        assert_eq!(error.to_string(), expected.to_string());
    }
}
