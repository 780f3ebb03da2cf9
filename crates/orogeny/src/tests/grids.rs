//! Bands of grids, the caller's slices, and lists of points, compared with whole grids.

use super::random::{Random, tree};
use crate::{Field, Grid, Samples};

#[test]
fn bands_have_the_bits_of_the_whole() {
    let mut r = Random::new(11);
    for _ in 0..40 {
        let Ok(field) = tree::<2>(&mut r, 2).build() else { continue };
        let spacing = [r.within(-2.0, 2.0), r.within(-2.0, 2.0)];
        let size = [1 + r.below(40), 1 + r.below(40)];
        let grid = Grid { spacing, ..Grid::new(r.point(100.0), 1.0, size) };
        let mut whole = Samples::new();
        field.sample_grid(&grid, &mut whole);
        let mut part = Samples::new();
        let mut all = Vec::new();
        for band in grid.bands(1 + r.below(7)) {
            field.sample_grid(&band, &mut part);
            all.extend(part.iter());
        }
        assert_eq!(all, whole.iter().collect::<Vec<_>>());
        let mut values = vec![0.0; grid.len()];
        field.value_grid(&grid, &mut values);
        assert_eq!(values, whole.values());
        let points: Vec<_> = grid.points().collect();
        field.value_points(&points, &mut values);
        assert_eq!(values, whole.values());
        let (values, [dx, dz]) = whole.clone().into_vecs();
        assert_eq!(values, whole.values());
        assert_eq!([&dx[..], &dz[..]], [whole.derivatives(0), whole.derivatives(1)]);
    }
}
