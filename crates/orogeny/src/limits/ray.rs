//! The limits of rays.

use super::Limit;

/// Limits of the coordinates of a [`Ray`](crate::ray::Ray)'s origin.
pub const RAY_ORIGIN: Limit = Limit {
    name: "origin",
    unit: "units of length",
    min: -1e18,
    max: 1e18,
    default: 0.0,
    help: "Where the ray starts",
};

/// Limits of the length of a [`Ray`](crate::ray::Ray)'s direction.
pub const RAY_DIRECTION: Limit = Limit {
    name: "the length of direction",
    unit: "",
    min: f64::MIN_POSITIVE,
    max: f64::MAX,
    default: 1.0,
    help: "Direction of the ray: its length has no effect",
};

/// Limits of a [`Ray`](crate::ray::Ray)'s reach.
pub const RAY_DISTANCE: Limit = Limit {
    name: "max_distance",
    unit: "units of length",
    min: 0.0,
    max: 1e18,
    default: 1e4,
    help: "How far the ray reaches",
};

/// Limits of the tolerance of a [`raycast`](crate::ray::raycast).
pub const RAY_TOLERANCE: Limit = Limit {
    name: "tolerance",
    unit: "units of height",
    min: 1e-6,
    max: 1e6,
    default: 0.01,
    help: "How deep a ray may pass below the ground without a hit",
};
