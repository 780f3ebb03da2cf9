//! The scenarios.

use clap::builder::PossibleValuesParser;

/// A script over a preset, with a view range.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    pub name: &'static str,
    pub script: Script,
    pub preset: &'static str,
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

/// The presets: smooth, with ridges, with erosion, and with erosion and crags.
const PRESETS: [&str; 4] = ["hills", "ridges", "sierra", "alpine"];

/// The names of a script over each preset.
macro_rules! names {
    ($name:literal) => {
        [$name, concat!($name, "_ridged"), concat!($name, "_eroded"), concat!($name, "_alpine")]
    };
}

/// The names over each preset, the script, and the range in kilometres if it differs from that of
/// the command line.
const SCENARIOS: [([&str; PRESETS.len()], Script, Option<f64>); 10] = [
    (names!("rest"), Script::Flight(0.0), None),
    (names!("flight_50"), Script::Flight(50.0), None),
    (names!("flight_500"), Script::Flight(500.0), None),
    (names!("flight_5000"), Script::Flight(5000.0), None),
    (names!("teleport"), Script::Teleports, None),
    (names!("two_viewers"), Script::TwoViewers, None),
    (names!("edit"), Script::Edits, None),
    (names!("range_5"), Script::Flight(500.0), Some(5.0)),
    (names!("range_10"), Script::Flight(500.0), Some(10.0)),
    (names!("range_30"), Script::Flight(500.0), Some(30.0)),
];

/// All scenarios, hills first.
pub fn all(range: f64) -> Vec<Scenario> {
    let of = |(i, preset): (usize, &'static str)| {
        SCENARIOS.map(|(names, script, own)| {
            let range = own.unwrap_or(range);
            Scenario { name: names[i], script, preset, range }
        })
    };
    PRESETS.into_iter().enumerate().flat_map(of).collect()
}

/// Their names, for the command line.
pub fn names() -> PossibleValuesParser {
    all(1.0).into_iter().map(|scenario| scenario.name).collect::<Vec<_>>().into()
}
