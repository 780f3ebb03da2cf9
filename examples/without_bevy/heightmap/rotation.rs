//! How an instance is turned and tilted, as a quaternion.

use orogeny::Sample;
use orogeny::scatter::{Instance, ScatterKind};

/// The rotation of an instance as a unit quaternion x, y, z, w, in the right-handed axes of glTF
/// with y up: first its turn about the vertical axis, then the tilt to its own axis.
pub fn rotation(instance: &Instance, kind: &ScatterKind, ground: &Sample<2>) -> [f64; 4] {
    product(tilt(axis(instance, kind, ground)), turn(instance.turn.into()))
}

/// The axis of an instance: it leans, and follows the normal of the ground as far as its kind does.
fn axis(instance: &Instance, kind: &ScatterKind, ground: &Sample<2>) -> [f64; 3] {
    let [x, z] = instance.lean.map(f64::from);
    let [slope_x, slope_z] = ground.gradient.map(f64::from);
    let normal = unit([-slope_x, 1.0, -slope_z]);
    let align = f64::from(kind.align);
    let lean = [x, 1.0, z];
    unit([0, 1, 2].map(|k| lean[k] + (normal[k] - lean[k]) * align))
}

/// The shortest rotation from up to an axis, which points up.
fn tilt([x, y, z]: [f64; 3]) -> [f64; 4] {
    unit([z, 0.0, -x, 1.0 + y])
}

/// A part of a whole turn from x to z. That is the negative sense about y.
fn turn(part: f64) -> [f64; 4] {
    let half = -std::f64::consts::PI * part;
    [0.0, half.sin(), 0.0, half.cos()]
}

/// The rotation by `b` and then by `a`.
fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn unit<const N: usize>(vector: [f64; N]) -> [f64; N] {
    let length = vector.iter().map(|part| part * part).sum::<f64>().sqrt();
    vector.map(|part| part / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A vector turned by a quaternion.
    fn turned(q: [f64; 4], [x, y, z]: [f64; 3]) -> [f64; 3] {
        let conjugate = [-q[0], -q[1], -q[2], q[3]];
        let [x, y, z, _] = product(product(q, [x, y, z, 0.0]), conjugate);
        [x, y, z]
    }

    fn assert_close(a: [f64; 3], b: [f64; 3]) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{a:?} {b:?}");
    }

    #[test]
    fn a_quarter_turn_leads_from_x_to_z() {
        assert_close(turned(turn(0.25), [1.0, 0.0, 0.0]), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_tilt_leads_from_up_to_the_axis() {
        for axis in [[0.3, 0.8, -0.5], [0.0, 1.0, 0.0], [-0.9, 0.1, 0.2]] {
            let axis = unit(axis);
            assert_close(turned(tilt(axis), [0.0, 1.0, 0.0]), axis);
            // A turn about the vertical axis comes first, and does not move the axis.
            assert_close(turned(product(tilt(axis), turn(0.3)), [0.0, 1.0, 0.0]), axis);
        }
    }
}
