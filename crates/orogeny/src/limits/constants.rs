//! The limits of what is no number of a structure: of lists, products of numbers and proven bounds.

use super::Limit;

/// Limits of the distance between the finest rivers, spacing / 4^(levels - 1).
pub const FINEST_RIVERS: Limit = Limit::new(
    "the spacing of the finest rivers",
    "m",
    [10.0, 1e6],
    400.0,
    "The distance between the finest rivers, spacing / 4^(levels - 1)",
);

/// Limits of the longer side of a region whose
/// [reaches](crate::drainage::RiverGround::each_reach) are visited.
pub const RIVER_REGION: Limit = Limit::new(
    "the longer side over the distance between the finest rivers",
    "",
    [0.0, 1024.0],
    1.0,
    "How large a region of rivers may be",
);

/// Limits of [`Recipe::height`](crate::Recipe::height).
pub const HEIGHT: Limit =
    Limit::new("height", "m", [0.0, 1e5], 1.0, "Scales all heights: metres per unit of the field");

/// Limits of [`Recipe::sea_level`](crate::Recipe::sea_level).
pub const SEA_LEVEL: Limit =
    Limit::new("sea_level", "m", [-1e5, 1e5], 0.0, "Height of the sea above the terrain's origin");

/// Limits of the largest height, up or down, that a recipe can reach by its proven bounds.
pub const MAX_HEIGHT: Limit = Limit::new(
    "the largest possible height",
    "m",
    [0.0, 1e6],
    1e3,
    "The farthest that the terrain can rise or fall",
);

/// Limits of the number of control points of a [`Path`](crate::edits::Path).
pub const PATH_POINTS: Limit = Limit::new(
    "the number of points",
    "",
    [2.0, 256.0],
    2.0,
    "Points that the path passes through",
);

/// Limits of coordinates: of the centres of an [`Edit`](crate::edits::Edit), of the control points
/// of paths, and of the regions of queries.
pub const POSITION: Limit =
    Limit::new("a coordinate", "m", [-1e15, 1e15], 0.0, "Position along an axis");

/// Limits of the heights of a [`Path`](crate::edits::Path)'s control points.
pub const PATH_HEIGHT: Limit =
    Limit::new("a height", "m", [-1e6, 1e6], 0.0, "Height of a point of the path");

/// Limits of the distance in the plane between neighbouring control points of a
/// [`Path`](crate::edits::Path).
pub const PATH_STEP: Limit = Limit::new(
    "the distance to the next point",
    "m",
    [0.1, 1e4],
    20.0,
    "Distance between neighbouring points of the path",
);

/// Limits of the coordinates of a [`Ray`](crate::ray::Ray)'s origin.
pub const RAY_ORIGIN: Limit =
    Limit::new("origin", "units of length", [-1e18, 1e18], 0.0, "Where the ray starts");

/// Limits of the length of a [`Ray`](crate::ray::Ray)'s direction.
pub const RAY_DIRECTION: Limit = Limit::new(
    "the length of direction",
    "",
    [f64::MIN_POSITIVE, f64::MAX],
    1.0,
    "Direction of the ray: its length has no effect",
);

/// Limits of a [`Ray`](crate::ray::Ray)'s reach.
pub const RAY_DISTANCE: Limit =
    Limit::new("max_distance", "units of length", [0.0, 1e18], 1e4, "How far the ray reaches");

/// Limits of the tolerance of a [`raycast`](crate::ray::raycast).
pub const RAY_TOLERANCE: Limit = Limit::new(
    "tolerance",
    "units of height",
    [1e-6, 1e6],
    0.01,
    "How deep a ray may pass below the ground without a hit",
);

/// Limits of the places that a query of a [`Placement`](crate::scatter::Placement) looks at: up to
/// 2^26, some 6 km square of dense bushes with a radius of 0.8 m. Looking at all of them takes
/// seconds, and the instances found take up to 2 GB.
///
/// Places are the cells of the wanted kinds, each as wide as the radius of its kind, and points of
/// the ground that are 4 m apart. Where proven bounds of the ground show that nothing grows, there
/// are none: a query over bare ground can be of any size. Only where bounds must be found for each
/// square of 64 m, ground that is nearly suited, a square counts as 64 places.
pub const SCATTER_PLACES: Limit = Limit::new(
    "the number of places counted so far",
    "",
    [0.0, 67_108_864.0],
    0.0,
    "How much a query of plants and rocks may do",
);

/// Limits of the [places](SCATTER_PLACES) that a query looks at together: up to 2^23, some 400 MB
/// for a moment.
///
/// Around what is wanted, instances are placed that may displace it, and they are placed together:
/// with several kinds that have radii of hundreds of metres, even a small query is too large.
pub const SCATTER_PLACES_TOGETHER: Limit = Limit {
    name: "the number of places that the query looks at together",
    max: 8_388_608.0,
    help: "How much of a query of plants and rocks may be done at once",
    ..SCATTER_PLACES
};

/// Limits of the frequency of the last octave, frequency * lacunarity^(octaves - 1).
pub const LAST_FREQUENCY: Limit = Limit::new(
    "the frequency of the last octave",
    "cells per unit of length",
    [1e-9, 1e6],
    1.0,
    "Frequency of the last octave, frequency * lacunarity^(octaves - 1)",
);

/// Limits of the proven range of each part of a tree.
pub const SIZE: Limit = Limit::new(
    "a value that the field could reach",
    "",
    [-1e15, 1e15],
    0.0,
    "The proven range of each part of a tree",
);

/// Limits of the proven slope of each part of a tree.
pub const SLOPE: Limit = Limit::new(
    "a slope that the field could reach",
    "",
    [0.0, 1e15],
    0.0,
    "The proven Lipschitz constant of each part of a tree",
);

/// Limits of the factor by which all transforms around a field together scale positions.
pub const FRAME_SCALE: Limit = Limit::new(
    "the product of all scales",
    "",
    [1e-9, 1e9],
    1.0,
    "The factor by which the transforms around a field scale positions",
);

/// Limits of the highest frequency of a noise times all scales around it.
pub const FRAME_FREQUENCY: Limit = Limit::new(
    "the highest frequency times all scales",
    "cells per unit of length",
    [0.0, 1e6],
    1.0,
    "Frequency of the last octave, as seen from outside all transforms",
);

/// Limits of the distance by which transforms and warps displace positions, in cells of the
/// highest frequency.
pub const FRAME_REACH: Limit = Limit::new(
    "the displacement of positions times the highest frequency",
    "cells",
    [0.0, 1e15],
    0.0,
    "How far translations and warps displace the positions of a noise",
);

/// Limits of the factors of a `Scale`, or of their negatives.
pub const SCALE: Limit = Limit::new(
    "scale",
    "",
    [1e-9, 1e9],
    1.0,
    "Multiplies a coordinate: 2 makes features half as large",
);

/// Limits of the coordinates of a `Translate`.
pub const TRANSLATE: Limit = Limit::new(
    "translation",
    "units of length",
    [-1e15, 1e15],
    0.0,
    "Added to a coordinate: features move in the opposite direction",
);

/// Limits of the length of a `Rotate`'s axis.
pub const AXIS_LENGTH: Limit =
    Limit::new("the length of the axis", "", [1e-6, 1e6], 1.0, "Only the direction has an effect");

/// Limits of the numbers in lists: inputs and outputs of a curve's points, values of a lattice, and
/// components of gradients.
pub const GIVEN: Limit =
    Limit::new("a number of the list", "", [-1e6, 1e6], 0.0, "A number of a list");

/// Limits of the number of a curve's points.
pub const CURVE_POINTS: Limit = Limit::new(
    "the number of points",
    "",
    [2.0, 64.0],
    2.0,
    "Points that the curve passes through",
);

/// Limits of the difference between the inputs of consecutive points of a curve.
pub const CURVE_STEP: Limit = Limit::new(
    "the step to the next input",
    "",
    [1e-6, 2e6],
    1.0,
    "How far apart the inputs of a curve's points are",
);

/// Limits of the number of points of a lattice given as a list, and of a table of gradients.
pub const LATTICE_POINTS: Limit = Limit::new(
    "the number of points",
    "",
    [1.0, 65_536.0],
    1.0,
    "Points of a lattice, or gradients of a table",
);

/// Limits of a noise's period along an axis. 0 means that it does not repeat.
pub const PERIOD: Limit = Limit::new(
    "period",
    "cells",
    [0.0, 2_147_483_648.0],
    0.0,
    "Number of cells after which the noise repeats along an axis; 0 for no period",
);

/// Limits of the value of an eroded field times [`Erosion::height`](crate::Erosion::height). This
/// limit and the next two keep the squares and products in erosion far from overflow in `f32`.
pub const ERODED_VALUE: Limit = Limit::new(
    "the field's value times height",
    "units of length",
    [-1e9, 1e9],
    0.0,
    "How high or low the eroded field can be",
);

/// Limits of the slope of an eroded field times [`Erosion::height`](crate::Erosion::height).
pub const ERODED_SLOPE: Limit = Limit::new(
    "the field's slope times height",
    "",
    [0.0, 1e9],
    0.0,
    "How steep the eroded field can be",
);

/// Limits of the second derivative of an eroded field times
/// [`Erosion::height`](crate::Erosion::height).
pub const ERODED_CURVATURE: Limit = Limit::new(
    "the field's second derivative times height",
    "per unit of length",
    [0.0, 1e12],
    0.0,
    "How strongly the eroded field can curve",
);

/// Limits of the number in a `Constant`.
pub const CONSTANT: Limit =
    Limit::new("constant", "", [-1e6, 1e6], 0.0, "The same value everywhere");

/// Limits of the width over which `Min` and `Max` blend.
pub const SMOOTH: Limit = Limit::new(
    "smooth",
    "",
    [0.0, 1e6],
    0.0,
    "Two fields blend where their difference is smaller than this",
);
