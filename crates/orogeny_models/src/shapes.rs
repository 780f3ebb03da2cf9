//! Tubes, ribbons and cards, of which plants are made.

use std::f32::consts::TAU;

use glam::Vec3;

use crate::mesh::Shade;
use crate::{Mesh, Pattern};

/// Metres of a stem that the pattern of bark shows.
const BARK_LENGTH: f32 = 2.0;

/// A ring of a tube.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ring {
    pub(crate) centre: Vec3,
    /// With radius 0 the ring is a single point.
    pub(crate) radius: f32,
}

impl Ring {
    pub(crate) fn new(centre: Vec3, radius: f32) -> Ring {
        Ring { centre, radius }
    }
}

/// The pattern of a tube.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skin {
    pub(crate) pattern: Pattern,
    pub(crate) sides: u32,
    /// Pattern coordinate along the tube at its first and last ring. Bark repeats instead.
    pub(crate) along: [f32; 2],
    /// Relative depth of the dents in its outline.
    pub(crate) dents: f32,
}

/// Adds a tube without end caps. `shade` gives tone and sway; the normal points away from the axis.
pub(crate) fn tube(mesh: &mut Mesh, rings: &[Ring], skin: Skin, shade: impl Fn(Vec3) -> Shade) {
    let mut across = first_across(rings);
    let mut lower: Vec<u32> = Vec::new();
    // Rings are closer to each other where a tube bends or widens, but its pattern is even.
    let gap = |pair: &[Ring]| pair[0].centre.distance(pair[1].centre);
    let length: f32 = rings.windows(2).map(gap).sum();
    let mut passed = 0.0;
    for (i, ring) in rings.iter().enumerate() {
        let before = rings[i.saturating_sub(1)].centre;
        let after = rings[(i + 1).min(rings.len() - 1)].centre;
        let axis = (after - before).normalize_or(Vec3::Y);
        // Carrying the vector along keeps the tube from twisting.
        across = (across - axis * across.dot(axis)).normalize_or(axis.any_orthonormal_vector());
        if i > 0 {
            passed += gap(&rings[i - 1..=i]);
        }
        let share = passed / length.max(1e-6);
        let v = match skin.pattern {
            Pattern::Bark => passed / BARK_LENGTH,
            _ => skin.along[0] + (skin.along[1] - skin.along[0]) * share,
        };
        let upper = if ring.radius == 0.0 {
            let shade = Shade { normal: axis, ..shade(ring.centre) };
            vec![mesh.push(ring.centre, [0.5, v], skin.pattern, shade)]
        } else {
            let side = axis.cross(across);
            // The last vertex repeats the first one with u = 1.
            (0..=skin.sides)
                .map(|k| {
                    let u = k as f32 / skin.sides as f32;
                    let turn = u * TAU;
                    let normal = across * turn.cos() - side * turn.sin();
                    let dent = 1.0 + skin.dents * (turn * 3.0 + 5.0 * share + ring.radius).sin();
                    let position = ring.centre + normal * (ring.radius * dent);
                    let shade = Shade { normal, ..shade(position) };
                    mesh.push(position, [u, v], skin.pattern, shade)
                })
                .collect()
        };
        if i > 0 {
            bridge(mesh, &lower, &upper);
        }
        lower = upper;
    }
}

/// Joins two rings, the upper of which may be a point.
fn bridge(mesh: &mut Mesh, lower: &[u32], upper: &[u32]) {
    for k in 0..lower.len() - 1 {
        if upper.len() == 1 {
            mesh.triangle(lower[k], upper[0], lower[k + 1]);
        } else {
            mesh.triangle(lower[k], upper[k], lower[k + 1]);
            mesh.triangle(upper[k], upper[k + 1], lower[k + 1]);
        }
    }
}

fn first_across(rings: &[Ring]) -> Vec3 {
    (rings[1].centre - rings[0].centre).normalize_or(Vec3::Y).any_orthonormal_vector()
}

/// Adds the cap of a ring: a fan about a centre that may stand out.
pub(crate) fn cap(mesh: &mut Mesh, ring: Ring, axis: Vec3, sides: u32, out: f32, shade: Shade) {
    let across = axis.any_orthonormal_vector();
    let side = axis.cross(across);
    let shade = Shade { normal: axis, ..shade };
    let centre = mesh.push(ring.centre + axis * out, [0.5, 0.5], Pattern::Wood, shade);
    let rim: Vec<u32> = (0..sides)
        .map(|k| {
            let (sin, cos) = (k as f32 / sides as f32 * TAU).sin_cos();
            let position = ring.centre + (across * cos + side * sin) * ring.radius;
            mesh.push(position, [0.5 + 0.5 * cos, 0.5 + 0.5 * sin], Pattern::Wood, shade)
        })
        .collect();
    for k in 0..sides as usize {
        mesh.triangle(centre, rim[k], rim[(k + 1) % sides as usize]);
    }
}

/// The pattern of a card.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Print {
    pub(crate) pattern: Pattern,
    /// Which of the four cells.
    pub(crate) cell: u32,
}

impl Print {
    pub(crate) fn uv(self, u: f32, v: f32) -> [f32; 2] {
        let [column, row] = [(self.cell % 2) as f32, (self.cell / 2 % 2) as f32];
        // A small margin keeps texture coordinates of 8 bits inside the cell.
        let inside = |x: f32| 0.004 + 0.992 * x;
        [0.5 * (column + inside(u)), 0.5 * (row + inside(v))]
    }
}

/// A section of a ribbon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    pub(crate) centre: Vec3,
    /// From the centre to the left edge. Zero makes the section a single point.
    pub(crate) left: Vec3,
    /// From the centre to the right edge.
    pub(crate) right: Vec3,
}

impl Section {
    /// A section with edges on opposite sides.
    pub(crate) fn flat(centre: Vec3, half: Vec3) -> Section {
        Section { centre, left: half, right: -half }
    }

    pub(crate) fn point(centre: Vec3) -> Section {
        Section::flat(centre, Vec3::ZERO)
    }
}

/// Adds a ribbon along its sections, with the pattern's u along it. A folded ribbon has vertices on
/// its centre line too.
pub(crate) fn ribbon(
    mesh: &mut Mesh,
    sections: &[Section],
    folded: bool,
    print: Print,
    shade: impl Fn(Vec3) -> Shade,
) {
    let length: f32 = sections.windows(2).map(|pair| pair[0].centre.distance(pair[1].centre)).sum();
    let (mut done, mut before) = (0.0, sections[0].centre);
    let mut last: Vec<u32> = Vec::new();
    for section in sections {
        done += section.centre.distance(before);
        before = section.centre;
        let u = done / length;
        let mut push = |position: Vec3, v: f32| {
            mesh.push(position, print.uv(u, v), print.pattern, shade(position))
        };
        let next = if section.left == Vec3::ZERO {
            vec![push(section.centre, 0.5)]
        } else {
            let left = push(section.centre + section.left, 1.0);
            let right = push(section.centre + section.right, 0.0);
            match folded {
                true => vec![left, push(section.centre, 0.5), right],
                false => vec![left, right],
            }
        };
        match (last.as_slice(), next.as_slice()) {
            ([], _) => {}
            (&[a], many) => many.windows(2).for_each(|pair| mesh.triangle(a, pair[1], pair[0])),
            (many, &[b]) => many.windows(2).for_each(|pair| mesh.triangle(pair[0], pair[1], b)),
            (lower, upper) => {
                for (low, high) in lower.windows(2).zip(upper.windows(2)) {
                    mesh.triangle(low[0], low[1], high[0]);
                    mesh.triangle(high[0], low[1], high[1]);
                }
            }
        }
        last = next;
    }
}

/// Adds a roof of two triangles on the line from `base` to `tip`. `left` and `right` are its eaves.
pub(crate) fn roof(
    mesh: &mut Mesh,
    [base, left, right, tip]: [Vec3; 4],
    print: Print,
    shade: impl Fn(Vec3) -> Shade,
) {
    let mut push = |position: Vec3, u: f32, v: f32| {
        mesh.push(position, print.uv(u, v), print.pattern, shade(position))
    };
    let base = push(base, 0.0, 0.5);
    let left = push(left, 0.45, 1.0);
    let right = push(right, 0.45, 0.0);
    let tip = push(tip, 1.0, 0.5);
    mesh.triangle(base, tip, left);
    mesh.triangle(base, right, tip);
}

/// Adds a flat rectangle. `right` and `up` are half its sides.
pub(crate) fn rectangle(
    mesh: &mut Mesh,
    centre: Vec3,
    right: Vec3,
    up: Vec3,
    print: Print,
    shade: impl Fn(Vec3) -> Shade,
) {
    let [a, b, c, d] = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(u, v)| {
        let position = centre + right * (2.0 * u - 1.0) + up * (2.0 * v - 1.0);
        mesh.push(position, print.uv(u, v), print.pattern, shade(position))
    });
    mesh.triangle(a, b, c);
    mesh.triangle(a, c, d);
}
