//! The cost of placing instances and of queries, and whether instances keep their distance.

use std::hint::black_box;
use std::time::Instant;

use orogeny::scatter::{Instance, ScatterKind};
use orogeny::{Recipe, Region};

use crate::report::Report;
use crate::samples::{Samples, seconds};

/// Where all kinds grow.
const CORNER: [f64; 2] = [3000.0, 2000.0];
/// The width of the tiles in which instances are placed, and their number along a side.
const PLACED_TILE: f64 = 32.0;
const PLACED_TILES: usize = 32;
const QUERIES: usize = 200;

/// The width of the tiles of a block within which distances are checked, and their number along a
/// side.
const TILE: f64 = 24.0;
const TILES: usize = 12;

/// The tiles of a square.
fn tiles(corner: [f64; 2], width: f64, count: usize) -> impl Iterator<Item = Region> {
    (0..count * count).map(move |i| {
        let tile = [i % count, i / count];
        let end = |by: usize| [0, 1].map(|k| corner[k] + (tile[k] + by) as f64 * width);
        Region { min: end(0), max: end(1) }
    })
}

pub fn measure_cost(recipe: &Recipe, report: &Report) {
    let ground = recipe.build().expect("a valid preset");
    let placement = ground.placement();
    let round = || {
        let (start, mut count) = (Instant::now(), 0usize);
        for tile in tiles(CORNER, PLACED_TILE, PLACED_TILES) {
            let add = |instance| {
                black_box(instance);
                count += 1;
            };
            placement.each_in_region(tile, 0.0..1.0, |_| true, add).unwrap();
        }
        start.elapsed().as_secs_f64() / count as f64
    };
    // What is around them is known the second time.
    round();
    report.add("place_ns_per_instance", 1e9 * round());
    let query = |is_wanted: fn(&ScatterKind) -> bool| {
        let time = |i: usize| {
            let min = [CORNER[0] + 4.7 * i as f64, CORNER[1] + 3.1 * i as f64];
            let region = Region { min, max: min.map(|x| x + 100.0) };
            seconds(|| placement.in_region(region, is_wanted).unwrap())
        };
        1e6 * (0..QUERIES).map(time).collect::<Samples>().median()
    };
    report.add("box_query_us", query(|kind| kind.radius >= 2.0));
    report.add("box_query_all_us", query(|_| true));
}

/// The instances of a kind in a block, by cells of its radius.
struct Cells {
    radius: f64,
    columns: usize,
    min: [f64; 2],
    cells: Vec<Vec<[f64; 2]>>,
}

impl Cells {
    fn new(radius: f64, min: [f64; 2]) -> Self {
        let columns = (TILE * TILES as f64 / radius).ceil() as usize + 1;
        Self { radius, columns, min, cells: vec![Vec::new(); columns * columns] }
    }

    fn cell(&self, p: [f64; 2]) -> [usize; 2] {
        [0, 1].map(|k| ((p[k] - self.min[k]) / self.radius) as usize)
    }

    fn add(&mut self, p: [f64; 2]) {
        let [i, j] = self.cell(p);
        self.cells[j * self.columns + i].push(p);
    }

    /// How many are nearer to a position than a distance, which is at most the radius.
    fn count(&self, p: [f64; 2], distance: f64) -> u64 {
        let [i, j] = self.cell(p);
        let around = |at: usize| at.saturating_sub(1)..=(at + 1).min(self.columns - 1);
        let mut count = 0;
        for row in around(j) {
            for column in around(i) {
                let here = self.cells[row * self.columns + column].iter();
                count += here.filter(|q| nearer(p, **q, distance)).count() as u64;
            }
        }
        count
    }
}

fn nearer(p: [f64; 2], q: [f64; 2], distance: f64) -> bool {
    let [x, z] = [p[0] - q[0], p[1] - q[1]];
    x * x + z * z < distance * distance
}

pub fn measure_spacing(recipe: &Recipe, wanted: u64, report: &Report) {
    let ground = recipe.build().expect("a valid preset");
    let placement = ground.placement();
    let radii: Vec<f64> = placement.kinds().map(|kind| kind.radius).collect();
    let (mut checked, mut violations) = (0u64, 0u64);
    let mut block = 0u32;
    while checked < wanted {
        // Blocks near the origin and far from it.
        let far = [0.0, 1e5, -1e7, 1e9][block as usize % 4];
        let min = [far + f64::from(block) * 400.0, 2000.0 - far + f64::from(block % 7) * 350.0];
        block += 1;
        let all = tiles(min, TILE, TILES);
        let all: Vec<Instance> =
            all.flat_map(|tile| placement.in_region(tile, |_| true).unwrap()).collect();
        let mut placed: Vec<Cells> = radii.iter().map(|&radius| Cells::new(radius, min)).collect();
        let index = |instance: &Instance| {
            placement.kinds().position(|kind| kind.id() == instance.kind).expect("its own kind")
        };
        all.iter().for_each(|instance| placed[index(instance)].add(instance.position));
        for instance in &all {
            let own = index(instance);
            let radius = radii[own];
            for (kind, cells) in placed.iter().enumerate().take(own + 1) {
                let near = cells.count(instance.position, radius.min(radii[kind]));
                // It finds itself.
                violations += near - u64::from(kind == own);
            }
        }
        checked += all.len() as u64;
        assert!(block < 100_000, "there is nothing to check");
    }
    report.add("spacing_checked", checked as f64);
    report.add("spacing_violations", violations as f64);
}
