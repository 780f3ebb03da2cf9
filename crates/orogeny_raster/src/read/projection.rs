//! How long a metre of a projection, or a degree, is on the ground.
//!
//! J. P. Snyder, "Map Projections: A Working Manual", USGS Professional Paper 1395, 1987, and IOGP
//! Guidance Note 7-2 for the parameters of the EPSG Dataset.

use crate::read::codes::is_stretched;

/// The error of distances that is borne without a warning.
const BORNE: f64 = 0.01;
/// The steps to a latitude; each gains two digits.
const STEPS: usize = 8;

/// A projection. Origins are in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Projection {
    /// True to scale, or close to it.
    True,
    /// True to scale near a line or a point: distances along each axis count by the factors of
    /// `axes`. The scale is that in the middle.
    Near { middle: [f64; 2], axes: [f64; 2], scale: f64 },
    /// Not true to scale, and not corrected.
    Stretched,
    /// EPSG:3857: the Mercator projection of a sphere.
    WebMercator,
    /// The Mercator projection of the ellipsoid: its scale at the equator, and the northing of it.
    Mercator { scale: f64, north: f64 },
    /// Longitudes and latitudes as lengths on a sphere: its radius, the cosine of the latitude that
    /// is true to scale, and the northing of the equator.
    Equirectangular { radius: f64, cos: f64, north: f64 },
    /// The stereographic projection from a pole: its scale there, and the place of the pole.
    PolarStereographic { scale: f64, pole: [f64; 2] },
}

/// The lengths on the ground of a metre eastwards and northwards, and the latitude in degrees.
pub(super) struct Ground {
    pub lengths: [f64; 2],
    pub latitude: f64,
}

impl Projection {
    /// The projection of an EPSG code.
    pub fn of_code(code: u16) -> Self {
        let wgs84 = Ellipsoid::WGS84;
        let plate = |radius: f64| Self::Equirectangular { radius, cos: 1.0, north: 0.0 };
        let polar = |scale, at: f64| Self::PolarStereographic { scale, pole: [at; 2] };
        let true_at = |latitude| polar(polar_scale(&wgs84, latitude), 0.0);
        match code {
            3857 | 3785 => Self::WebMercator,
            3395 | 3349 | 3832 => Self::Mercator { scale: 1.0, north: 0.0 },
            2934 | 3000..=3002 | 5329..=5331 | 21100 | 25700 => {
                Self::Mercator { scale: 0.997, north: 900_000.0 }
            }
            3388 => Self::Mercator { scale: wgs84.parallel(42.0), north: 0.0 },
            3994 => Self::Mercator { scale: wgs84.parallel(41.0), north: 0.0 },
            5641 => Self::Mercator { scale: wgs84.parallel(2.0), north: 1e7 },
            4087 | 32662 | 32663 => plate(wgs84.axis),
            3786 | 4088 => plate(6_371_007.0),
            5041 | 5042 | 5936..=5940 | 32661 | 32761 => polar(0.994, 2e6),
            5482 => Self::PolarStereographic { scale: 0.994, pole: [5e6, 1e6] },
            3031 | 3995 => true_at(71.0),
            3032 => polar(polar_scale(&wgs84, 71.0), 6e6),
            3275..=3293 => true_at(80.238_611_111_111_11),
            3411..=3413 | 3976 | 5890 => true_at(70.0),
            3996 => true_at(75.0),
            9354 => true_at(65.0),
            32601..=32660 | 32701..=32760 | 25828..=25838 | 26901..=26923 => {
                Self::Near { middle: [5e5, 0.0], axes: [1.0, 0.0], scale: 0.9996 }
            }
            _ if is_stretched(code) => Self::Stretched,
            _ => Self::True,
        }
    }

    /// The projection of a file's own parameters: the code of its method in the GeoTIFF standard,
    /// and its parameters by their geo keys. Those that are lengths are in metres. `is_web`: the
    /// Mercator projection is that of the sphere, although its longitudes and latitudes are not.
    pub fn of_method(
        method: u16,
        is_web: bool,
        ellipsoid: &Ellipsoid,
        key: impl Fn(u16) -> Option<f64>,
    ) -> Self {
        let parallels = [key(3078), key(3079)];
        let [east, north] = [3082, 3083].map(|id| key(id).unwrap_or(0.0));
        let scale = key(3092).unwrap_or(1.0);
        let near = |axes| Self::Near { middle: [east, north], axes, scale };
        match method {
            7 if is_web => Self::WebMercator,
            // The latitude of its origin is 0 in all but odd ones.
            7 if key(3081).is_none_or(|latitude| latitude == 0.0) => {
                let at = |latitude| ellipsoid.parallel(latitude);
                Self::Mercator { scale: parallels[0].map_or(scale, at), north }
            }
            17 => {
                let cos = libm::cos(parallels[0].unwrap_or(0.0) * DEGREE);
                Self::Equirectangular { radius: ellipsoid.axis, cos, north }
            }
            15 => {
                let latitude = key(3081).map_or(90.0, f64::abs);
                let own = if latitude < 90.0 { polar_scale(ellipsoid, latitude) } else { 1.0 };
                Self::PolarStereographic { scale: own * scale, pole: [east, north] }
            }
            // Cones that cut the planet: close to true within some degrees of that.
            8 | 11 => match parallels {
                [Some(a), Some(b)] if (a - b).abs() <= 10.0 => {
                    let origin = key(3085).or(key(3081)).unwrap_or(0.0);
                    let north = key(3087).unwrap_or(north);
                    let north = north + (0.5 * (a + b) - origin) * DEGREE * ellipsoid.axis;
                    Self::Near { middle: [east, north], axes: [0.0, 1.0], scale: 1.0 }
                }
                _ => Self::Stretched,
            },
            // Transverse Mercator and Cassini-Soldner, Lambert's cone of one parallel, oblique
            // stereographic.
            1 | 18 => near([1.0, 0.0]),
            9 => near([0.0, 1.0]),
            16 => near([0.5; 2]),
            // Oblique Mercator, New Zealand, transverse Mercator to the south.
            2..=6 | 26 | 27 => Self::True,
            _ => Self::Stretched,
        }
    }

    /// Whether distances at a position in metres are wrong, although those elsewhere are not.
    ///
    /// At the distance d from its line the scale is about 1 + d^2 / (2 R^2) times that there.
    pub fn is_far(&self, ellipsoid: &Ellipsoid, at: [f64; 2]) -> bool {
        let Self::Near { middle, axes, scale } = *self else { return false };
        let parts = [0, 1].map(|k| axes[k] * ((at[k] - middle[k]) / ellipsoid.axis).powi(2));
        let scale = scale * (1.0 + 0.5 * (parts[0] + parts[1]));
        (scale - 1.0).abs() > BORNE
    }

    /// The lengths on the ground at a position in metres; `None` if they are not known.
    pub fn ground(&self, ellipsoid: &Ellipsoid, [east, north]: [f64; 2]) -> Option<Ground> {
        let e = ellipsoid.eccentricity();
        match *self {
            Self::True | Self::Near { .. } | Self::Stretched => None,
            Self::WebMercator => {
                let y = north / ellipsoid.axis;
                let latitude = libm::atan(libm::sinh(y)) / DEGREE;
                Some(Ground { lengths: [1.0 / libm::cosh(y); 2], latitude })
            }
            Self::Mercator { scale, north: origin } => {
                let y = (north - origin) / (ellipsoid.axis * scale);
                let mut sin = libm::tanh(y);
                for _ in 0..STEPS {
                    sin = libm::tanh(y + e * libm::atanh(e * sin));
                }
                let latitude = libm::asin(sin) / DEGREE;
                Some(Ground { lengths: [ellipsoid.parallel(latitude) / scale; 2], latitude })
            }
            Self::Equirectangular { radius, cos, north: origin } => {
                let latitude = (north - origin) / radius / DEGREE;
                let [x, z] = ellipsoid.metres_per_degree(latitude.clamp(-90.0, 90.0));
                let degree = radius * DEGREE;
                Some(Ground { lengths: [x / (degree * cos), z / degree], latitude })
            }
            Self::PolarStereographic { scale, pole } => {
                let rho = libm::hypot(east - pole[0], north - pole[1]);
                let t = rho * polar_constant(e) / (2.0 * ellipsoid.axis * scale);
                let mut sin = libm::sin(90.0 * DEGREE - 2.0 * libm::atan(t));
                for _ in 0..STEPS {
                    let t = t * libm::pow((1.0 - e * sin) / (1.0 + e * sin), e / 2.0);
                    sin = libm::sin(90.0 * DEGREE - 2.0 * libm::atan(t));
                }
                let latitude = libm::asin(sin) / DEGREE;
                let radius = ellipsoid.axis * ellipsoid.parallel(latitude);
                // At the pole, both are 0.
                let length = if rho < 1.0 { 1.0 / scale } else { radius / rho };
                Some(Ground { lengths: [length; 2], latitude })
            }
        }
    }
}

/// sqrt((1 + e)^(1 + e) (1 - e)^(1 - e)).
fn polar_constant(e: f64) -> f64 {
    (libm::pow(1.0 + e, 1.0 + e) * libm::pow(1.0 - e, 1.0 - e)).sqrt()
}

/// The scale at the pole of the stereographic projection that is true to scale at a latitude.
fn polar_scale(ellipsoid: &Ellipsoid, latitude: f64) -> f64 {
    let e = ellipsoid.eccentricity();
    let sin = libm::sin(latitude * DEGREE);
    let t = libm::tan((90.0 - latitude) / 2.0 * DEGREE)
        / libm::pow((1.0 - e * sin) / (1.0 + e * sin), e / 2.0);
    ellipsoid.parallel(latitude) * polar_constant(e) / (2.0 * t)
}

pub(super) const DEGREE: f64 = core::f64::consts::PI / 180.0;

/// The shape of a planet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ellipsoid {
    /// The semi-major axis in metres.
    pub axis: f64,
    /// The square of the eccentricity.
    pub eccentricity_squared: f64,
}

impl Ellipsoid {
    pub const WGS84: Self =
        Self { axis: 6_378_137.0, eccentricity_squared: 6.694_379_990_141_316e-3 };

    /// The ellipsoid of a semi-major axis and an inverse flattening; 0 is that of a sphere. `None`
    /// if it is none.
    pub fn new(axis: f64, inverse_flattening: f64) -> Option<Self> {
        let f = if inverse_flattening == 0.0 { 0.0 } else { 1.0 / inverse_flattening };
        let is_fine = (1e3..1e9).contains(&axis) && (0.0..0.5).contains(&f);
        is_fine.then_some(Self { axis, eccentricity_squared: f * (2.0 - f) })
    }

    /// "WGS 84", or the axis of another planet.
    pub fn name(&self) -> String {
        if *self == Self::WGS84 {
            return "WGS 84".into();
        }
        format!("an ellipsoid with an axis of {} m", self.axis)
    }

    pub fn eccentricity(&self) -> f64 {
        self.eccentricity_squared.sqrt()
    }

    /// The lengths in metres of a degree of longitude and of latitude, at a latitude in degrees.
    ///
    /// They follow from the radii of curvature N = a / w and M = a (1 - e^2) / w^3, with w^2 = 1 -
    /// e^2 sin^2. The sine is that of `libm`, so all platforms agree.
    pub fn metres_per_degree(&self, latitude: f64) -> [f64; 2] {
        let (sin, cos) = libm::sincos(latitude * DEGREE);
        let w = (1.0 - self.eccentricity_squared * sin * sin).sqrt();
        let east = self.axis / w * cos;
        let north = self.axis * (1.0 - self.eccentricity_squared) / (w * w * w);
        [east * DEGREE, north * DEGREE]
    }

    /// The radius of a parallel over the semi-major axis: cos / w.
    pub fn parallel(&self, latitude: f64) -> f64 {
        let (sin, cos) = libm::sincos(latitude * DEGREE);
        cos / (1.0 - self.eccentricity_squared * sin * sin).sqrt()
    }
}
