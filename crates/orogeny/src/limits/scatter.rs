//! The limits of queries of a scatter.

use super::Limit;

/// Limits of the places that a query of a [`Placement`](crate::scatter::Placement) looks at: up to
/// 2^26, some 6 km square of dense bushes with a radius of 0.8 m. Looking at all of them takes
/// seconds, and the instances found take up to 2 GB.
///
/// Places are the cells of the wanted kinds, each as wide as the radius of its kind, and points of
/// the ground that are 4 m apart. Where proven bounds of the ground show that nothing grows, there
/// are none: a query over bare ground can be of any size. Only where bounds must be found for each
/// square of 64 m, ground that is nearly suited, a square counts as 64 places.
pub const SCATTER_PLACES: Limit = Limit {
    name: "the number of places counted so far",
    unit: "",
    min: 0.0,
    max: 67_108_864.0,
    default: 0.0,
    help: "How much a query of plants and rocks may do",
};

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
