//! Walking without a physics engine: a component, and the system that moves it.

use bevy_ecs::prelude::*;
use bevy_math::{DVec2, Vec2, Vec3, Vec3Swizzles};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_time::Time;
use bevy_transform::components::Transform;
use orogeny::scatter::{Instance, Placement};

use super::obstacle::{Outline, Upright, WalkerObstacle};
use super::ride::{Carried, Ride, Riding};
use super::stride::Feet;
use super::surroundings::{Surroundings, TOLERANCE};
use crate::base::current_transforms::CurrentTransforms;
use crate::base::origin::TerrainOrigin;
use crate::base::world_position::WorldPosition;
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

/// What obstacles are placed by.
type Places<'w, 's> = (CurrentTransforms<'w, 's>, Query<'w, 's, &'static WorldPosition>);

/// The box of an obstacle, and the topmost entity above it.
pub struct Solid {
    obstacle: Entity,
    root: Entity,
    solid: Upright,
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
    mut solids: Local<Vec<Solid>>,
    mut obstacles: Local<Vec<Upright>>,
) {
    let Some(origin) = origin else { return };
    if moving.p1().is_empty() {
        return;
    }
    solids.clear();
    let (transforms, positions) = moving.p0();
    // By their current transforms: a server may not propagate any.
    solids.extend(boxes.iter().filter_map(|(obstacle, it)| {
        let (root, translation, below) = transforms.parts(obstacle)?;
        let at = match positions.get(root) {
            Ok(position) => position.current(translation, &origin),
            Err(_) => origin.position(translation),
        };
        let [x, y, z] = below.translation().to_array().map(f64::from);
        let solid = it.upright([at[0] + x, at[1] + y, at[2] + z], &below)?;
        Some(Solid { obstacle, root, solid })
    }));
    let all = terrains.shown().grounds(None);
    let time = time.delta_secs_f64();
    for (entity, mut walker, mut transform, mut position, mut ride) in &mut moving.p1() {
        let named = walker.terrain.map(|terrain| terrains.shown().grounds(Some(terrain)));
        let Ok(grounds) = named.as_ref().unwrap_or(&all) else { continue };
        let [x, y, z] = position.current(transform.translation, &origin);
        let mut next = *walker;
        let from = (DVec2::new(x, z), y - f64::from(next.height));
        // What it carries does not stop it, and it may be an obstacle for others.
        let others = || solids.iter().filter(|it| it.root != entity);
        let carried = ride.0.filter(|_| next.motion != WalkerMotion::Placed).and_then(|riding| {
            let below = others().find(|it| it.obstacle == riding.obstacle)?;
            riding.carried(&below.solid, from)
        });
        let (at, _) = carried.map_or(from, |carried| carried.to);
        let water = grounds.water(at.to_array());
        let flow = water.as_ref().map_or(DVec2::ZERO, |water| DVec2::from(water.flow));
        let way = next.velocity.as_dvec2() * time;
        let reach = way.length() + (flow * time).length() + f64::from(next.radius) + 1.0;
        let reach = if reach.is_finite() { reach.min(MAX_REACH) } else { MAX_REACH };
        let reach = reach + at.distance(from.0) + next.slide_reach(time).min(MAX_REACH);
        obstacles.clear();
        let near = |it: &Upright| it.at.distance(at) < reach + it.outline.reach();
        obstacles.extend(others().map(|it| it.solid).filter(near));
        if next.stops_at_plants {
            plants(grounds, at, reach, &mut obstacles);
        }
        let around = Surroundings {
            ground: |at: DVec2| grounds.footing(at.to_array()).ok(),
            water: water.map(|water| water.surface),
            flow,
            obstacles: &obstacles,
        };
        let start = carried.map_or(from, |carried| next.carried(&around, from, carried.to));
        if let Some((feet, height)) = next.go(&around, start, way, time) {
            let eyes = [feet.x, height + f64::from(next.height), feet.y];
            // Written back only if it changes, so that change detection shows which walkers move.
            if eyes.iter().all(|at| at.is_finite()) {
                let mut moved = *position;
                let translation = moved.go_to(eyes, &origin);
                position.set_if_neq(moved);
                if let Some(translation) = translation.filter(|to| *to != transform.translation) {
                    transform.translation = translation;
                }
            }
            let on = next.rides_on(others(), ride.0, (feet, height));
            ride.set_if_neq(Ride(on));
        }
        if let Some(Carried { turn, .. }) = carried
            && turn != 0.0
        {
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

    /// What carries it on: the obstacle that it stands on. One that it has jumped off carries it
    /// until it lands, as long as it is not below its top.
    fn rides_on<'a>(
        &self,
        mut solids: impl Iterator<Item = &'a Solid>,
        last: Option<Riding>,
        feet: Feet,
    ) -> Option<Riding> {
        let (at, height) = feet;
        let below = match self.motion {
            WalkerMotion::Stands => solids.find(|Solid { solid, .. }| {
                (solid.top - height).abs() <= TOLERANCE && solid.is_below(at)
            }),
            WalkerMotion::Falls { .. } => solids.find(|Solid { obstacle, solid, .. }| {
                last.is_some_and(|last| last.obstacle == *obstacle)
                    && height >= solid.top - f64::from(self.step_height)
            }),
            _ => None,
        };
        below.and_then(|Solid { obstacle, solid, .. }| Riding::on(*obstacle, solid, feet))
    }
}

/// The largest distance in metres from which obstacles are gathered, more than a walker goes in a
/// frame.
const MAX_REACH: f64 = 70.0;

/// Adds the trunks and rocks that come nearer than some metres to a point.
fn plants(grounds: &Grounds, at: DVec2, reach: f64, obstacles: &mut Vec<Upright>) {
    for ground in grounds.iter() {
        let Some(placement) = ground.query().solid_scatter() else { continue };
        let [dx, dy, dz] = ground.offset();
        let add = |it: Instance| {
            obstacles.extend(upright(&placement, &it).map(|solid| Upright {
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
