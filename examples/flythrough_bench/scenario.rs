//! The scenarios.

use bevy_orogeny::orogeny::{Recipe, RecipeError};
use clap::builder::PossibleValuesParser;

/// A script over a preset, with a view range.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    pub name: &'static str,
    pub script: Script,
    pub preset: Preset,
    /// In kilometres.
    pub range: f64,
}

/// The motion of the viewers and changes of the terrain.
#[derive(Clone, Copy, Debug)]
pub enum Script {
    /// One viewer flies, in metres per second.
    Flight(f64),
    /// One viewer teleports.
    Teleports,
    /// Two viewers fly apart.
    TwoViewers,
    /// The recipe changes while one viewer flies.
    Edits,
}

/// The presets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    Hills,
    Ridges,
    /// With erosion.
    Sierra,
}

/// The names over hills, ridges and the sierra, the script, and the range in kilometres if it
/// differs from that of the command line.
const SCENARIOS: [([&str; 3], Script, Option<f64>); 10] = [
    (["rest", "rest_ridged", "rest_eroded"], Script::Flight(0.0), None),
    (["flight_50", "flight_50_ridged", "flight_50_eroded"], Script::Flight(50.0), None),
    (["flight_500", "flight_500_ridged", "flight_500_eroded"], Script::Flight(500.0), None),
    (["flight_5000", "flight_5000_ridged", "flight_5000_eroded"], Script::Flight(5000.0), None),
    (["teleport", "teleport_ridged", "teleport_eroded"], Script::Teleports, None),
    (["two_viewers", "two_viewers_ridged", "two_viewers_eroded"], Script::TwoViewers, None),
    (["edit", "edit_ridged", "edit_eroded"], Script::Edits, None),
    (["range_5", "range_5_ridged", "range_5_eroded"], Script::Flight(500.0), Some(5.0)),
    (["range_10", "range_10_ridged", "range_10_eroded"], Script::Flight(500.0), Some(10.0)),
    (["range_30", "range_30_ridged", "range_30_eroded"], Script::Flight(500.0), Some(30.0)),
];

/// All scenarios, hills first.
pub fn all(range: f64) -> Vec<Scenario> {
    let of = |preset: Preset| {
        SCENARIOS.into_iter().map(move |(names, script, own)| Scenario {
            name: names[preset as usize],
            script,
            preset,
            range: own.unwrap_or(range),
        })
    };
    [Preset::Hills, Preset::Ridges, Preset::Sierra].into_iter().flat_map(of).collect()
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
            Self::Sierra => "sierra",
        }
    }

    /// Its recipe. It is compiled in, so that the program does not depend on the working directory.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn recipe(self) -> Result<Recipe, RecipeError> {
        Recipe::from_ron(match self {
            Self::Hills => include_str!("../../assets/presets/hills.terrain.ron"),
            Self::Ridges => include_str!("../../assets/presets/ridges.terrain.ron"),
            Self::Sierra => include_str!("../../assets/presets/sierra.terrain.ron"),
        })
    }
}
