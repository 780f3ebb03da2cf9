//! Cards of foliage.
//!
//! The pattern of a card is one of four cells of the unit square, two by two, so that the cards of
//! a plant differ. Inside its cell a card has coordinates within 0..=1.

use glam::Vec3;

use crate::{Mesh, Surface, shade::Shade};

/// The pattern of a card.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Print {
    pub(crate) surface: Surface,
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
            mesh.push(position, print.uv(u, v), print.surface, shade(position))
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
        mesh.push(position, print.uv(u, v), print.surface, shade(position))
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
        mesh.push(position, print.uv(u, v), print.surface, shade(position))
    });
    mesh.triangle(a, b, c);
    mesh.triangle(a, c, d);
}
