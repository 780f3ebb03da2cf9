//! Queries that return errors.

use orogeny::ray::Cast;
use orogeny::{Field, Sample};

use super::*;
use crate::base::query_error::QueryError;
use crate::terrain::{Terrain, TerrainError};

#[test]
fn what_has_no_answer() {
    let query = query(LAYOUT);
    let limit = |error: QueryError| match error {
        QueryError::OutOfLimits(error) => error.limit.name,
        other => panic!("{other:?}"),
    };
    for wrong in [f64::NAN, f64::INFINITY, -1.1e15] {
        for position in [[wrong, 0.0], [0.0, wrong]] {
            assert_eq!(limit(query.field(position).unwrap_err()), "position");
            assert_eq!(limit(query.surface(position).unwrap_err()), "position");
            let [x, z] = position;
            let ray =
                Ray { origin: [x, 500.0, z], direction: [1.0, -1.0, 0.0], max_distance: 10.0 };
            for cast in [query.raycast_field(&ray, 0.1), query.raycast_surface(&ray)] {
                assert!(cast.is_err(), "{cast:?}");
            }
        }
    }
    assert_eq!(limit(query.surface_at_level(41, [0.0; 2]).unwrap_err()), "lod");
    assert!(query.surface_at_level(40, [9e14, -9e14]).is_ok());
    // `f64` cannot resolve the vertices.
    let fine = self::query(Layout { cells: 8, spacing: 1.0 / 64.0 });
    assert!(fine.field([5e14, 0.0]).is_ok() && fine.surface([5e14, 0.0]).is_err());
    let level = Ray { origin: [5e14, 500.0, 0.0], direction: [1.0, -1.0, 0.0], max_distance: 10.0 };
    assert!(fine.raycast_surface(&level).is_err());
    // A ray that meets the ground only outside the position limits.
    let leaving = Ray { origin: [0.0, 1e17, 0.0], direction: [1.0, -1.0, 0.0], max_distance: 1e18 };
    assert!(query.raycast_surface(&leaving).is_err());

    let terrain = Terrain { cells: 12, ..Terrain::default() };
    assert!(matches!(GroundQuery::of(&terrain), Err(TerrainError::NotAPowerOfTwo { .. })));
    for scatter_density in [-0.1, 1.5, f32::NAN] {
        let terrain = Terrain { scatter_density, ..Terrain::default() };
        let error = GroundQuery::of(&terrain).unwrap_err().to_string();
        assert!(error.contains("scatter_density"), "{error}");
    }
    let layout = Layout { cells: 16, spacing: f64::NAN };
    assert!(GroundQuery::new(field(), layout).is_err());
}

#[test]
fn fields_that_are_not_finite_give_errors() {
    struct Broken(f32, f32);
    impl Field<2> for Broken {
        fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
            let good = Sample::constant(5.0);
            if x > 10.0 { Sample { value: self.0, gradient: [self.1, 0.0] } } else { good }
        }
    }
    for (value, slope) in
        [(f32::NAN, f32::NAN), (f32::INFINITY, 0.0), (-f32::INFINITY, 0.0), (1.0, f32::NAN)]
    {
        let query = GroundQuery::new(Arc::new(Broken(value, slope)), LAYOUT).unwrap();
        let position = [11.0, 0.0];
        let error = if value.is_finite() {
            QueryError::NotFinite { position }
        } else {
            QueryError::NoGround { position }
        };
        assert_eq!(query.field(position), Err(error));
        assert!(query.field([9.0, 0.0]).is_ok() && query.surface([9.0, 0.0]).is_ok());
        // Queries of triangles need no slopes.
        if value.is_finite() {
            assert_eq!(query.surface([13.0, 0.5]).unwrap(), Sample::constant(value));
            continue;
        }
        // One of the triangle's corners is not finite.
        assert_eq!(query.surface([10.5, 0.5]), Err(QueryError::NoGround { position: [12.0, 2.0] }));
        let ray = Ray { origin: [0.0, 6.0, 0.0], direction: [1.0, 0.0, 0.0], max_distance: 100.0 };
        assert_eq!(query.raycast_surface(&ray), Ok(Cast::Clear { is_proven: true }));
    }
}
