//! The climate at a place.

use crate::arrays::Each;
use crate::climate::Climate;
use crate::derivative::bounds::Bounds;
use crate::derivative::sample::Sample;
use crate::error::DataError;
use crate::field::Field;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::node::Node;
use crate::node::compile::{World, build};
use crate::node::tree::Tree;
use crate::samples::Samples;
use crate::samples::positions::Grid;

/// The climate at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClimatePoint {
    /// The mean temperature in °C.
    pub temperature: f32,
    /// The moisture, 0 to 1.
    pub moisture: f32,
}

/// A climate, prepared for evaluation: the result of [`Climate::build`]. A clone shares everything.
#[derive(Clone, Debug)]
pub struct ClimateField {
    /// Without its fields.
    numbers: Climate,
    temperature: Tree<2>,
    moisture: Tree<2>,
}

/// Temperatures are limited to this on either side, which is within the limits of bands that have
/// no edge.
const COLDEST: f32 = 900.0;
/// The same of temperatures at height 0, which shaders get in 16 bits.
const COLDEST_AT_SEA: f32 = 120.0;

impl ClimateField {
    /// A checked climate in a world.
    pub(super) fn new(climate: &Climate, world: &World<'_>) -> Result<Self, DataError> {
        let tree = |node: &Node, name: &str| {
            let tree = build(node, Some(world), None);
            tree.map_err(|error| error.under(name).under("climate"))
        };
        Ok(Self {
            temperature: tree(&climate.temperature_node(), "temperature_field")?,
            moisture: tree(&climate.moisture_node(), "moisture_field")?,
            numbers: Climate { temperature_field: None, moisture_field: None, ..*climate },
        })
    }

    /// The same fields with the numbers of another climate that
    /// [has the same](Climate::has_fields_of).
    pub fn with_numbers_of(&self, climate: &Climate) -> Self {
        let numbers = Climate { temperature_field: None, moisture_field: None, ..*climate };
        Self { numbers, ..self.clone() }
    }

    /// The temperature in °C at height 0 on level ground, over (x, z) in metres.
    pub fn temperature(&self) -> &Tree<2> {
        &self.temperature
    }

    /// The moisture over (x, z) in metres; values below 0 and above 1 count as 0 and 1.
    pub fn moisture(&self) -> &Tree<2> {
        &self.moisture
    }

    /// The climate at a position (x, z) with this ground.
    pub fn at(&self, position: [f64; 2], ground: &Sample<2>) -> ClimatePoint {
        self.with(ground, self.temperature.value(position), self.moisture.value(position))
    }

    /// The climate at each point of a grid, of which the ground is given by index.
    pub(crate) fn on<'a>(
        &'a self,
        grid: &Grid<2>,
    ) -> impl Fn(usize, &Sample<2>) -> ClimatePoint + use<'a> {
        let [temperature, moisture] = [&self.temperature, &self.moisture].map(|field| {
            let mut samples = Samples::values_only();
            field.sample_grid(grid, &mut samples);
            samples
        });
        move |i, ground| self.with(ground, temperature.values()[i], moisture.values()[i])
    }

    /// How much warmer the ground is in this season than on average, in K: what cover depends on.
    pub fn season(&self) -> f32 {
        self.numbers.season * self.numbers.season_range
    }

    /// The climate of this season, given the mean.
    pub fn in_season(&self, mean: ClimatePoint) -> ClimatePoint {
        let temperature = (mean.temperature + self.season()).clamp(-COLDEST, COLDEST);
        ClimatePoint { temperature, ..mean }
    }

    /// Bounds of the mean temperature and of the moisture around a position, on ground between two
    /// heights that is not steeper than a slope.
    pub(crate) fn range(
        &self,
        center: [f64; 2],
        radius: f64,
        height: [f32; 2],
        slope: f32,
    ) -> [[f32; 2]; 2] {
        let climate = &self.numbers;
        // A slope of 1e9 faces the sun as a cliff does, and its square is finite.
        let slope = if slope < 1e9 { slope } else { 1e9 };
        let facing = climate.sunny_side.abs() * slope / (1.0 + slope * slope).sqrt() + 0.01;
        let [cooler, warmer] = {
            let at = height.each(|height| -climate.lapse_rate * height / 1000.0);
            [at[0].min(at[1]) - facing, at[0].max(at[1]) + facing]
        };
        let Bounds { min, max, .. } = self.temperature.local_bounds(center, radius);
        let limited = [min, max].each(|x| (x as f32).clamp(-COLDEST_AT_SEA, COLDEST_AT_SEA));
        let temperature = [limited[0] + cooler, limited[1] + warmer];
        let Bounds { min, max, .. } = self.moisture.local_bounds(center, radius);
        let moisture = [min as f32 - 1e-3, max as f32 + 1e-3];
        [temperature.each(|x| x.clamp(-COLDEST, COLDEST)), moisture.each(|x| x.clamp(0.0, 1.0))]
    }

    fn with(&self, ground: &Sample<2>, temperature: f32, moisture: f32) -> ClimatePoint {
        let climate = &self.numbers;
        let [x, z] = ground.gradient;
        let facing = -z / (1.0 + x * x + z * z).sqrt();
        let temperature = temperature.clamp(-COLDEST_AT_SEA, COLDEST_AT_SEA)
            - climate.lapse_rate * ground.value / 1000.0
            + climate.sunny_side * facing;
        ClimatePoint {
            temperature: temperature.clamp(-COLDEST, COLDEST),
            moisture: moisture.clamp(0.0, 1.0),
        }
    }
}
