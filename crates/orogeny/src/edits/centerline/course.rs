//! Lines along a path, for those who draw it.

use alloc::vec::Vec;

use crate::edits::centerline::spline::{length, natural, plane};
use crate::edits::operations::Path;
use crate::error::DataError;

impl Path {
    /// Points (x, z, height) of a line along the path, `offset` metres beside the curve and as high
    /// as its closest point: the curve itself for 0, the edges of the carriageway for `width` / 2
    /// and its negative. `parts` pieces join two control points.
    ///
    /// # Errors
    /// A path that cannot be built, as [`Edit::check`](crate::edits::Edit::check).
    pub fn line(&self, offset: f64, parts: u32) -> Result<Vec<[f64; 3]>, DataError> {
        self.check()?;
        let parts = parts.max(1);
        // Relative to the first point, so that it is exact far from the origin of the world.
        let [x, z, _] = self.points[0];
        let own: Vec<_> = self.points.iter().map(|p| [p[0] - x, p[1] - z, p[2]]).collect();
        let cubics = natural(&own);
        let mut line = Vec::with_capacity(cubics.len() * parts as usize + 1);
        for (i, cubic) in cubics.iter().enumerate() {
            // Where two pieces meet, both have the same point.
            for part in u32::from(i > 0)..=parts {
                let t = cubic.end * f64::from(part) / f64::from(parts);
                let ([px, pz, height], velocity) = (cubic.position(t), plane(cubic.velocity(t)));
                let speed = length(velocity);
                let [dx, dz] = velocity.map(|v| v / speed);
                line.push([x + px - offset * dz, z + pz + offset * dx, height]);
            }
        }
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use crate::Node;
    use crate::edits::{EditLog, EditedField, Path};

    /// The lines agree with the ground that the path makes: level with the curve across the
    /// carriageway, untouched beyond the falloff.
    #[test]
    fn lines_are_where_the_path_is() {
        let points = vec![[1e6, 0.0, 3.0], [1e6 + 60.0, 20.0, 9.0], [1e6 + 130.0, -10.0, 5.0]];
        let path = Path { points: points.clone(), width: 6.0, falloff: 5.0, ..Path::default() };
        let base = Node::<2>::Constant(-40.0).build().unwrap();
        let mut log = EditLog::new();
        log.add(1, path.clone()).unwrap();
        let ground = EditedField::new(&base, log.edits());
        for offset in [0.0, 2.999, -2.999] {
            let line = path.line(offset, 16).unwrap();
            assert_eq!(line.len(), 33);
            for &[x, z, height] in &line {
                let value = f64::from(ground.sample([x, z]).value);
                assert!((value - height).abs() < 1e-4, "{offset}: {value} {height}");
            }
        }
        for offset in [8.001, -8.001] {
            for [x, z, _] in path.line(offset, 16).unwrap() {
                assert_eq!(ground.sample([x, z]).value, -40.0, "{offset}");
            }
            let inside = path.line(0.98 * offset, 16).unwrap();
            assert!(inside.iter().all(|&[x, z, _]| ground.sample([x, z]).value > -40.0));
        }
        let curve = path.line(0.0, 1).unwrap();
        for (a, b) in curve.iter().zip(&points) {
            assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-9), "{a:?} {b:?}");
        }
        let sharp = Path { width: 200.0, ..path };
        let error = sharp.line(0.0, 16).unwrap_err();
        assert!(error.to_string().starts_with("points: the curve is too sharp at (1"), "{error}");
    }
}
