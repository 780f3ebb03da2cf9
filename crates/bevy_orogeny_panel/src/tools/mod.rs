//! Tools that edit the ground with the mouse.
//!
//! `cursor` finds the ground under the pointer and draws the size of the tool there, `brush` turns
//! strokes into edits, `clicks` stamps, fells and plants. `course` lays out a path, point by point.
//! `selected` is the edit that is selected in the list, and moves it. `density_map` draws where a
//! kind may stand. The tab `tools` sets the numbers. Start with [`Tools`].

pub mod brush;
pub mod clicks;
pub mod course;
pub mod cursor;
pub mod density_map;
pub mod selected;

use bevy::prelude::*;
use bevy_orogeny::TerrainGround;
use orogeny::edits::{Path, Plant, Stamp};
use orogeny::limits::Limit;
use orogeny::scatter::KindId;
use strum::{EnumMessage, IntoStaticStr, VariantArray};

use crate::tools::brush::Stroke;
use crate::tools::selected::Grip;

/// What a click or a drag on the ground does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumMessage, IntoStaticStr, VariantArray)]
pub enum Tool {
    /// Raises the ground. Drag to draw a ridge.
    #[default]
    Raise,
    /// Lowers the ground. Drag to dig a ditch or a canyon.
    Lower,
    /// Levels the ground to the height where the stroke began.
    Flatten,
    /// Smooths the ground: removes earlier edits, and features smaller than the brush.
    Smooth,
    /// Roughens the ground with noise.
    Roughen,
    /// Paints a layer of cover.
    Paint,
    /// Makes a crater, 0.3 times as deep as its radius. One per click.
    Crater,
    /// Cuts a hole through the ground. One per click.
    Hole,
    /// Floods the ground within the radius, up to the given strength above the click: a reservoir
    /// behind a dam, a pond in a pit, or a canal. One per click.
    Flood,
    /// Clears plants and rocks: all kinds, or only one. Drag to clear a strip.
    Clear,
    /// Removes a single plant or rock: the one under the pointer, or the nearest one within the
    /// radius. One per click.
    Fell,
    /// Plants one plant or rock of a kind. One per click.
    Plant,
    /// Stamps an image onto the ground: white is high, black is low. One per click.
    Stamp,
    /// Lays out a road, a dam, a canal or a ditch. Each click adds a point; then build the path.
    Path,
    /// Moves the edit that is selected in the Edits tab. Drag its centre, or a point of its path.
    /// The nearest handle within the radius moves.
    Move,
}

impl Tool {
    /// Whether a drag goes on working, rather than one click.
    pub fn is_brush(self) -> bool {
        !self.has_own_clicks() && !matches!(self, Self::Crater | Self::Hole | Self::Flood)
    }

    /// Whether clicks do more than putting a dab.
    pub fn has_own_clicks(self) -> bool {
        matches!(self, Self::Fell | Self::Plant | Self::Stamp | Self::Path | Self::Move)
    }

    /// Whether its effect ends gradually. Plants stand or do not.
    pub fn has_falloff(self) -> bool {
        self.is_brush() && self != Self::Clear
    }

    /// Whether its strength counts.
    pub fn has_strength(self) -> bool {
        matches!(self, Self::Raise | Self::Lower | Self::Roughen | Self::Flood)
    }
}

/// The limits of the radius.
pub const RADIUS: Limit = Limit::new(
    "radius",
    "m",
    [0.5, 1000.0],
    10.0,
    "Distance from the centre up to which the tool has its full effect",
);
/// The limits of the falloff.
pub const FALLOFF: Limit = Limit::new(
    "falloff",
    "m",
    [0.1, 1000.0],
    10.0,
    "Distance beyond the radius over which the effect fades out",
);
/// The limits of the strength.
pub const STRENGTH: Limit = Limit::new(
    "strength",
    "m",
    [0.01, 100.0],
    0.5,
    "How far one dab of the brush moves the ground. A drag places a dab every third of the \
           radius",
);

/// The limits of the opacity of paint.
pub const OPACITY: Limit =
    Limit::new("opacity", "", [0.01, 1.0], 0.5, "How opaque one dab of paint is");
/// The limits of the lift of a path.
pub const LIFT: Limit = Limit::new(
    "lift",
    "m",
    [-100.0, 100.0],
    0.0,
    "Height of new points of the path above the ground",
);

/// The tool in the user's hand. Games may change it.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct Tools {
    /// The active tool; `None` while the game has the mouse.
    pub tool: Option<Tool>,
    /// In metres, see the limits of the tab.
    pub radius: f64,
    /// In metres.
    pub falloff: f64,
    /// In metres for each dab.
    pub strength: f64,
    /// The layer of cover to paint, counted from the bottom.
    pub layer: u32,
    /// How much of the ground a dab of paint covers, 0.01 to 1.
    pub opacity: f64,
    /// The kind to clear; `None` for all kinds.
    pub kind: Option<KindId>,
    /// What to plant, for any place. If its kind does not exist, it is the first one.
    pub plant: Plant,
    /// The path being laid out. Its points are in the coordinates of the world.
    pub path: Path,
    /// In metres, for new points of the path.
    pub lift: f64,
    /// The stamp, for any place. Unless it adds to the ground, its heights count from the ground
    /// under the pointer.
    pub stamp: Stamp,
    /// Whether the path shall be built.
    pub build: bool,
    /// The stroke being drawn, with its number.
    drawing: Option<(u64, Stroke)>,
    /// The handle being dragged.
    moving: Option<Grip>,
    /// The number of the stroke in which the user drags a number of an edit.
    tuning: Option<u64>,
    /// The number of strokes so far.
    strokes: u64,
}

impl Default for Tools {
    fn default() -> Self {
        Self {
            tool: None,
            radius: RADIUS.default,
            falloff: FALLOFF.default,
            strength: STRENGTH.default,
            layer: 0,
            opacity: OPACITY.default,
            kind: None,
            plant: Plant::default(),
            path: Path { points: Vec::new(), ..course::Section::Road.path() },
            lift: LIFT.default,
            stamp: Stamp::default(),
            build: false,
            drawing: None,
            moving: None,
            tuning: None,
            strokes: 0,
        }
    }
}

impl Tools {
    /// The number of the stroke being drawn. All of its edits are undone together.
    pub fn stroke(&self) -> Option<u64> {
        let drawn = self.drawing.map(|(number, _)| number);
        drawn.or(self.moving.map(|grip| grip.stroke)).or(self.tuning)
    }

    /// Notes whether the user holds the button in the panel, and changes a number of an edit.
    pub fn tune(&mut self, is_held: bool, is_changed: bool) {
        if !is_held {
            self.tuning = None;
        } else if is_changed && self.tuning.is_none() {
            self.tuning = Some(self.next_stroke());
        }
    }

    fn next_stroke(&mut self) -> u64 {
        self.strokes += 1;
        self.strokes
    }
}

/// The lines that tools draw, over everything else: a path that is laid out runs through hills.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct ToolLines;

/// Nearly as far forward as -1, which by rounding would put some of them before the near plane.
const DEPTH_BIAS: f32 = -0.9;
/// The colour of the tool, and of the end of its effect.
const COLOR: Color = Color::srgb(1.0, 0.85, 0.2);
const EDGE_COLOR: Color = Color::srgb(0.9, 0.5, 0.2);

/// Adds the lines to an app that draws gizmos.
pub fn build_lines(app: &mut App) {
    let config = GizmoConfig { depth_bias: DEPTH_BIAS, ..default() };
    app.insert_gizmo_config(ToolLines, config);
}

/// The translation of a point that is `above` the ground, in metres. Over holes the ground is as
/// high as `level`.
fn on_ground(ground: &TerrainGround, at: [f64; 2], level: f64, above: f64) -> Vec3 {
    let height = ground.field(at).map_or(level, |sample| sample.value.into());
    ground.translation([at[0], height + above, at[1]])
}
