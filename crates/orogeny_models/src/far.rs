//! The last levels: a few cards which show the whole silhouette.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Vec2, Vec3};

use crate::{
    Mesh, Surface,
    card::{Print, rectangle},
    crown::{Crown, Posture},
    random::Random,
    shade::{Shade, horizontal},
    tube::Ring,
};

/// Adds a trunk as two upright triangles at right angles.
pub(crate) fn crossed_trunk(
    mesh: &mut Mesh,
    trunk: &[Ring],
    bark: Surface,
    shade: impl Fn(Vec3) -> Shade,
) {
    let foot = trunk[1];
    let top = trunk[trunk.len() - 1].centre;
    for azimuth in [0.0, FRAC_PI_2] {
        let side = horizontal(azimuth) * foot.radius;
        let out = horizontal(azimuth + FRAC_PI_2);
        let base = Vec3::new(foot.centre.x, trunk[0].centre.y, foot.centre.z);
        let corners = [(base - side, [0.2, 0.0]), (base + side, [0.7, 0.0]), (top, [0.5, 1.0])];
        let [a, b, c] = corners.map(|(p, uv)| {
            mesh.push(p, uv, bark, Shade { normal: out + 0.4 * Vec3::Y, ..shade(p) })
        });
        mesh.triangle(a, b, c);
    }
}

/// Adds cards about the middle of a crown: all but the last face outwards and lean inwards, and the
/// last one is level, for views from above. `size` is relative
/// to the crown: across and upwards.
pub(crate) fn crown_cards(
    mesh: &mut Mesh,
    crown: &Crown,
    count: u32,
    size: Vec2,
    surface: Surface,
    posture: Posture,
    random: &mut Random,
) {
    let hull = crown.hull;
    // Crowns with gaps get narrower cards.
    let wide = 0.5 * (hull.radii.x + hull.radii.z) * size.x * (0.45 + 0.6 * crown.filled());
    let tall = hull.radii.y * size.y;
    let upright = count - 1;
    let start = random.angle();
    for i in 0..upright {
        let azimuth = start + i as f32 / upright as f32 * TAU;
        let out = horizontal(azimuth);
        let print = Print { surface, cell: random.cell() };
        let lean = if posture == Posture::Hanging { 0.15 } else { 0.3 };
        let up = Vec3::Y * tall - out * (lean * wide);
        let right = horizontal(azimuth + FRAC_PI_2) * wide;
        let centre = hull.centre + out * (0.28 * wide);
        rectangle(mesh, centre, right, up, print, |p| crown.shade(&hull, p));
    }
    let print = Print { surface, cell: random.cell() };
    // It is smaller, as it would stick out of the upright ones when seen from the side.
    let wide = 0.7 * wide;
    let (side, ahead) = (horizontal(start + 0.5) * wide, horizontal(start + 2.07));
    let centre = hull.centre + Vec3::Y * (0.25 * tall);
    rectangle(mesh, centre, side, ahead * wide, print, |p| crown.shade(&hull, p));
}
