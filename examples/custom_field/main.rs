//! Terrain from a custom field: a heightmap, interpolated by cubic B-splines, so that its slopes
//! are exact as well.
//!
//! `cargo run --release --example custom_field`,
//! `cargo run --release --example custom_field -- FILE`: a picture, or what `orogeny export` has
//! written, at its scale.

mod file;

use std::path::PathBuf;
use std::process::ExitCode;

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use bevy_orogeny::orogeny::{Field, Sample};
use bevy_orogeny::prelude::*;
use clap::Parser;

use crate::file::Heights;

const KEYS: &str =
    "custom_field: W A S D to move, Q and E for down and up, Shift for speed, right mouse to look";

/// Fly over a heightmap.
#[derive(Parser)]
#[command(name = "custom_field")]
struct Args {
    /// A picture, or a PNG, .r16 or .f32 file of `orogeny export`, at its scale
    #[arg(value_name = "FILE", default_value = "assets/heightmaps/island.png")]
    file: PathBuf,
}

/// Uniform cubic B-splines over the pixels of a picture: twice continuously differentiable. Beyond
/// the picture, its edge pixels are repeated.
struct Heightmap(Heights);

impl Heightmap {
    fn pixel(&self, x: i64, z: i64) -> f32 {
        let Heights { heights, size, .. } = &self.0;
        let [x, z] =
            [(x, size[0]), (z, size[1])].map(|(at, size)| at.clamp(0, size as i64 - 1) as usize);
        heights[z * size[0] + x]
    }

    /// Half of the longer side in metres.
    fn half(&self) -> f64 {
        0.5 * self.0.spacing * self.0.size[0].max(self.0.size[1]) as f64
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
        let Heights { size, spacing, .. } = self.0;
        // In pixels, with the centre of the picture at the origin.
        let at = [0, 1].map(|k| position[k] / spacing + (size[k] - 1) as f64 / 2.0);
        let cell = at.map(|at| at.floor() as i64);
        let [along_x, along_z] = [0, 1].map(|k| weights((at[k] - at[k].floor()) as f32));
        let mut sum = Sample { value: 0.0, gradient: [0.0; 2] };
        for (j, [wz, dz]) in (-1..).zip(along_z) {
            for (i, [wx, dx]) in (-1..).zip(along_x) {
                let height = self.pixel(cell[0] + i, cell[1] + j);
                sum.value += wx * wz * height;
                sum.gradient[0] += dx * wz * height / spacing as f32;
                sum.gradient[1] += wx * dz * height / spacing as f32;
            }
        }
        sum
    }
}

fn main() -> ExitCode {
    let heights = match Heights::read(&Args::parse().file) {
        Ok(heights) => Heightmap(heights),
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    // Above a corner of the middle, whatever the scale is.
    let half = heights.half();
    let aside = 0.85 * half;
    let above = 0.29 * half + f64::from(heights.value([aside; 2]).max(0.0));
    let eye: Vec3 = [aside, above, aside].map(|at| at as f32).into();
    let island = Terrain::field(heights).with_sea(0.0);
    let window = Window { title: KEYS.into(), ..default() };
    App::new()
        .add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .add_plugins((FreeCameraPlugin, TerrainPlugins))
        .insert_resource(ClearColor(Color::srgb(0.5, 0.68, 0.85)))
        .insert_resource(GlobalAmbientLight { brightness: 600.0, ..default() })
        .add_systems(Startup, move |mut commands: Commands| {
            commands.spawn(island.clone());
            commands.spawn((
                Camera3d::default(),
                TerrainViewer::default(),
                FreeCamera { walk_speed: 50.0, run_speed: 500.0, ..default() },
                Transform::from_translation(eye)
                    .looking_at(Vec3::new(0.0, eye.y / 6.0, 0.0), Vec3::Y),
            ));
            commands.spawn((
                DirectionalLight::default(),
                Transform::default().looking_to(Vec3::new(-0.9, -0.6, 0.2), Vec3::Y),
            ));
        })
        .run();
    ExitCode::SUCCESS
}
