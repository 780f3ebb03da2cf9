//! The camera adapts to shade, as eyes do: inside a wood there is a tenth of the light outside.

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

impl Plugin for EyePlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(AutoExposurePlugin).add_systems(Update, open);
    }
}

/// Gives new cameras their exposure.
fn open(
    mut commands: Commands,
    settings: Res<WorldSettings>,
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
        commands.entity(camera).insert(AutoExposure {
            range: RANGE[0]..=RANGE[1],
            speed_darken: 3.0,
            compensation_curve: curves.add(curve),
            ..default()
        });
    }
}
