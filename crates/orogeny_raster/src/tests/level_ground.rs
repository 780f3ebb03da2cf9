//! Level ground beside coasts stays at its level.

use orogeny::{Field, Grid, Samples};

use crate::tests::tiles::{r32, reading};
use crate::tests::write::Folder;
use crate::tests::{random, raster_of};
use crate::{Raster, RasterField, RasterTiles, Reading, Tiling};

const SIZE: [usize; 2] = [90, 70];
const SPACING: [f64; 2] = [10.0, 12.0];

/// Land with cliffs and islands in a sea at a level.
fn coast(level: f64, seed: u64) -> Raster {
    raster_of(SIZE, SPACING, [0.0; 2], |x, z| {
        let shore = 300.0 + 120.0 * (z / 150.0).sin() + 60.0 * (z / 37.0).cos();
        let island = ((x - 650.0) / 90.0).hypot((z - 300.0) / 60.0) < 1.0;
        let cell = (x / SPACING[0]) as u64 + 90 * (z / SPACING[1]) as u64;
        let rock = random(seed, cell) > 0.99;
        let height = match (x < shore, island || rock) {
            (true, _) => 1.0 + (shore - x) * 0.4 + 30.0 * (1.0 + random(seed + 1, cell)),
            (false, true) => 2.0 + 40.0 * (1.0 + random(seed + 2, cell)),
            _ => 0.0,
        };
        level + height
    })
}

/// The level of a cell that must not be above it.
fn level_of(raster: &Raster, i: usize, j: usize) -> Option<f32> {
    let [columns, rows] = raster.size();
    let level = raster.height(i, j)?;
    let is_flat =
        [(1, 0), (0, 1), (1, 1)].iter().all(|&(x, z)| raster.height(i + x, j + z) == Some(level));
    let near = |x: usize, count: usize| x.saturating_sub(1)..(x + 3).min(count);
    let is_lowest = near(j, rows)
        .all(|z| near(i, columns).all(|x| raster.height(x, z).is_some_and(|h| h >= level)));
    (is_flat && is_lowest).then_some(level)
}

#[test]
fn a_sea_beside_a_coast_is_nowhere_above_its_level() {
    for (seed, level) in [0.0, 372.0, -7.3].into_iter().enumerate() {
        let raster = coast(level, seed as u64);
        let field = RasterField::new(&raster).unwrap();
        let (mut cells, mut exact) = (0, 0);
        for (i, j) in (0..SIZE[0] - 1).flat_map(|i| (0..SIZE[1] - 1).map(move |j| (i, j))) {
            let Some(level) = level_of(&raster, i, j) else { continue };
            cells += 1;
            for k in 0..16 {
                let [u, v] = [k % 4, k / 4].map(|k| f64::from(k) / 3.0);
                let p = [(i as f64 + u) * SPACING[0], (j as f64 + v) * SPACING[1]];
                let value = field.value(p);
                assert!(value <= level, "{level} {p:?}: {value} {:e}", value - level);
                exact += usize::from(value == level);
            }
        }
        assert!(cells > 800 && (level == 0.0 || exact > 0), "{cells} {exact}");
    }
}

/// Beside a channel, a polder, a step of the bed and a pit, and in inlets and lagoons of a few
/// samples.
#[test]
fn a_sea_at_0_is_nowhere_above_0() {
    let rough = |seed, i, j| 1.0 + random(seed, i as u64 + 97 * j as u64);
    let rock = |i, j| 2.0 + 30.0 * rough(11, i, j);
    let grounds: [&dyn Fn(usize, usize) -> f64; 6] = [
        &|i, _| if (20..24).contains(&i) { -12.0 } else { 0.0 },
        &|i, j| if i < 30 { 0.0 } else { -3.0 - rough(12, i, j) },
        &|i, j| if i < 20 { -40.0 + i as f64 } else { 0.0 * rough(13, i, j) },
        &|i, j| if (i, j) == (20, 20) { -15.0 } else { 0.0 },
        &|i, j| if j % 9 < 2 { 0.0 } else { rock(i, j) },
        &|i, j| if i % 12 < 3 && j % 12 < 4 { 0.0 } else { rock(i, j) },
    ];
    for (k, ground) in grounds.into_iter().enumerate() {
        let raster = raster_of(SIZE, SPACING, [0.0; 2], |x, z| {
            ground((x / SPACING[0]).round() as usize, (z / SPACING[1]).round() as usize)
        });
        let field = RasterField::new(&raster).unwrap();
        let mut cells = 0;
        for (i, j) in (0..SIZE[0] - 1).flat_map(|i| (0..SIZE[1] - 1).map(move |j| (i, j))) {
            let own = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, z)| raster.height(i + x, j + z));
            if own.into_iter().flatten().fold(f32::NEG_INFINITY, f32::max) != 0.0 {
                continue;
            }
            cells += 1;
            for k in 0..16 {
                let [u, v] = [k % 4, k / 4].map(|k| f64::from(k) / 3.0);
                let p = [(i as f64 + u) * SPACING[0], (j as f64 + v) * SPACING[1]];
                assert!(field.value(p) <= 0.0, "{k}: {} at {p:?}", field.value(p));
            }
        }
        assert!(cells > 200, "{k}: {cells}");
    }
}

/// Ground is lower beside a coast, never higher.
#[test]
fn samples_beside_a_coast_are_a_little_lower() {
    let raster = coast(0.0, 5);
    let field = RasterField::new(&raster).unwrap();
    for (i, j) in (0..SIZE[0]).flat_map(|i| (0..SIZE[1]).map(move |j| (i, j))) {
        let exact = raster.height(i, j).unwrap();
        let found = field.value([i as f64 * SPACING[0], j as f64 * SPACING[1]]);
        let near = |x: usize, count: usize| x.saturating_sub(6)..(x + 7).min(count);
        let highest = near(j, SIZE[1])
            .flat_map(|z| near(i, SIZE[0]).map(move |x| (x, z)))
            .map(|(x, z)| raster.height(x, z).unwrap())
            .fold(0.0, f32::max);
        let part = if exact == 0.0 { 0.25 } else { 0.05 };
        assert!((-part * highest - 0.05..=1e-4).contains(&(found - exact)), "{found} {exact}");
    }
}

/// Land as it was: nothing is equal there, and a plateau may be crossed.
#[test]
fn other_ground_is_as_it_was() {
    let step = raster_of(SIZE, SPACING, [0.0; 2], |x, _| if x < 400.0 { 50.0 } else { 0.1 * x });
    let field = RasterField::new(&step).unwrap();
    // A plateau whose edge is lower: its samples are hit.
    for j in 0..SIZE[1] {
        assert!((field.value([390.0, j as f64 * SPACING[1]]) - 50.0).abs() < 1e-4);
    }
}

#[test]
fn tiles_are_the_same() {
    let size = [700, 90];
    let height = |index: usize| {
        let [i, j] = [index % size[0], index / size[0]];
        let is_land = (i / 40 + j / 30).is_multiple_of(3);
        if is_land { 5.0 + 30.0 * (1.0 + random(3, index as u64) as f32) } else { 0.0 }
    };
    let heights: Vec<f32> = (0..size[0] * size[1]).map(height).collect();
    let raster = Raster::new(size, [5.0; 2], [0.0; 2], heights.clone()).unwrap();
    let reading = Reading {
        size: Some(size),
        spacing: Some([5.0; 2]),
        placement: crate::Placement::At([0.0; 2]),
        ..reading()
    };
    let folder = Folder::new();
    let path = r32(&folder, &heights);
    let (tiles, _) = RasterTiles::open(path, &reading, &Tiling::default()).unwrap();
    let memory = RasterField::new(&raster).unwrap();
    let grid = Grid { spacing: [3.7, 2.9], ..Grid::new([0.0; 2], 1.0, [940, 150]) };
    let [mut a, mut b] = [Samples::new(), Samples::new()];
    tiles.sample_grid(&grid, &mut a);
    memory.sample_grid(&grid, &mut b);
    for (a, b) in a.values().iter().zip(b.values()) {
        assert!((a - b).abs() <= 2e-7 * 70.0, "{a} {b}");
    }
    let (tiles, memory) = (tiles.bounds(), memory.bounds());
    assert!((tiles.max - memory.max).abs() < 1e-3 && (tiles.min - memory.min).abs() < 1e-3);
}
