//! The sun and the sky for a time of day.

use std::f32::consts::TAU;

use bevy::camera::Exposure;
use bevy::light::atmosphere::ScatteringMedium;
use bevy::light::light_consts::lux;
use bevy::light::{Atmosphere, CascadeShadowConfig, DirectionalLightShadowMap};
use bevy::prelude::*;
use bevy_orogeny::TerrainQuality;
use bevy_orogeny::{TerrainOrigin, TerrainQuery, TerrainViewer};
use bevy_orogeny_panel::{KeyLabels, Shortcuts, egui, reader};

use super::keys::{EARLIER, LATER};
use super::shadows;
use super::world::{Sky, WorldSettings, height};

/// The latitude in radians. The sun follows its path at an equinox.
const LATITUDE: f32 = 0.72;
/// Exposure values (EV100) at noon, at dusk and at night. One EV less doubles the brightness.
const EV_NOON: f32 = 13.0;
const EV_DUSK: f32 = 8.8;
const EV_NIGHT: f32 = 6.5;
/// Hours per second while a time key is held.
const SPEED: f32 = 1.5;

/// The time of day in hours, 0 to 24.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct TimeOfDay(pub f32);

pub struct SkyPlugin(pub TimeOfDay);

impl Plugin for SkyPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.0).add_systems(Startup, (spawn_sun, spawn_sky)).add_systems(
            Update,
            (turn.run_if(resource_exists::<KeyLabels>), (shine, expose, size_shadows, fit_shadows))
                .chain(),
        );
    }
}

impl TimeOfDay {
    /// The direction to the sun. It rises in the east, along x, and is in the south, along z, at
    /// noon.
    pub fn to_sun(self) -> Vec3 {
        let (sin, cos) = ((self.0 - 12.0) / 24.0 * TAU).sin_cos();
        // The sun moves on a circle that is tilted to the south by the latitude.
        let (south, up) = LATITUDE.sin_cos();
        Vec3::new(-sin, cos * up, cos * south)
    }

    /// The camera exposure (EV100) for this time of day.
    fn exposure(self) -> f32 {
        let height = self.to_sun().y;
        let day = (height / 0.35).clamp(0.0, 1.0).sqrt();
        // Twilight is short: eyes adapt while the sky is still bright.
        let night = (-height / 0.12).clamp(0.0, 1.0);
        EV_DUSK + (EV_NOON - EV_DUSK) * day + (EV_NIGHT - EV_DUSK) * night
    }
}

/// Spawns the sun. `shine` sets its direction and brightness.
fn spawn_sun(mut commands: Commands, quality: Res<TerrainQuality>) {
    let sun = DirectionalLight { shadow_normal_bias: shadows::NORMAL_BIAS, ..default() };
    commands.spawn((sun, shadows::cascades(0.0, &quality)));
}

/// Gives shadow maps the size of the quality.
fn size_shadows(quality: Res<TerrainQuality>, mut commands: Commands) {
    if quality.is_changed() {
        commands
            .insert_resource(DirectionalLightShadowMap { size: quality.clamped().shadow_map_size });
    }
}

/// Fits the shadow cascades to the camera's height above the ground.
fn fit_shadows(
    terrains: TerrainQuery,
    origin: Res<TerrainOrigin>,
    cameras: Query<&Transform, With<TerrainViewer>>,
    quality: Res<TerrainQuality>,
    mut suns: Query<&mut CascadeShadowConfig, With<DirectionalLight>>,
) {
    let above = |camera: &Transform| {
        let [x, y, z] = origin.position(camera.translation);
        Some(y as f32 - height(&terrains, [x, z])?)
    };
    // Over a hole they stay as they were.
    let Some(lowest) = cameras.iter().filter_map(above).reduce(f32::min) else { return };
    let wanted = shadows::cascades(lowest, &quality);
    for mut cascades in &mut suns {
        if cascades.bounds != wanted.bounds {
            *cascades = wanted.clone();
        }
    }
}

fn spawn_sky(
    mut commands: Commands,
    settings: Res<WorldSettings>,
    mut media: ResMut<Assets<ScatteringMedium>>,
) {
    match settings.sky {
        Sky::Atmosphere => {
            commands.spawn(Atmosphere::earth(media.add(ScatteringMedium::earth(256, 256))));
            // The camera's AtmosphereEnvironmentMapLight lights the ground from the sky.
            commands.insert_resource(GlobalAmbientLight::NONE);
        }
        Sky::Plain => {
            commands.insert_resource(ClearColor(Color::srgb(0.55, 0.71, 0.88)));
            commands.insert_resource(GlobalAmbientLight { brightness: 2000.0, ..default() });
        }
    }
}

/// Changes the time of day while a time key is held.
fn turn(keys: Shortcuts, time: Res<Time>, mut hour: ResMut<TimeOfDay>) {
    let way = f32::from(keys.pressed(LATER)) - f32::from(keys.pressed(EARLIER));
    if way != 0.0 {
        hour.0 = (hour.0 + way * SPEED * time.delta_secs()).rem_euclid(24.0);
    }
}

fn shine(
    hour: Res<TimeOfDay>,
    settings: Res<WorldSettings>,
    mut suns: Query<(&mut Transform, &mut DirectionalLight)>,
) {
    if !hour.is_changed() {
        return;
    }
    for (mut transform, mut sun) in &mut suns {
        let to_sun = hour.to_sun();
        *transform = Transform::default().looking_to(-to_sun, Vec3::Y);
        // A plain sky has no dusk, so the sun fades out as it sets. Below the horizon it must not
        // light mountains from below.
        let up = ((to_sun.y + 0.05) / 0.1).clamp(0.0, 1.0);
        sun.illuminance = match settings.sky {
            Sky::Atmosphere => lux::RAW_SUNLIGHT,
            Sky::Plain => lux::AMBIENT_DAYLIGHT * up,
        };
        sun.shadow_maps_enabled = to_sun.y > -0.02;
    }
}

fn expose(
    hour: Res<TimeOfDay>,
    settings: Res<WorldSettings>,
    mut cameras: Query<&mut Exposure, With<Camera3d>>,
) {
    if settings.sky == Sky::Atmosphere {
        for mut exposure in &mut cameras {
            let wanted = Exposure { ev100: hour.exposure() };
            if exposure.ev100 != wanted.ev100 {
                *exposure = wanted;
            }
        }
    }
}

/// Hours, from text such as 14:30, 14.5 or 14,5.
fn hours(text: &str) -> Option<f64> {
    let number = |text: &str| text.trim().replace(',', ".").parse::<f64>().ok();
    let Some((hours, minutes)) = text.split_once(':') else { return number(text) };
    Some(number(hours)? + number(minutes)? / 60.0)
}

/// The panel's tab.
pub fn show(mut ui: InMut<egui::Ui>, mut hour: ResMut<TimeOfDay>) {
    let mut edited = hour.0;
    ui.horizontal(|ui| {
        ui.label("Time of day");
        let slider = egui::Slider::new(&mut edited, 0.0..=24.0).custom_formatter(|hour, _| {
            let minutes = (hour * 60.0).round() as u32;
            format!("{:02}:{:02}", minutes / 60, minutes % 60)
        });
        let within = |text: &str| hours(text).filter(|hour| (0.0..=24.0).contains(hour));
        let slider = slider.custom_parser(reader(ui, within));
        ui.add(slider).on_hover_text("00:00 to 24:00. The keys [ and ] change it as well");
    });
    hour.set_if_neq(TimeOfDay(edited));
    let up = hour.to_sun().y.asin().to_degrees();
    let side = if up < 0.0 { "below" } else { "above" };
    ui.label(format!("The sun is {:.0}° {side} the horizon.", up.abs()));
}
