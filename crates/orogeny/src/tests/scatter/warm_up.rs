//! Ground that is evaluated before a query needs it.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::limits::POSITION;
use crate::scatter::ScatterKind;
use crate::tests::scatter::{kinds, on, scatter, square};
use crate::{Field, Grid, Node, Region, Sample, Samples};

/// Hills that count the grids that somebody asks for.
struct Counted(crate::Tree<2>, Arc<AtomicUsize>);

impl Field<2> for Counted {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        self.0.sample(p)
    }

    fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.sample_grid(grid, out);
    }
}

#[test]
fn each_step_looks_at_one_square_and_a_query_at_none() {
    let hills = || Node::<2>::noise(4).fbm(3).frequency(0.005).amplitude(20.0).build().unwrap();
    let grids = Arc::new(AtomicUsize::new(0));
    let count = || grids.swap(0, Ordering::Relaxed);
    let cold = on(&scatter(kinds()), Counted(hills(), grids.clone()));
    let warm = on(&scatter(kinds()), Counted(hills(), grids.clone()));
    for region in [square(-40.0, 40.0), square(1e9, 1e9 + 100.0), square(300.0, 500.0)] {
        let expected = cold.in_region(region, |_| true).unwrap();
        let blocks = count();
        let steps = warm.warm_up(region, |_| true).unwrap().inspect(|()| assert!(count() <= 1));
        assert_eq!((steps.count(), expected.is_empty()), (blocks, false));
        assert_eq!(warm.in_region(region, |_| true).unwrap(), expected);
        assert_eq!(count(), 0, "{region:?}");
        // Again, there is nothing left to do.
        warm.warm_up(region, |_| true).unwrap().for_each(|()| assert_eq!(count(), 0));
    }
}

#[test]
fn no_region_takes_long() {
    let placement = on(&scatter(kinds()), Node::<2>::Constant(5.0).build().unwrap());
    let steps = |region| Some(placement.warm_up(region, |_| true).ok()?.count());
    let infinite = square(f64::NEG_INFINITY, f64::INFINITY);
    for region in [square(3.0, 2.0), square(0.0, 9e14), infinite, Region::EMPTY] {
        assert_eq!(steps(region), Some(0), "{region:?}");
    }
    let last = Region { min: [POSITION.max - 10.0; 2], max: [f64::INFINITY; 2] };
    assert!(steps(last).is_some_and(|count| count <= 16));
    assert_eq!(steps(square(f64::NAN, 0.0)), None);
    assert_eq!(steps(square(2e15, 3e15)), None);
    let none = |_: &ScatterKind| false;
    assert_eq!(placement.warm_up(square(0.0, 9.0), none).unwrap().count(), 0);
}
