//! The sun and the sky.

use bevy::camera::Exposure;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::light::atmosphere::ScatteringMedium;
use bevy::light::light_consts::lux;
use bevy::light::{Atmosphere, AtmosphereEnvironmentMapLight, DirectionalLightShadowMap};
use bevy::pbr::AtmosphereSettings;
use bevy::prelude::*;
use bevy_orogeny::TerrainQuality;

use super::shadows;

/// Where the sun is.
#[derive(Clone, Copy, Debug)]
pub enum Sun {
    Morning,
    /// In the south.
    Noon,
    /// Eight degrees above the horizon, in the west.
    Dusk,
}

impl Sun {
    /// The direction of its light.
    fn direction(self) -> Vec3 {
        match self {
            Self::Morning => Vec3::new(-0.75, -0.42, -0.52),
            Self::Noon => Vec3::new(0.0, -0.75, -0.66),
            Self::Dusk => Vec3::new(0.98, -0.14, -0.12),
        }
    }

    /// The exposure (EV100) of pictures with a sky, as fly has it.
    fn exposure(self) -> f32 {
        match self {
            Self::Morning | Self::Noon => 13.0,
            Self::Dusk => 12.0,
        }
    }
}

/// Lights what is in the shade: with `sky` by the atmosphere. `range` is how far the camera sees in
/// metres.
pub fn add_sky(world: &mut World, camera: Entity, sky: bool, range: f64) {
    if !sky {
        world.insert_resource(ClearColor(Color::srgb(0.55, 0.71, 0.88)));
        world.insert_resource(GlobalAmbientLight { brightness: 2000.0, ..default() });
        return;
    }
    let medium = ScatteringMedium::earth(256, 256);
    let medium = world.resource_mut::<Assets<ScatteringMedium>>().add(medium);
    world.spawn(Atmosphere::earth(medium));
    world.insert_resource(DirectionalLightShadowMap { size: TerrainQuality::HIGH.shadow_map_size });
    world.insert_resource(GlobalAmbientLight::NONE);
    world.entity_mut(camera).insert((
        AtmosphereSettings { aerial_view_lut_max_distance: range as f32, ..default() },
        AtmosphereEnvironmentMapLight { size: UVec2::splat(128), ..default() },
        Tonemapping::AcesFitted,
    ));
}

/// Spawns the sun for a camera at a height above the ground.
pub fn add_sun(world: &mut World, camera: Entity, sun: Sun, above: f32, casts: bool) -> Entity {
    let place = Transform::default().looking_to(sun.direction(), Vec3::Y);
    let light = DirectionalLight { shadow_maps_enabled: casts, ..default() };
    if world.get::<AtmosphereSettings>(camera).is_none() {
        return world.spawn((light, place)).id();
    }
    world.entity_mut(camera).insert(Exposure { ev100: sun.exposure() });
    let shadow_normal_bias = shadows::NORMAL_BIAS;
    let light = DirectionalLight { illuminance: lux::RAW_SUNLIGHT, shadow_normal_bias, ..light };
    world.spawn((light, place, shadows::cascades(above, &TerrainQuality::HIGH))).id()
}
