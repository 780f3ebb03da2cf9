//! Distances on the WGS 84 ellipsoid.

/// The semi-major axis in metres, and the square of the eccentricity.
const AXIS: f64 = 6_378_137.0;
const ECCENTRICITY_SQUARED: f64 = 6.694_379_990_141_316e-3;

/// The lengths in metres of a degree of longitude and of latitude, at a latitude in degrees.
///
/// They follow from the radii of curvature N = a / w and M = a (1 - e^2) / w^3, with w^2 = 1 - e^2
/// sin^2. The sine is that of `libm`, so all platforms agree.
pub(super) fn metres_per_degree(latitude: f64) -> [f64; 2] {
    let degree = core::f64::consts::PI / 180.0;
    let (sin, cos) = libm::sincos(latitude * degree);
    let w = (1.0 - ECCENTRICITY_SQUARED * sin * sin).sqrt();
    let east = AXIS / w * cos;
    let north = AXIS * (1.0 - ECCENTRICITY_SQUARED) / (w * w * w);
    [east * degree, north * degree]
}

/// The length on the ground of one metre of the Web Mercator projection (EPSG:3857), and the
/// latitude in degrees, at a northing in metres.
pub(super) fn web_mercator(northing: f64) -> [f64; 2] {
    let y = northing / AXIS;
    [1.0 / libm::cosh(y), libm::atan(libm::sinh(y)) / (core::f64::consts::PI / 180.0)]
}
