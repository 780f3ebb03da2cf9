//! Normals in two coordinates: the octahedral map of the upper hemisphere.
//!
//! A normal (x, y, z) with y >= 0, scaled onto the octahedron |x| + |y| + |z| = 1, lies above the
//! square |x| + |z| <= 1. Turned by 45 degrees, that square is -1 to 1 along both axes:
//!
//! (u, v) = (x + z, x - z) / (|x| + y + |z|)
//!
//! and back: x = (u + v) / 2, z = (u - v) / 2, y = 1 - |x| - |z|, then normalised. Unlike x and z
//! of the unit normal, u and v are about as precise on cliffs as on plains. Source: Zina Cigolle et
//! al., "A Survey of Efficient Representations for Independent Unit Vectors", 2014.
//!
//! `morph.wgsl` repeats the decoding.

use bevy_math::{Vec2, Vec3};

/// The largest angle in radians between a normal and its octahedral coordinates in steps of
/// 1/32,767, those of a vertex: sqrt(6) / 2 steps where |x| = y = |z|, and the rounding of `f32`.
pub(super) const FINE_ERROR: f32 = 3.8e-5;

/// The same for steps of 1/1023, those of a morph target.
pub(super) const COARSE_ERROR: f32 = 1.2e-3;

/// Steps of a coordinate from 0 to 1: of 16 bits with sign, and of 11 bits from -1 on.
const FINE_STEPS: f32 = 32_767.0;
const COARSE_STEPS: f32 = 1023.0;

/// The octahedral coordinates of the normal of a graph y = f(x, z) with the given derivatives.
pub(super) fn of_slopes(dx: f32, dz: f32) -> Vec2 {
    // A quarter of (-dx, 1, -dz), so that the sum of the largest slopes does not overflow.
    let [x, z] = [-0.25 * dx, -0.25 * dz];
    Vec2::new(x + z, x - z) * (x.abs() + 0.25 + z.abs()).recip()
}

/// The unit normal at octahedral coordinates.
pub(super) fn normal(coordinates: Vec2) -> Vec3 {
    let Vec2 { x: u, y: v } = coordinates;
    let [x, z] = [0.5 * (u + v), 0.5 * (u - v)];
    Vec3::new(x, 1.0 - x.abs() - z.abs(), z).normalize()
}

/// Coordinates in two signed halves, u in the lower one: the format of `unpack2x16snorm`.
pub(super) fn pack_fine(Vec2 { x: u, y: v }: Vec2) -> u32 {
    // Adding this constant rounds the number of steps into the lowest bits.
    const ONES: f32 = (3 << 22) as f32;
    let steps = |part: f32| (part * FINE_STEPS + ONES).to_bits();
    steps(u) & 0xffff | steps(v) << 16
}

/// The coordinates of [`pack_fine`], rounded.
pub(super) fn unpack_fine(packed: u32) -> Vec2 {
    let part = |bits: u32| f32::from(bits as i16) / FINE_STEPS;
    Vec2::new(part(packed), part(packed >> 16)).max(Vec2::NEG_ONE)
}

/// Coordinates in the lowest 22 bits, eleven for each, u in the lower ones.
pub(super) fn pack_coarse(Vec2 { x: u, y: v }: Vec2) -> u32 {
    const ONES: f32 = (1 << 23) as f32;
    let steps = |part: f32| ((part + 1.0) * COARSE_STEPS + ONES).to_bits() & 0x7ff;
    steps(u) | steps(v) << 11
}

/// The coordinates of [`pack_coarse`], rounded. Higher bits do not count.
pub(super) fn unpack_coarse(packed: u32) -> Vec2 {
    let part = |bits: u32| (bits & 0x7ff) as f32 / COARSE_STEPS - 1.0;
    Vec2::new(part(packed), part(packed >> 11))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The angle in radians between the normal for two slopes and a unit vector.
    fn angle([dx, dz]: [f32; 2], unit: Vec3) -> f64 {
        let exact = bevy_math::DVec3::new(-f64::from(dx), 1.0, -f64::from(dz)).normalize();
        exact.cross(unit.as_dvec3()).length().asin()
    }

    /// The angular errors of the coordinates themselves and of both packings.
    fn errors(slopes: [f32; 2]) -> [f64; 3] {
        let exact = of_slopes(slopes[0], slopes[1]);
        assert!(exact.abs().max_element() <= 1.0 + f32::EPSILON, "{slopes:?} {exact}");
        let fine = unpack_fine(pack_fine(exact));
        let coarse = unpack_coarse(pack_coarse(exact));
        [exact, fine, coarse].map(|coordinates| {
            let normal = normal(coordinates);
            assert!(normal.y >= -1e-6 && normal.is_normalized(), "{slopes:?} {normal}");
            angle(slopes, normal)
        })
    }

    #[track_caller]
    fn check(slopes: [f32; 2]) {
        let limits = [1e-6, FINE_ERROR.into(), COARSE_ERROR.into()];
        let errors = errors(slopes);
        let within = errors.iter().zip(limits).all(|(error, limit)| *error <= limit);
        assert!(within, "{slopes:?}: {errors:?}");
    }

    /// A slope of any size: from flat to the largest number.
    fn slope() -> impl Strategy<Value = f32> {
        let size = prop_oneof![0.0f32..4.0, (-20f32..126.0).prop_map(f32::exp2), Just(f32::MAX)];
        (size, any::<bool>()).prop_map(|(size, down)| if down { -size } else { size })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100_000))]

        #[test]
        fn normals_come_back_within_the_stated_errors(slopes in [slope(), slope()]) {
            check(slopes);
        }
    }

    /// The stated errors are not far above those that occur on ground up to the vertical.
    #[test]
    fn the_stated_errors_are_close() {
        let mut largest = [0.0f64; 3];
        for (k, inclination) in (0..400).flat_map(|k| (0..400).map(move |i| (k, i))) {
            let direction = (k as f32 * 0.015_708).sin_cos();
            let slope = (inclination as f32 * 0.003_926).tan();
            let errors = errors([slope * direction.0, slope * direction.1]);
            largest.iter_mut().zip(errors).for_each(|(all, error)| *all = all.max(error));
        }
        println!("largest errors: {largest:?}");
        assert!(largest[1] > 0.95 * f64::from(FINE_ERROR));
        assert!(largest[2] > 0.95 * f64::from(COARSE_ERROR));
    }

    /// Flat ground is flat, and the four steepest directions are the ends of the axes.
    #[test]
    fn ends_are_exact() {
        let back = |slopes: [f32; 2]| {
            let packed = of_slopes(slopes[0], slopes[1]);
            [unpack_fine(pack_fine(packed)), unpack_coarse(pack_coarse(packed))].map(normal)
        };
        assert_eq!(back([0.0, -0.0]), [Vec3::Y; 2]);
        assert_eq!(back([-f32::MAX, 0.0]), [Vec3::X; 2]);
        assert_eq!(back([0.0, f32::MAX]), [Vec3::NEG_Z; 2]);
    }
}
