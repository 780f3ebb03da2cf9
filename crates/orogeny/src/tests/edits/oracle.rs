//! Every edit again, in `f64` and by the textbook. A path has the weight and the target
//! by brute force: the closest of many samples of the curve, refined by bisection, on a spline in
//! Hermite form.

use std::sync::Arc;

use crate::edits::{Area, Blend, Disc, Edit, Path, Rectangle};
use crate::tests::edits::stamp;
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
            let [weight, target] = of_path(path, p);
            ground + weight * (target - ground)
        }
        Edit::Stamp(stamp) => {
            let [weight, shape] = stamp::oracle(stamp, p);
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

/// A natural cubic spline by its values and slopes at the knots.
pub struct Spline {
    knots: Vec<f64>,
    values: [Vec<f64>; 3],
    slopes: [Vec<f64>; 3],
}

impl Spline {
    pub fn new(path: &Path) -> Self {
        let (mut knots, n) = (vec![0.0], path.points.len());
        for pair in path.points.windows(2) {
            let step = (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]);
            knots.push(knots[knots.len() - 1] + step);
        }
        let values = [0, 1, 2].map(|k| path.points.iter().map(|p| p[k]).collect::<Vec<_>>());
        // The second derivatives of neighbouring cubics agree, and are 0 at the ends: Gauss-Seidel.
        let slopes = values.each_ref().map(|values| {
            let chord = |i: usize| (values[i + 1] - values[i]) / (knots[i + 1] - knots[i]);
            let weight = |i: usize| 1.0 / (knots[i + 1] - knots[i]);
            let mut slopes = vec![0.0; n];
            for _ in 0..80 {
                slopes[0] = (3.0 * chord(0) - slopes[1]) / 2.0;
                for i in 1..n - 1 {
                    let (a, b) = (weight(i - 1), weight(i));
                    let known = 3.0 * (a * chord(i - 1) + b * chord(i));
                    slopes[i] = (known - a * slopes[i - 1] - b * slopes[i + 1]) / (2.0 * (a + b));
                }
                slopes[n - 1] = (3.0 * chord(n - 2) - slopes[n - 2]) / 2.0;
            }
            slopes
        });
        Self { knots, values, slopes }
    }

    pub fn length(&self) -> f64 {
        self.knots[self.knots.len() - 1]
    }

    /// (x, z, height) and its derivative. Outside the knots the curve is straight.
    pub fn at(&self, u: f64) -> [[f64; 2]; 3] {
        let last = self.knots.len() - 1;
        let i = self.knots[1..last].partition_point(|&knot| knot <= u);
        let step = self.knots[i + 1] - self.knots[i];
        let inside = u.clamp(0.0, self.length());
        let t = (inside - self.knots[i]) / step;
        [0, 1, 2].map(|k| {
            let ([a, b], [m, n]) = ([0, 1].map(|j| self.values[k][i + j]), {
                [0, 1].map(|j| step * self.slopes[k][i + j])
            });
            let value = (1.0 + 2.0 * t) * (1.0 - t).powi(2) * a
                + t * (1.0 - t).powi(2) * m
                + t * t * (3.0 - 2.0 * t) * b
                + t * t * (t - 1.0) * n;
            let slope = (6.0 * t * (1.0 - t) * (b - a)
                + (1.0 - t) * (1.0 - 3.0 * t) * m
                + t * (3.0 * t - 2.0) * n)
                / step;
            [value + slope * (u - inside), slope]
        })
    }
}

/// The weight and the target at a place.
pub fn of_path(path: &Path, p: [f64; 2]) -> [f64; 2] {
    let reach = path.width / 2.0 + path.falloff;
    let far = |k: usize| {
        let all = path.points.iter().map(|q| q[k]);
        // The curve overshoots its points by less than the longest step.
        let beyond = reach + path.falloff + 60.0;
        let (min, max) = all.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
        p[k] < min - beyond || p[k] > max + beyond
    };
    if far(0) || far(1) {
        return [0.0; 2];
    }
    let spline = Spline::new(path);
    let speed = |u| {
        let [x, z, _] = spline.at(u);
        x[1].hypot(z[1])
    };
    let end = spline.length();
    let beyond = [path.falloff / speed(0.0), path.falloff / speed(end)];
    let (first, last) = (-beyond[0], end + beyond[1]);
    let square = |u: f64| {
        let [x, z, _] = spline.at(u);
        (x[0] - p[0]).powi(2) + (z[0] - p[1]).powi(2)
    };
    let count = 200;
    let step = (last - first) / f64::from(count);
    let u = |i: u32| first + step * f64::from(i);
    let nearest = (0..=count).min_by(|&a, &b| square(u(a)).total_cmp(&square(u(b))));
    let nearest = nearest.expect("some");
    let (mut low, mut high) = (u(nearest) - step, u(nearest) + step);
    // The derivative of the square of the distance.
    let slope = |u: f64| {
        let [x, z, _] = spline.at(u);
        (x[0] - p[0]) * x[1] + (z[0] - p[1]) * z[1]
    };
    for _ in 0..70 {
        let middle = 0.5 * (low + high);
        if slope(middle) < 0.0 { low = middle } else { high = middle }
    }
    let u = 0.5 * (low + high);
    let distance = square(u).sqrt();
    let over = (-u * speed(0.0)).max((u - end) * speed(end));
    let weight = falls(distance - path.width / 2.0, path.falloff) * falls(over, path.falloff);
    let part = (1.0 - (2.0 * distance / path.width).powi(2)).max(0.0);
    [weight, spline.at(u)[2][0] - f64::from(path.depth) * part.powi(3)]
}
