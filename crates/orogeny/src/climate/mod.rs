//! The climate: how warm and how moist it is, for lands, cover and what grows.
//!
//! [`Climate`] is plain data, and [`ClimateField`] in climate_field.rs is what it builds: two
//! fields, and the climate at a place on them, given the ground there.

mod climate_field;

use alloc::borrow::Cow;

pub use climate_field::{ClimateField, ClimatePoint};

use crate::error::DataError;
use crate::fractal::Fractal;
use crate::limits::{Parameters, parameters};
use crate::node::Node;
use crate::node::compile::World;
use crate::noise::GradientNoise;

parameters! {
    /// The temperature and the moisture, for lands, cover and kinds of plants that are limited to
    /// some climates.
    ///
    /// At a height of h metres above the terrain's origin
    ///
    /// T = T0 - `lapse_rate` h / 1000 + `sunny_side` s,
    ///
    /// T0 = `temperature` + `warm_patches` n,
    ///
    /// M = `moisture` + `moist_patches` m, clamped to 0 to 1.
    ///
    /// Here s is the component along z of the ground's unit normal, so 0 on level ground and 1 on a
    /// cliff that faces the noon sun, which stands towards +z; n and m are two noises from -1 to 1
    /// with features of `patch_size`. Heights and slopes are those that cover depends on.
    ///
    /// Fields take the place of T0 and of M where they are given. In a recipe, nodes name T0 and M,
    /// before it is clamped, by [`Node::Named`]: "temperature" and "moisture". T0 is limited to
    /// -120 to 120 °C.
    ///
    /// Cover depends on the temperature of the season, T + `season` `season_range`. Lands, plants
    /// and the banks of rivers depend on T, because trees stay where they are in winter.
    ///
    /// By default it depends on the height only: it gets 6.5 K colder per kilometre, as in the
    /// International Standard Atmosphere (ISO 2533).
    ///
    /// ```
    /// use orogeny::{Climate, Field, Node, Sample};
    /// use orogeny::node::Wave;
    ///
    /// // Zones of latitude: from 28 °C to -12 °C over 1,000 km.
    /// let zones = Node::Wave(Wave { length: 2e6 }) * 20.0 + 8.0;
    /// let climate = Climate { temperature_field: Some(zones), ..Climate::default() }.build(7)?;
    /// let sea = Sample { value: 0.0, gradient: [0.0; 2] };
    /// assert_eq!(climate.at([0.0, 0.0], &sea).temperature, 28.0);
    /// assert_eq!(climate.at([0.0, 1e6], &sea).temperature, -12.0);
    /// assert!(climate.temperature().bounds().lipschitz < 1e-4);
    /// # Ok::<(), orogeny::DataError>(())
    /// ```
    pub struct Climate {
        /// T0 in °C. It replaces `temperature` and `warm_patches`.
        temperature_field: Option<Node> = None,
        /// M, 0 to 1. It replaces `moisture` and `moist_patches`.
        moisture_field: Option<Node> = None,
    }
    numbers {
        /// The mean temperature at the height of the terrain's origin.
        temperature: f32 = 10 "°C", -100 to 100;
        /// How much colder it gets with height.
        lapse_rate: f32 = 6.5 "K/km", -100 to 100;
        /// How much warmer a cliff that faces the noon sun (+z) is than level ground.
        sunny_side: f32 = 0 "K", -50 to 50;
        /// The amplitude of the temperature from region to region.
        warm_patches: f32 = 0 "K", 0 to 50;
        /// The mean moisture, from 0 for a desert to 1 for a wet forest.
        moisture: f32 = 0.5 "", 0 to 1;
        /// The amplitude of the moisture from region to region.
        moist_patches: f32 = 0 "", 0 to 1;
        /// The width of warm, cold, moist and dry regions.
        patch_size: f64 = 8000 "m", 50 to 1e7;
        /// The season: -1 is midwinter, 0 is spring and autumn, 1 is midsummer.
        season: f32 = 0 "", -1 to 1;
        /// How much warmer the ground is in midsummer than on average.
        season_range: f32 = 10 "K", 0 to 50;
    }
}

/// Keep the noises apart from each other, and from others of the same seed.
const WARMTH: u64 = 0xc11a_7e01;
const MOISTURE: u64 = 0xc11a_7e02;

/// The sum of octaves is mostly near 0. This factor, with a clamp, spreads it over -1 to 1.
const SPREAD: f32 = 2.5;

impl Climate {
    /// Checks the numbers. The fields are checked when they are built.
    ///
    /// # Errors
    /// The path of the first number outside its limits, such as `climate.moisture`.
    pub fn check(&self) -> Result<(), DataError> {
        self.check_numbers().map_err(|error| DataError::from(error).under("climate"))
    }

    /// Checks it and builds its fields, in the world of a seed, which is mixed into those of all
    /// noises.
    ///
    /// # Errors
    /// Numbers outside their limits, and the errors of [`Node::build`] in its fields.
    pub fn build(&self, seed: u64) -> Result<ClimateField, DataError> {
        self.build_in(&World { seed, ..World::default() })
    }

    pub(crate) fn build_in(&self, world: &World<'_>) -> Result<ClimateField, DataError> {
        self.check()?;
        ClimateField::new(self, world)
    }

    /// Whether both have the same temperature and moisture at height 0 on level ground. Then lands
    /// lie where they did.
    pub fn has_fields_of(&self, other: &Self) -> bool {
        self.temperature_node() == other.temperature_node()
            && self.moisture_node() == other.moisture_node()
    }

    /// Whether both are the same but for the season.
    pub fn has_mean_of(&self, other: &Self) -> bool {
        self.has_fields_of(other)
            && (self.lapse_rate, self.sunny_side) == (other.lapse_rate, other.sunny_side)
    }

    /// T0.
    pub(crate) fn temperature_node(&self) -> Cow<'_, Node> {
        let patches = || Cow::Owned(self.patches(self.temperature, self.warm_patches, WARMTH));
        self.temperature_field.as_ref().map_or_else(patches, Cow::Borrowed)
    }

    /// M, before it is clamped.
    pub(crate) fn moisture_node(&self) -> Cow<'_, Node> {
        let patches = || Cow::Owned(self.patches(self.moisture, self.moist_patches, MOISTURE));
        self.moisture_field.as_ref().map_or_else(patches, Cow::Borrowed)
    }

    fn patches(&self, mean: f32, amount: f32, seed: u64) -> Node {
        if amount == 0.0 {
            return Node::Constant(mean);
        }
        let noise = Fractal::fbm(3.0, GradientNoise::seeded(seed));
        let noise = Node::from(Fractal { frequency: 1.0 / self.patch_size, ..noise });
        // Rounded corners: lands have smooth weights along it.
        (noise * SPREAD).clamp(-1.0, 1.0, 0.25) * amount + mean
    }
}
