//! The limits of terrain: of heights, the sea and rivers.

use super::Limit;

/// Limits of the distance between the finest rivers, spacing / 4^(levels - 1).
pub const FINEST_RIVERS: Limit = Limit {
    name: "the spacing of the finest rivers",
    unit: "m",
    min: 10.0,
    max: 1e6,
    default: 400.0,
    help: "The distance between the finest rivers, spacing / 4^(levels - 1)",
};

/// Limits of the longer side of a region whose
/// [reaches](crate::drainage::RiverGround::each_reach) are visited.
pub const RIVER_REGION: Limit = Limit {
    name: "the longer side over the distance between the finest rivers",
    unit: "",
    min: 0.0,
    max: 1024.0,
    default: 1.0,
    help: "How large a region of rivers may be",
};

/// Limits of [`Recipe::height`](crate::Recipe::height).
pub const HEIGHT: Limit = Limit {
    name: "height",
    unit: "m",
    min: 0.0,
    max: 1e5,
    default: 1.0,
    help: "Scales all heights: metres per unit of the field",
};

/// Limits of [`Recipe::sea_level`](crate::Recipe::sea_level).
pub const SEA_LEVEL: Limit = Limit {
    name: "sea_level",
    unit: "m",
    min: -1e5,
    max: 1e5,
    default: 0.0,
    help: "Height of the sea above the terrain's origin",
};

/// Limits of the largest height, up or down, that a recipe can reach by its proven bounds.
pub const MAX_HEIGHT: Limit = Limit {
    name: "the largest possible height",
    unit: "m",
    min: 0.0,
    max: 1e6,
    default: 1e3,
    help: "The farthest that the terrain can rise or fall",
};
