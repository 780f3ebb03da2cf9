//! Rings on water, which spread from what swims, wades or falls into it.

use std::collections::VecDeque;

use bevy_app::App;
use bevy_camera::Camera3d;
use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_math::{DVec2, Vec3, Vec4};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_render::render_resource::ShaderType;
use bevy_time::Time;
use bevy_transform::components::{GlobalTransform, Transform};

use super::scene::FitScene;
use crate::base::origin::TerrainOrigin;
use crate::base::schedule::{StreamTerrain, TerrainSystems};
use crate::query::terrain_query::TerrainQuery;

/// Rings spread on water from this entity: from what swims, wades or falls into it.
///
/// It stirs the water where a ball around it reaches through the surface of the sea, of a river or
/// of a lake, up to 80 m from a camera. The 16 latest rings are drawn.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::advanced::StirsWater;
///
/// fn swim(mut commands: Commands) {
///     let body = StirsWater { radius: 0.5, below: 0.2 };
///     commands.spawn((Transform::from_xyz(0.0, 0.4, 0.0), body));
/// }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[require(Transform)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct StirsWater {
    /// The radius of the ball in metres, 0 to 20; larger ones count as 20.
    pub radius: f32,
    /// How far the centre of the ball is below the entity's transform, in metres.
    pub below: f32,
}

impl Default for StirsWater {
    fn default() -> Self {
        Self { radius: 0.5, below: 0.0 }
    }
}

/// The most rings, as in `waves.wgsl`.
const MOST: usize = 16;
/// The largest radius of a body, and the distance from the nearest camera up to which it counts, in
/// metres.
const LARGEST: f32 = 20.0;
const SEEN: f32 = 80.0;
/// How long a ring is seen, in seconds, and how fast it spreads, in metres a second.
const LIFE: f32 = 4.0;
const SPREADS: f32 = 0.8;
/// The least time between two rings of a body in seconds, and the way in between in metres; and
/// the time after which one that floats in its place makes another.
const SOONEST: f32 = 0.25;
const WAY: f64 = 0.2;
const BOBS: f32 = 1.3;
/// The speed in metres a second from which rings are no steeper, the slope of those of a body of
/// 1 m that is so fast, and the part of it that one in its place makes.
const FAST: f32 = 3.0;
const STEEPEST: f32 = 0.5;
const STILL: f32 = 0.25;

/// A ring.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ring {
    /// Its centre in the world, in metres.
    at: DVec2,
    /// The radius at first, in metres.
    radius: f32,
    /// Its slope at first.
    slope: f32,
    /// In seconds.
    age: f32,
}

/// The rings that are seen, the oldest first.
#[derive(Resource, Default)]
pub(super) struct Rings(VecDeque<Ring>);

/// The rings that a material of water draws, in the format of `waves.wgsl`.
#[derive(ShaderType, Clone, Debug, PartialEq, Default)]
pub struct WaterRings {
    /// Their number, and padding.
    count: Vec4,
    /// Of each (x, z), the radius and the slope.
    all: [Vec4; MOST],
}

/// Where a body was when it made its last ring, and for how long it has been in the water since.
#[derive(Clone, Copy, Debug)]
struct Last {
    at: DVec2,
    since: f32,
}

impl Rings {
    /// Lets all rings spread, and forgets those that have faded.
    fn spread(&mut self, seconds: f32) {
        self.0.iter_mut().for_each(|ring| ring.age += seconds);
        self.0.retain(|ring| ring.age < LIFE);
    }

    /// Adds a ring, in the place of the oldest one if there are as many as can be drawn.
    fn add(&mut self, ring: Ring) {
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back(ring);
    }

    /// The rings, with an origin.
    pub fn uniform(&self, origin: &TerrainOrigin) -> WaterRings {
        let mut all = [Vec4::ZERO; MOST];
        for (drawn, ring) in all.iter_mut().zip(&self.0) {
            let place = origin.translation([ring.at.x, 0.0, ring.at.y]);
            let left = 1.0 - ring.age / LIFE;
            let radius = ring.radius + SPREADS * ring.age;
            *drawn = Vec4::new(place.x, place.z, radius, ring.slope * left * left);
        }
        WaterRings { count: Vec4::new(self.0.len() as f32, 0.0, 0.0, 0.0), all }
    }
}

impl Last {
    /// The slope of the ring that a body of a radius makes now, if it makes one. One that was not
    /// in the water before falls into it.
    fn slope(before: Option<Self>, at: DVec2, radius: f32) -> Option<f32> {
        let speed = match before {
            None => FAST,
            Some(Self { at: old, since }) => {
                let way = at.distance(old);
                let is_due = since >= SOONEST && way >= WAY || since >= BOBS;
                if !is_due {
                    return None;
                }
                way as f32 / since
            }
        };
        let part = STILL + (1.0 - STILL) * (speed / FAST).min(1.0);
        Some(STEEPEST * radius.min(1.0) * part)
    }
}

pub(super) fn build(app: &mut App) {
    app.init_resource::<Rings>()
        .register_type::<StirsWater>()
        .add_systems(StreamTerrain, stir.before(FitScene).in_set(TerrainSystems::Follow));
}

/// Adds rings around bodies at the surface of water.
fn stir(
    bodies: Query<(Entity, Ref<GlobalTransform>, &StirsWater)>,
    cameras: Query<&GlobalTransform, With<Camera3d>>,
    terrains: TerrainQuery,
    (time, origin): (Res<Time>, Res<TerrainOrigin>),
    mut rings: ResMut<Rings>,
    mut wet: Local<EntityHashMap<Last>>,
) {
    let seconds = time.delta_secs();
    if !rings.0.is_empty() {
        rings.spread(seconds);
    }
    if bodies.is_empty() {
        return;
    }
    wet.retain(|body, _| bodies.contains(*body));
    let is_seen =
        |place: Vec3| cameras.iter().any(|camera| camera.translation().distance(place) < SEEN);
    for (entity, place, body) in &bodies {
        let centre = place.translation() - body.below * Vec3::Y;
        let radius = body.radius.min(LARGEST);
        let [x, y, z] = origin.position(centre);
        // Where one that was just added is, is not known yet.
        let is_known = !place.is_added() && centre.is_finite();
        let is_wet = is_known && radius > 0.0 && is_seen(centre) && {
            let ground = terrains.shown().highest([x, z]);
            let water = ground.and_then(|ground| ground.water([x, z])).ok().flatten();
            water.is_some_and(|water| (water.surface - y).abs() < f64::from(radius))
        };
        if !is_wet {
            wet.remove(&entity);
            continue;
        }
        let at = DVec2::new(x, z);
        let before = wet.get(&entity).map(|last| Last { since: last.since + seconds, ..*last });
        if let Some(slope) = Last::slope(before, at, radius) {
            rings.add(Ring { at, radius: 0.5 * radius.min(1.0), slope, age: 0.0 });
            wet.insert(entity, Last { at, since: 0.0 });
        } else if let Some(before) = before {
            wet.insert(entity, before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_falls_in_moves_or_floats_makes_rings() {
        let at = DVec2::new(1e9, 3.0);
        let slope = |way: f64, since| Last::slope(Some(Last { at, since }), at + way, 1.0);
        assert_eq!(Last::slope(None, at, 1.0), Some(STEEPEST));
        assert_eq!(slope(0.0, 1.0), None);
        assert_eq!(slope(1.0, 0.1), None);
        assert_eq!(slope(0.0, 2.0), Some(STILL * STEEPEST));
        assert!(slope(0.5, 0.5).is_some_and(|s| s > STILL * STEEPEST && s < STEEPEST));
        assert_eq!(slope(9.0, 0.5), Some(STEEPEST));
    }

    #[test]
    fn rings_spread_fade_and_stay_where_they_are_in_the_world() {
        let mut rings = Rings::default();
        let ring = |x| Ring { at: DVec2::new(x, 0.0), radius: 0.25, slope: 0.4, age: 0.0 };
        for k in 0..MOST + 3 {
            rings.add(ring(k as f64));
        }
        let first = rings.uniform(&TerrainOrigin::default());
        assert_eq!((first.count.x, first.all[0]), (MOST as f32, Vec4::new(3.0, 0.0, 0.25, 0.4)));
        rings.spread(0.5 * LIFE);
        let later = rings.uniform(&TerrainOrigin::default()).all[0];
        assert!(later.z > first.all[0].z && later.w < 0.5 * first.all[0].w, "{later}");
        rings.spread(0.6 * LIFE);
        assert_eq!(rings.uniform(&TerrainOrigin::default()), WaterRings::default());
    }
}
