//! The limits of edits: of positions and paths.

use super::Limit;

/// Limits of the number of control points of a [`Path`](crate::edits::Path).
pub const PATH_POINTS: Limit = Limit {
    name: "the number of points",
    unit: "",
    min: 2.0,
    max: 256.0,
    default: 2.0,
    help: "Points that the path passes through",
};

/// Limits of coordinates: of the centres of an [`Edit`](crate::edits::Edit), of the control points
/// of paths, and of the regions of queries.
pub const POSITION: Limit = Limit {
    name: "a coordinate",
    unit: "m",
    min: -1e15,
    max: 1e15,
    default: 0.0,
    help: "Position along an axis",
};

/// Limits of the heights of a [`Path`](crate::edits::Path)'s control points.
pub const PATH_HEIGHT: Limit = Limit {
    name: "a height",
    unit: "m",
    min: -1e6,
    max: 1e6,
    default: 0.0,
    help: "Height of a point of the path",
};

/// Limits of the distance in the plane between neighbouring control points of a
/// [`Path`](crate::edits::Path).
pub const PATH_STEP: Limit = Limit {
    name: "the distance to the next point",
    unit: "m",
    min: 0.1,
    max: 1e4,
    default: 20.0,
    help: "Distance between neighbouring points of the path",
};
