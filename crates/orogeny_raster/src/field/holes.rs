//! Fills samples without data from their neighbours, so that the spline does not ring beside them.

/// Replaces NaN by the mean of those of the eight neighbours that have a number, ring after ring
/// from the ground inwards. At least one sample must be a number. Returns the number of rings: the
/// most steps from a hole's sample to ground.
pub(crate) fn fill_holes(all: &mut [f64], columns: usize) -> usize {
    // First the holes beside ground, then the holes beside those. `queued` keeps each in one ring.
    let is_beside_ground = |&i: &usize| neighbours(i, columns, all.len()).any(|n| !all[n].is_nan());
    let holes = (0..all.len()).filter(|&i| all[i].is_nan());
    let mut ring: Vec<usize> = holes.filter(is_beside_ground).collect();
    if ring.is_empty() {
        return 0;
    }
    let mut queued = vec![false; all.len()];
    ring.iter().for_each(|&i| queued[i] = true);
    let (mut values, mut rings) = (Vec::new(), 0);
    while !ring.is_empty() {
        values.clear();
        values.extend(ring.iter().map(|&i| mean(all, i, columns)));
        ring.iter().zip(&values).for_each(|(&i, &value)| all[i] = value);
        let mut next = Vec::new();
        for &i in &ring {
            for n in neighbours(i, columns, all.len()) {
                if all[n].is_nan() && !queued[n] {
                    queued[n] = true;
                    next.push(n);
                }
            }
        }
        ring = next;
        rings += 1;
    }
    rings
}

/// The mean of the neighbours that are numbers.
fn mean(all: &[f64], i: usize, columns: usize) -> f64 {
    let known = neighbours(i, columns, all.len()).map(|n| all[n]).filter(|x| !x.is_nan());
    let (sum, count) = known.fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
    sum / count
}

/// The indices of the up to eight neighbours of a sample.
fn neighbours(i: usize, columns: usize, len: usize) -> impl Iterator<Item = usize> {
    let (column, row, rows) = (i % columns, i / columns, len / columns);
    let near = |x: usize, count: usize| x.saturating_sub(1)..(x + 2).min(count);
    near(row, rows)
        .flat_map(move |z| near(column, columns).map(move |x| z * columns + x))
        .filter(move |&n| n != i)
}
