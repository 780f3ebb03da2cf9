//! The ground that rivers are made for.

use alloc::vec::Vec;

use crate::field::Field;

/// The smallest factor of slopes: a network needs some slope.
const LEAST_RELIEF: f64 = 0.02;

/// The ground that rivers are made for.
pub(in crate::drainage) struct Land<'a> {
    /// The height without rivers.
    pub height: &'a dyn Field<2>,
    /// The slope of valley sides over that of the steepest, limited to [`LEAST_RELIEF`] to 1; 1
    /// everywhere without it.
    pub relief: Option<&'a dyn Field<2>>,
    pub sea_level: f64,
    /// The probability of a lake where one can be.
    pub lakes: f64,
}

impl Land<'_> {
    /// The heights at some points: NaN where the land has none.
    pub fn heights(&self, points: &[[f64; 2]]) -> Vec<f64> {
        values(self.height, points)
    }

    /// Whether the land ends at some of these points.
    pub fn ends_at(&self, points: &[[f64; 2]]) -> bool {
        self.heights(points).iter().any(|height| height.is_nan())
    }

    /// The relief at some points, 1 where the field has no value; `None` where it is 1 everywhere.
    pub fn reliefs(&self, points: impl FnOnce() -> Vec<[f64; 2]>) -> Option<Vec<f64>> {
        let mut reliefs = values(self.relief?, &points());
        for relief in &mut reliefs {
            *relief = if relief.is_nan() { 1.0 } else { relief.clamp(LEAST_RELIEF, 1.0) };
        }
        Some(reliefs)
    }
}

fn values(field: &dyn Field<2>, points: &[[f64; 2]]) -> Vec<f64> {
    let mut values = vec![0.0; points.len()];
    field.value_points(points, &mut values);
    values.into_iter().map(f64::from).collect()
}
