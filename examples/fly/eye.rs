//! The camera adapts to shade, as eyes do: inside a wood there is a tenth of the light outside.

use std::time::Duration;

use bevy::math::cubic_splines::LinearSpline;
use bevy::post_process::auto_exposure::{
    AutoExposure, AutoExposureCompensationCurve, AutoExposurePlugin,
};
use bevy::prelude::*;

use super::world::{Sky, WorldSettings};

/// The mean luminance of a picture, as a binary logarithm, below which it is made brighter; and
/// that at which it is made brighter by `MOST` stops. Brighter scenes are left as the time of day
/// has them. All of these are sums of powers of two: Bevy accepts no curve with a gap, and rounding
/// would leave one.
const SHADE: f32 = -4.0;
const DARK: f32 = -7.5;
const MOST: f32 = 3.0;
/// The darkest and the brightest luminance that count.
const RANGE: [f32; 2] = [-12.0, 2.0];

pub struct EyePlugin;

/// Has cameras adapt within one frame, which takes this long. A picture that is drawn after a few
/// frames would be as bright as the place before it, and differ from machine to machine.
#[derive(Resource, Clone, Copy)]
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "pages write no pictures"))]
pub struct AdaptsAtOnce(pub Duration);

impl Plugin for EyePlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(AutoExposurePlugin).add_systems(Update, open);
    }
}

/// Gives new cameras their exposure.
fn open(
    mut commands: Commands,
    settings: Res<WorldSettings>,
    at_once: Option<Res<AdaptsAtOnce>>,
    cameras: Query<Entity, (With<Camera3d>, Without<AutoExposure>)>,
    mut curves: ResMut<Assets<AutoExposureCompensationCurve>>,
) {
    // A plain sky is that of machines without compute shaders.
    for camera in cameras.iter().filter(|_| settings.sky == Sky::Atmosphere) {
        // Without compensation, every picture would be as bright as grey cardboard.
        let kept = |luminance: f32| vec2(luminance, luminance);
        let points =
            [vec2(RANGE[0], RANGE[0] + MOST), vec2(DARK, DARK + MOST), kept(SHADE), kept(RANGE[1])];
        let curve = AutoExposureCompensationCurve::from_curve(LinearSpline::new(points))
            .expect("a curve that rises");
        let mut exposure = AutoExposure {
            range: RANGE[0]..=RANGE[1],
            speed_darken: 3.0,
            compensation_curve: curves.add(curve),
            ..default()
        };
        if let Some(AdaptsAtOnce(frame)) = at_once.as_deref() {
            // Within the transition distance, a frame goes this part of the way to the target: the
            // speed times the length of the frame, over the distance. Here it is all of the way.
            let distance = RANGE[1] - RANGE[0] + MOST;
            let speed = distance / frame.as_secs_f32();
            exposure.exponential_transition_distance = distance;
            (exposure.speed_brighten, exposure.speed_darken) = (speed, speed);
        }
        commands.entity(camera).insert(exposure);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_orogeny::TerrainEdits;

    /// The exposure after a frame, as Bevy's shader has it.
    fn after(frame: Duration, at_once: bool, target: f32) -> f32 {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin::default()))
            .init_asset::<AutoExposureCompensationCurve>()
            .insert_resource(WorldSettings {
                sky: Sky::Atmosphere,
                preset: String::new(),
                recipe: None,
                viewer: default(),
                edits: TerrainEdits::default(),
                scatter_density: 1.0,
                place: None,
            })
            .add_systems(Update, open);
        if at_once {
            app.insert_resource(AdaptsAtOnce(frame));
        }
        let camera = app.world_mut().spawn(Camera3d::default()).id();
        app.update();
        let exposure = app.world().get::<AutoExposure>(camera).unwrap();
        let speed = if target > 0.0 { exposure.speed_brighten } else { exposure.speed_darken };
        let way = speed * frame.as_secs_f32();
        let part = target * way / exposure.exponential_transition_distance;
        if target > 0.0 { part.min(way) } else { part.max(-way) }
    }

    #[test]
    fn pictures_do_not_wait_for_their_exposure() {
        let frame = Duration::from_secs_f32(1.0 / 60.0);
        for target in [-9.0, -0.5, 0.25, 3.0, 12.0] {
            assert!((after(frame, true, target) - target).abs() < 1e-3);
            assert!((after(frame, false, target) - target).abs() > 0.2);
        }
    }
}
