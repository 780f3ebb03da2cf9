//! What is drawn: places, and variants of each.

use clap::ValueEnum;

use super::light::Sun;

/// A place to look from. All cameras look to the same side.
#[derive(Debug)]
pub struct Scene {
    pub name: &'static str,
    pub preset: &'static str,
    /// The position (x, z) in metres.
    pub at: [f64; 2],
    /// The height of the camera above the ground in metres.
    pub above: f32,
    /// How much the camera looks up, as a part of the view direction.
    pub pitch: f32,
    pub sun: Sun,
}

/// What of a scene is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Variant {
    /// All of it
    Full,
    /// Without shadow maps
    NoShadows,
    /// Without plants and rocks
    Bare,
    /// The floor: without plants, rocks and water, and the ground in one colour, lit as Bevy's
    /// `StandardMaterial`
    Plain,
}

/// All scenes, in the order in which they are drawn.
pub const ALL: [Scene; 11] = [
    scene("wood", "valleys", [2779.0, 2583.0], 1.7, -0.05, Sun::Morning),
    scene("valley_air", "valleys", [3100.0, 2200.0], 100.0, -0.2, Sun::Morning),
    scene("river", "valleys", [440.0, 2515.0], 1.7, -0.05, Sun::Morning),
    scene("meadow", "hills", [0.0, 0.0], 1.7, -0.05, Sun::Morning),
    scene("ridges_air", "ridges", [0.0, 0.0], 200.0, -0.2, Sun::Morning),
    scene("dusk", "ridges", [-864.0, -1376.0], 1.7, -0.05, Sun::Dusk),
    scene("alpine_air", "alpine", [0.0, 0.0], 200.0, -0.2, Sun::Morning),
    scene("snow", "alpine", [-3072.0, -496.0], 1.7, -0.05, Sun::Noon),
    scene("sea_air", "archipelago", [0.0, 0.0], 200.0, -0.2, Sun::Morning),
    scene("below_sea", "archipelago", [-3000.0, 0.0], 6.0, 0.1, Sun::Morning),
    scene("canyon_wall", "canyon", [312.0, 3784.0], 1.7, 0.0, Sun::Morning),
];

const fn scene(
    name: &'static str,
    preset: &'static str,
    at: [f64; 2],
    above: f32,
    pitch: f32,
    sun: Sun,
) -> Scene {
    Scene { name, preset, at, above, pitch, sun }
}

impl Variant {
    /// In the order in which they are drawn: those of one terrain together.
    pub const ALL: [Self; 4] = [Self::Full, Self::NoShadows, Self::Bare, Self::Plain];

    /// The name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::NoShadows => "no_shadows",
            Self::Bare => "bare",
            Self::Plain => "plain",
        }
    }

    /// Whether the sun casts shadows.
    pub fn has_shadows(self) -> bool {
        self != Self::NoShadows
    }

    /// Whether plants and rocks stand on the ground.
    pub fn has_plants(self) -> bool {
        matches!(self, Self::Full | Self::NoShadows)
    }
}
