//! Walking without a physics engine: a component, and the systems that move it.

use bevy_ecs::prelude::*;
use bevy_log::warn_once;
use bevy_math::{DVec2, Vec2, Vec3, Vec3Swizzles};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_time::Time;
use bevy_transform::components::{GlobalTransform, Transform};
use orogeny::scatter::{Instance, Placement};

use super::obstacle::{Outline, Pose, Ride, Riding, Solid, Upright, WalkerObstacle};
use super::stride::{Feet, Surroundings, TOLERANCE};
use crate::base::origin::TerrainOrigin;
use crate::base::places::Places;
use crate::base::rebase::shift;
use crate::base::world_position::WorldPosition;
use crate::query::adopted_ground::AdoptedGround;
use crate::query::terrain_query::TerrainQuery;
use crate::query::terrains::Grounds;

/// A character that walks, jumps, falls and swims, without a physics engine. Add the system
/// [`walk`] to move it.
///
/// It stands on the triangles of level 0, which are drawn around it, and climbs slopes and steps up
/// to its limits. Down what is steeper it slides until it can walk again. Trunks and rocks stop it,
/// and so does every [`WalkerObstacle`]; one that moves carries whoever stands on it. In deep water
/// it swims, and drifts with the flow. Where the ground has no answer, such as beyond the edge of a
/// hole, it does not go. The entity must not have a parent. It keeps its place when the origin
/// moves, by its [`WorldPosition`].
///
/// Its ground is the one that is [shown](TerrainQuery::shown). In the frame in which new ground is
/// shown, a walker that would be below it is put on it; one that would be above it falls, or steps
/// down.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::{TerrainWalker, walk};
///
/// fn steer(keys: Res<ButtonInput<KeyCode>>, mut walkers: Query<&mut TerrainWalker>) {
///     let speed = if keys.pressed(KeyCode::KeyW) { 1.4 } else { 0.0 };
///     for mut walker in &mut walkers {
///         walker.velocity = Vec2::new(0.0, -speed);
///         walker.jump |= keys.just_pressed(KeyCode::Space);
///     }
/// }
///
/// # let mut app = App::new();
/// app.add_systems(Update, (steer, walk).chain());
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[require(Transform, WorldPosition, Ride)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct TerrainWalker {
    /// The desired horizontal velocity along x and z, in metres per second. Default: 0.
    pub velocity: Vec2,
    /// Makes it jump in the next frame, if it swims or stands. What falls or slides cannot jump. It
    /// is false again afterwards.
    pub jump: bool,
    /// Height of the entity's origin above the feet in metres; for a camera, that of the eyes.
    /// Default: 1.7.
    pub height: f32,
    /// Height of its head above the feet in metres. What hangs lower stops it. Default: 1.8.
    pub head: f32,
    /// The distance that it keeps from trunks, rocks and obstacles in metres. Default: 0.3.
    pub radius: f32,
    /// The steepest slope that it climbs, in radians from the horizontal. Default: 45 degrees.
    pub steepest: f32,
    /// The highest step that it climbs where the ground is steeper than `steepest`, or onto an
    /// obstacle, in metres. Where the ground falls away by more, it falls, or slides down what is
    /// too steep. Default: 0.4.
    pub step_height: f32,
    /// The speed with which it leaves the ground in a jump, in metres per second. Water does not
    /// slow it, so it gets out onto a bank. Default: 4.5, for 1 m.
    pub jump_speed: f32,
    /// The acceleration of its fall, in metres per second squared. Along a slope it slides with the
    /// part that leads down, without friction. Default: 9.81.
    pub gravity: f32,
    /// The depth of its feet when it swims, in metres; it wades through shallower water, and begins
    /// to swim where it is 0.1 m deeper. Default: 1.4.
    pub swim_depth: f32,
    /// Its speed when it swims, as a part of that on land. Wading is in between. Default: 0.4.
    pub swim_speed: f32,
    /// Whether trunks and rocks stop it: instances with a `solid_radius` and a `solid_height`.
    /// Default: true.
    pub stops_at_plants: bool,
    /// Whether it stands, falls, slides or swims. [`walk`] writes it. To move a walker to another
    /// place, insert [`SpawnOnGround`](crate::SpawnOnGround); or set its [`WorldPosition`], and
    /// this to [`WalkerMotion::Placed`] if it is to stand there.
    pub motion: WalkerMotion,
    /// How much higher it is than the last ground that was not too steep, in metres; negative
    /// where it is lower. [`walk`] writes it.
    pub climbed: f32,
    /// The terrain to walk on. `None` takes the highest ground below each step.
    #[entities]
    pub terrain: Option<Entity>,
}

/// What a [`TerrainWalker`] does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Default, Debug, Clone, PartialEq)]
pub enum WalkerMotion {
    /// It is put on the ground in the next frame, however high it is, or afloat in deep water.
    #[default]
    Placed,
    /// It stands or walks.
    Stands,
    /// It jumps or falls.
    Falls {
        /// Its speed upwards in metres per second.
        speed: f32,
    },
    /// It slides down ground that is too steep to walk, or is thrown over a bump of it. It has
    /// come down on it in a fall, or has walked down more than a step of it.
    Slides {
        /// In metres per second.
        velocity: Vec3,
    },
    /// It swims.
    Swims,
}

impl Default for TerrainWalker {
    /// A person. Each field says its default.
    fn default() -> Self {
        Self {
            velocity: Vec2::ZERO,
            jump: false,
            height: 1.7,
            head: 1.8,
            radius: 0.3,
            steepest: std::f32::consts::FRAC_PI_4,
            step_height: 0.4,
            jump_speed: 4.5,
            gravity: 9.81,
            swim_depth: 1.4,
            swim_speed: 0.4,
            stops_at_plants: true,
            motion: WalkerMotion::Placed,
            climbed: 0.0,
            terrain: None,
        }
    }
}

/// A walker, and what it stands on.
type Walker = (
    Entity,
    &'static mut TerrainWalker,
    &'static mut Transform,
    &'static mut WorldPosition,
    &'static mut Ride,
);

/// The obstacles of all entities, and those that are near a walker.
#[derive(Default)]
pub struct Solids {
    /// In the order of their entities.
    all: Vec<Solid>,
    /// Those of the last run.
    before: Vec<Solid>,
    near: Vec<Solid>,
    /// What stops the walker, with trunks and rocks.
    obstacles: Vec<Upright>,
}

impl Solids {
    /// Places all obstacles, by their current transforms: a server may not propagate any.
    fn place(&mut self, boxes: &Query<(Entity, &WalkerObstacle)>, places: &Places) {
        let Self { all, before, .. } = self;
        core::mem::swap(all, before);
        all.clear();
        all.extend(
            boxes.iter().filter_map(|(entity, obstacle)| {
                Solid::new(entity, obstacle, &places.get(entity)?)
            }),
        );
        all.sort_unstable_by_key(|it| it.obstacle);
        for solid in all {
            let old = before.binary_search_by_key(&solid.obstacle, |old| old.obstacle);
            old.into_iter().for_each(|old| solid.follow(&before[old]));
        }
    }
}

/// Moves each [`TerrainWalker`] on its terrain, or on the highest one if it names none. A walker
/// stands still where the ground has no answer.
///
/// The way is the same at any frame rate and at any distance from the origin: it is summed up in
/// the `f64` of the [`WorldPosition`], and the `Transform` follows. What a game, or physics, adds
/// to the translation between two runs moves the walker, too.
///
/// Run it after the systems that move obstacles, in `Update` or in `FixedUpdate`.
pub fn walk(
    terrains: TerrainQuery,
    origin: Option<Res<TerrainOrigin>>,
    time: Res<Time>,
    mut moving: ParamSet<(Places, Query<Walker, Without<ChildOf>>)>,
    boxes: Query<(Entity, &WalkerObstacle)>,
    children: Query<Entity, (With<TerrainWalker>, With<ChildOf>)>,
    mut solids: Local<Solids>,
) {
    let Some(origin) = origin else { return };
    if let Some(child) = children.iter().next() {
        warn_once!("{child} does not walk: a TerrainWalker must not have a parent");
    }
    if moving.p1().is_empty() {
        return;
    }
    solids.place(&boxes, &moving.p0());
    let Solids { all: solids, near, obstacles, .. } = &mut *solids;
    let all = terrains.shown().grounds(None);
    let time = time.delta_secs_f64();
    for (entity, mut walker, mut transform, mut position, mut ride) in &mut moving.p1() {
        let named = walker.terrain.map(|terrain| terrains.shown().grounds(Some(terrain)));
        let Ok(grounds) = named.as_ref().unwrap_or(&all) else { continue };
        let [x, y, z] = position.current(transform.translation, &origin);
        let mut next = *walker;
        let from = Feet { at: DVec2::new(x, z), height: y - f64::from(next.height) };
        let mut riding = ride.0.filter(|_| next.motion != WalkerMotion::Placed);
        let rides = |it: &&Solid| riding.is_some_and(|riding| riding.obstacle == it.obstacle);
        let end = solids.iter().find(rides).zip(riding);
        let end = end.and_then(|(below, riding)| riding.carried(&below.now, from));
        let at = end.map_or(from.at, |carried| carried.to.at);
        let water = grounds.water(at.to_array());
        let flow = water.as_ref().map_or(DVec2::ZERO, |water| DVec2::from(water.flow));
        let way = next.velocity.as_dvec2() * time;
        let reach = way.length() + (flow * time).length() + f64::from(next.radius) + 1.0;
        let reach = if reach.is_finite() { reach.min(MAX_REACH) } else { MAX_REACH };
        let reach = reach + at.distance(from.at) + next.slide_reach(time).min(MAX_REACH);
        let is_near = |it: &&Solid| {
            let Upright { at: middle, outline, .. } = it.now.upright;
            middle.distance(at) < reach + outline.reach() + it.way() || rides(it)
        };
        near.clear();
        // What it carries does not stop it, and it may be an obstacle for others.
        near.extend(solids.iter().filter(|it| it.root != entity).filter(is_near));
        obstacles.clear();
        if next.stops_at_plants {
            plants(grounds, at, reach, obstacles);
        }
        let plants = obstacles.len();
        let parts = next.parts(near);
        let (mut feet, mut turn) = (None, 0.0);
        for part in 1..=parts {
            let poses = |it: &Solid| (it.obstacle, it.after(f64::from(part) / f64::from(parts)));
            let poses = || near.iter().map(poses);
            obstacles.truncate(plants);
            obstacles.extend(poses().map(|(_, pose)| pose.upright));
            let around = Surroundings {
                ground: |at: DVec2| grounds.footing(at.to_array()).ok(),
                water: water.as_ref().map(|water| water.surface),
                flow,
                obstacles: &*obstacles,
            };
            let start = feet.unwrap_or(from);
            let carried = riding.and_then(|riding| {
                let (_, below) = poses().find(|(obstacle, _)| *obstacle == riding.obstacle)?;
                riding.carried(&below, start)
            });
            let start = carried.map_or(start, |carried| next.carried(&around, start, carried.to));
            let (way, time) = (way / f64::from(parts), time / f64::from(parts));
            let Some(end) = next.go(&around, start, way, time) else { break };
            feet = Some(end);
            turn += carried.map_or(0.0, |carried| carried.turn);
            riding = next.rides_on(poses(), riding, end);
        }
        if let Some(Feet { at, height }) = feet {
            let eyes = [at.x, height + f64::from(next.height), at.y];
            // Written back only if it changes, so that change detection shows which walkers move.
            if eyes.iter().all(|at| at.is_finite()) {
                let mut moved = *position;
                let translation = moved.go_to(eyes, &origin);
                position.set_if_neq(moved);
                if let Some(translation) = translation.filter(|to| *to != transform.translation) {
                    transform.translation = translation;
                }
            }
            ride.set_if_neq(Ride(riding));
        }
        if turn != 0.0 {
            // About the vertical axis, which turns from z to x.
            transform.rotate_y(-turn as f32);
        }
        walker.set_if_neq(next);
    }
}

impl TerrainWalker {
    /// How far it may slide in some seconds, in metres.
    fn slide_reach(&self, time: f64) -> f64 {
        match self.motion {
            WalkerMotion::Slides { velocity } => velocity.as_dvec3().xz().length() * time,
            _ => 0.0,
        }
    }

    /// In how many parts of its way it is looked at where obstacles move: in each, none moves by
    /// more than a stride or a step. One that is placed has not been there before.
    fn parts(&self, obstacles: &[Solid]) -> u32 {
        if self.motion == WalkerMotion::Placed {
            return 1;
        }
        let farthest = obstacles.iter().map(Solid::way).fold(0.0, f64::max);
        let longest = self.longest_stride().min(self.step().max(MIN_PART));
        (farthest / longest).ceil().clamp(1.0, MAX_PARTS) as u32
    }

    /// What carries it on: the obstacle that it stands on. One that it has jumped off carries it
    /// until it lands, as long as it is not below its top.
    fn rides_on(
        &self,
        mut poses: impl Iterator<Item = (Entity, Pose)>,
        last: Option<Riding>,
        feet: Feet,
    ) -> Option<Riding> {
        let Feet { at, height } = feet;
        let below = match self.motion {
            WalkerMotion::Stands => poses.find(|(_, Pose { upright, .. })| {
                (upright.top - height).abs() <= TOLERANCE && upright.is_below(at)
            }),
            WalkerMotion::Falls { .. } => poses.find(|(obstacle, Pose { upright, .. })| {
                last.is_some_and(|last| last.obstacle == *obstacle)
                    && height >= upright.top - f64::from(self.step_height)
            }),
            _ => None,
        };
        below.and_then(|(obstacle, pose)| Riding::on(obstacle, &pose, feet))
    }
}

/// The least length of a part of a way in metres, and the largest number of parts.
const MIN_PART: f64 = 0.05;
const MAX_PARTS: f64 = 64.0;

/// The largest distance in metres from which obstacles are gathered, more than a walker goes in a
/// frame.
const MAX_REACH: f64 = 70.0;

/// Adds the trunks and rocks that come nearer than some metres to a point.
fn plants(grounds: &Grounds, at: DVec2, reach: f64, obstacles: &mut Vec<Upright>) {
    for ground in grounds.iter() {
        let Some(placement) = ground.query().solid_scatter() else { continue };
        let [dx, dy, dz] = ground.offset();
        let add = |it: Instance| {
            obstacles.extend(upright(placement, &it).map(|solid| Upright {
                at: solid.at + DVec2::new(dx, dz),
                top: solid.top + dy,
                ..solid
            }));
        };
        // Beyond the limits of positions nothing grows.
        let _ = placement.each_solid_near([at.x - dx, at.y - dz], reach, add);
    }
}

/// The trunk or rock of an instance, from the terrain's origin. It reaches down to the centre of
/// the earth, since slopes have a lower side.
fn upright(placement: &Placement, instance: &Instance) -> Option<Upright> {
    let kind = placement.kind(instance.kind)?;
    let [radius, height] =
        [kind.solid_radius, kind.solid_height].map(|x| f64::from(x * instance.size));
    let ground = f64::from(placement.standing(instance).value);
    let outline = Outline::Circle(radius);
    let top = ground + height;
    let at = DVec2::from(instance.position);
    top.is_finite().then_some(Upright { at, outline, bottom: f64::NEG_INFINITY, top })
}

/// Lifts walkers that would be below new ground in the frame in which it is drawn. Where that is
/// too steep they slide, and those above it fall or step down, when they walk next.
pub(crate) fn lift(
    changed: Query<(), Changed<AdoptedGround>>,
    terrains: TerrainQuery,
    origin: Res<TerrainOrigin>,
    mut walkers: Query<(Entity, &mut TerrainWalker, &mut WorldPosition), Without<ChildOf>>,
    mut transforms: Query<(&mut Transform, &mut GlobalTransform)>,
    children: Query<&Children>,
) {
    if changed.is_empty() || walkers.is_empty() {
        return;
    }
    let all = terrains.shown().grounds(None);
    for (entity, mut walker, mut position) in &mut walkers {
        let named = walker.terrain.map(|terrain| terrains.shown().grounds(Some(terrain)));
        let Ok(grounds) = named.as_ref().unwrap_or(&all) else { continue };
        let Ok((transform, _)) = transforms.get(entity) else { continue };
        let old = transform.translation;
        let [x, y, z] = position.current(old, &origin);
        let Ok(floor) = grounds.footing([x, z]) else { continue };
        let eyes = floor.height + f64::from(walker.height);
        if eyes <= y || !eyes.is_finite() {
            continue;
        }
        let mut next = *walker;
        next.comes_up(&floor, y - f64::from(walker.height));
        walker.set_if_neq(next);
        if let Some(new) = position.go_to([x, eyes, z], &origin) {
            shift(entity, new - old, &mut transforms, &children);
            if let Ok((mut transform, _)) = transforms.get_mut(entity) {
                transform.translation = new;
            }
        }
    }
}
