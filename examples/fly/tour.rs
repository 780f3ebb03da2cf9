//! The guided flight over the world of many lands: a list of scenes, one after the other.

use std::str::FromStr;

use bevy::camera_controller::free_camera::FreeCameraState;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use bevy_orogeny::{TerrainQuery, WorldPosition};
use bevy_orogeny_panel::TerrainPanel;

use super::place::Place;
use super::sky::TimeOfDay;
use super::world::height;

/// The preset that the tour shows.
pub const PRESET: &str = "world";

/// How long a scene is, in seconds. Ten of them are three minutes.
const SECONDS: f32 = 18.0;
/// How long the picture is dark between two scenes, in seconds.
const DARK: f32 = 0.8;

/// A flight straight on.
struct Scene {
    caption: &'static str,
    /// Where it begins and where it goes, as for `--at`.
    from: &'static str,
    hour: f32,
    /// In metres per second.
    speed: f32,
}

const SCENES: [Scene; 10] = [
    Scene {
        caption: "Meadows below the range",
        from: "0,-2000,160,-8,-6",
        hour: 8.0,
        speed: 150.0,
    },
    Scene {
        caption: "Woods of the temperate zone",
        from: "-16000,12000,70,240,-7",
        hour: 9.0,
        speed: 70.0,
    },
    Scene { caption: "The range", from: "-14000,-11000,420,-40,-9", hour: 9.5, speed: 140.0 },
    Scene {
        caption: "Steppe in its rain shadow",
        from: "60000,-22000,60,20,-5",
        hour: 17.0,
        speed: 120.0,
    },
    Scene { caption: "Tundra", from: "-76000,-44000,40,60,-4", hour: 14.0, speed: 100.0 },
    Scene {
        caption: "Snow in the north",
        from: "28000,-44000,300,-40,-8",
        hour: 11.0,
        speed: 150.0,
    },
    Scene { caption: "Canyons", from: "60000,38000,260,60,-11", hour: 9.0, speed: 110.0 },
    Scene { caption: "Desert", from: "48000,64000,50,150,-5", hour: 16.5, speed: 80.0 },
    Scene { caption: "Savanna", from: "-28000,80000,25,200,-3", hour: 17.2, speed: 60.0 },
    Scene { caption: "Rain forest", from: "4000,76000,80,110,-8", hour: 11.0, speed: 80.0 },
];

/// The length of the tour in seconds.
pub const LENGTH: f32 = SECONDS * SCENES.len() as f32;

/// The part of the tour at a time: its scene, and the seconds since that began.
fn at(seconds: f32) -> (&'static Scene, f32) {
    let seconds = seconds.clamp(0.0, LENGTH - 1e-3);
    let scene = ((seconds / SECONDS) as usize).min(SCENES.len() - 1);
    (&SCENES[scene], seconds - SECONDS * scene as f32)
}

/// The time of day in hours at a time of the tour.
#[cfg(not(target_family = "wasm"))]
pub fn hour(seconds: f32) -> f32 {
    at(seconds).0.hour
}

/// The camera's position (x, height, z) and rotation at a time, given the height of the ground or
/// the sea at (x, z).
pub fn camera(height: impl Fn([f64; 2]) -> f32, seconds: f32) -> ([f64; 3], Quat) {
    let (scene, since) = at(seconds);
    let place = Place::from_str(scene.from).expect("a place");
    let rotation = place.rotation();
    let ahead = (rotation * Vec3::NEG_Z).xz().normalize_or_zero().as_dvec2();
    let along = |metres: f32| {
        let [x, z] = place.position;
        [x + ahead.x * f64::from(metres), z + ahead.y * f64::from(metres)]
    };
    let metres = scene.speed * since;
    let up = smooth_height(|metres| height(along(metres)), metres, 1.5 * scene.speed);
    let [x, z] = along(metres);
    ([x, f64::from(up + place.above), z], rotation)
}

/// The highest ground from a point on, without steps: the mean of stations around it, weighted by a
/// bump, each as high as it and the next two are.
fn smooth_height(height: impl Fn(f32) -> f32, metres: f32, step: f32) -> f32 {
    const REACH: f32 = 2.0;
    let at = metres / step;
    let first = (at - REACH).ceil() as i32;
    let heights: [f32; 7] = std::array::from_fn(|i| height(step * (first + i as i32) as f32));
    let (mut sum, mut whole) = (0.0, 0.0);
    for (i, next) in heights.windows(3).enumerate() {
        let from = (at - (first + i as i32) as f32) / REACH;
        let weight = (1.0 - from * from).max(0.0).powi(2);
        sum += weight * next.iter().copied().fold(f32::MIN, f32::max);
        whole += weight;
    }
    sum / whole
}

/// Flies the camera of a window through the tour. Any key ends it.
pub struct TourPlugin;

/// The seconds since the tour began; it is removed when it ends.
#[derive(Resource, Default)]
struct Tour(f32);

impl Plugin for TourPlugin {
    fn build(&self, app: &mut App) {
        let is_on = resource_exists::<Tour>;
        app.init_resource::<Tour>()
            .add_systems(Update, (fly, end).chain().run_if(is_on))
            .add_systems(EguiPrimaryContextPass, caption.run_if(is_on));
    }
}

fn fly(
    mut tour: ResMut<Tour>,
    time: Res<Time>,
    mut hour: ResMut<TimeOfDay>,
    terrains: TerrainQuery,
    mut cameras: Query<(&mut Transform, &mut WorldPosition), With<Camera3d>>,
) {
    if terrains.single().is_err() {
        return;
    }
    // A machine that draws two frames a second still sees all scenes.
    tour.0 += time.delta_secs().min(0.5);
    hour.set_if_neq(TimeOfDay(at(tour.0).0.hour));
    let height = |position| height(&terrains, position).unwrap_or_default();
    let (place, rotation) = camera(height, tour.0);
    for (mut transform, mut position) in &mut cameras {
        position.set(place);
        transform.rotation = rotation;
    }
}

/// Names the scene, and darkens the picture between two.
fn caption(
    mut contexts: EguiContexts,
    tour: Res<Tour>,
    panel: Option<Res<TerrainPanel>>,
) -> Result {
    let context = contexts.ctx_mut()?;
    let (scene, since) = at(tour.0);
    let screen = context.content_rect();
    let layer = egui::LayerId::new(egui::Order::Background, egui::Id::new("tour"));
    let painter = context.layer_painter(layer);
    let dark = (1.0 - since.min(SECONDS - since) / DARK).clamp(0.0, 1.0);
    painter.rect_filled(screen, 0.0, egui::Color32::from_black_alpha((255.0 * dark) as u8));
    // Above the panel, and beside it if there is room.
    let layer = egui::LayerId::new(egui::Order::Foreground, egui::Id::new("tour caption"));
    let painter = context.layer_painter(layer);
    let free = beside(screen, panel.and_then(|panel| panel.rect(context)));
    for (text, size, up) in
        [(scene.caption, 28.0, 48.0), ("Press any key to fly yourself", 14.0, 26.0)]
    {
        let at = free.right_bottom() - egui::vec2(MARGIN, up);
        let width = |size| {
            let font = egui::FontId::proportional(size);
            painter.layout_no_wrap(text.into(), font, egui::Color32::WHITE).size().x
        };
        // A narrow window gets smaller letters.
        let size = size * ((free.width() - 2.0 * MARGIN) / width(size)).clamp(0.2, 1.0);
        let font = egui::FontId::proportional(size);
        for (by, colour) in [(1.5, egui::Color32::BLACK), (0.0, egui::Color32::WHITE)] {
            let at = at + egui::vec2(by, by);
            painter.text(at, egui::Align2::RIGHT_BOTTOM, text, font.clone(), colour);
        }
    }
    Ok(())
}

/// The space between a caption and the sides of the screen, in points.
const MARGIN: f32 = 32.0;

/// The larger part of the screen to the right or to the left of the panel; all of it if both are
/// narrow.
fn beside(screen: egui::Rect, panel: Option<egui::Rect>) -> egui::Rect {
    const NARROW: f32 = 200.0;
    let Some(panel) = panel else { return screen };
    let right = screen.with_min_x(panel.right());
    let left = screen.with_max_x(panel.left());
    let wider = if right.width() >= left.width() { right } else { left };
    if wider.width() < NARROW { screen } else { wider }
}

/// Ends the tour where it is, at its end or by any key.
fn end(
    mut commands: Commands,
    tour: Res<Tour>,
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut states: Query<&mut FreeCameraState>,
) {
    let is_pressed =
        keys.get_just_pressed().next().is_some() || buttons.get_just_pressed().next().is_some();
    if is_pressed || tour.0 >= LENGTH {
        commands.remove_resource::<Tour>();
        // The camera looks on from here.
        states.iter_mut().for_each(|mut state| *state = FreeCameraState::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_scenes_are_places_and_together_three_minutes() {
        assert_eq!(LENGTH, 180.0);
        for scene in &SCENES {
            Place::from_str(scene.from)
                .unwrap_or_else(|error| panic!("{}: {error}", scene.caption));
        }
        assert_eq!(at(-1.0).0.caption, SCENES[0].caption);
        assert_eq!(at(1e9).0.caption, SCENES[9].caption);
    }

    #[test]
    fn captions_are_beside_the_panel() {
        let rect =
            |x0: f32, x1: f32| egui::Rect::from_min_max(egui::pos2(x0, 0.0), egui::pos2(x1, 700.0));
        let screen = rect(0.0, 1280.0);
        assert_eq!(beside(screen, None), screen);
        assert_eq!(beside(screen, Some(rect(8.0, 390.0))), rect(390.0, 1280.0));
        assert_eq!(beside(screen, Some(rect(900.0, 1272.0))), rect(0.0, 900.0));
        // A window that is hardly wider than the panel.
        let screen = rect(0.0, 480.0);
        assert_eq!(beside(screen, Some(rect(8.0, 390.0))), screen);
    }

    /// It neither jumps nor touches the ground, except from scene to scene.
    #[test]
    fn the_camera_flies_smoothly_above_the_ground() {
        let height = |[x, z]: [f64; 2]| (300.0 * ((x / 900.0).sin() + (z / 700.0).cos())) as f32;
        let mut last: Option<[f64; 3]> = None;
        for i in 0..(SECONDS * 60.0) as usize {
            let ([x, y, z], _) = camera(height, i as f32 / 60.0);
            assert!(y > f64::from(height([x, z])) + 20.0, "{i}");
            if let Some([_, before, _]) = last {
                assert!((y - before).abs() < 5.0, "{before} {y} at {i}");
            }
            last = Some([x, y, z]);
        }
    }
}
