//! What agents go around, besides the ground and what grows on it.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_orogeny::advanced::{Place, WalkerObstacle};
use bevy_orogeny::orogeny::Region;
use bevy_transform::components::Transform;

/// Something that agents go around: a wall, a house, a cart. Each
/// [`WalkerObstacle`] is one, too, without this component; where an entity has both, this one
/// counts for navigation.
///
/// The entity's `Transform` may turn it about the vertical axis and scale it; other rotations count
/// as if there were none. It is no obstacle where its top is within the agent's
/// [`step_height`](crate::NavigationAgent::step_height) above the ground, or its bottom above the
/// agent's [`height`](crate::NavigationAgent::height). What is not finite or has no size is none,
/// and a warning says so. Neither is what an agent itself carries: the entity of a
/// [`NavigationSource`](crate::NavigationSource) or of a
/// [`TerrainWalker`](bevy_orogeny::TerrainWalker), and all its children.
///
/// When it comes or goes, the tiles around it are outdated in the same frame, and built before all
/// others. While it moves, tiles follow it twice a second, after those that are missing; the first
/// move after a rest counts at once. So doors and wagons are fine, but crowds are better kept apart
/// by steering.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny_navigation::NavigationObstacle;
///
/// fn build(mut commands: Commands) {
///     let well = NavigationObstacle::Cylinder { radius: 1.2, half_height: 0.6 };
///     commands.spawn((well, Transform::from_xyz(10.0, 21.5, 3.0)));
/// }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[require(Transform)]
pub enum NavigationObstacle {
    /// A box around the entity's origin.
    Box {
        /// Half its size along x, y and z in metres.
        half_size: Vec3,
    },
    /// An upright cylinder around the entity's origin. Of its scale along x and z the larger
    /// counts.
    Cylinder {
        /// Its radius in metres.
        radius: f32,
        /// Half its height in metres.
        half_height: f32,
    },
    /// No obstacle, though the entity has a [`WalkerObstacle`]: a lift, or a bridge that agents
    /// cross by other means.
    Ignored,
}

impl From<WalkerObstacle> for NavigationObstacle {
    fn from(it: WalkerObstacle) -> Self {
        Self::Box { half_size: it.half_size.abs() }
    }
}

/// An upright solid that agents go around, in metres from the terrain's origin: for
/// [`NavigationTiles::build_around`](crate::NavigationTiles::build_around), where there is no
/// `App`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// Its middle (x, z).
    pub center: [f64; 2],
    /// Its outline from above.
    pub outline: ObstacleOutline,
    /// The height of its bottom.
    pub bottom: f64,
    /// The height of its top.
    pub top: f64,
}

/// The outline of an [`Obstacle`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ObstacleOutline {
    /// A circle with a radius in metres.
    Circle(f64),
    /// A rectangle.
    Rectangle {
        /// Half its sides in metres.
        half_size: [f64; 2],
        /// The direction (x, z) of its first side, with length 1.
        along: [f64; 2],
    },
}

/// How far an obstacle may be from where tiles have it, in metres: an `f32` rounds its position
/// anew whenever the origin moves.
const TOLERANCE: f64 = 0.01;

impl Obstacle {
    /// The obstacle of an entity at a place in the world. `None` if it is none, or is not
    /// [valid](Self::is_valid).
    pub(crate) fn of(it: &NavigationObstacle, place: &Place) -> Option<Self> {
        let Place { position: [x, y, z], along, scale, .. } = *place;
        let (outline, half_height) = match *it {
            NavigationObstacle::Box { half_size } => {
                let half = (half_size * scale).as_dvec3();
                let (half_size, along) = ([half.x, half.z], along.to_array());
                (ObstacleOutline::Rectangle { half_size, along }, half.y)
            }
            NavigationObstacle::Cylinder { radius, half_height } => {
                let radius = f64::from(radius * scale.x.max(scale.z));
                (ObstacleOutline::Circle(radius), f64::from(half_height * scale.y))
            }
            NavigationObstacle::Ignored => return None,
        };
        let (bottom, top) = (y - half_height, y + half_height);
        Some(Self { center: [x, z], outline, bottom, top }).filter(Self::is_valid)
    }

    /// Whether all numbers are finite, and all sizes positive. Others are no obstacles.
    pub fn is_valid(&self) -> bool {
        let sizes = match self.outline {
            ObstacleOutline::Circle(radius) => [radius; 2],
            ObstacleOutline::Rectangle { half_size, .. } => half_size,
        };
        let is_turned = match self.outline {
            ObstacleOutline::Circle(_) => true,
            ObstacleOutline::Rectangle { along: [x, z], .. } => (x.hypot(z) - 1.0).abs() < 1e-3,
        };
        let numbers = [self.center, sizes, [self.bottom, self.top]];
        numbers.as_flattened().iter().all(|n| n.is_finite())
            && sizes.iter().all(|size| *size > 0.0)
            && self.top > self.bottom
            && is_turned
    }

    /// The region that it covers.
    pub(crate) fn region(&self) -> Region {
        let half = match self.outline {
            ObstacleOutline::Circle(radius) => [radius; 2],
            ObstacleOutline::Rectangle { half_size: [a, b], along: [x, z] } => {
                let [x, z] = [x.abs(), z.abs()];
                [a * x + b * z, a * z + b * x]
            }
        };
        Region::around(self.center, half)
    }

    /// The same obstacle where the origin is elsewhere.
    pub(crate) fn relative_to(self, [x, y, z]: [f64; 3]) -> Self {
        let [cx, cz] = self.center;
        Self { center: [cx - x, cz - z], bottom: self.bottom - y, top: self.top - y, ..self }
    }

    /// Whether tiles that have this one serve for another one, too.
    pub(crate) fn is_near(&self, other: &Self) -> bool {
        let corners = |it: &Self| match it.outline {
            ObstacleOutline::Circle(radius) => [radius, 0.0, 0.0, 0.0],
            ObstacleOutline::Rectangle { half_size: [a, b], along: [x, z] } => {
                [a * x, a * z, b * z, b * x]
            }
        };
        let is_same = |a: f64, b: f64| (a - b).abs() <= TOLERANCE;
        let heights = |it: &Self| [it.bottom, it.top];
        let all = |it: &Self| [it.center, heights(it)];
        core::mem::discriminant(&self.outline) == core::mem::discriminant(&other.outline)
            && all(self)
                .as_flattened()
                .iter()
                .zip(all(other).as_flattened())
                .all(|(a, b)| is_same(*a, *b))
            && corners(self).iter().zip(corners(other)).all(|(a, b)| is_same(*a, b))
    }

    /// A lower bound of the distance between it and a square: exact where they are apart, and at
    /// most half a side where they cross.
    pub(crate) fn distance(&self, square: Region) -> f64 {
        let to_square = |[x, z]: [f64; 2]| {
            let gap = |k: usize, at: f64| (square.min[k] - at).max(at - square.max[k]).max(0.0);
            gap(0, x).hypot(gap(1, z))
        };
        let [cx, cz] = self.center;
        match self.outline {
            ObstacleOutline::Circle(radius) => (to_square(self.center) - radius).max(0.0),
            ObstacleOutline::Rectangle { half_size: [a, b], along: [ux, uz] } => {
                let corners = [[a, b], [a, -b], [-a, b], [-a, -b]];
                let from_corners = corners.map(|[along, across]| {
                    to_square([cx + along * ux - across * uz, cz + along * uz + across * ux])
                });
                let ([x0, z0], [x1, z1]) = (square.min, square.max);
                let to_corners = [[x0, z0], [x0, z1], [x1, z0], [x1, z1]].map(|[x, z]| {
                    let [dx, dz] = [x - cx, z - cz];
                    let [along, across] = [dx * ux + dz * uz, dz * ux - dx * uz];
                    (along.abs() - a).max(0.0).hypot((across.abs() - b).max(0.0))
                });
                from_corners.into_iter().chain(to_corners).fold(f64::INFINITY, f64::min)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy_math::Quat;
    use bevy_transform::components::GlobalTransform;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Compared with many points of both.
        #[test]
        fn distances_are_those_of_the_nearest_points(
            x in -4.0..4.0f64, z in -4.0..4.0f64, turn in 0.0..6.3f64,
            half in [0.05..2.0f64, 0.05..2.0f64], circle: bool,
        ) {
            let (sin, cos) = turn.sin_cos();
            let rectangle = ObstacleOutline::Rectangle { half_size: half, along: [cos, sin] };
            let outline = if circle { ObstacleOutline::Circle(half[0]) } else { rectangle };
            let it = Obstacle { center: [x, z], outline, bottom: 0.0, top: 1.0 };
            let square = Region { min: [0.0; 2], max: [1.0; 2] };
            let steps = (0..=40).flat_map(|i| (0..=40).map(move |j| [i, j].map(f64::from)));
            let mut nearest = f64::INFINITY;
            for [i, j] in steps.map(|at| at.map(|k| k / 20.0 - 1.0)) {
                let [p, q] = if circle {
                    let (sin, cos) = (i * 3.2).sin_cos();
                    [half[0] * j.abs() * cos, half[0] * j.abs() * sin]
                } else {
                    let [a, b] = [half[0] * i, half[1] * j];
                    [a * cos - b * sin, a * sin + b * cos]
                };
                let [p, q] = [x + p, z + q];
                let region = it.region().grown(1e-9);
                prop_assert!(region.contains([p, q]));
                let gap = |at: f64| (-at).max(at - 1.0).max(0.0);
                nearest = nearest.min(gap(p).hypot(gap(q)));
            }
            let found = it.distance(square);
            if nearest < 0.12 {
                prop_assert!(found <= 0.51, "{found}");
            } else {
                let range = nearest - 0.15..=nearest + 1e-9;
                prop_assert!(range.contains(&found), "{found} {nearest}");
            }
        }
    }

    #[test]
    fn obstacles_turn_and_scale_with_their_entity() {
        let turned = Transform::from_rotation(Quat::from_rotation_y(1.5707964))
            .with_scale(Vec3::new(2.0, 3.0, -1.0));
        let wall = NavigationObstacle::Box { half_size: Vec3::new(2.0, 1.0, 0.1) };
        let of = |it: &NavigationObstacle, position| {
            let to = GlobalTransform::from(turned);
            Obstacle::of(it, &Place::new(Entity::PLACEHOLDER, position, &to))
        };
        let wall = of(&wall, [5.0, 7.0, 1e9]).unwrap();
        assert_eq!((wall.bottom, wall.top), (4.0, 10.0));
        let region = wall.region();
        assert!((region.max[0] - 5.1).abs() < 1e-3 && (region.max[1] - 1e9 - 4.0).abs() < 1e-3);
        let well = NavigationObstacle::Cylinder { radius: 1.0, half_height: 0.5 };
        let well = of(&well, [0.0; 3]).unwrap();
        let ObstacleOutline::Circle(radius) = well.outline else { panic!("{well:?}") };
        assert!((radius - 2.0).abs() < 1e-6 && well.top == 1.5);
        assert!(!wall.is_near(&well) && wall.is_near(&wall.relative_to([0.005, 0.0, -0.005])));
        assert!(!wall.is_near(&wall.relative_to([0.0, 0.02, 0.0])));
        let nothing = [
            NavigationObstacle::Ignored,
            NavigationObstacle::Box { half_size: Vec3::new(1.0, 0.0, 1.0) },
            NavigationObstacle::Box { half_size: Vec3::new(1.0, f32::NAN, 1.0) },
            NavigationObstacle::Cylinder { radius: f32::INFINITY, half_height: 1.0 },
            NavigationObstacle::Cylinder { radius: -1.0, half_height: 1.0 },
        ];
        for it in nothing {
            assert_eq!(of(&it, [0.0; 3]), None, "{it:?}");
        }
    }
}
