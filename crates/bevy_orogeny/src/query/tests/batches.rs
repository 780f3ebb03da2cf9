//! Curvature, and batches of all queries.

use bevy_math::Vec3;
use orogeny::{Curvature, Field, Sample};

use super::*;
use crate::base::query_error::QueryError;
use crate::chunk::height_field::normal;

/// A ball of 100 m as a field that only has heights and slopes. Its curvature is that of a ball
/// everywhere.
#[test]
fn curvature_is_that_of_a_ball() {
    struct Ball;
    impl Field<2> for Ball {
        fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
            let height = (1e4 - x * x - z * z).sqrt();
            let gradient = [x, z].map(|x| (-x / height) as f32);
            Sample { value: height as f32, gradient }
        }
    }
    let ball = GroundQuery::new(Arc::new(Ball), LAYOUT).unwrap();
    for position in [[0.0, 0.0], [30.0, -20.0], [-60.0, 50.0]] {
        let found = ball.curvature(position).unwrap();
        assert!((found.mean + 0.01).abs() < 1e-5, "{found:?}");
        assert!((found.gaussian - 1e-4).abs() < 2e-7, "{found:?}");
    }
    assert!(matches!(ball.curvature([200.0, 0.0]), Err(QueryError::NoGround { .. })));
    assert!(matches!(ball.curvature([1e30, 0.0]), Err(QueryError::OutOfLimits(_))));
}

#[test]
fn batches_give_the_same_answers_in_buffers_that_stay() {
    let query = query(LAYOUT);
    let mut positions: Vec<[f64; 2]> =
        (0..200).map(|i| [f64::from(i) * 3.7, f64::from(i) * -1.3]).collect();
    positions[7] = [f64::NAN, 0.0];
    let rays: Vec<Ray> = rays(&query, 0.0).collect();
    let (mut points, mut casts, mut curvatures) = (Vec::new(), Vec::new(), Vec::new());
    query.fields(&positions, &mut points);
    query.raycasts_surface(&rays, &mut casts);
    let (point_buffer, cast_buffer) = (points.as_ptr(), casts.as_ptr());
    for _ in 0..3 {
        query.fields(&positions, &mut points);
        assert!(
            points
                .iter()
                .zip(&positions)
                .all(|(a, &p)| *a == query.field(p) || p[0].is_nan() && a.is_err())
        );
        query.curvatures(&positions, &mut curvatures);
        let same = |(a, &p): (&Result<Curvature, _>, &[f64; 2])| {
            *a == query.curvature(p) || p[0].is_nan() && a.is_err()
        };
        assert!(curvatures.iter().zip(&positions).all(same));
        query.surfaces(1, &positions[..150], &mut points);
        assert_eq!(points.len(), 150);
        let same = |(a, &p): (&Result<_, _>, &[f64; 2])| {
            *a == query.surface_at_level(1, p) || p[0].is_nan() && a.is_err()
        };
        assert!(points.iter().zip(&positions).all(same));
        query.raycasts_field(&rays, 0.01, &mut casts);
        assert!(casts.iter().zip(&rays).all(|(a, ray)| *a == query.raycast_field(ray, 0.01)));
        query.raycasts_surface(&rays, &mut casts);
        assert!(casts.iter().zip(&rays).all(|(a, ray)| *a == query.raycast_surface(ray)));
    }
    assert_eq!((points.as_ptr(), casts.as_ptr()), (point_buffer, cast_buffer));
    fn shared<T: Send + Sync + Clone + 'static>(_: &T) {}
    shared(&query);
    assert!(normal(query.field([0.0; 2]).unwrap()).dot(Vec3::Y) > 0.0);
}
