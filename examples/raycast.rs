//! Draws a preset on the CPU, with a ray for each pixel and another one to the sun: no mesh, no display, no driver.
//!
//! `cargo run --release --example raycast -- ridges --out raycast.png`, `cargo run --release --example raycast -- --help`

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use bevy::prelude::*;
use bevy_orogeny::normal;
use bevy_orogeny::orogeny::{
    Cast, Cover, CoverPlace, Field, Hit, Ray as GroundRay, RaycastError, Recipe, Sample, Tree,
    raycast,
};
use clap::Parser;
use image::RgbImage;
use indicatif::ProgressBar;
use rayon::prelude::*;

/// How far a ray may miss the ground, in metres, and how far it goes.
const TOLERANCE: f64 = 0.05;
const RANGE: f64 = 40_000.0;
const SHADOW_RANGE: f64 = 8000.0;
/// To the sun, late in the morning.
const SUN: Vec3 = Vec3::new(0.75, 0.42, 0.52);
const PITCH: f32 = -0.14;
/// Half of the view's height over its distance.
const TANGENT: f32 = 0.45;
/// At this distance a third of the ground's own colour is left, in metres.
const HAZE: f32 = 11_000.0;
const SKY: [Vec3; 2] = [Vec3::new(0.62, 0.74, 0.87), Vec3::new(0.16, 0.33, 0.62)];
const SUNLIGHT: Vec3 = Vec3::new(3.2, 2.9, 2.4);
const SKYLIGHT: Vec3 = Vec3::new(0.45, 0.55, 0.75);
/// The slopes of the ground without what is finer than 1, 2, 4.. metres.
const BANDS: usize = 10;

/// Draw a preset on the CPU, by raycasting its field.
#[derive(Parser)]
struct Args {
    /// The name of a file in assets/presets, without .terrain.ron
    #[arg(default_value = "ridges")]
    preset: String,
    /// Where the picture goes
    #[arg(long, value_name = "FILE", default_value = "raycast.png")]
    out: PathBuf,
    /// The picture's width in pixels
    #[arg(long, default_value_t = 960, value_parser = clap::value_parser!(u32).range(16..=8192))]
    width: u32,
    /// The picture's height in pixels
    #[arg(long, default_value_t = 540, value_parser = clap::value_parser!(u32).range(16..=8192))]
    height: u32,
    /// The camera's place, along x and z in metres
    #[arg(long, num_args = 2, value_names = ["X", "Z"], default_values_t = [0.0, 0.0], allow_negative_numbers = true)]
    at: Vec<f64>,
    /// Its height above the ground, in metres
    #[arg(long, default_value_t = 220.0)]
    above: f64,
    /// Where it looks, in degrees from -z to the right
    #[arg(long, default_value_t = 285.0, allow_negative_numbers = true)]
    heading: f32,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match draw(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn draw(args: &Args) -> Result<(), String> {
    let Args { width, height, .. } = *args;
    let file = format!("assets/presets/{}.terrain.ron", args.preset);
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
    let recipe = Recipe::from_ron(&text).map_err(|error| format!("{file}: {error}"))?;
    let field = recipe.build().map_err(|error| format!("{file}: {error}"))?;
    let ground = Ground::new(field, recipe.cover, 2.0 * TANGENT / height as f32);
    let [x, z] = [args.at[0], args.at[1]];
    let eye = [x, f64::from(ground.field.sample([x, z]).value) + args.above, z];
    let view = Quat::from_rotation_y(-args.heading.to_radians()) * Quat::from_rotation_x(PITCH);
    let bar = ProgressBar::new(height.into());
    let rows: Result<Vec<Vec<u8>>, RaycastError> = (0..height)
        .into_par_iter()
        .map(|j| {
            let row = (0..width).map(|i| {
                let from_middle = |k: u32, n: u32| (2 * k + 1) as f32 - n as f32;
                let [across, up] = [from_middle(i, width), -from_middle(j, height)];
                let scale = TANGENT / height as f32;
                let direction = view * Vec3::new(across * scale, up * scale, -1.0);
                pixel(&ground, eye, direction.normalize())
            });
            let row: Result<Vec<_>, _> = row.collect();
            bar.inc(1);
            Ok(row?.into_iter().flatten().collect())
        })
        .collect();
    let pixels = rows.map_err(|error| format!("{file}: {error}"))?.concat();
    bar.finish_and_clear();
    let picture = RgbImage::from_raw(width, height, pixels).expect("a colour for each pixel");
    picture.save(&args.out).map_err(|error| format!("--out {}: {error}", args.out.display()))?;
    println!("{}", args.out.display());
    Ok(())
}

/// The ground as it is seen: exact heights, and slopes that are no finer than a pixel.
struct Ground {
    field: Tree<2>,
    cover: Cover,
    /// The field whose curvature decides what covers it.
    smooth: Arc<dyn Field<2> + Send + Sync>,
    bands: [Option<Arc<dyn Field<2> + Send + Sync>>; BANDS],
    /// The width of a pixel at a distance of 1.
    pixel: f32,
}

impl Ground {
    fn new(field: Tree<2>, cover: Cover, pixel: f32) -> Self {
        let bands = std::array::from_fn(|k| field.band_limited(f64::from(1 << k)));
        let smooth = field.band_limited(CoverPlace::SCALE);
        let smooth = smooth.unwrap_or_else(|| Arc::new(field.clone()));
        Self { field, cover, smooth, bands, pixel }
    }

    /// Where a ray first meets the ground.
    fn cast(
        &self,
        origin: [f64; 3],
        direction: Vec3,
        max_distance: f64,
    ) -> Result<Option<Hit>, RaycastError> {
        let direction = direction.to_array().map(f64::from);
        let ray = GroundRay { origin, direction, max_distance };
        raycast(&self.field, &ray, TOLERANCE).map(Cast::hit)
    }

    /// The colour of what covers the ground, as the plugin's material has it from farther away than its grain is seen.
    fn colour(&self, hit: &Hit, [dx, dz]: [f32; 2]) -> Vec3 {
        let [x, height, z] = hit.position;
        let place = CoverPlace {
            height: height as f32,
            slope: dx.hypot(dz),
            curvature: CoverPlace::curvature_of(&self.smooth, [x, z], CoverPlace::SCALE),
            position: [x, z],
        };
        let layers = self.cover.layers.iter().zip(self.cover.weights(&place));
        layers
            .map(|(layer, weight)| {
                let [r, g, b] = layer.colour();
                weight * LinearRgba::from(Srgba::rgb(r, g, b)).to_vec3()
            })
            .sum()
    }

    /// The slopes that a pixel shows.
    fn slopes(&self, hit: &Hit) -> Sample<2> {
        let width = hit.distance as f32 * self.pixel;
        let band = (width.max(1.0).log2() as usize).min(BANDS - 1);
        let [x, _, z] = hit.position;
        match &self.bands[band] {
            Some(field) if width >= 1.0 => field.sample([x, z]),
            _ => hit.ground,
        }
    }
}

/// The colour that a ray meets.
fn pixel(ground: &Ground, eye: [f64; 3], direction: Vec3) -> Result<[u8; 3], RaycastError> {
    let sky = SKY[0].lerp(SKY[1], direction.y.clamp(0.0, 0.6) / 0.6);
    let seen = match ground.cast(eye, direction, RANGE)? {
        None => sky,
        Some(hit) => {
            let slopes = ground.slopes(&hit);
            let normal = normal(slopes);
            // A little off the ground, so as not to meet it at once.
            let [x, y, z] = hit.position;
            let sunlit = ground.cast([x, y + 0.5, z], SUN, SHADOW_RANGE)?.is_none();
            let sunlight = if sunlit { normal.dot(SUN.normalize()).max(0.0) } else { 0.0 };
            let light = sunlight * SUNLIGHT + (0.5 + 0.5 * normal.y) * SKYLIGHT;
            let haze = (-hit.distance as f32 / HAZE).exp();
            SKY[0].lerp(light * ground.colour(&hit, slopes.gradient), haze)
        }
    };
    let seen = Srgba::from(LinearRgba::from_vec3(seen / (1.0 + 0.35 * seen)));
    Ok([seen.red, seen.green, seen.blue].map(|x| (255.0 * x.clamp(0.0, 1.0)).round() as u8))
}
