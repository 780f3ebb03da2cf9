//! Tools that edit the ground with the mouse.
//!
//! `cursor` finds the ground under the pointer and draws the size of the tool there, `stroke` is
//! where a dragged brush puts its dabs, `apply` turns both into edits. `selected` is the edit that
//! is selected in the list. The tab `tools` sets the numbers. Start with [`Tools`].

pub mod apply;
pub mod cursor;
pub mod selected;
pub mod stroke;

use bevy::prelude::*;
use orogeny::limits::Limit;
use strum::{EnumMessage, IntoStaticStr, VariantArray};

use crate::tools::stroke::Stroke;

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
    /// Takes away what is smaller than the brush, and earlier edits: the ground of the recipe
    /// without its fine octaves is left.
    Smooth,
    /// Adds rough ground.
    Roughen,
    /// Blows a crater, 0.3 times as deep as its radius. One a click.
    Crater,
    /// Cuts a hole that everything falls through. One a click.
    Hole,
}

impl Tool {
    /// Whether a drag goes on working, rather than one click.
    pub fn is_brush(self) -> bool {
        !matches!(self, Self::Crater | Self::Hole)
    }

    /// Whether its strength counts.
    pub fn has_strength(self) -> bool {
        matches!(self, Self::Raise | Self::Lower | Self::Roughen)
    }
}

/// The limits of the radius.
pub const RADIUS: Limit = Limit {
    name: "radius",
    unit: "m",
    min: 0.5,
    max: 1000.0,
    default: 10.0,
    help: "Distance from the middle in which the tool works in full",
};
/// The limits of the falloff.
pub const FALLOFF: Limit = Limit {
    name: "falloff",
    unit: "m",
    min: 0.1,
    max: 1000.0,
    default: 10.0,
    help: "Distance beyond the radius over which the effect ends",
};
/// The limits of the strength.
pub const STRENGTH: Limit = Limit {
    name: "strength",
    unit: "m",
    min: 0.01,
    max: 100.0,
    default: 0.5,
    help: "How far one dab of the brush moves the ground. A drag puts a dab every third of the \
           radius",
};

/// The tool in the user's hand. Games may change it.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct Tools {
    /// The tool; `None` while the mouse is the game's.
    pub tool: Option<Tool>,
    /// In metres, see the limits of the tab.
    pub radius: f64,
    /// In metres.
    pub falloff: f64,
    /// In metres for each dab.
    pub strength: f64,
    /// The stroke being drawn, with its number.
    drawing: Option<(u64, Stroke)>,
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
            drawing: None,
            strokes: 0,
        }
    }
}

impl Tools {
    /// The number of the stroke being drawn. All of its edits are undone together.
    pub fn stroke(&self) -> Option<u64> {
        self.drawing.as_ref().map(|(number, _)| *number)
    }
}
