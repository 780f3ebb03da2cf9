//! The scenarios.

use bevy_orogeny::orogeny::{Recipe, RecipeError};
use clap::builder::PossibleValuesParser;

/// What happens, over which ground, how far one sees.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    pub name: &'static str,
    pub script: Script,
    pub preset: Preset,
    /// In kilometres.
    pub range: f64,
}

/// What happens.
#[derive(Clone, Copy, Debug)]
pub enum Script {
    /// One viewer flies, in metres per second.
    Flight(f64),
    /// One viewer is here and then there.
    Teleports,
    /// Two viewers fly apart.
    TwoViewers,
    /// The ground changes below one viewer.
    Edits,
}

/// The two grounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    Hills,
    Ridges,
}

/// Names over hills and over ridges, what happens, and the range in kilometres where it is not that of the command line.
const SCENARIOS: [([&str; 2], Script, Option<f64>); 9] = [
    (["flight_50", "flight_50_ridged"], Script::Flight(50.0), None),
    (["flight_500", "flight_500_ridged"], Script::Flight(500.0), None),
    (["flight_5000", "flight_5000_ridged"], Script::Flight(5000.0), None),
    (["teleport", "teleport_ridged"], Script::Teleports, None),
    (["two_viewers", "two_viewers_ridged"], Script::TwoViewers, None),
    (["edit", "edit_ridged"], Script::Edits, None),
    (["range_5", "range_5_ridged"], Script::Flight(500.0), Some(5.0)),
    (["range_10", "range_10_ridged"], Script::Flight(500.0), Some(10.0)),
    (["range_30", "range_30_ridged"], Script::Flight(500.0), Some(30.0)),
];

/// All of them, hills first.
pub fn all(range: f64) -> Vec<Scenario> {
    let of = |preset: Preset| {
        SCENARIOS.into_iter().map(move |(names, script, own)| Scenario {
            name: names[preset as usize],
            script,
            preset,
            range: own.unwrap_or(range),
        })
    };
    of(Preset::Hills).chain(of(Preset::Ridges)).collect()
}

/// Their names, for the command line.
pub fn names() -> PossibleValuesParser {
    all(1.0).into_iter().map(|scenario| scenario.name).collect::<Vec<_>>().into()
}

impl Preset {
    pub fn name(self) -> &'static str {
        match self {
            Self::Hills => "hills",
            Self::Ridges => "ridges",
        }
    }

    /// Its recipe. It is compiled in, so that the program measures the same wherever it runs.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn recipe(self) -> Result<Recipe, RecipeError> {
        Recipe::from_ron(match self {
            Self::Hills => include_str!("../../assets/presets/hills.terrain.ron"),
            Self::Ridges => include_str!("../../assets/presets/ridges.terrain.ron"),
        })
    }
}
