//! The climate at a chunk's vertices, for the selection of cover and canopy.

use bevy_mesh::{MeshVertexAttribute, VertexAttributeValues, VertexFormat};
use orogeny::climate::ClimateField;
use orogeny::{Grid, Samples};

use crate::slices::Pace;

/// The climate at a vertex of a chunk that geomorphs, at height 0 on level ground: the temperature
/// in units of 128 °C and the moisture, and then both at its target vertex at the next coarser
/// level. Only the chunks of terrains have it whose cover or far woods depend on a climate that
/// differs from place to place.
pub const ATTRIBUTE_CLIMATE: MeshVertexAttribute = MeshVertexAttribute::new(
    "Vertex_TerrainClimate",
    0x006f_726f_6765_6e05,
    VertexFormat::Snorm16x4,
);

/// The largest temperature in °C that [`ATTRIBUTE_CLIMATE`] can have.
const WARMEST: f32 = 128.0;

/// Scratch buffers.
pub(super) struct Scratch {
    temperature: Samples<2>,
    moisture: Samples<2>,
    packed: Vec<[i16; 2]>,
}

impl Default for Scratch {
    fn default() -> Self {
        let [temperature, moisture] = [(); 2].map(|()| Samples::values_only());
        Self { temperature, moisture, packed: Vec::new() }
    }
}

/// The values of [`ATTRIBUTE_CLIMATE`] for the vertices of a chunk.
pub(super) async fn vertices(
    climate: &ClimateField,
    grid: &Grid<2>,
    scratch: &mut Scratch,
    pace: Pace,
) -> VertexAttributeValues {
    let Scratch { temperature, moisture, packed } = scratch;
    pace.sample_grid(climate.temperature(), grid, temperature).await;
    pace.sample_grid(climate.moisture(), grid, moisture).await;
    let both = temperature.values().iter().zip(moisture.values());
    packed.clear();
    packed.extend(both.map(|(&temperature, &moisture)| {
        [pack(temperature / WARMEST), pack(moisture.clamp(0.0, 1.0))]
    }));
    // The indices of a target are those of its vertex, rounded down to even numbers.
    let side = grid.size[0];
    let rows = packed.chunks_exact(side).enumerate();
    let vertices = rows.flat_map(|(j, row)| {
        let targets = &packed[(j & !1) * side..][..side];
        row.iter().enumerate().map(|(i, &[t, m])| [t, m, targets[i & !1][0], targets[i & !1][1]])
    });
    VertexAttributeValues::Snorm16x4(vertices.collect())
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
        let mut scratch = Scratch::default();
        let found = vertices(&climate, &grid, &mut scratch, Pace::AtOnce);
        let found = bevy_tasks::block_on(found);
        let VertexAttributeValues::Snorm16x4(found) = found else { panic!("{found:?}") };
        for (k, [.., t, m]) in found.iter().enumerate() {
            let (i, j) = ((k % 33) & !1, (k / 33) & !1);
            assert_eq!([*t, *m], found[j * 33 + i][..2]);
        }
        let mut clamped = 0;
        for (p, packed) in grid.points().zip(found) {
            let [temperature, moisture, ..] = packed.map(|x| f32::from(x) / 32_767.0);
            let exact = climate.temperature().value(p);
            assert!((temperature * WARMEST - exact.clamp(-128.0, 128.0)).abs() < 3e-3, "{exact}");
            let exact = climate.moisture().value(p).clamp(0.0, 1.0);
            assert!((moisture - exact).abs() < 2e-5, "{exact}");
            clamped += usize::from(moisture == 0.0 || moisture == 1.0);
        }
        assert!(clamped > 10, "{clamped}");
    }
}
