//! The climate: how warm and how moist it is where things grow.

use alloc::vec::Vec;

use crate::derivative::sample::Sample;
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::parameters;
use crate::samples::grid::Grid;
use crate::scatter::variation::Variation;

parameters! {
    /// How warm and how moist it is, for kinds that grow only in some climates.
    ///
    /// At a height of h metres above the terrain's origin
    ///
    /// T = `temperature` - `lapse_rate` h / 1000 + `sunny_side` s + `warm_patches` n,
    ///
    /// M = `moisture` + `moist_patches` m, clamped to 0 to 1.
    ///
    /// Here s is the component along z of the ground's unit normal, so 0 on level ground and 1 on a
    /// cliff that faces the noon sun, which stands towards +z; n and m are two noises from -1 to 1
    /// with features of `patch_size`. Heights and slopes are those that cover depends on.
    ///
    /// By default it depends on the height only: it gets 6.5 K colder per kilometre, as in the
    /// International Standard Atmosphere (ISO 2533).
    pub struct Climate {}
    numbers {
        /// The mean temperature at the height of the terrain's origin.
        temperature: f32 = 10 "°C", -100 to 100;
        /// How much colder it is with height.
        lapse_rate: f32 = 6.5 "K/km", -100 to 100;
        /// The temperature of a cliff that faces +z, the noon sun, minus that of level ground.
        sunny_side: f32 = 0 "K", -50 to 50;
        /// How much warmer or colder it is from place to place, at most.
        warm_patches: f32 = 0 "K", 0 to 50;
        /// The mean moisture, from 0 for a desert to 1 for a wet forest.
        moisture: f32 = 0.5 "", 0 to 1;
        /// How much moister or drier it is from place to place, at most.
        moist_patches: f32 = 0 "", 0 to 1;
        /// The width of warm, cold, moist and dry regions.
        patch_size: f64 = 8000 "m", 50 to 1e7;
    }
}

/// The climate at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClimatePoint {
    /// The mean temperature in °C.
    pub temperature: f32,
    /// The moisture, 0 to 1.
    pub moisture: f32,
}

/// A climate, prepared for evaluation.
#[derive(Clone, Debug, Default)]
pub(super) struct PreparedClimate {
    climate: Climate,
    warmth: Option<Variation>,
    moisture: Option<Variation>,
}

/// Keep the noises apart from each other, and from others of the same seed.
const WARMTH: u64 = 0xc11a_7e01;
const MOISTURE: u64 = 0xc11a_7e02;

impl PreparedClimate {
    /// A checked climate in the world of a seed.
    ///
    /// # Errors
    /// None for numbers within their limits.
    pub fn new(climate: &Climate, world: u64) -> Result<Self, DataError> {
        let noise = |amount: f32, salt| {
            let noise = || Variation::new(world, salt, climate.patch_size);
            (amount > 0.0).then(noise).transpose()
        };
        let warmth = noise(climate.warm_patches, WARMTH)?;
        let moisture = noise(climate.moist_patches, MOISTURE)?;
        Ok(Self { climate: climate.clone(), warmth, moisture })
    }

    /// The climate at each point of a grid, of which the ground is given by index.
    pub fn on<'a>(
        &'a self,
        grid: &Grid<2>,
    ) -> impl Fn(usize, &Sample<2>) -> ClimatePoint + use<'a> {
        let noise = |of: &Option<Variation>| of.as_ref().map(|noise| noise.on(grid));
        let (warmth, moisture) = (noise(&self.warmth), noise(&self.moisture));
        move |i, ground| {
            let at = |noise: &Option<_>| noise.as_ref().map_or(0.0, |noise: &Vec<f32>| noise[i]);
            self.with(ground, at(&warmth), at(&moisture))
        }
    }

    /// The climate at a position with this ground.
    pub fn at(&self, position: [f64; 2], ground: &Sample<2>) -> ClimatePoint {
        let at = |noise: &Option<Variation>| noise.as_ref().map_or(0.0, |noise| noise.at(position));
        self.with(ground, at(&self.warmth), at(&self.moisture))
    }

    /// Bounds of the temperature and of the moisture on ground between two heights that is not
    /// steeper than a slope.
    pub fn range(&self, height: [f32; 2], slope: f32) -> [[f32; 2]; 2] {
        let climate = &self.climate;
        // A slope of 1e9 faces the sun as a cliff does, and its square is finite.
        let slope = if slope < 1e9 { slope } else { 1e9 };
        let facing = slope / (1.0 + slope * slope).sqrt();
        let varies = climate.sunny_side.abs() * facing + climate.warm_patches + 0.01;
        let at = height.map(|height| climate.temperature - climate.lapse_rate * height / 1000.0);
        let temperature = [at[0].min(at[1]) - varies, at[0].max(at[1]) + varies];
        let patches = climate.moist_patches;
        let moisture = [climate.moisture - patches, climate.moisture + patches];
        [temperature.map(|x| x.clamp(-900.0, 900.0)), moisture.map(|x| x.clamp(0.0, 1.0))]
    }

    fn with(&self, ground: &Sample<2>, warmth: f32, moisture: f32) -> ClimatePoint {
        let climate = &self.climate;
        let [x, z] = ground.gradient;
        let facing = -z / (1.0 + x * x + z * z).sqrt();
        let temperature = climate.temperature - climate.lapse_rate * ground.value / 1000.0
            + climate.sunny_side * facing
            + climate.warm_patches * warmth;
        // Within the limits of kinds that have no edge.
        let temperature = temperature.clamp(-900.0, 900.0);
        let moisture = climate.moisture + climate.moist_patches * moisture;
        ClimatePoint { temperature, moisture: moisture.clamp(0.0, 1.0) }
    }
}
