//! The scripted flight without a GPU driver: its pictures are ray-cast on the CPU, with one ray for
//! each pixel, and one from the hit to the sun.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use bevy::prelude::*;
use bevy_orogeny::advanced::normal;
use bevy_orogeny::orogeny::cover::CoverPoint;
use bevy_orogeny::orogeny::limits::OutOfLimits;
use bevy_orogeny::orogeny::ray::{Cast, Hit, Ray as GroundRay, raycast};
use bevy_orogeny::orogeny::{Cover, Field, Landscape, Recipe, Sample, SharedField};
use image::RgbImage;
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::args::Args;
use super::sky::TimeOfDay;
use super::{presets, shots};

/// Ray casting is slow, so by default there are fewer and smaller pictures than with a GPU.
const SIZE: [u32; 2] = [480, 270];
const FRAMES: u32 = 3;

/// The tolerance of a ray, and the length of rays, in metres.
const TOLERANCE: f64 = 0.05;
const RANGE: f64 = 40_000.0;
const SHADOW_RANGE: f64 = 8000.0;
/// Half of the view's height divided by its distance.
const TANGENT: f32 = 0.45;
/// The distance in metres at which 1/e of the ground's own colour is left.
const HAZE: f32 = 20_000.0;
const SKY: [Vec3; 2] = [Vec3::new(0.62, 0.74, 0.87), Vec3::new(0.16, 0.33, 0.62)];
const SUNLIGHT: Vec3 = Vec3::new(3.2, 2.9, 2.4);
const SKYLIGHT: Vec3 = Vec3::new(0.45, 0.55, 0.75);
/// The number of band-limited fields: with slopes for a grid of 1, 2, 4.. metres.
const BANDS: usize = 10;
/// The absorption of light per metre of water, and the colour of deep water.
const ABSORPTION: Vec3 = Vec3::new(0.36, 0.085, 0.06);
const DEEP: Vec3 = Vec3::new(0.004, 0.026, 0.04);

/// Ray-casts and writes all pictures.
///
/// # Errors
/// A message for the user if a preset is not valid, or a folder or file cannot be written.
pub fn fly(args: &Args, preset: &str) -> Result<(), String> {
    let Args { out, .. } = args;
    let at = |error: &dyn std::fmt::Display| format!("--out {}: {error}", out.display());
    std::fs::create_dir_all(out).map_err(|error| at(&error))?;
    let size = args.size.unwrap_or(SIZE);
    let args = Args { frames: Some(args.frames.unwrap_or(FRAMES)), ..args.clone() };
    let shots = shots::list(&args, preset);
    println!(
        "Ray-casting on the CPU: {} pictures of {} x {} pixels, to {}",
        shots.len(),
        size[0],
        size[1],
        out.display()
    );
    let begun = Instant::now();
    let mut grounds = HashMap::new();
    for (i, shot) in shots.iter().enumerate() {
        if !grounds.contains_key(&shot.preset) {
            let ground = Ground::new(&presets::read(&shot.preset)?)?;
            grounds.insert(shot.preset.clone(), ground);
        }
        let ground = &grounds[&shot.preset];
        let camera = shots::camera(|position| ground.height(position) as f32, shot.part);
        let eye = Eye {
            position: camera.translation.to_array().map(f64::from),
            rotation: camera.rotation,
            // The ray caster cannot draw twilight, so keep the sun above the horizon.
            sun: TimeOfDay(shot.hour).to_sun().max(Vec3::new(-1.0, 0.1, -1.0)),
            size,
        };
        let bar = ProgressBar::new(size[1].into());
        let picture = ground.draw(&eye, || bar.inc(1))?;
        bar.finish_and_clear();
        let path = out.join(format!("{}.png", shot.name));
        picture.save(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let seconds = begun.elapsed().as_secs_f32();
        println!("{} of {}  {}  {seconds:.1} s", i + 1, shots.len(), path.display());
    }
    Ok(())
}

/// The camera of a picture.
#[derive(Clone, Copy, Debug)]
struct Eye {
    /// (x, height, z) in metres.
    position: [f64; 3],
    rotation: Quat,
    /// The direction to the sun.
    sun: Vec3,
    /// Width and height in pixels.
    size: [u32; 2],
}

/// The ground as it is drawn: exact heights, and slopes that are no finer than a pixel.
struct Ground {
    field: Landscape,
    cover: Cover,
    sea_level: Option<f64>,
    /// The field whose curvature selects the cover.
    smooth: SharedField<2>,
    bands: [Option<SharedField<2>>; BANDS],
}

impl Ground {
    /// # Errors
    /// What is wrong with the recipe.
    fn new(recipe: &Recipe) -> Result<Self, String> {
        let field = recipe.build().map_err(|error| error.to_string())?;
        let bands = std::array::from_fn(|k| field.band_limited(f64::from(1 << k)));
        let smooth = field.band_limited(CoverPoint::SCALE);
        let smooth = smooth.unwrap_or_else(|| Arc::new(field.clone()));
        let sea_level = recipe.sea_level.map(f64::from);
        Ok(Self { field, cover: recipe.cover.clone(), sea_level, smooth, bands })
    }

    /// The height of the ground or the sea, in metres.
    fn height(&self, position: [f64; 2]) -> f64 {
        f64::from(self.field.value(position)).max(self.sea_level.unwrap_or(f64::MIN))
    }

    /// Draws the picture of a camera. `row_done` is called after each row.
    ///
    /// # Errors
    /// Positions outside the limits of rays.
    fn draw(&self, eye: &Eye, row_done: impl Fn() + Sync) -> Result<RgbImage, String> {
        let [width, height] = eye.size;
        let scale = TANGENT / height as f32;
        let rows: Result<Vec<Vec<u8>>, OutOfLimits> = (0..height)
            .into_par_iter()
            .map(|j| {
                let row = (0..width).map(|i| {
                    let from_middle = |k: u32, n: u32| (2 * k + 1) as f32 - n as f32;
                    let [across, up] = [from_middle(i, width), -from_middle(j, height)];
                    let direction = eye.rotation * Vec3::new(across * scale, up * scale, -1.0);
                    self.pixel(eye, direction.normalize(), 2.0 * scale)
                });
                let row: Result<Vec<_>, _> = row.collect();
                row_done();
                Ok(row?.into_iter().flatten().collect())
            })
            .collect();
        let pixels = rows.map_err(|error| error.to_string())?.concat();
        Ok(RgbImage::from_raw(width, height, pixels).expect("a colour for each pixel"))
    }

    /// The first hit of a ray with the ground.
    fn cast(
        &self,
        origin: [f64; 3],
        direction: Vec3,
        max_distance: f64,
    ) -> Result<Option<Hit>, OutOfLimits> {
        let direction = direction.to_array().map(f64::from);
        let ray = GroundRay { origin, direction, max_distance };
        raycast(&self.field, &ray, TOLERANCE).map(Cast::hit)
    }

    /// The colour that a ray hits. `width` is the width of a pixel at a distance of 1.
    fn pixel(&self, eye: &Eye, direction: Vec3, width: f32) -> Result<[u8; 3], OutOfLimits> {
        let hit = self.cast(eye.position, direction, RANGE)?;
        let end = hit.as_ref().map_or(RANGE, |hit| hit.distance);
        let seen = match hit {
            Some(hit) => self.hazy(self.surface(&hit, eye.sun, direction, width)?, hit.distance),
            None => sky(direction),
        };
        let seen = match self.sea(eye.position, direction) {
            Some((distance, covers, reflected)) if distance < end => {
                seen.lerp(self.hazy(reflected, distance), covers)
            }
            _ => seen,
        };
        let seen = Srgba::from(LinearRgba::from_vec3(seen / (1.0 + 0.35 * seen)));
        Ok([seen.red, seen.green, seen.blue].map(|x| (255.0 * x.clamp(0.0, 1.0)).round() as u8))
    }

    /// The light from the ground, seen through the water above it, if any.
    fn surface(
        &self,
        hit: &Hit,
        sun: Vec3,
        direction: Vec3,
        width: f32,
    ) -> Result<Vec3, OutOfLimits> {
        let slopes = self.slopes(hit, width);
        // Start slightly above the ground, so that the ray does not hit it at once.
        let [x, y, z] = hit.position;
        let sunlit = self.cast([x, y + 0.5, z], sun, SHADOW_RANGE)?.is_none();
        let depth = self.sea_level.map_or(0.0, |level| (level - y).max(0.0)) as f32;
        let path = depth * (1.0 + 1.0 / (1.0 - (1.0 - direction.y.powi(2)) / 1.77).sqrt());
        let through = (-ABSORPTION * path).exp();
        let normal = normal(slopes).lerp(Vec3::Y, 1.0 - through.y).normalize();
        let sunlight = if sunlit { normal.dot(sun.normalize()).max(0.0) } else { 0.0 };
        let light = sunlight * SUNLIGHT + (0.5 + 0.5 * normal.y) * SKYLIGHT;
        let colour = self.colour(hit, slopes.gradient);
        Ok(light * (colour * through + DEEP * (1.0 - through)))
    }

    /// The distance of the sea in a direction, the opacity of its reflection, and the reflected
    /// colour.
    fn sea(&self, eye: [f64; 3], direction: Vec3) -> Option<(f64, f32, Vec3)> {
        let level = self.sea_level?;
        let distance = (level - eye[1]) / f64::from(direction.y);
        if distance <= 0.0 {
            return None;
        }
        // Schlick's approximation. Waves are not drawn, but some face the camera.
        let facing = (0.24 - direction.y).clamp(0.0, 1.0);
        let mirrored = Vec3::new(direction.x, -direction.y, direction.z);
        Some((distance, 0.02 + 0.98 * (1.0 - facing).powi(5), sky(mirrored)))
    }

    fn hazy(&self, seen: Vec3, distance: f64) -> Vec3 {
        SKY[0].lerp(seen, (-distance as f32 / HAZE).exp())
    }

    /// The colour of the cover, equal to that of the plugin's material from so far away that its
    /// details are not visible.
    fn colour(&self, hit: &Hit, [dx, dz]: [f32; 2]) -> Vec3 {
        let [x, height, z] = hit.position;
        let ground = Sample { value: height as f32, gradient: [dx, dz] };
        let climate = self.field.climate();
        let point = CoverPoint {
            height: height as f32,
            slope: dx.hypot(dz),
            curvature: CoverPoint::curvature_of(&self.smooth, [x, z], CoverPoint::SCALE),
            position: [x, z],
            climate: climate.in_season(climate.at([x, z], &ground)),
        };
        let layers = self.cover.layers.iter().zip(self.cover.weights(&point));
        layers
            .map(|(layer, weight)| {
                let [r, g, b] = layer.colour();
                weight * LinearRgba::from(Srgba::rgb(r, g, b)).to_vec3()
            })
            .sum()
    }

    /// The slopes that are visible at the width of a pixel.
    fn slopes(&self, hit: &Hit, width: f32) -> Sample<2> {
        let width = hit.distance as f32 * width;
        let band = (width.max(1.0).log2() as usize).min(BANDS - 1);
        let [x, _, z] = hit.position;
        match &self.bands[band] {
            Some(field) if width >= 1.0 => field.sample([x, z]),
            _ => hit.ground,
        }
    }
}

fn sky(direction: Vec3) -> Vec3 {
    SKY[0].lerp(SKY[1], direction.y.clamp(0.0, 0.6) / 0.6)
}
