//! Grids filled by several threads are bit-identical to those of one.
#![cfg(feature = "rayon")]

use allocation_counter::measure;
use orogeny::simd::levels;
use orogeny::{
    Cellular, Erosion, Field, GradientNoise, Grid, Node, ParallelField, Sample, Samples, Simplex,
    Tree,
};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// A field that has only `sample`.
struct Bowl;

impl<const N: usize> Field<N> for Bowl {
    fn sample(&self, p: [f64; N]) -> Sample<N> {
        let p = p.map(|x| x as f32);
        Sample { value: p.iter().map(|x| x * x).sum(), gradient: p.map(|x| 2.0 * x) }
    }
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// The bits of a buffer, and of a buffer of values only.
fn bits<const N: usize>(samples: &Samples<N>) -> Vec<u32> {
    let parts = (0..N).flat_map(|axis| samples.derivatives(axis)).chain(samples.values());
    parts.map(|x| x.to_bits()).collect()
}

fn check<const N: usize>(field: &(dyn Field<N> + Send + Sync), grids: &[Grid<N>]) {
    for threads in [1, 2, 3, 16] {
        let pool = pool(threads);
        // Buffers are reused for grids of all sizes.
        let (mut all, mut values_only) = (Samples::new(), Samples::values_only());
        for grid in grids {
            let mut expected = Samples::new();
            field.sample_grid(grid, &mut expected);
            let mut values = vec![f32::NAN; grid.len()];
            pool.install(|| {
                field.par_sample_grid(grid, &mut all);
                field.par_sample_grid(grid, &mut values_only);
                field.par_value_grid(grid, &mut values);
            });
            let what = format!("{threads} threads, {grid:?}");
            assert!(bits(&all) == bits(&expected), "{what}");
            let expected: Vec<_> = expected.values().iter().map(|x| x.to_bits()).collect();
            assert!(bits(&values_only) == expected, "{what}");
            assert!(values.into_iter().map(f32::to_bits).eq(expected), "{what}");
        }
    }
}

/// Grids far from the origin with a spacing that is not exact, and parts of grids.
fn grids<const N: usize>(sizes: &[[usize; N]]) -> Vec<Grid<N>> {
    let whole = |&size| Grid::new([1e6 + 0.3; N], 0.1, size);
    let part = |size| whole(size).part([3; N], *size);
    sizes.iter().flat_map(|size| [whole(size), part(size)]).collect()
}

#[test]
fn one_dimension() {
    let grids = grids(&[[0], [1], [8191], [8192], [40_001]]);
    check::<1>(&Node::noise(1).fbm(5).frequency(0.3).build().unwrap(), &grids);
    check::<1>(&Bowl, &grids);
}

#[test]
fn two_dimensions() {
    let noise = || Node::<2>::noise(7).fbm(3).frequency(0.3);
    let erosion = Erosion { scale: 9.0, relief: 3.0, ..Erosion::default() };
    let fields: [Tree<2>; 4] = [
        noise().build().unwrap(),
        noise().warp([noise(), Cellular::seeded(2).into()]).rotate(20.0).build().unwrap(),
        (noise() * 3.0).erode(erosion).min(Node::from(Simplex { seed: 1 }), 0.2).build().unwrap(),
        Node::from(GradientNoise::improved()).build().unwrap(),
    ];
    let sizes = [
        [0, 5],
        [5, 0],
        [1, 1],
        [91, 97],
        [2, 5000],
        // Fewer rows than threads, or a single one, or a single column.
        [5000, 2],
        [9000, 1],
        [1, 9000],
        // Several tiles, the last of which is wider, and bands of different heights.
        [300, 67],
        [777, 131],
    ];
    for field in &fields {
        check(field, &grids(&sizes));
    }
    check::<2>(&Bowl, &grids(&sizes));
    // Beyond the domain of noise, samples are NaN.
    check(&fields[0], &[Grid::new([-1e300, 0.0], 1e298, [200, 100])]);
}

#[test]
fn three_and_four_dimensions() {
    let sizes = [[0, 9, 9], [64, 64, 0], [33, 17, 19], [600, 5, 3], [270, 31, 1]];
    check::<3>(&Node::noise(1).fbm(2).frequency(0.3).build().unwrap(), &grids(&sizes));
    check::<3>(&Bowl, &grids(&sizes));
    let sizes = [[9, 0, 9, 9], [11, 7, 11, 13], [13, 11, 73, 1], [530, 2, 3, 5]];
    check::<4>(&Node::noise(1).fbm(2).frequency(0.3).build().unwrap(), &grids(&sizes));
}

#[test]
fn a_forced_level_is_that_of_all_threads() {
    let field = Node::<2>::noise(7).fbm(3).frequency(0.3).build().unwrap();
    let grid = Grid::new([0.1, 0.2], 0.3, [128, 128]);
    let mut expected = Samples::new();
    field.sample_grid(&grid, &mut expected);
    for (name, level) in levels() {
        let mut found = Samples::new().with_level(level);
        pool(3).install(|| field.par_sample_grid(&grid, &mut found));
        assert!(bits(&found) == bits(&expected), "{name}");
    }
}

/// A field may use the pool itself.
#[test]
fn fields_that_use_threads_themselves() {
    struct Nested(Tree<2>);
    impl Field<2> for Nested {
        fn sample(&self, p: [f64; 2]) -> Sample<2> {
            self.0.sample(p)
        }
        fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
            self.0.par_sample_grid(grid, out);
        }
    }
    let field = Nested(Node::noise(7).fbm(3).frequency(0.3).build().unwrap());
    check(&field, &grids(&[[300, 200]]));
}

#[test]
fn refills_allocate_nothing_on_the_calling_thread() {
    let noise = || Node::<2>::noise(7).fbm(3).frequency(0.3);
    let field = noise().warp([noise(), noise()]).min(noise(), 0.2).build().unwrap();
    // All tiles are equal, so it does not matter which thread fills which.
    let grid = |x| Grid::new([x, 0.0], 0.1, [256, 512]);
    for mut samples in [Samples::new(), Samples::values_only()] {
        let again = pool(2).install(|| {
            for x in 0..6 {
                field.par_sample_grid(&grid(f64::from(x)), &mut samples);
            }
            measure(|| field.par_sample_grid(&grid(7.0), &mut samples))
        });
        assert_eq!(again.count_total, 0);
    }
}
