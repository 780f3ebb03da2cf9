//! Whether instances keep their distance.

use orogeny::edits::Edits;
use orogeny::scatter::Instance;
use orogeny::{Recipe, Region};

use crate::Metric;

/// The width of the tiles, and of the blocks of tiles within which distances are checked.
const TILE: f64 = 24.0;
const TILES: usize = 12;

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

pub fn measure(recipe: &Recipe, wanted: u64) -> Vec<Metric> {
    let placement = recipe.build_scatter(Edits::default()).expect("a valid preset");
    let radii: Vec<f64> = placement.kinds().map(|kind| kind.radius).collect();
    let (mut checked, mut violations) = (0u64, 0u64);
    let mut block = 0u32;
    while checked < wanted {
        // Blocks near the origin and far from it.
        let far = [0.0, 1e5, -1e7, 1e9][block as usize % 4];
        let min = [far + f64::from(block) * 400.0, 2000.0 - far + f64::from(block % 7) * 350.0];
        block += 1;
        let mut all: Vec<Instance> = Vec::new();
        for i in 0..TILES * TILES {
            let tile = [i % TILES, i / TILES];
            let end = |by: usize| [0, 1].map(|k| min[k] + (tile[k] + by) as f64 * TILE);
            let region = Region { min: end(0), max: end(1) };
            all.extend(placement.in_region(region, |_| true).unwrap());
        }
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
    vec![
        Metric { name: "spacing_checked", value: checked as f64 },
        Metric { name: "spacing_violations", value: violations as f64 },
    ]
}
