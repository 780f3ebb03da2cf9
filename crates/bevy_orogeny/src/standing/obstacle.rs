//! What stops a walker, other than the ground: pure geometry.

use bevy_ecs::component::Component;
use bevy_ecs::reflect::ReflectComponent;
use bevy_math::{DVec2, Vec3};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;

use crate::base::places::Place;

/// Stops each [`TerrainWalker`](crate::TerrainWalker): a box for a wall, a house or a crate. Where
/// a walker can step or jump onto it, it stands on its top.
///
/// The box may be turned about the vertical axis and scaled by the entity's `Transform`; other
/// rotations count as if there were none. Trunks and rocks that grow need no such component.
///
/// An obstacle that moves carries the walkers on it: a platform, a train, a lift, a roundabout. It
/// may be moved by its `Transform`, that of a parent, or a [`WorldPosition`](crate::WorldPosition),
/// which is exact far from the origin. They turn with it, keep their place on it if it is scaled,
/// and what jumps keeps its motion until it lands. One that runs into a walker pushes it, and one
/// that rises below it lifts it. One that moves by more than 16 m between two runs of
/// [`walk`](crate::walk) was put elsewhere: it carries nobody, and passes walkers.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::WalkerObstacle;
///
/// fn build(mut commands: Commands) {
///     let wall = WalkerObstacle { half_size: Vec3::new(4.0, 1.5, 0.2) };
///     commands.spawn((wall, Transform::from_xyz(10.0, 21.5, 3.0)));
/// }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[require(Transform)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct WalkerObstacle {
    /// Half the size of the box along x, y and z in metres, around the entity's origin. Default:
    /// 0.5 each.
    pub half_size: Vec3,
}

impl Default for WalkerObstacle {
    /// A cube of 1 m.
    fn default() -> Self {
        Self { half_size: Vec3::splat(0.5) }
    }
}

/// An upright solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Upright {
    /// Its middle (x, z) in metres.
    pub at: DVec2,
    pub outline: Outline,
    /// The heights of its bottom and its top.
    pub bottom: f64,
    pub top: f64,
}

/// The outline of a solid, seen from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outline {
    /// A radius in metres.
    Circle(f64),
    /// Half the sizes of a rectangle, and the direction of its first side.
    Rectangle { half: DVec2, along: DVec2 },
}

impl WalkerObstacle {
    /// The box of an entity at a place. `None` if it has no size, or its place is not finite.
    pub(super) fn upright(&self, place: &Place) -> Option<Upright> {
        let half = (self.half_size * place.scale).abs().as_dvec3();
        let [x, y, z] = place.position;
        if !half.is_finite() || half.min_element() <= 0.0 || !(x + y + z).is_finite() {
            return None;
        }
        let outline = Outline::Rectangle { half: DVec2::new(half.x, half.z), along: place.along };
        Some(Upright { at: DVec2::new(x, z), outline, bottom: y - half.y, top: y + half.y })
    }
}

impl Outline {
    /// The distance of its farthest point from the middle, in metres.
    pub fn reach(&self) -> f64 {
        match self {
            Self::Circle(radius) => *radius,
            Self::Rectangle { half, .. } => half.length(),
        }
    }
}

impl Upright {
    /// How far its points are from those of the same solid at another place, at most about so.
    pub fn moved(&self, other: &Self) -> f64 {
        let turn = match (&self.outline, &other.outline) {
            (Outline::Rectangle { along, .. }, Outline::Rectangle { along: other, .. }) => {
                along.distance(*other)
            }
            _ => 0.0,
        };
        let grown = (self.outline.reach() - other.outline.reach()).abs();
        let aside = self.at.distance(other.at) + turn * self.outline.reach() + grown;
        aside.max((self.top - other.top).abs()).max((self.bottom - other.bottom).abs())
    }

    /// The solid on its way to another place, where that is a part of the way off.
    pub fn towards(&self, end: &Self, part: f64) -> Self {
        let outline = match (self.outline, end.outline) {
            (
                Outline::Rectangle { half, along },
                Outline::Rectangle { half: end_half, along: end },
            ) => Outline::Rectangle {
                half: half.lerp(end_half, part),
                along: along.rotate(DVec2::from_angle(part * along.angle_to(end))),
            },
            (_, outline) => outline,
        };
        let between = |a: f64, b: f64| a + part * (b - a);
        Self {
            at: self.at.lerp(end.at, part),
            outline,
            bottom: between(self.bottom, end.bottom),
            top: between(self.top, end.top),
        }
    }

    /// Whether a body whose feet and head are at these heights is beside it, rather than on it or
    /// below it.
    pub fn is_beside(&self, feet: f64, head: f64) -> bool {
        self.top > feet && self.bottom < head
    }

    /// Where a body of a radius is that would be in it at a point: the nearest point outside, a
    /// hair farther. `None` if it is outside.
    pub fn keep_out(&self, body: DVec2, radius: f64) -> Option<DVec2> {
        const HAIR: f64 = 1e-4;
        let from = body - self.at;
        match self.outline {
            Outline::Circle(own) => {
                let reach = own + radius;
                let inside = from.length_squared() < reach * reach;
                let way = from.try_normalize().unwrap_or(DVec2::X);
                inside.then(|| self.at + way * (reach + HAIR))
            }
            Outline::Rectangle { half, along } => {
                let local = DVec2::new(from.dot(along), from.dot(along.perp()));
                let nearest = local.clamp(-half, half);
                let world = |local: DVec2| self.at + along * local.x + along.perp() * local.y;
                let gap = local - nearest;
                let is_outside = gap != DVec2::ZERO;
                if is_outside && gap.length_squared() >= radius * radius {
                    return None;
                }
                if let Some(way) = gap.try_normalize() {
                    return Some(world(nearest + way * (radius + HAIR)));
                }
                // Its middle is inside: it leaves by the nearest side.
                let (dx, dz) = (half.x - local.x.abs(), half.y - local.y.abs());
                let side = |x: f64, half: f64| (half + radius + HAIR).copysign(x);
                let out = if dx < dz {
                    DVec2::new(side(local.x, half.x), local.y)
                } else {
                    DVec2::new(local.x, side(local.y, half.y))
                };
                Some(world(out))
            }
        }
    }

    /// Whether a point is over it.
    pub fn is_below(&self, point: DVec2) -> bool {
        self.keep_out(point, 0.0).is_some()
    }
}

#[cfg(test)]
mod tests {
    use bevy_ecs::entity::Entity;
    use bevy_math::Quat;
    use proptest::prelude::*;

    use super::*;
    use bevy_transform::components::GlobalTransform;

    proptest! {
        /// A body that was kept out is outside, and near where it was.
        #[test]
        fn bodies_are_kept_out(
            x in -3.0..3.0f64, z in -3.0..3.0f64, turn in 0.0..6.3f64, radius in 0.0..1.0f64,
        ) {
            let rectangle =
                Outline::Rectangle { half: DVec2::new(2.0, 0.5), along: DVec2::from_angle(turn) };
            for outline in [rectangle, Outline::Circle(0.7)] {
                let at = DVec2::new(0.3, -0.2);
                let solid = Upright { at, outline, bottom: 0.0, top: 1.0 };
                let body = DVec2::new(x, z);
                if let Some(out) = solid.keep_out(body, radius) {
                    prop_assert_eq!(solid.keep_out(out, radius), None);
                    prop_assert!(out.distance(body) <= 0.71 + radius + 1e-3);
                }
            }
        }
    }

    #[test]
    fn boxes_turn_and_scale_with_their_entity() {
        let wall = WalkerObstacle { half_size: Vec3::new(2.0, 1.0, 0.1) };
        let turned = Transform::from_rotation(Quat::from_rotation_y(1.5707964))
            .with_scale(Vec3::new(2.0, 3.0, 1.0));
        let place =
            |position| Place::new(Entity::PLACEHOLDER, position, &GlobalTransform::from(turned));
        let solid = wall.upright(&place([5.0, 7.0, 0.0])).unwrap();
        assert_eq!((solid.bottom, solid.top), (4.0, 10.0));
        assert!(solid.is_below(DVec2::new(5.0, 3.9)) && !solid.is_below(DVec2::new(8.0, 0.0)));
        assert!(solid.is_beside(9.0, 10.7) && !solid.is_beside(10.0, 11.7));
        let flat = WalkerObstacle { half_size: Vec3::new(1.0, f32::NAN, 1.0) };
        assert_eq!(flat.upright(&place([0.0; 3])), None);
        assert_eq!(wall.upright(&place([0.0, f64::NAN, 0.0])), None);
    }

    #[test]
    fn a_solid_on_its_way_is_in_between() {
        let box_at = |x: f64, turn: f64, size: f64| {
            let outline =
                Outline::Rectangle { half: DVec2::new(4.0, size), along: DVec2::from_angle(turn) };
            Upright { at: DVec2::new(x, 1.0), outline, bottom: x, top: x + size }
        };
        let [start, end] = [box_at(0.0, 3.0, 1.0), box_at(2.0, -3.0, 3.0)];
        assert_eq!(start.towards(&end, 1.0).at, end.at);
        let half = start.towards(&end, 0.5);
        // By the shorter way.
        assert!(half.moved(&box_at(1.0, core::f64::consts::PI, 2.0)) < 1e-9, "{half:?}");
        assert!(start.moved(&end) >= 4.0 && start.moved(&start) == 0.0);
    }
}
