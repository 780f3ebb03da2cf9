//! The cost of placing instances and of queries.

use std::hint::black_box;
use std::time::Instant;

use orogeny::edits::Edits;
use orogeny::scatter::ScatterKind;
use orogeny::{Recipe, Region};

use crate::{Metric, quantile};

/// Where all kinds grow.
const CORNER: [f64; 2] = [3000.0, 2000.0];
const TILE: f64 = 32.0;
const TILES: usize = 32;
const QUERIES: usize = 200;

pub fn measure(recipe: &Recipe) -> Vec<Metric> {
    let placement = recipe.build_scatter(Edits::default()).expect("a valid preset");
    let round = || {
        let (start, mut count) = (Instant::now(), 0usize);
        for i in 0..TILES * TILES {
            let tile = [i % TILES, i / TILES];
            let min = [0, 1].map(|k| CORNER[k] + tile[k] as f64 * TILE);
            let tile = Region { min, max: min.map(|x| x + TILE) };
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
    let each = round();
    let query = |is_wanted: fn(&ScatterKind) -> bool| {
        let mut times: Vec<f64> = (0..QUERIES)
            .map(|i| {
                let min = [CORNER[0] + 4.7 * i as f64, CORNER[1] + 3.1 * i as f64];
                let region = Region { min, max: min.map(|x| x + 100.0) };
                let start = Instant::now();
                black_box(placement.in_region(region, is_wanted).unwrap());
                start.elapsed().as_secs_f64()
            })
            .collect();
        quantile(&mut times, 0.5)
    };
    vec![
        Metric { name: "place_ns_per_instance", value: 1e9 * each },
        Metric { name: "box_query_us", value: 1e6 * query(|kind| kind.radius >= 2.0) },
        Metric { name: "box_query_all_us", value: 1e6 * query(|_| true) },
    ]
}
