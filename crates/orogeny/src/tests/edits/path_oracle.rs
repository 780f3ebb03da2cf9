//! The weight and the target of a path by brute force: the closest of many samples of the curve,
//! refined by bisection, on a spline in Hermite form.

use super::oracle::falls;
use crate::edits::Path;

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
pub fn of(path: &Path, p: [f64; 2]) -> [f64; 2] {
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
