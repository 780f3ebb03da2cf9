//! What carries a walker: the obstacle that it stands on, while that moves.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_math::DVec2;

use super::obstacle::{Outline, Upright, WalkerObstacle};
use super::stride::Feet;
use crate::base::places::Place;

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
        let from = feet.0 - upright.at;
        let local = DVec2::new(from.dot(along), from.dot(along.perp())) / *scale;
        Some(Self { obstacle, local, above: feet.1 - upright.top, along, feet })
    }

    /// Feet that its obstacle has carried along, wherever that is now. `None` if it was put
    /// elsewhere, or the feet were.
    pub fn carried(&self, pose: &Pose, feet: Feet) -> Option<Carried> {
        let Pose { upright, scale } = pose;
        let Outline::Rectangle { along, .. } = upright.outline else { return None };
        let local = self.local * *scale;
        let at = upright.at + along * local.x + along.perp() * local.y;
        let (way, rise) = (at - self.feet.0, upright.top + self.above - self.feet.1);
        let gone = (feet.0 - self.feet.0).extend(feet.1 - self.feet.1);
        let is_carried = way.extend(rise).length() <= FARTHEST && gone.length() <= NEAR;
        let to = (feet.0 + way, feet.1 + rise);
        is_carried.then(|| Carried { to, turn: self.along.angle_to(along) })
    }
}

#[cfg(test)]
mod tests {
    use core::f64::consts::FRAC_PI_2;

    use super::*;

    fn platform(x: f64, turn: f64, top: f64) -> Pose {
        let outline =
            Outline::Rectangle { half: DVec2::new(4.0, 2.0), along: DVec2::from_angle(turn) };
        let upright = Upright { at: DVec2::new(x, 0.0), outline, bottom: top - 0.5, top };
        Pose { upright, scale: DVec2::ONE }
    }

    #[test]
    fn feet_go_where_the_place_on_the_platform_goes() {
        let feet = (DVec2::new(3.0, 0.0), 1.0);
        let ride = Riding::on(Entity::PLACEHOLDER, &platform(0.0, 0.0, 1.0), feet).unwrap();
        let carried = |solid| ride.carried(&solid, feet);
        assert_eq!(
            carried(platform(0.5, 0.0, 3.0)),
            Some(Carried { to: (DVec2::new(3.5, 0.0), 3.0), turn: 0.0 })
        );
        let turned = carried(platform(0.0, FRAC_PI_2, 1.0)).unwrap();
        assert!((turned.to.0 - DVec2::new(0.0, 3.0)).length() < 1e-9, "{turned:?}");
        assert!((turned.turn - FRAC_PI_2).abs() < 1e-9);
        // A place on what grows is farther from its middle.
        let grown = Pose { scale: DVec2::new(2.0, 1.0), ..platform(0.5, 0.0, 1.0) };
        assert_eq!(carried(grown).unwrap().to.0, DVec2::new(6.5, 0.0));
        // A push of the walker itself is kept.
        let pushed = (feet.0 + 0.25 * DVec2::Y, 1.0);
        let both = ride.carried(&platform(0.5, 0.0, 1.0), pushed).unwrap();
        assert_eq!(both.to, (DVec2::new(3.5, 0.25), 1.0));
        // One of both was put elsewhere.
        assert_eq!(carried(platform(16.5, 0.0, 1.0)), None);
        assert_eq!(ride.carried(&platform(0.5, 0.0, 1.0), (DVec2::ZERO, 1.0)), None);
    }
}
