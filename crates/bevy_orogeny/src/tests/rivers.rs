//! The water of rivers and lakes: its surfaces on chunks, and what queries know of it.

use std::collections::HashSet;

use bevy_mesh::{Mesh, VertexAttributeValues};
use orogeny::drainage::{Drainage, RiverGround, WaterKind};
use orogeny::edits::{Area, Disc, EditLog, Flatten, Flood};
use orogeny::{Fractal, GradientNoise, Recipe, Region};

use crate::chunk::key::{ChunkKey, Layout};
use crate::chunk::mesh::ChunkBuilder;
use crate::chunk::paint::ATTRIBUTE_PAINT;
use crate::chunk::seams::Seams;
use crate::chunk::water_surface::WaterSurface;
use crate::query::GroundQuery;
use crate::terrain::Terrain;

const LAYOUT: Layout = Layout { cells: 32, spacing: 2.0 };
/// The lower left corner of the squares that are looked at, far from the origin.
const CORNER: [f64; 2] = [6_400_000.0, -1_280_000.0];

/// Hills with a river every 200 m, and gravel beside them.
fn recipe() -> Recipe {
    let hills = Fractal { frequency: 1e-5, ..Fractal::fbm(3.0, GradientNoise::seeded(2)) };
    let rivers = Drainage { spacing: 3200.0, lakes: 1.0, runoff: 2.0, ..Drainage::default() };
    let cover = "(field: Constant(0), cover: [(kind: Grass), (kind: Rock, slope: (min: 0.8)),
        (kind: Scree, bank: (max: 4, soft: 3))])";
    let cover = Recipe::from_ron(cover).unwrap().cover;
    Recipe { rivers: Some(rivers), cover, ..Recipe::new(5, 400.0, hills) }
}

fn builder(recipe: &Recipe) -> (ChunkBuilder, RiverGround) {
    let land = recipe.build().unwrap();
    let rivers = land.rivers().unwrap().clone();
    (ChunkBuilder::new(land, LAYOUT, Seams::Morph, true), rivers)
}

/// The chunks of a level in a square of so many metres.
fn chunks(lod: u8, side: f64) -> impl Iterator<Item = ChunkKey> {
    let size = LAYOUT.size(lod);
    let first = CORNER.map(|x| (x / size).round() as i64);
    let count = (side / size).round() as i64;
    (0..count * count).map(move |i| ChunkKey {
        lod,
        x: first[0] + i % count,
        z: first[1] + i / count,
    })
}

fn positions(mesh: &Mesh) -> &[[f32; 3]] {
    mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(VertexAttributeValues::as_float3).unwrap()
}

/// The places of the middle of a part at its start and at its end, and the height there.
fn ends(ribbons: &WaterSurface, key: ChunkKey) -> impl Iterator<Item = [[f64; 3]; 2]> {
    let origin = LAYOUT.origin(key);
    let middle = move |pair: &[[f32; 3]]| {
        let [x, y, z] = [0, 1, 2].map(|k| 0.5 * f64::from(pair[0][k] + pair[1][k]));
        [origin[0] + x, y, origin[1] + z]
    };
    positions(&ribbons.mesh).chunks(4).map(move |four| [middle(&four[..2]), middle(&four[2..])])
}

#[test]
fn ribbons_lie_on_the_water_and_never_rise() {
    let (builder, rivers) = builder(&recipe());
    for lod in [0, 2] {
        let (mut wet, mut dry) = (0, 0);
        for key in chunks(lod, 2048.0) {
            let Some(ribbons) = builder.build(key).unwrap().water else { continue };
            let (low, high) = (ribbons.aabb.min(), ribbons.aabb.max());
            for &[x, y, z] in positions(&ribbons.mesh) {
                let is_in = |k: usize, x: f32| (low[k] - 0.01..=high[k] + 0.01).contains(&x);
                assert!(is_in(0, x) && is_in(1, y) && is_in(2, z));
            }
            for [start, end] in ends(&ribbons, key) {
                assert!(end[1] <= start[1]);
                let [x, y, z] = [0, 1, 2].map(|k| 0.5 * (start[k] + end[k]));
                match rivers.water([x, z]) {
                    Some(water) if (water.surface - y).abs() < 0.3 => wet += 1,
                    // Another river beside it, at a confluence.
                    _ => dry += 1,
                }
            }
        }
        assert!(wet > 100 && dry * 50 < wet, "{dry} beside {wet} at level {lod}");
    }
}

/// Chunks of two levels beside each other have the same ends of parts, to the last bit that
/// vertices keep.
#[test]
fn ribbons_have_no_gaps_between_chunks_of_any_level() {
    let (builder, rivers) = builder(&recipe());
    let side = 2048.0;
    // A checkerboard of the largest chunks: every other one is divided.
    let keys = chunks(3, side).flat_map(|key| {
        let divided = (key.x + key.z) % 2 == 0;
        let count = if divided { 8 } else { 1 };
        let lod = if divided { 0 } else { 3 };
        (0..count * count).map(move |i| ChunkKey {
            lod,
            x: key.x * count + i % count,
            z: key.z * count + i / count,
        })
    });
    let (mut starts, mut all) = (HashSet::new(), Vec::new());
    // Positions in a chunk are rounded to less than a tenth of a millimetre.
    let rounded = |[x, _, z]: [f64; 3]| [x, z].map(|x| (x * 1000.0).round() as i64);
    for key in keys {
        let Some(ribbons) = builder.build(key).unwrap().water else { continue };
        for [start, end] in ends(&ribbons, key) {
            starts.insert(rounded(start));
            all.push(end);
        }
    }
    // A quarter of the spacing of level 3.
    const WIDE: f64 = 4.01;
    let mut last = 0;
    for end in &all {
        let [x, z] = rounded(*end);
        let is_there = (-1..=1).any(|i| (-1..=1).any(|j| starts.contains(&[x + i, z + j])));
        // Rivers leave the square, and those that become narrower than is drawn are left out.
        let inside = (0..2).all(|k| {
            let off = [end[0], end[2]][k] - CORNER[k];
            off > 1.0 && off < side - 1.0
        });
        let goes_on = || {
            let [x, z] = [end[0], end[2]];
            let parts = rivers.reaches(Region::around([x, z], [0.01; 2])).unwrap();
            parts.iter().any(|part| part.width[0].max(part.width[1]) >= WIDE)
        };
        if inside && !is_there {
            assert!(!goes_on(), "a gap at {end:?}");
            last += 1;
        }
    }
    assert!(all.len() > 200 && last * 20 < all.len(), "{last} of {}", all.len());
}

#[test]
fn queries_know_water_and_edits_dry_it_out() {
    let recipe = recipe();
    let ground = GroundQuery::of(&Terrain::recipe(recipe.clone())).unwrap();
    let land = recipe.build().unwrap();
    let parts = land
        .rivers()
        .unwrap()
        .reaches(Region { min: CORNER, max: CORNER.map(|x| x + 12e3) })
        .unwrap();
    let (mut kinds, mut widest) = (HashSet::new(), (0.0, [0.0; 2]));
    for part in parts.iter().filter(|part| part.width[0] > 1.0) {
        let p = part.ends[0];
        let Some(water) = ground.water(p).unwrap() else { continue };
        assert_eq!(Some(water), land.water(p));
        let height = f64::from(land.value(p));
        assert!((water.surface - water.depth - height).abs() < 1e-9 && water.depth > 0.0);
        kinds.insert(water.kind == WaterKind::Lake);
        if water.width > widest.0 {
            widest = (water.width, p);
        }
    }
    assert_eq!(kinds.len(), 2, "rivers and lakes");

    let mut log = EditLog::new();
    let area = Area::Disc(Disc { center: widest.1, radius: 20.0, falloff: 10.0 });
    log.add(1, Flatten { area, height: 1000.0, ..Flatten::default() }).unwrap();
    assert_eq!(ground.with_edits(log.edits()).water(widest.1), Ok(None));
}

/// The cover of banks is that of queries, in steps of 1/255.
#[test]
fn chunks_have_the_cover_of_queries_on_banks() {
    let recipe = recipe();
    let ground = GroundQuery::of(&Terrain::recipe(recipe.clone())).unwrap();
    let (builder, _) = builder(&recipe);
    let mut covered = 0;
    for key in chunks(0, 2048.0) {
        let mesh = builder.build(key).unwrap().mesh;
        let Some(VertexAttributeValues::Uint32x4(paint)) = mesh.attribute(ATTRIBUTE_PAINT) else {
            continue;
        };
        let origin = LAYOUT.origin(key);
        let side = LAYOUT.cells as usize + 1;
        for (i, words) in paint.iter().enumerate().step_by(7) {
            let step = |k: usize| origin[k] + LAYOUT.spacing * [i % side, i / side][k] as f64;
            // The third layer, over the first and the second.
            let weights = ground.cover([step(0), step(1)]).unwrap();
            let found = f64::from(words[0] >> 16 & 0xff) / 255.0;
            assert!((found - f64::from(weights[2])).abs() <= 1.01 / 255.0, "{found} {weights:?}");
            covered += i32::from(found > 0.5);
        }
    }
    assert!(covered > 50, "{covered}");
}

/// A flood at the level of a river, or below it, is the river; it has a surface of its own beside
/// the bed alone. A higher one is a lake.
#[test]
fn floods_join_rivers() {
    let Layout { cells, spacing } = LAYOUT;
    let terrain = Terrain { cells, spacing, ..Terrain::recipe(recipe()) };
    let natural = GroundQuery::of(&terrain).unwrap();
    let rivers = natural.rivers().unwrap().clone();
    let around = Region::around(CORNER, [600.0; 2]);
    let reaches = rivers.reaches(around).unwrap();
    let widest = reaches.iter().max_by(|a, b| a.width[0].total_cmp(&b.width[0])).unwrap();
    let center = [0, 1].map(|k| 0.5 * (widest.ends[0][k] + widest.ends[1][k]));
    let river = rivers.water(center).expect("the middle of a river");
    for (above, is_river) in [(0.0, true), (-0.1, true), (0.0005, true), (0.3, false)] {
        let level = (river.surface + above) as f32;
        let mut log = EditLog::new();
        let area = Area::Disc(Disc { center, radius: 40.0, falloff: 1.0 });
        log.add(1, Flood { area, level }).unwrap();
        let ground = natural.with_edits(log.edits());
        let water = ground.water(center).unwrap().unwrap();
        assert_eq!(water.width == river.width, is_river, "{above} m above: {water:?}");

        let key = LAYOUT.key_at(0, center);
        let built = ChunkBuilder::new(ground.landscape().clone(), LAYOUT, Seams::Morph, true)
            .build(key)
            .unwrap();
        let water = built.water.expect("a river and a flood");
        let Some(VertexAttributeValues::Float32x2(sections)) =
            water.mesh.attribute(Mesh::ATTRIBUTE_UV_0)
        else {
            panic!("sections");
        };
        let origin = LAYOUT.origin(key);
        let indices: Vec<usize> = water.mesh.indices().unwrap().iter().collect();
        let is_in_river = |i: usize| {
            let [x, _, z] = positions(&water.mesh)[i];
            let p = [origin[0] + f64::from(x), origin[1] + f64::from(z)];
            rivers.water(p).is_some_and(|water| f64::from(level) <= water.surface + 0.001)
        };
        let floods = indices.chunks(3).filter(|t| t.iter().all(|&i| sections[i][0] == 0.0));
        let doubled = floods.filter(|t| t.iter().all(|&i| is_in_river(i))).count();
        assert_eq!(doubled, 0, "{above} m above: a flood lies over the river");
    }
}
