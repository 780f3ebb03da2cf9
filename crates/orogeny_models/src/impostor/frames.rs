//! The directions of frames, by hemi-octahedral coordinates.

use glam::{Vec2, Vec3};

use super::FRAMES;

/// The direction from the model to the eye in a frame.
pub(super) fn direction([i, j]: [usize; 2]) -> Vec3 {
    unfold(Vec2::new(i as f32, j as f32) * 2.0 / (FRAMES - 1) as f32 - 1.0)
}

/// The direction at hemi-octahedral coordinates, each -1 to 1.
fn unfold(e: Vec2) -> Vec3 {
    let [x, z] = [0.5 * (e.x - e.y), 0.5 * (e.x + e.y)];
    Vec3::new(x, 1.0 - x.abs() - z.abs(), z).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As it is documented.
    fn fold(d: Vec3) -> Vec2 {
        let p = Vec2::new(d.x, d.z) / (d.x.abs() + d.y.abs() + d.z.abs());
        Vec2::new(p.x + p.y, p.y - p.x)
    }

    #[test]
    fn directions_are_where_they_are_documented() {
        for j in 0..FRAMES {
            for i in 0..FRAMES {
                let d = direction([i, j]);
                let is_rim = [i, j].iter().any(|&k| k == 0 || k == FRAMES - 1);
                assert!(d.y > -1e-6 && (d.y < 1e-6) == is_rim, "{i} {j}: {d}");
                let back = (fold(d) + 1.0) * 0.5 * (FRAMES - 1) as f32;
                assert!(back.distance(Vec2::new(i as f32, j as f32)) < 1e-5, "{i} {j}: {back}");
            }
        }
    }
}
