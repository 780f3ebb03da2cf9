//! The distance of each sample of a grid from the nearest one of a set.
//!
//! Pedro Felzenszwalb and Daniel Huttenlocher, "Distance transforms of sampled functions", Theory
//! of Computing 8, 2012: along columns the nearest sample of the set, then along each row the lower
//! envelope of parabolas, one for each column. It takes linear time, and results are exact up to
//! rounding.

/// The distances in units of `spacing`. The set is given by its members, row by row; all are
/// infinitely far from an empty set.
pub(crate) fn distances(is_member: &[bool], columns: usize, spacing: [f64; 2]) -> Vec<f32> {
    let mut all = rows_apart(is_member, columns);
    let mut squares = vec![0.0; columns];
    let mut envelope = Envelope::default();
    for row in all.chunks_exact_mut(columns) {
        for (square, &rows) in squares.iter_mut().zip(row.iter()) {
            *square = (f64::from(rows) * spacing[1]).powi(2);
        }
        envelope.build(&squares, spacing[0]);
        envelope.read(&squares, spacing[0], row);
    }
    all
}

/// The distance from the nearest member within each column, counted in rows. Whole numbers up to
/// 2^24 are exact in `f32`, and no raster has as many rows.
fn rows_apart(is_member: &[bool], columns: usize) -> Vec<f32> {
    let mut all: Vec<f32> =
        is_member.iter().map(|&is| if is { 0.0 } else { f32::INFINITY }).collect();
    let rows = all.len() / columns;
    for j in 1..rows {
        let (before, row) = all[(j - 1) * columns..(j + 1) * columns].split_at_mut(columns);
        row.iter_mut().zip(before).for_each(|(x, before)| *x = x.min(*before + 1.0));
    }
    for j in (1..rows).rev() {
        let (row, after) = all[(j - 1) * columns..(j + 1) * columns].split_at_mut(columns);
        row.iter_mut().zip(after).for_each(|(x, after)| *x = x.min(*after + 1.0));
    }
    all
}

/// The lower envelope of the parabolas s_q + (x - x_q)^2.
#[derive(Default)]
struct Envelope {
    /// The columns whose parabolas are part of it, from left to right, and where each begins.
    parts: Vec<(usize, f64)>,
}

impl Envelope {
    fn build(&mut self, squares: &[f64], step: f64) {
        self.parts.clear();
        for (q, &square) in squares.iter().enumerate().filter(|(_, s)| s.is_finite()) {
            let x = q as f64 * step;
            let mut start = f64::NEG_INFINITY;
            while let Some(&(other, begin)) = self.parts.last() {
                let y = other as f64 * step;
                // Where the two parabolas meet.
                start = ((square + x * x) - (squares[other] + y * y)) / (2.0 * (x - y));
                if start > begin {
                    break;
                }
                self.parts.pop();
                start = f64::NEG_INFINITY;
            }
            self.parts.push((q, start));
        }
    }

    fn read(&self, squares: &[f64], step: f64, out: &mut [f32]) {
        let mut part = 0;
        if self.parts.is_empty() {
            return out.fill(f32::INFINITY);
        }
        for (i, out) in out.iter_mut().enumerate() {
            let x = i as f64 * step;
            while self.parts.get(part + 1).is_some_and(|&(_, begin)| begin <= x) {
                part += 1;
            }
            let (q, _) = self.parts[part];
            let apart = x - q as f64 * step;
            *out = (squares[q] + apart * apart).sqrt() as f32;
        }
    }
}
