//! The climate at a chunk's vertices, for the selection of cover and canopy.

use bevy_mesh::{MeshVertexAttribute, VertexAttributeValues, VertexFormat};
use orogeny::climate::ClimateField;
use orogeny::{Field, Grid, Samples};

/// The climate at a vertex of a chunk that geomorphs, at height 0 on level ground: the temperature
/// in units of [`WARMEST`], limited to -1 to 1, and the moisture. Only the chunks of terrains whose
/// cover depends on the climate have it. It does not morph, since it changes little between
/// vertices.
pub const ATTRIBUTE_CLIMATE: MeshVertexAttribute = MeshVertexAttribute::new(
    "Vertex_TerrainClimate",
    0x006f_726f_6765_6e05,
    VertexFormat::Snorm16x2,
);

/// The largest temperature in °C that [`ATTRIBUTE_CLIMATE`] can have.
pub const WARMEST: f32 = 128.0;

/// Scratch buffers of one worker thread.
pub(super) struct Scratch {
    temperature: Samples<2>,
    moisture: Samples<2>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self { temperature: Samples::values_only(), moisture: Samples::values_only() }
    }
}

/// The values of [`ATTRIBUTE_CLIMATE`] for the vertices of a chunk.
pub(super) fn vertices(
    climate: &ClimateField,
    grid: &Grid<2>,
    scratch: &mut Scratch,
) -> VertexAttributeValues {
    let Scratch { temperature, moisture } = scratch;
    climate.temperature().sample_grid(grid, temperature);
    climate.moisture().sample_grid(grid, moisture);
    let both = temperature.values().iter().zip(moisture.values());
    let packed = both.map(|(&temperature, &moisture)| {
        [pack(temperature / WARMEST), pack(moisture.clamp(0.0, 1.0))]
    });
    VertexAttributeValues::Snorm16x2(packed.collect())
}

/// Rounds to the nearest multiple of 1/32,767. NaN becomes 0.
fn pack(x: f32) -> i16 {
    (x.clamp(-1.0, 1.0) * 32_767.0).round_ties_even() as i16
}

#[cfg(test)]
mod tests {
    use orogeny::{Climate, Node};

    use super::*;

    #[test]
    fn vertices_have_the_climate_of_their_place() {
        let noise = Node::<2>::noise(1).fbm(2).frequency(1.0 / 3000.0);
        let climate = Climate {
            temperature_field: Some(noise.clone() * 200.0 + 10.0),
            moisture_field: Some(noise + 0.5),
            ..Climate::default()
        };
        let climate = climate.build(3).unwrap();
        let grid = Grid::new([-2e4, 7e3], 512.0, [33, 33]);
        let found = vertices(&climate, &grid, &mut Scratch::default());
        let VertexAttributeValues::Snorm16x2(found) = found else { panic!("{found:?}") };
        let mut clamped = 0;
        for (p, packed) in grid.points().zip(found) {
            let [temperature, moisture] = packed.map(|x| f32::from(x) / 32_767.0);
            let exact = climate.temperature().value(p);
            assert!((temperature * WARMEST - exact.clamp(-128.0, 128.0)).abs() < 3e-3, "{exact}");
            let exact = climate.moisture().value(p).clamp(0.0, 1.0);
            assert!((moisture - exact).abs() < 2e-5, "{exact}");
            clamped += usize::from(moisture == 0.0 || moisture == 1.0);
        }
        assert!(clamped > 10, "{clamped}");
    }
}
