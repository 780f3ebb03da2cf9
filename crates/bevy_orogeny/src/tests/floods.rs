//! The water of floods: its surface on chunks, and what queries know of it.

use std::collections::HashMap;
use std::sync::Arc;

use bevy_math::Vec3;
use bevy_mesh::{Mesh, VertexAttributeValues};
use orogeny::drainage::WaterKind;
use orogeny::edits::{Area, Disc, EditLog, Edits, Flood, Path, Rectangle};
use orogeny::{Field, Landscape, Sample};

use crate::chunk::key::{ChunkKey, Layout};
use crate::chunk::mesh::ChunkBuilder;
use crate::chunk::seams::Seams;
use crate::query::GroundQuery;
use crate::terrain::Terrain;

const LAYOUT: Layout = Layout { cells: 16, spacing: 2.0 };
/// The height of the crest of the dam, and of the water behind it.
const CREST: f32 = 12.0;

/// A valley along x that falls by 1 in 20 towards positive x, 1 m high 10 m beside its middle.
struct Valley;

impl Field<2> for Valley {
    fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
        let gradient = [-0.05, (0.02 * z) as f32];
        Sample { value: (0.01 * z * z - 0.05 * x) as f32, gradient }
    }
}

/// A dam across the valley, and water behind it.
fn edits() -> Edits {
    let mut log = EditLog::new();
    let crest = f64::from(CREST) + 1.0;
    let points = vec![[0.0, -60.0, crest], [0.0, 60.0, crest]];
    let dam = Path { points, width: 6.0, falloff: 8.0, ..Path::default() };
    log.add(1, dam).unwrap();
    let area = Area::Rectangle(Rectangle {
        center: [-150.0, 0.0],
        length: 300.0,
        width: 140.0,
        ..Rectangle::default()
    });
    log.add(1, Flood { area, level: CREST }).unwrap();
    log.edits()
}

#[test]
fn a_dam_makes_a_lake_up_to_its_crest() {
    let ground = GroundQuery::new(Arc::new(Valley), LAYOUT).unwrap().with_edits(edits());
    let mut counts = [0; 2];
    for x in (-250..100).step_by(7) {
        for z in (-60..60).step_by(7) {
            let p = [f64::from(x) + 0.3, f64::from(z) + 0.4];
            let height = f64::from(ground.field(p).unwrap().value);
            let water = ground.water(p).unwrap();
            let is_wet = p[0] < 0.0 && height < f64::from(CREST);
            assert_eq!(water.is_some(), is_wet, "{p:?}");
            if let Some(water) = water {
                assert_eq!((water.kind, water.surface), (WaterKind::Lake, f64::from(CREST)));
                assert_eq!(water.depth, water.surface - height);
                assert_eq!(water.flow, [0.0; 2]);
            }
            counts[usize::from(is_wet)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
}

/// Every cell of the ground with a wet corner has water: at the level of the flood, and as deep as
/// the ground is below it.
#[test]
fn the_surface_covers_all_that_is_under_water() {
    let ground = GroundQuery::new(Arc::new(Valley), LAYOUT).unwrap().with_edits(edits());
    let builder = ChunkBuilder::new(ground.landscape().clone(), LAYOUT, Seams::Morph, true);
    for lod in [0, 2] {
        let (size, mut wet) = (LAYOUT.size(lod), 0);
        let reach = (320.0 / size) as i64;
        for (x, z) in (-reach..reach).flat_map(|x| (-reach..reach).map(move |z| (x, z))) {
            let key = ChunkKey { lod, x, z };
            let built = builder.build(key).unwrap();
            let (origin, step) = (LAYOUT.origin(key), LAYOUT.spacing(lod));
            let (mut depths, mut area) = (HashMap::new(), 0.0);
            if let Some(water) = &built.water {
                let mesh = &water.mesh;
                let list = |attribute| mesh.attribute(attribute).unwrap();
                let positions = list(Mesh::ATTRIBUTE_POSITION).as_float3().unwrap();
                let VertexAttributeValues::Float32x2(sections) = list(Mesh::ATTRIBUTE_UV_0) else {
                    panic!("texture coordinates");
                };
                for ([x, y, z], [across, depth]) in positions.iter().zip(sections) {
                    assert_eq!((*y, *across), (CREST, 0.0));
                    let place = [x, z].map(|x| (f64::from(*x) / step) as i64);
                    depths.insert(place, *depth);
                }
                let indices: Vec<usize> = mesh.indices().unwrap().iter().collect();
                for corners in indices.chunks(3) {
                    let [a, b, c] = [0, 1, 2].map(|k| Vec3::from(positions[corners[k]]));
                    // Seen from above they run counterclockwise.
                    let twice = (b - a).cross(c - a).y;
                    assert!(twice > 0.0);
                    area += 0.5 * f64::from(twice);
                }
            }
            let depth = |i: usize, j: usize| depths.get(&[i as i64, j as i64]).copied();
            let is_flooded = |i, j| {
                let p = [origin[0] + i as f64 * step, origin[1] + j as f64 * step];
                p[0] <= 0.0 && p[0] >= -300.0 && p[1].abs() <= 70.0
            };
            let is_wet = |i, j| is_flooded(i, j) && depth(i, j).is_some_and(|depth| depth > 0.0);
            let cells = (0..16).flat_map(|i| (0..16).map(move |j| (i, j)));
            let wet_cells = cells.filter(|&(i, j)| {
                [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)].iter().any(|&(i, j)| is_wet(i, j))
            });
            // Two triangles in each cell with a wet corner, and no others.
            assert!((area - wet_cells.count() as f64 * step * step).abs() < 1e-3 * step, "{key:?}");
            for (i, j) in (0..=16).flat_map(|i| (0..=16).map(move |j| (i, j))) {
                let p = [origin[0] + i as f64 * step, origin[1] + j as f64 * step];
                let depth = CREST - ground.field(p).unwrap().value;
                let is_wet = ground.water(p).unwrap().is_some();
                match depths.get(&[i, j]) {
                    Some(drawn) => assert!((drawn - depth).abs() < 1e-4, "{p:?}"),
                    None => assert!(!is_wet, "{p:?}"),
                }
                wet += i32::from(is_wet);
            }
        }
        assert!(wet > 100, "{wet}");
    }
}

#[test]
fn the_latest_flood_drains_and_no_flood_leaves_no_mesh() {
    let ground = GroundQuery::new(Arc::new(Valley), LAYOUT).unwrap();
    let area = Area::Disc(Disc { center: [-40.0, 0.0], radius: 20.0, falloff: 1.0 });
    let at = |levels: &[f32]| {
        let mut log = EditLog::new();
        for &level in levels {
            log.add(1, Flood { area, level }).unwrap();
        }
        let ground = ground.with_edits(log.edits());
        ground.water([-40.0, 3.0]).unwrap().map(|water| water.surface)
    };
    assert_eq!(at(&[5.0]), Some(5.0));
    assert_eq!(at(&[5.0, 4.0]), Some(4.0));
    assert_eq!(at(&[5.0, -10.0]), None);

    let builder = ChunkBuilder::new(Landscape::of(Valley), LAYOUT, Seams::Morph, true);
    assert!(builder.build(ChunkKey { lod: 0, x: -1, z: 0 }).unwrap().water.is_none());
}

/// A flood that is not above the sea is the sea: it has no surface of its own, and queries say so.
#[test]
fn floods_in_the_sea_are_the_sea() {
    let area = Area::Disc(Disc { center: [0.0, 0.0], radius: 20.0, falloff: 1.0 });
    let key = ChunkKey { lod: 0, x: 0, z: 0 };
    let deep = 40.0;
    for (level, sea, is_lake) in [
        (deep, Some(deep), false),
        (deep - 1.0, Some(deep), false),
        (deep + 0.0005, Some(deep), false),
        (deep + 0.5, Some(deep), true),
        (deep, None, true),
        (deep, Some(deep - 30.0), true),
    ] {
        let mut log = EditLog::new();
        log.add(1, Flood { area, level }).unwrap();
        // Beside it, one that nearly has its level: the surface is one as well.
        let beside = Disc { center: [12.0, 0.0], radius: 15.0, falloff: 1.0 };
        log.add(1, Flood { area: Area::Disc(beside), level: level + 0.0002 }).unwrap();
        let mut terrain = Terrain::field(Valley);
        (terrain.cells, terrain.spacing) = (LAYOUT.cells, LAYOUT.spacing);
        let terrain = match sea {
            Some(sea) => terrain.with_sea(sea),
            None => terrain,
        };
        let ground = GroundQuery::of(&terrain).unwrap().with_edits(log.edits());
        let water = ground.water([3.0, 2.0]).unwrap().unwrap();
        let kind = if is_lake { WaterKind::Lake } else { WaterKind::Sea };
        assert_eq!(water.kind, kind, "{level} m in {sea:?}");

        let builder = ChunkBuilder::new(ground.landscape().clone(), LAYOUT, Seams::Morph, true);
        let built = builder.build(key).unwrap().water;
        assert_eq!(built.is_some(), is_lake, "{level} m in {sea:?}");
        let Some(water) = built else { continue };
        let positions = water.mesh.attribute(Mesh::ATTRIBUTE_POSITION).unwrap();
        let positions = positions.as_float3().unwrap();
        let mut places: Vec<_> = positions.iter().map(|[x, _, z]| [*x, *z]).collect();
        places.sort_by(|a, b| a.partial_cmp(b).unwrap());
        places.dedup();
        assert_eq!(places.len(), positions.len(), "two surfaces lie over each other");
    }
}
