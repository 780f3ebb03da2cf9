//! The paint on a chunk, for the material.

use bevy_mesh::{MeshVertexAttribute, VertexAttributeValues, VertexFormat};
use orogeny::climate::ClimateField;
use orogeny::cover::{CoverPoint, Painting};
use orogeny::{Cover, Grid, Landscape, Sample, Samples};

/// What is painted over a vertex of a chunk that geomorphs: the weights of the 16 layers of cover,
/// 8 bits each, those of the first layer lowest. Only chunks with paint or banks have it.
pub const ATTRIBUTE_PAINT: MeshVertexAttribute =
    MeshVertexAttribute::new("Vertex_TerrainPaint", 0x006f_726f_6765_6e03, VertexFormat::Uint32x4);

/// What is painted over the morph target of a vertex, like [`ATTRIBUTE_PAINT`].
pub const ATTRIBUTE_TARGET_PAINT: MeshVertexAttribute = MeshVertexAttribute::new(
    "Vertex_TerrainTargetPaint",
    0x006f_726f_6765_6e04,
    VertexFormat::Uint32x4,
);

/// The words of a vertex's weights.
type Words = [u32; Cover::MAX_LAYERS / 4];

/// The largest distance between vertices, in metres, with which banks are drawn. Farther away they
/// are narrower than pixels.
const COARSEST: f64 = 64.0;

/// Scratch buffers of one worker thread.
#[derive(Default)]
pub(super) struct Scratch {
    paintings: Vec<Painting>,
    words: Vec<Words>,
}

/// The values of [`ATTRIBUTE_PAINT`] and of [`ATTRIBUTE_TARGET_PAINT`] for the vertices of a chunk,
/// whose samples are `surface`: banks of rivers, and paint over them. `None` if there is nothing.
pub(super) fn vertices(
    ground: &Landscape,
    grid: &Grid<2>,
    surface: &Samples<2>,
    scratch: &mut Scratch,
) -> Option<[VertexAttributeValues; 2]> {
    let Scratch { paintings, words } = scratch;
    ground.edits().painting_grid(grid, paintings);
    add_banks(ground, grid, surface, paintings);
    if paintings.iter().all(|painting| *painting == Painting::NONE) {
        return None;
    }
    words.clear();
    words.extend(paintings.iter().map(packed));
    let side = grid.size[0];
    let rows = words.chunks_exact(side).enumerate();
    let targets = rows.flat_map(|(j, row)| {
        let targets = &words[(j & !1) * side..][..side];
        (0..row.len()).map(|i| targets[i & !1])
    });
    Some([words.clone(), targets.collect()].map(VertexAttributeValues::Uint32x4))
}

/// Adds the banks of rivers below the paint.
fn add_banks(
    ground: &Landscape,
    grid: &Grid<2>,
    surface: &Samples<2>,
    paintings: &mut Vec<Painting>,
) {
    let (cover, rivers) = (&ground.appearance().cover, ground.rivers());
    let Some(rivers) = rivers.filter(|_| cover.has_banks() && grid.spacing[0] <= COARSEST) else {
        return;
    };
    let climate = ground.appearance().has_climates().then(|| ground.climate());
    let side = grid.size[0];
    rivers.bank_distances(grid, cover.bank_reach(), |i, distance| {
        let position = [grid.coordinate(0, i % side), grid.coordinate(1, i / side)];
        let painting = cover.banks(&bank_point(position, surface.get(i), climate), distance);
        if painting != Painting::NONE {
            paintings.resize(grid.len(), Painting::NONE);
            paintings[i] = painting.under(&paintings[i]);
        }
    });
}

/// What the cover of banks depends on.
fn bank_point(position: [f64; 2], ground: Sample<2>, climate: Option<&ClimateField>) -> CoverPoint {
    let Sample { value, gradient } = ground;
    let climate = climate.map(|field| field.at(position, &ground));
    let climate = climate.unwrap_or_default();
    let [dx, dz] = gradient;
    let slope = (dx * dx + dz * dz).sqrt();
    CoverPoint { height: value, slope, curvature: 0.0, position, climate }
}

/// The weights in steps of 1/255, rounded down, so that their sum is at most 1.
fn packed(painting: &Painting) -> Words {
    let step = |weight: f32| (weight * 255.0 + 0.01) as u8;
    core::array::from_fn(|word| {
        u32::from_le_bytes(core::array::from_fn(|i| step(painting.weights[4 * word + i])))
    })
}

#[cfg(test)]
mod tests {
    use orogeny::Node;
    use orogeny::edits::{Area, Disc, EditLog, Paint};

    use super::*;

    #[test]
    fn vertices_and_targets_have_their_paint() {
        let area = Area::Disc(Disc { center: [4.0, 2.0], radius: 0.0, falloff: 6.0 });
        let mut log = EditLog::new();
        log.add(1, Paint { area, layer: 14, ..Paint::default() }).unwrap();
        let edits = log.edits();
        let ground = Landscape::of(Node::Constant(0.0).build().unwrap()).with_edits(edits.clone());
        let grid = Grid::new([0.0; 2], 1.0, [9, 9]);
        let found = vertices(&ground, &grid, &Samples::new(), &mut Scratch::default());
        let Some([VertexAttributeValues::Uint32x4(own), VertexAttributeValues::Uint32x4(target)]) =
            found
        else {
            panic!("no paint")
        };
        for (k, (own, target)) in own.into_iter().zip(target).enumerate() {
            let (i, j) = (k % 9, k / 9);
            for (words, i, j) in [(own, i, j), (target, i & !1, j & !1)] {
                let [0, 0, 0, word] = words else { panic!("{words:?}") };
                let exact = edits.painting([i as f64, j as f64]).weights[14];
                let found = (word >> 16 & 255) as f32 / 255.0;
                assert!(word & !(255 << 16) == 0 && (exact - found).abs() < 1.0 / 255.0);
            }
        }
        let far = Grid::new([100.0; 2], 1.0, [9, 9]);
        assert!(vertices(&ground, &far, &Samples::new(), &mut Scratch::default()).is_none());
        let mut full = Painting::NONE;
        full.weights[0] = 1.0;
        assert_eq!(packed(&full), [255, 0, 0, 0]);
    }
}
