//! The limits of trees of fields: of lists, products of numbers and proven bounds.

use super::Limit;

/// Limits of the frequency of the last octave, frequency * lacunarity^(octaves - 1).
pub const LAST_FREQUENCY: Limit = Limit {
    name: "the frequency of the last octave",
    unit: "cells per unit of length",
    min: 1e-9,
    max: 1e6,
    default: 1.0,
    help: "Frequency of the last octave, frequency * lacunarity^(octaves - 1)",
};

/// Limits of the proven range of each part of a tree.
pub const SIZE: Limit = Limit {
    name: "a value that the field could reach",
    unit: "",
    min: -1e15,
    max: 1e15,
    default: 0.0,
    help: "The proven range of each part of a tree",
};

/// Limits of the proven slope of each part of a tree.
pub const SLOPE: Limit = Limit {
    name: "a slope that the field could reach",
    unit: "",
    min: 0.0,
    max: 1e15,
    default: 0.0,
    help: "The proven Lipschitz constant of each part of a tree",
};

/// Limits of the factor by which all transforms around a field together scale positions.
pub const FRAME_SCALE: Limit = Limit {
    name: "the product of all scales",
    unit: "",
    min: 1e-9,
    max: 1e9,
    default: 1.0,
    help: "The factor by which the transforms around a field scale positions",
};

/// Limits of the highest frequency of a noise times all scales around it.
pub const FRAME_FREQUENCY: Limit = Limit {
    name: "the highest frequency times all scales",
    unit: "cells per unit of length",
    min: 0.0,
    max: 1e6,
    default: 1.0,
    help: "Frequency of the last octave, as seen from outside all transforms",
};

/// Limits of the distance by which transforms and warps displace positions, in cells of the
/// highest frequency.
pub const FRAME_REACH: Limit = Limit {
    name: "the displacement of positions times the highest frequency",
    unit: "cells",
    min: 0.0,
    max: 1e15,
    default: 0.0,
    help: "How far translations and warps displace the positions of a noise",
};

/// Limits of the factors of a `Scale`, or of their negatives.
pub const SCALE: Limit = Limit {
    name: "scale",
    unit: "",
    min: 1e-9,
    max: 1e9,
    default: 1.0,
    help: "Multiplies a coordinate: 2 makes features half as large",
};

/// Limits of the coordinates of a `Translate`.
pub const TRANSLATE: Limit = Limit {
    name: "translation",
    unit: "units of length",
    min: -1e15,
    max: 1e15,
    default: 0.0,
    help: "Added to a coordinate: features move in the opposite direction",
};

/// Limits of the length of a `Rotate`'s axis.
pub const AXIS_LENGTH: Limit = Limit {
    name: "the length of the axis",
    unit: "",
    min: 1e-6,
    max: 1e6,
    default: 1.0,
    help: "Only the direction has an effect",
};

/// Limits of the numbers in lists: inputs and outputs of a curve's points, values of a lattice, and
/// components of gradients.
pub const GIVEN: Limit = Limit {
    name: "a number of the list",
    unit: "",
    min: -1e6,
    max: 1e6,
    default: 0.0,
    help: "A number of a list",
};

/// Limits of the number of a curve's points.
pub const CURVE_POINTS: Limit = Limit {
    name: "the number of points",
    unit: "",
    min: 2.0,
    max: 64.0,
    default: 2.0,
    help: "Points that the curve passes through",
};

/// Limits of the difference between the inputs of consecutive points of a curve.
pub const CURVE_STEP: Limit = Limit {
    name: "the step to the next input",
    unit: "",
    min: 1e-6,
    max: 2e6,
    default: 1.0,
    help: "How far apart the inputs of a curve's points are",
};

/// Limits of the number of points of a lattice given as a list, and of a table of gradients.
pub const LATTICE_POINTS: Limit = Limit {
    name: "the number of points",
    unit: "",
    min: 1.0,
    max: 65_536.0,
    default: 1.0,
    help: "Points of a lattice, or gradients of a table",
};

/// Limits of a noise's period along an axis. 0 means that it does not repeat.
pub const PERIOD: Limit = Limit {
    name: "period",
    unit: "cells",
    min: 0.0,
    max: 2_147_483_648.0,
    default: 0.0,
    help: "Number of cells after which the noise repeats along an axis; 0 for no period",
};

/// Limits of the value of an eroded field times [`Erosion::height`](crate::Erosion::height). This
/// limit and the next two keep the squares and products in erosion far from overflow in `f32`.
pub const ERODED_VALUE: Limit = Limit {
    name: "the field's value times height",
    unit: "units of length",
    min: -1e9,
    max: 1e9,
    default: 0.0,
    help: "How high or low the eroded field can be",
};

/// Limits of the slope of an eroded field times [`Erosion::height`](crate::Erosion::height).
pub const ERODED_SLOPE: Limit = Limit {
    name: "the field's slope times height",
    unit: "",
    min: 0.0,
    max: 1e9,
    default: 0.0,
    help: "How steep the eroded field can be",
};

/// Limits of the second derivative of an eroded field times
/// [`Erosion::height`](crate::Erosion::height).
pub const ERODED_CURVATURE: Limit = Limit {
    name: "the field's second derivative times height",
    unit: "per unit of length",
    min: 0.0,
    max: 1e12,
    default: 0.0,
    help: "How strongly the eroded field can curve",
};

/// Limits of the number in a `Constant`.
pub const CONSTANT: Limit = Limit {
    name: "constant",
    unit: "",
    min: -1e6,
    max: 1e6,
    default: 0.0,
    help: "The same value everywhere",
};

/// Limits of the width over which `Min` and `Max` blend.
pub const SMOOTH: Limit = Limit {
    name: "smooth",
    unit: "",
    min: 0.0,
    max: 1e6,
    default: 0.0,
    help: "Two fields blend where their difference is smaller than this",
};
