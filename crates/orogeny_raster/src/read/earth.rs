//! Distances on an ellipsoid.

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
