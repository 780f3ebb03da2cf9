//! Every edit again, in `f64` and by the textbook. Paths are in `path_oracle.rs`.

use std::sync::Arc;

use crate::edits::{Area, Blend, Disc, Edit, Rectangle};
use crate::tests::oracle;
use crate::{Fractal, GradientNoise, Jet, Node, Sample};

/// Smooth ground whose formula is known: two waves, like two octaves of 300 m and 40 m.
pub struct Waves;

/// The factors of the two waves.
struct Parts {
    coarse: f64,
    fine: f64,
}

impl Waves {
    pub fn height(p: [f64; 2]) -> f64 {
        Parts::of(0.0).height(p)
    }

    /// The height without waves shorter than a wavelength.
    pub fn smoothed_height(wavelength: f64, p: [f64; 2]) -> f64 {
        Parts::of(wavelength).height(p)
    }
}

impl Parts {
    /// The waves that are not shorter than a wavelength.
    fn of(wavelength: f64) -> Self {
        let part = |own: f64| f64::from(u8::from(own >= wavelength));
        Self { coarse: part(300.0), fine: part(40.0) }
    }

    fn height(&self, [x, z]: [f64; 2]) -> f64 {
        40.0 * self.coarse * (x / 70.0).sin() * (z / 50.0).cos()
            + 5.0 * self.fine * (x / 9.0 + z / 13.0).sin()
    }
}

impl crate::Field<2> for Parts {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        self.jet(p).sample
    }

    fn jet(&self, [x, z]: [f64; 2]) -> Jet<2> {
        let ([s, c], [t, d]) =
            ([(x / 70.0).sin(), (x / 70.0).cos()], [(z / 50.0).sin(), (z / 50.0).cos()]);
        let (wave, slope) = (x / 9.0 + z / 13.0).sin_cos();
        let (a, b) = (40.0 * self.coarse, 5.0 * self.fine);
        let gradient = [a / 70.0 * c * d + b / 9.0 * slope, -a / 50.0 * s * t + b / 13.0 * slope];
        let mixed = -a / (70.0 * 50.0) * c * t - b / (9.0 * 13.0) * wave;
        let hessian = [
            [-a / (70.0 * 70.0) * s * d - b / 81.0 * wave, mixed],
            [mixed, -a / (50.0 * 50.0) * s * d - b / 169.0 * wave],
        ];
        Jet {
            sample: Sample {
                value: self.height([x, z]) as f32,
                gradient: gradient.map(|g| g as f32),
            },
            hessian: hessian.map(|row| row.map(|h| h as f32)),
        }
    }

    fn bounds(&self) -> crate::Bounds {
        let [max, lipschitz] =
            [[40.0, 5.0], [0.9, 0.8]].map(|[coarse, fine]| coarse * self.coarse + fine * self.fine);
        let curvature = 0.1 * self.coarse + 0.1 * self.fine;
        crate::Bounds { min: -max, max, lipschitz, curvature }
    }
}

impl crate::Field<2> for Waves {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        self.jet(p).sample
    }

    fn jet(&self, p: [f64; 2]) -> Jet<2> {
        Parts::of(0.0).jet(p)
    }

    fn bounds(&self) -> crate::Bounds {
        Parts::of(0.0).bounds()
    }

    fn smoothed(&self, wavelength: f64) -> Option<Arc<dyn crate::Field<2> + Send + Sync>> {
        Some(Arc::new(Parts::of(wavelength)))
    }
}

/// 1 up to a distance of 0, and 6 t^5 - 15 t^4 + 10 t^3 beyond.
pub fn falls(distance: f64, falloff: f64) -> f64 {
    let t = (1.0 - distance / falloff).clamp(0.0, 1.0);
    6.0 * t.powi(5) - 15.0 * t.powi(4) + 10.0 * t.powi(3)
}

pub fn weight(area: &Area, [x, z]: [f64; 2]) -> f64 {
    match *area {
        Area::Disc(Disc { center, radius, falloff }) => {
            falls((x - center[0]).hypot(z - center[1]) - radius, falloff)
        }
        Area::Rectangle(Rectangle { center, length, width, angle, falloff }) => {
            let (sin, cos) = angle.to_radians().sin_cos();
            let (x, z) = (x - center[0], z - center[1]);
            let (along, across) = (x * cos + z * sin, z * cos - x * sin);
            falls(along.abs() - length / 2.0, falloff) * falls(across.abs() - width / 2.0, falloff)
        }
    }
}

/// The ground after edits, in order, given the ground before them; `None` in a hole. Smooth edits
/// blend it with the waves.
pub fn edited<'a>(
    edits: impl IntoIterator<Item = &'a Edit>,
    ground: f64,
    p: [f64; 2],
) -> Option<f64> {
    edits.into_iter().try_fold(ground, |ground, edit| after(edit, ground, p))
}

fn after(edit: &Edit, ground: f64, p: [f64; 2]) -> Option<f64> {
    let mean = |area: &Area, target: f64| ground + weight(area, p) * (target - ground);
    Some(match edit {
        Edit::Raise(raise) => ground + weight(&raise.area, p) * f64::from(raise.height),
        Edit::Flatten(flat) => {
            let center = match flat.area {
                Area::Disc(disc) => disc.center,
                Area::Rectangle(rectangle) => rectangle.center,
            };
            let [x, z] = [0, 1].map(|k| p[k] - center[k]);
            let plane = f64::from(flat.slope_x) * x + f64::from(flat.slope_z) * z;
            mean(&flat.area, f64::from(flat.height) + plane)
        }
        Edit::Roughen(rough) => {
            let fbm = Fractal::<2>::fbm(rough.octaves, GradientNoise::seeded(rough.seed));
            let fbm =
                Fractal { frequency: 1.0 / rough.wavelength, amplitude: rough.amplitude, ..fbm };
            ground + weight(&rough.area, p) * oracle::value(&Node::from(fbm), p)
        }
        Edit::Terrace(terrace) => {
            let (step, cliff) = (f64::from(terrace.step), f64::from(terrace.cliff));
            let below = (ground / step).floor();
            let rise = 1.0 - falls(ground / step - below - (1.0 - cliff), cliff);
            mean(&terrace.area, step * (below + rise))
        }
        Edit::Crater(crater) => {
            let square = (p[0] - crater.center[0]).powi(2) + (p[1] - crater.center[1]).powi(2);
            let q = square / crater.radius.powi(2);
            let (depth, rim) = (f64::from(crater.depth), f64::from(crater.rim) / 0.75f64.powi(3));
            let cap = |q: f64| (1.0 - q).max(0.0).powi(3);
            ground - (depth + rim) * cap(q) + rim * cap(q / 4.0)
        }
        Edit::Path(path) => {
            let [weight, target] = super::path_oracle::of(path, p);
            ground + weight * (target - ground)
        }
        Edit::Stamp(stamp) => {
            let [weight, shape] = super::stamp::oracle(stamp, p);
            match stamp.blend {
                Blend::Add => ground + weight * shape,
                Blend::Replace => ground + weight * (shape - ground),
                Blend::Max => ground + weight * (shape - ground).max(0.0),
                Blend::Min => ground + weight * (shape - ground).min(0.0),
            }
        }
        Edit::Smooth(smooth) => {
            let wavelength = smooth.wavelength.log2().round().exp2();
            let part = f64::from(smooth.strength) * weight(&smooth.area, p);
            ground + part * (Waves::smoothed_height(wavelength, p) - ground)
        }
        Edit::Paint(_) | Edit::Flood(_) | Edit::Clear(_) | Edit::Plant(_) => ground,
        Edit::Hole(hole) => {
            if weight(&hole.area, p) == 1.0 {
                return None;
            }
            ground
        }
    })
}
