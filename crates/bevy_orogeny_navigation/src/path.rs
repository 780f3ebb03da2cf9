//! A path.

use crate::search::vector::distance;

/// The shortest path through the polygons that the search has found: straight lines between
/// corners.
#[derive(Clone, Debug, PartialEq)]
pub struct NavigationPath {
    corners: Vec<[f64; 2]>,
}

impl NavigationPath {
    pub(crate) fn new(corners: Vec<[f64; 2]>) -> Self {
        Self { corners }
    }

    /// The straight way between two points, wherever it leads: where a game knows better.
    pub fn straight(from: [f64; 2], to: [f64; 2]) -> Self {
        Self::new(if from == to { vec![from] } else { vec![from, to] })
    }

    /// The start, each corner, and the end: (x, z) in metres. The ground at each has a height, see
    /// [`TerrainGround::surface`](bevy_orogeny::TerrainGround::surface). At least one point; the
    /// start alone if it is the goal.
    pub fn corners(&self) -> &[[f64; 2]] {
        &self.corners
    }

    /// Its length on the map in metres.
    pub fn length(&self) -> f64 {
        self.lines().map(|(from, to)| distance(from, to)).sum()
    }

    /// The point at a distance along it, in metres from the start; its ends beyond them. NaN counts
    /// as 0.
    pub fn at(&self, along: f64) -> [f64; 2] {
        let mut rest = along.max(0.0);
        for (from, to) in self.lines() {
            let length = distance(from, to);
            if rest < length {
                return [0, 1].map(|k| from[k] + (to[k] - from[k]) * (rest / length));
            }
            rest -= length;
        }
        self.corners.last().copied().unwrap_or_default()
    }

    /// Points along it that are at most `step` metres apart, with both ends. A step that is not
    /// positive counts as a metre.
    pub fn points(&self, step: f64) -> impl Iterator<Item = [f64; 2]> {
        let step = if step > 0.0 { step } else { 1.0 };
        let first = self.corners.first().copied();
        first.into_iter().chain(self.lines().flat_map(move |(from, to)| {
            let count = (distance(from, to) / step).ceil().clamp(1.0, 1e9) as u32;
            (1..=count).map(move |i| {
                let part = f64::from(i) / f64::from(count);
                [0, 1].map(|k| from[k] + (to[k] - from[k]) * part)
            })
        }))
    }

    fn lines(&self) -> impl Iterator<Item = ([f64; 2], [f64; 2])> {
        self.corners.windows(2).map(|pair| (pair[0], pair[1]))
    }

    /// The same path, moved.
    pub(crate) fn moved(mut self, [x, z]: [f64; 2]) -> Self {
        for corner in &mut self.corners {
            *corner = [corner[0] + x, corner[1] + z];
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_along_the_path() {
        let path = NavigationPath::new(vec![[0.0, 0.0], [3.0, 4.0], [3.0, 10.0]]);
        assert_eq!(path.length(), 11.0);
        assert_eq!(path.at(2.5), [1.5, 2.0]);
        assert_eq!(path.at(7.0), [3.0, 6.0]);
        assert_eq!((path.at(f64::NAN), path.at(1e9)), ([0.0; 2], [3.0, 10.0]));
        let points: Vec<_> = path.points(0.25).collect();
        assert_eq!(points.len(), 1 + 20 + 24);
        assert!(points.windows(2).all(|pair| distance(pair[0], pair[1]) < 0.2501));
        assert_eq!(NavigationPath::new(vec![[1.0; 2]]).points(0.0).count(), 1);
    }
}
