//! Everything that is built, as edits: a road with cuttings and embankments, a pad for a house, two
//! craters, a canyon and the mouth of a cave.

use bevy::prelude::Result;
use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::cover::CoverKind;
use bevy_orogeny::orogeny::edits::{
    Area, Crater, Disc, EditLog, Flatten, Hole, Paint, Path, Raise, Rectangle,
};

/// Who edits.
const AUTHOR: u64 = 1;
/// The way of the road (x, z).
const WAY: [[f64; 2]; 6] = [
    [700.0, -2400.0],
    [1000.0, -2250.0],
    [1300.0, -2170.0],
    [1600.0, -2200.0],
    [1900.0, -2150.0],
    [2200.0, -2050.0],
];
/// The distance between control points of the road, and over how many of them on either side its
/// height is averaged.
const STEP: f64 = 60.0;
const AVERAGE: usize = 3;
const ROAD_WIDTH: f64 = 7.0;

/// The house: its middle and its size along x, y and z.
pub const HOUSE: [f64; 2] = [1215.0, -2255.0];
pub const HOUSE_SIZE: [f64; 3] = [14.0, 6.0, 10.0];
/// The mouth of the cave, and its radius.
pub const CAVE: [f64; 2] = [1205.0, -2135.0];
pub const CAVE_RADIUS: f64 = 6.0;
const CRATERS: [([f64; 2], f64); 2] = [([1128.0, -2168.0], 8.0), ([1100.0, -2172.0], 12.0)];
/// The canyon: a stroke of a brush.
const CANYON: [[f64; 2]; 3] = [[1270.0, -2275.0], [1310.0, -2235.0], [1370.0, -2235.0]];

/// The log of all edits.
pub fn build(ground: &GroundQuery) -> Result<EditLog> {
    let height = |[x, z]: [f64; 2]| -> Result<f64> { Ok(ground.field([x, z])?.value.into()) };
    let layer = |kind: CoverKind| {
        let layers = &ground.appearance().cover.layers;
        layers.iter().position(|layer| layer.kind == kind).unwrap_or(0) as u32
    };
    let disc = |center, radius, falloff| Area::Disc(Disc { center, radius, falloff });
    let mut log = EditLog::new();

    let way = along(&WAY, STEP);
    let heights = way.iter().map(|&p| height(p)).collect::<Result<Vec<_>>>()?;
    let mean = |i: usize| {
        let near = &heights[i.saturating_sub(AVERAGE)..heights.len().min(i + AVERAGE + 1)];
        near.iter().sum::<f64>() / near.len() as f64
    };
    let points = way.iter().enumerate().map(|(i, &[x, z])| [x, z, mean(i)]).collect();
    let road = Path { points, width: ROAD_WIDTH, falloff: 16.0, ..Path::default() };
    log.add(AUTHOR, road)?;
    for place in along(&way, 4.0) {
        let area = disc(place, 0.35 * ROAD_WIDTH, 2.5);
        log.add(AUTHOR, Paint { area, layer: layer(CoverKind::Scree), strength: 0.8 })?;
    }

    let [x, z] = HOUSE;
    let rectangle = |margin: f64, falloff| {
        let [length, _, width] = HOUSE_SIZE.map(|side| side + 2.0 * margin);
        Area::Rectangle(Rectangle { center: [x, z], length, width, angle: 0.0, falloff })
    };
    let floor = height([x, z])? as f32;
    log.add(AUTHOR, Flatten { area: rectangle(6.0, 14.0), height: floor, ..Flatten::default() })?;
    let garden = Paint { area: rectangle(5.0, 4.0), layer: layer(CoverKind::Grass), strength: 1.0 };
    log.add(AUTHOR, garden)?;

    for (center, radius) in CRATERS {
        let depth = 0.3 * radius as f32;
        log.add(AUTHOR, Crater { center, radius, depth, rim: 0.2 * depth })?;
    }
    for place in along(&CANYON, 5.0) {
        log.add(AUTHOR, Raise { area: disc(place, 5.0, 9.0), height: -3.0 })?;
    }
    log.add(AUTHOR, Hole { area: disc(CAVE, CAVE_RADIUS, 0.1) })?;
    Ok(log)
}

/// Points about `step` apart along straight lines.
fn along(way: &[[f64; 2]], step: f64) -> Vec<[f64; 2]> {
    let mut points = vec![way[0]];
    for pair in way.windows(2) {
        let [x, z] = [0, 1].map(|k| pair[1][k] - pair[0][k]);
        let count = (x.hypot(z) / step).ceil();
        points.extend((1..=count as u32).map(|i| {
            let part = f64::from(i) / count;
            [pair[0][0] + part * x, pair[0][1] + part * z]
        }));
    }
    points
}
