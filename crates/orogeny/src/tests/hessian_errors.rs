//! The errors of Hessians against difference quotients of the oracle, and tables of them.

use core::array;
use std::collections::BTreeMap;

use super::oracle;
use super::random::Random;
use crate::{Bounds, Field, Jet, Node, Sample};

/// The second difference quotients of the oracle along two axes, with steps of `h`.
fn quotient<const N: usize>(node: &Node<N>, p: [f64; N], [j, k]: [usize; 2], h: f64) -> f64 {
    let at = |a: f64, b: f64| {
        let mut q = p;
        q[j] += a * h;
        q[k] += b * h;
        oracle::value(node, q)
    };
    (at(1.0, 1.0) - at(1.0, -1.0) - at(-1.0, 1.0) + at(-1.0, -1.0)) / (4.0 * h * h)
}

/// The step of the difference quotients.
const STEP: f64 = 2e-4;

/// The scale of a field's second derivatives, in their unit: the root mean square of the Hessian's
/// largest entry over 200 positions. (Difference quotients would not work: across a crease they
/// grow as the step shrinks.)
///
/// Piecewise linear fields, such as cellular noise in one dimension, only have rounding errors in
/// the Hessian. Their scale is the square of the Lipschitz constant divided by the range, which for
/// a sine is half its largest second derivative. That of a constant is 0.
pub fn hessian_scale<const N: usize>(field: &impl Field<N>) -> f64 {
    const POSITIONS: usize = 200;
    let mut r = Random::new(18);
    let squares = (0..POSITIONS).map(|_| {
        let hessian = field.jet(r.point(30.0)).hessian;
        let largest = hessian.as_flattened().iter().fold(0f64, |max, &h| max.max(h.abs().into()));
        largest * largest
    });
    let scale = (squares.sum::<f64>() / POSITIONS as f64).sqrt();
    assert!(scale.is_finite());
    let Bounds { min, max, lipschitz, .. } = field.bounds();
    let sine = lipschitz * lipschitz / (max - min);
    match lipschitz {
        0.0 => 0.0,
        _ if scale < 1e-4 * sine && sine.is_finite() => sine,
        _ => scale,
    }
}

/// The largest error of an entry of the Hessian, divided by the field's [`hessian_scale`]. `None`
/// within a step of a crease or a cell border. At a spike, where an entry is more than ten times
/// the scale, a tenth of that entry replaces the scale.
pub fn error<const N: usize>(
    node: &Node<N>,
    field: &impl Field<N>,
    scale: f64,
    p: [f64; N],
) -> Option<f64> {
    let jet = field.jet(p);
    assert_eq!(bits(jet).0, bits_of(field.sample(p)), "{p:?} of {node:#?}");
    let exact: [[[f64; 2]; N]; N] = array::from_fn(|j| {
        array::from_fn(|k| {
            assert_eq!(jet.hessian[j][k].to_bits(), jet.hessian[k][j].to_bits());
            [STEP, 2.0 * STEP].map(|h| if j <= k { quotient(node, p, [j, k], h) } else { 0.0 })
        })
    });
    let largest = exact.as_flattened().iter().fold(0f64, |max, q| max.max(q[0].abs()));
    if scale == 0.0 {
        // A constant: its derivatives must be rounding errors.
        let rounding = 1e-5 * f64::from(jet.sample.value.abs());
        let is_flat = jet.hessian.as_flattened().iter().all(|&h| f64::from(h.abs()) <= rounding);
        assert!(is_flat && largest <= rounding, "{jet:?} of {node:#?}");
        return Some(0.0);
    }
    let scale = scale.max(0.1 * largest);
    let rough = 1e-4 * (largest + scale);
    if exact.as_flattened().iter().any(|[near, far]| (near - far).abs() > rough) {
        return None;
    }
    let entries = (0..N).flat_map(|j| (j..N).map(move |k| [j, k]));
    let errors = entries.map(|[j, k]| {
        // Richardson's extrapolation: the remaining error is of the fourth order in the step.
        let [near, far] = exact[j][k];
        (f64::from(jet.hessian[j][k]) - (4.0 * near - far) / 3.0).abs() / scale
    });
    Some(errors.fold(0.0, f64::max))
}

fn bits_of<const N: usize>(sample: Sample<N>) -> (u32, [u32; N]) {
    (sample.value.to_bits(), sample.gradient.map(f32::to_bits))
}

pub type Bits<const N: usize> = ((u32, [u32; N]), [[u32; N]; N]);

pub fn bits<const N: usize>(jet: Jet<N>) -> Bits<N> {
    // All NaN count as equal.
    let canonical = |x: f32| if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() };
    let Jet { sample, hessian } = jet;
    let sample = (canonical(sample.value), sample.gradient.map(canonical));
    (sample, hessian.map(|row| row.map(canonical)))
}

/// Errors by name, as a table.
#[derive(Default)]
pub struct Table {
    errors: BTreeMap<String, (Vec<f64>, usize)>,
}

impl Table {
    pub fn add(&mut self, name: &str, error: Option<f64>) {
        let (errors, rough) = self.errors.entry(name.into()).or_default();
        match error {
            Some(error) => errors.push(error),
            None => *rough += 1,
        }
    }

    /// Prints the table and checks it.
    pub fn check(mut self, max_error: f64) {
        println!(
            "{:44} {:>8} {:>8} {:>8} {:>8}",
            "Hessian of", "median", "99 %", "worst", "creases"
        );
        for (name, (errors, rough)) in &mut self.errors {
            errors.sort_by(f64::total_cmp);
            let at = |part: f64| errors[((errors.len() - 1) as f64 * part) as usize];
            let creases = *rough as f64 / (*rough + errors.len()) as f64;
            println!(
                "{name:44} {:8.1e} {:8.1e} {:8.1e} {:6.1} %",
                at(0.5),
                at(0.99),
                at(1.0),
                100.0 * creases
            );
            assert!(creases < 0.1, "{name}: {creases}");
            assert!(at(0.5) < 1e-6 && at(0.99) < 1e-4 && at(1.0) < max_error, "{name}");
        }
    }
}
