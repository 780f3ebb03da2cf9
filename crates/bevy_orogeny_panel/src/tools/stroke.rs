//! Where a dragged brush puts its dabs: independent of the frame rate.

/// The distance between dabs, in radii of the brush.
const SPACING: f64 = 1.0 / 3.0;
/// The maximum number of dabs of one movement. A pointer that jumps farther draws no line.
const MAX: f64 = 256.0;

/// A stroke of a brush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// The height of the ground where it began, in metres.
    pub height: f64,
    /// The last dab (x, z), in metres.
    last: [f64; 2],
}

impl Stroke {
    /// A stroke whose first dab is at (x, height, z).
    pub fn from([x, height, z]: [f64; 3]) -> Self {
        Self { height, last: [x, z] }
    }

    /// The dabs on the way to a place: on a straight line from the last dab, evenly spaced. What is
    /// left of the way belongs to the next movement.
    pub fn dabs(&mut self, to: [f64; 2], radius: f64) -> Vec<[f64; 2]> {
        let [x, z] = [0, 1].map(|k| to[k] - self.last[k]);
        let (length, spacing) = (x.hypot(z), SPACING * radius);
        let count = (length / spacing).floor();
        if count > MAX {
            self.last = to;
            return vec![to];
        }
        let from = self.last;
        let dab = |i: u32| {
            let part = f64::from(i) * spacing / length;
            [from[0] + part * x, from[1] + part * z]
        };
        let dabs: Vec<_> = (1..=count as u32).map(dab).collect();
        self.last = dabs.last().copied().unwrap_or(self.last);
        dabs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dabs_do_not_depend_on_the_frame_rate() {
        // Along a line, in few and in many movements.
        let draw = |frames: u32| {
            let mut stroke = Stroke::from([2.0, 0.0, 3.0]);
            let at = |t: f64| [2.0 + 60.0 * t, 3.0 + 45.0 * t];
            let dabs =
                (1..=frames).flat_map(|i| stroke.dabs(at(f64::from(i) / f64::from(frames)), 6.0));
            dabs.collect::<Vec<_>>()
        };
        let few = draw(2);
        assert_eq!(few.len(), 37);
        for frames in [1, 7, 60, 997] {
            let many = draw(frames);
            assert_eq!(many.len(), few.len(), "{frames}");
            for (a, b) in few.iter().zip(&many) {
                assert!((0..2).all(|k| (a[k] - b[k]).abs() < 1e-9), "{frames}: {a:?} {b:?}");
            }
        }
    }

    #[test]
    fn a_jump_is_one_dab() {
        let mut stroke = Stroke::from([0.0; 3]);
        assert!(stroke.dabs([0.0; 2], 1.0).is_empty());
        assert_eq!(stroke.dabs([1e6, 1e6], 1.0), [[1e6, 1e6]]);
        assert_eq!(stroke.dabs([1e6 + 1.0, 1e6], 1.0).len(), 3);
    }
}
