//! Terrain from a custom field: a heightmap, interpolated by cubic B-splines, so that its slopes
//! are exact as well.
//!
//! `cargo run --release --example custom_field`,
//! `cargo run --release --example custom_field -- PICTURE`

use std::process::ExitCode;

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use bevy_orogeny::orogeny::{Field, Sample};
use bevy_orogeny::prelude::*;
use image::ImageReader;

const KEYS: &str =
    "custom_field: W A S D fly, Q E down and up, Shift faster, right mouse button looks";
const PICTURE: &str = "assets/heightmaps/island.png";
/// The distance between neighbouring pixels in metres.
const SPACING: f64 = 24.0;
/// The heights of black and of white in metres.
const BLACK: f32 = -120.0;
const WHITE: f32 = 1280.0;

/// Uniform cubic B-splines over the pixels of a picture: twice continuously differentiable. Beyond
/// the picture, its edge pixels are repeated.
struct Heightmap {
    heights: Vec<f32>,
    size: [usize; 2],
}

impl Heightmap {
    fn read(path: &str) -> Result<Self, String> {
        let failed = |error: &dyn std::fmt::Display| format!("{path}: {error}");
        let reader = ImageReader::open(path).map_err(|error| failed(&error))?;
        let picture = reader.decode().map_err(|error| failed(&error))?.into_luma16();
        let size = [picture.width() as usize, picture.height() as usize];
        let heights =
            picture.iter().map(|&grey| BLACK + (WHITE - BLACK) * f32::from(grey) / 65535.0);
        Ok(Self { heights: heights.collect(), size })
    }

    fn pixel(&self, x: i64, z: i64) -> f32 {
        let [x, z] = [(x, self.size[0]), (z, self.size[1])]
            .map(|(at, size)| at.clamp(0, size as i64 - 1) as usize);
        self.heights[z * self.size[0] + x]
    }
}

/// The weights of four pixels in a row, and their derivatives, for a point between the middle two.
fn weights(t: f32) -> [[f32; 2]; 4] {
    let u = 1.0 - t;
    [
        [u * u * u / 6.0, -u * u / 2.0],
        [(3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0, 1.5 * t * t - 2.0 * t],
        [(3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0, 2.0 * u - 1.5 * u * u],
        [t * t * t / 6.0, t * t / 2.0],
    ]
}

/// The only required method: height in metres and slopes at (x, z) in metres.
impl Field<2> for Heightmap {
    fn sample(&self, position: [f64; 2]) -> Sample<2> {
        // In pixels, with the centre of the picture at the origin.
        let at = [0, 1].map(|k| position[k] / SPACING + (self.size[k] - 1) as f64 / 2.0);
        let cell = at.map(|at| at.floor() as i64);
        let [along_x, along_z] = [0, 1].map(|k| weights((at[k] - at[k].floor()) as f32));
        let mut sum = Sample { value: 0.0, gradient: [0.0; 2] };
        for (j, [wz, dz]) in (-1..).zip(along_z) {
            for (i, [wx, dx]) in (-1..).zip(along_x) {
                let height = self.pixel(cell[0] + i, cell[1] + j);
                sum.value += wx * wz * height;
                sum.gradient[0] += dx * wz * height / SPACING as f32;
                sum.gradient[1] += wx * dz * height / SPACING as f32;
            }
        }
        sum
    }
}

fn main() -> ExitCode {
    let path = std::env::args().nth(1).unwrap_or_else(|| PICTURE.into());
    let island = match Heightmap::read(&path) {
        Ok(island) => Terrain::field(island).with_sea(0.0),
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let window = Window { title: KEYS.into(), ..default() };
    App::new()
        .add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .add_plugins((FreeCameraPlugin, TerrainPlugin))
        .insert_resource(ClearColor(Color::srgb(0.5, 0.68, 0.85)))
        .insert_resource(GlobalAmbientLight { brightness: 600.0, ..default() })
        .add_systems(Startup, move |mut commands: Commands| {
            commands.spawn(island.clone());
            commands.spawn((
                Camera3d::default(),
                TerrainViewer::default(),
                FreeCamera { walk_speed: 50.0, run_speed: 500.0, ..default() },
                Transform::from_xyz(2600.0, 900.0, 2600.0)
                    .looking_at(Vec3::new(0.0, 150.0, 0.0), Vec3::Y),
            ));
            commands.spawn((
                DirectionalLight::default(),
                Transform::default().looking_to(Vec3::new(-0.9, -0.6, 0.2), Vec3::Y),
            ));
        })
        .run();
    ExitCode::SUCCESS
}
