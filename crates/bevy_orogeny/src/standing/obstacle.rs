//! Obstacles of walkers, and how those that move carry who stands on them.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::reflect::ReflectComponent;
use bevy_math::{DVec2, Vec3};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;

use super::stride::Feet;
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
/// use bevy_orogeny::prelude::*;
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

/// How far an obstacle carries a walker between two frames, in metres. One that has moved farther
/// was put elsewhere, and leaves it behind.
const FARTHEST: f64 = 16.0;
/// A walker that was itself put elsewhere, farther than this in metres, is not carried.
const NEAR: f64 = 1.0;

/// The box of an obstacle.
#[derive(Clone, Copy, Debug)]
pub struct Solid {
    pub obstacle: Entity,
    /// The topmost entity above it.
    pub root: Entity,
    pub now: Pose,
    /// Where it was before, if it has moved from there.
    before: Option<Pose>,
}

/// How an obstacle stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    pub upright: Upright,
    /// Its scale along x and z.
    scale: DVec2,
}

impl Solid {
    /// `None` if it has no size.
    pub fn new(obstacle: Entity, it: &WalkerObstacle, place: &Place) -> Option<Self> {
        let scale = DVec2::new(place.scale.x.into(), place.scale.z.into());
        let now = Pose { upright: it.upright(place)?, scale };
        Some(Self { obstacle, root: place.root, now, before: None })
    }

    /// Remembers where it was. If it was far away, it was put where it is.
    pub fn follow(&mut self, before: &Self) {
        let before = Some(before.now).filter(|before| *before != self.now);
        self.before = before.filter(|it| it.upright.moved(&self.now.upright) <= FARTHEST);
    }

    /// How far it has moved.
    pub fn way(&self) -> f64 {
        self.before.map_or(0.0, |before| before.upright.moved(&self.now.upright))
    }

    /// How it stood after a part of its way, from 0 to 1.
    pub fn after(&self, part: f64) -> Pose {
        let end = self.now;
        self.before.filter(|_| part < 1.0).map_or(end, |start| Pose {
            upright: start.upright.towards(&end.upright, part),
            scale: start.scale.lerp(end.scale, part),
        })
    }
}

/// On each walker: what it stands on, or has jumped off.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Ride(pub(super) Option<Riding>);

/// A place on an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Riding {
    pub obstacle: Entity,
    /// Where the feet are: in the frame of its outline at scale 1, and above its top.
    local: DVec2,
    above: f64,
    /// The direction of its first side.
    along: DVec2,
    /// Where the feet are in the world.
    feet: Feet,
}

/// How an obstacle has moved feet that stand on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Carried {
    pub to: Feet,
    /// How far it has turned, in radians from x to z.
    pub turn: f64,
}

impl Riding {
    /// Feet that stand on an obstacle, or are above it. Only boxes carry.
    pub fn on(obstacle: Entity, pose: &Pose, feet: Feet) -> Option<Self> {
        let Pose { upright, scale } = pose;
        let Outline::Rectangle { along, .. } = upright.outline else { return None };
        let from = feet.at - upright.at;
        let local = DVec2::new(from.dot(along), from.dot(along.perp())) / *scale;
        Some(Self { obstacle, local, above: feet.height - upright.top, along, feet })
    }

    /// Feet that its obstacle has carried along, wherever that is now. `None` if it was put
    /// elsewhere, or the feet were.
    pub fn carried(&self, pose: &Pose, feet: Feet) -> Option<Carried> {
        let Pose { upright, scale } = pose;
        let Outline::Rectangle { along, .. } = upright.outline else { return None };
        let local = self.local * *scale;
        let at = upright.at + along * local.x + along.perp() * local.y;
        let (way, rise) = (at - self.feet.at, upright.top + self.above - self.feet.height);
        let gone = (feet.at - self.feet.at).extend(feet.height - self.feet.height);
        let is_carried = way.extend(rise).length() <= FARTHEST && gone.length() <= NEAR;
        let to = Feet { at: feet.at + way, height: feet.height + rise };
        is_carried.then(|| Carried { to, turn: self.along.angle_to(along) })
    }
}

#[cfg(test)]
mod tests {
    use core::f64::consts::FRAC_PI_2;

    use bevy_math::Quat;
    use bevy_transform::components::GlobalTransform;
    use proptest::prelude::*;

    use super::*;

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

    fn platform(x: f64, turn: f64, top: f64) -> Pose {
        let outline =
            Outline::Rectangle { half: DVec2::new(4.0, 2.0), along: DVec2::from_angle(turn) };
        let upright = Upright { at: DVec2::new(x, 0.0), outline, bottom: top - 0.5, top };
        Pose { upright, scale: DVec2::ONE }
    }

    #[test]
    fn feet_go_where_the_place_on_the_platform_goes() {
        let feet = Feet { at: DVec2::new(3.0, 0.0), height: 1.0 };
        let ride = Riding::on(Entity::PLACEHOLDER, &platform(0.0, 0.0, 1.0), feet).unwrap();
        let carried = |solid| ride.carried(&solid, feet);
        assert_eq!(
            carried(platform(0.5, 0.0, 3.0)),
            Some(Carried { to: Feet { at: DVec2::new(3.5, 0.0), height: 3.0 }, turn: 0.0 })
        );
        let turned = carried(platform(0.0, FRAC_PI_2, 1.0)).unwrap();
        assert!((turned.to.at - DVec2::new(0.0, 3.0)).length() < 1e-9, "{turned:?}");
        assert!((turned.turn - FRAC_PI_2).abs() < 1e-9);
        // A place on what grows is farther from its middle.
        let grown = Pose { scale: DVec2::new(2.0, 1.0), ..platform(0.5, 0.0, 1.0) };
        assert_eq!(carried(grown).unwrap().to.at, DVec2::new(6.5, 0.0));
        // A push of the walker itself is kept.
        let pushed = Feet { at: feet.at + 0.25 * DVec2::Y, height: 1.0 };
        let both = ride.carried(&platform(0.5, 0.0, 1.0), pushed).unwrap();
        assert_eq!(both.to, Feet { at: DVec2::new(3.5, 0.25), height: 1.0 });
        // One of both was put elsewhere.
        assert_eq!(carried(platform(16.5, 0.0, 1.0)), None);
        assert_eq!(
            ride.carried(&platform(0.5, 0.0, 1.0), Feet { at: DVec2::ZERO, height: 1.0 }),
            None
        );
    }
}
