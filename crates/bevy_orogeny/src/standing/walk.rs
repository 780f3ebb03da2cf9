//! Walking without a physics engine: a component, and the system that moves it.

use bevy_ecs::prelude::*;
use bevy_math::{DVec2, Vec2};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_time::Time;
use bevy_transform::components::Transform;

use crate::query::terrain_query::TerrainQuery;
use crate::streaming::origin::TerrainOrigin;

/// A character that walks on the terrain. Add the system [`walk`] to move it.
///
/// Its feet are on the triangles of level 0, which are drawn around it. Its height is always that
/// of the ground below: it neither jumps nor falls. The entity must not have a parent.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::{TerrainWalker, walk};
///
/// fn steer(keys: Res<ButtonInput<KeyCode>>, mut walkers: Query<&mut TerrainWalker>) {
///     let speed = if keys.pressed(KeyCode::KeyW) { 1.4 } else { 0.0 };
///     for mut walker in &mut walkers {
///         walker.velocity = Vec2::new(0.0, -speed);
///     }
/// }
///
/// # let mut app = App::new();
/// app.add_systems(Update, (steer, walk).chain());
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[require(Transform)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct TerrainWalker {
    /// The desired horizontal velocity along x and z, in metres per second.
    pub velocity: Vec2,
    /// Height of the entity's origin above the ground in metres; for a camera, that of the eyes.
    pub height: f32,
    /// The steepest slope that it climbs, in radians from the horizontal.
    pub steepest: f32,
    /// The highest step that it climbs where the ground is steeper than `steepest`, in metres.
    pub step_height: f32,
    /// How far it has climbed since it last stood on ground that is not too steep, in metres.
    pub climbed: f32,
    /// The terrain to walk on. `None` takes the highest ground below each step.
    #[entities]
    pub terrain: Option<Entity>,
}

impl Default for TerrainWalker {
    /// A person: eyes at 1.7 m, slopes up to 45 degrees, steps up to 0.4 m.
    fn default() -> Self {
        Self {
            velocity: Vec2::ZERO,
            height: 1.7,
            steepest: std::f32::consts::FRAC_PI_4,
            step_height: 0.4,
            climbed: 0.0,
            terrain: None,
        }
    }
}

/// Moves each [`TerrainWalker`] on its terrain, or on the highest one if it names none. A walker
/// stands still where the ground has no answer.
pub fn walk(
    terrains: TerrainQuery,
    origin: Option<Res<TerrainOrigin>>,
    time: Res<Time>,
    mut walkers: Query<(&mut TerrainWalker, &mut Transform), Without<ChildOf>>,
) {
    let Some(origin) = origin else { return };
    let all = terrains.grounds(None);
    for (mut walker, mut transform) in &mut walkers {
        let named = walker.terrain.map(|terrain| terrains.grounds(Some(terrain)));
        let Ok(ground) = named.as_ref().unwrap_or(&all) else { continue };
        let [x, _, z] = origin.position(transform.translation);
        let way = (walker.velocity * time.delta_secs()).as_dvec2();
        let surface = |at: DVec2| ground.surface(at.to_array()).ok();
        // Written back only if it changes, so that change detection shows which walkers move.
        let mut next = *walker;
        if let Some((feet, height)) = next.go(surface, DVec2::new(x, z), way) {
            let feet = origin.translation([feet.x, height.into(), feet.y]);
            let eyes = feet.with_y(feet.y + walker.height);
            if eyes.is_finite() && eyes != transform.translation {
                transform.translation = eyes;
            }
        }
        walker.set_if_neq(next);
    }
}
