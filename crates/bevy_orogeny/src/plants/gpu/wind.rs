//! What moves plants: the wind, and bodies from which they bend away. Vertex shaders read both in
//! the place of Bevy's meshes.

use bevy_camera::Camera3d;
use bevy_ecs::prelude::*;
use bevy_ecs::query::ROQueryItem;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::system::SystemParamItem;
use bevy_ecs::system::lifetimeless::SRes;
use bevy_math::{Vec3, Vec4};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_render::Extract;
use bevy_render::render_phase::{PhaseItem, RenderCommand, RenderCommandResult, TrackedRenderPass};
use bevy_render::render_resource::binding_types::uniform_buffer;
use bevy_render::render_resource::{
    BindGroupLayoutDescriptor, BindGroupLayoutEntries, ShaderStages, ShaderType,
};
use bevy_transform::components::GlobalTransform;

use super::buffers::Buffers;
use super::extract::Extracted;
use crate::render::wind::TerrainWind;

/// Plants bend away from this entity: blades and branches within a ball are pushed out of it. For
/// what walks through grass, with the ball at about knee height.
///
/// The 16 bodies nearest to cameras count. Plants stand up again when the body is gone.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::advanced::BendsPlants;
///
/// fn walk(mut commands: Commands) {
///     let body = BendsPlants { radius: 0.8, below: 1.2 };
///     commands.spawn((Transform::from_xyz(0.0, 1.7, 0.0), body));
/// }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
// As scenes name it.
#[type_path = "bevy_orogeny::plants::bend"]
pub struct BendsPlants {
    /// The radius of the ball in metres, 0 to 20; larger ones count as 20.
    pub radius: f32,
    /// How far the centre of the ball is below the entity's transform, in metres.
    pub below: f32,
}

impl Default for BendsPlants {
    fn default() -> Self {
        Self { radius: 0.8, below: 0.0 }
    }
}

/// The most bodies.
const MOST: usize = 16;
/// The largest radius in metres.
const LARGEST: f32 = 20.0;

/// The balls of the bodies nearest to cameras: their centres and radii.
fn nearest(bodies: impl Iterator<Item = (Vec3, BendsPlants)>, cameras: &[Vec3]) -> Vec<Vec4> {
    let balls = bodies.filter_map(|(place, BendsPlants { radius, below })| {
        let ball = (place - below * Vec3::Y).extend(radius);
        (ball.is_finite() && radius > 0.0).then(|| ball.with_w(radius.min(LARGEST)))
    });
    let off = |ball: &Vec4| {
        let all = cameras.iter().map(|camera| camera.distance_squared(ball.truncate()));
        all.fold(f32::INFINITY, f32::min)
    };
    let mut balls: Vec<(f32, Vec4)> = balls.map(|ball| (off(&ball), ball)).collect();
    balls.sort_by(|a, b| a.0.total_cmp(&b.0));
    balls.truncate(MOST);
    balls.into_iter().map(|(_, ball)| ball).collect()
}

/// Copies the bodies that bend plants into the renderer.
pub(super) fn copy_bodies(
    mut extracted: ResMut<Extracted>,
    bodies: Extract<Query<(&GlobalTransform, &BendsPlants)>>,
    cameras: Extract<Query<&GlobalTransform, With<Camera3d>>>,
) {
    extracted.bodies.clear();
    if bodies.is_empty() {
        return;
    }
    let cameras: Vec<Vec3> = cameras.iter().map(GlobalTransform::translation).collect();
    let bodies = bodies.iter().map(|(place, body)| (place.translation(), *body));
    extracted.bodies.extend(nearest(bodies, &cameras));
}

/// The wind and the bodies that bend plants, for vertex shaders.
#[derive(ShaderType, Clone, Copy, Default, PartialEq)]
pub struct Wind {
    /// Its direction, its strength, and the number of bodies.
    wind: Vec4,
    bodies: [Vec4; MOST],
}

impl Wind {
    pub fn new(wind: TerrainWind, balls: &[Vec4]) -> Self {
        let mut bodies = [Vec4::ZERO; MOST];
        bodies.iter_mut().zip(balls).for_each(|(body, ball)| *body = *ball);
        let wind = wind.valid();
        let [x, z] = wind.direction();
        let count = balls.len().min(bodies.len());
        Self { wind: Vec4::new(x, z, wind.strength, count as f32), bodies }
    }
}

/// What vertex shaders of plants read in the place of meshes: the wind.
pub(in crate::plants) fn layout() -> BindGroupLayoutDescriptor {
    let entries =
        BindGroupLayoutEntries::single(ShaderStages::VERTEX, uniform_buffer::<Wind>(false));
    BindGroupLayoutDescriptor::new("plants_wind", &entries)
}

/// Sets the wind, where Bevy has meshes.
pub(super) struct SetWind<const I: usize>;

impl<P: PhaseItem, const I: usize> RenderCommand<P> for SetWind<I> {
    type Param = SRes<Buffers>;
    type ViewQuery = ();
    type ItemQuery = ();

    fn render<'w>(
        _: &P,
        (): ROQueryItem<'w, '_, Self::ViewQuery>,
        _: Option<ROQueryItem<'w, '_, Self::ItemQuery>>,
        buffers: SystemParamItem<'w, '_, Self::Param>,
        pass: &mut TrackedRenderPass<'w>,
    ) -> RenderCommandResult {
        let Some(group) = &buffers.into_inner().wind_group else {
            return RenderCommandResult::Skip;
        };
        pass.set_bind_group(I, group, &[]);
        RenderCommandResult::Success
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_bodies_with_a_valid_radius_count() {
        let body = |x: f32, radius| (Vec3::X * x, BendsPlants { radius, below: 0.0 });
        let far = (0..40).rev().map(|k| body(10.0 + k as f32, 1.0));
        let odd = [body(0.0, f32::NAN), body(0.0, -1.0), body(f32::NAN, 1.0), body(1.0, 99.0)];
        let found = nearest(odd.into_iter().chain(far), &[Vec3::ZERO, Vec3::X * 49.0]);
        assert_eq!(found.len(), MOST);
        assert!(found.iter().all(|ball| ball.is_finite() && (1.0..=20.0).contains(&ball.w)));
        assert_eq!(found[0].x, 49.0);
        assert!(found.iter().any(|ball| ball.x == 1.0 && ball.w == 20.0));
        assert!(nearest(core::iter::empty(), &[]).is_empty());
        assert_eq!(nearest([body(3.0, 1.0)].into_iter(), &[]).len(), 1);
    }
}
