//! The recipes of the matrix.

use std::fs;

use crate::cover::{CoverKind, CoverLayer};
use crate::drainage::Drainage;
use crate::scatter::{Scatter, ScatterKind};
use crate::tests::random::{Random, tree};
use crate::{Band, Climate, Cover, Landscape, Node, Recipe};

/// The number of random recipes.
const RANDOM: usize = 200;

/// All presets of the repository, and then the random recipes.
pub struct Recipes {
    presets: Vec<(String, Recipe)>,
}

impl Recipes {
    pub fn new() -> Self {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/presets");
        // No package has them.
        let files = fs::read_dir(folder).ok();
        let is_package = files.is_none();
        let mut presets: Vec<_> = files
            .into_iter()
            .flatten()
            .map(|file| file.expect("a file").path())
            .filter(|path| path.extension().is_some_and(|end| end == "ron"))
            .map(|path| {
                let text = fs::read_to_string(&path).expect("a text");
                let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
                (name.unwrap_or_default(), Recipe::from_ron(&text).expect("a valid preset"))
            })
            .collect();
        presets.sort_by(|(a, _), (b, _)| a.cmp(b));
        assert!(is_package || presets.len() > 10, "only {} presets", presets.len());
        Self { presets }
    }

    pub fn len(&self) -> usize {
        self.presets.len() + RANDOM
    }

    pub fn name(&self, number: usize) -> String {
        let preset = self.presets.get(number).map(|(name, _)| name.clone());
        preset.unwrap_or_else(|| format!("random recipe {number}"))
    }

    pub fn build(&self, number: usize) -> (Recipe, Landscape) {
        if let Some((_, recipe)) = self.presets.get(number) {
            return (recipe.clone(), recipe.build().expect("a valid preset"));
        }
        let mut r = Random::new(number as u64);
        // Some are too high or too steep.
        for _ in 0..100 {
            let recipe = random(&mut r);
            if let Ok(landscape) = recipe.build() {
                return (recipe, landscape);
            }
        }
        panic!("no valid recipe");
    }
}

fn number(r: &mut Random, min: f64, max: f64) -> f32 {
    r.within(min, max) as f32
}

/// Whether something happens that happens once in n times.
fn once_in(r: &mut Random, n: usize) -> bool {
    r.below(n) == 0
}

/// Two numbers in order, and the width of the edges between them: a band with or without each end.
fn band(r: &mut Random, ends: [f64; 2], limits: [f32; 2]) -> Band {
    let [a, b] = [number(r, ends[0], ends[1]), number(r, ends[0], ends[1])];
    let soft = if once_in(r, 4) { 0.0 } else { number(r, 0.0, 0.3 * (ends[1] - ends[0])) };
    let min = if once_in(r, 2) { a.min(b) } else { limits[0] };
    let max = if once_in(r, 2) { a.max(b) } else { limits[1] };
    Band { min, max, soft }
}

fn random(r: &mut Random) -> Recipe {
    let shape = |r: &mut Random| {
        let depth = 1 + r.below(4);
        let width = r.magnitude(30.0, 3000.0);
        tree::<2>(r, depth).frequency(1.0 / width)
    };
    let height = r.magnitude(1.0, 500.0) as f32;
    let field: Node = shape(r);
    let rivers = once_in(r, 4).then(|| Drainage {
        seed: r.bits(),
        relief: once_in(r, 2).then(|| shape(r)),
        detail: once_in(r, 2).then(|| shape(r) * number(r, 0.1, 5.0)),
        spacing: r.magnitude(500.0, 6400.0),
        levels: r.within(1.0, 3.0),
        steepness: number(r, 0.05, 1.0),
        lakes: number(r, 0.0, 1.0),
        meander: number(r, 0.0, 1.0),
        ..Drainage::default()
    });
    let reach = f64::from(height);
    let sea_level = once_in(r, 2).then(|| number(r, -0.5 * reach, 0.5 * reach));
    let layers = (0..1 + r.below(Cover::MAX_LAYERS)).map(|_| layer(r, reach)).collect();
    let mut kinds: Vec<_> = (0..r.below(6)).map(|_| kind(r, reach)).collect();
    kinds.dedup_by_key(|kind| kind.seed);
    let climate = Climate {
        temperature: number(r, -20.0, 30.0),
        lapse_rate: number(r, -10.0, 10.0),
        sunny_side: number(r, -5.0, 5.0),
        warm_patches: if once_in(r, 2) { number(r, 0.0, 5.0) } else { 0.0 },
        moisture: number(r, 0.0, 1.0),
        moist_patches: if once_in(r, 2) { number(r, 0.0, 1.0) } else { 0.0 },
        patch_size: r.magnitude(50.0, 1e5),
        season: number(r, -1.0, 1.0),
        ..Climate::default()
    };
    let density = if once_in(r, 8) { 0.0 } else { number(r, 0.3, 1.0) };
    let scatter = Scatter { kinds, density };
    let cover = Cover { layers };
    Recipe { rivers, cover, sea_level, climate, scatter, ..Recipe::new(r.bits(), height, field) }
}

fn layer(r: &mut Random, reach: f64) -> CoverLayer {
    let kind = CoverKind::ALL[r.below(CoverKind::ALL.len())].clone();
    let height = band(r, [-reach, reach], [-1e6, 1e6]);
    let slope = band(r, [0.0, 1.5], [0.0, 1000.0]);
    let curvature = band(r, [-0.1, 0.1], [-1000.0, 1000.0]);
    let bank_max = if once_in(r, 5) { number(r, 1.0, 40.0) } else { 1e6 };
    CoverLayer {
        height,
        slope,
        curvature,
        bank: CoverLayer::BANK.below(bank_max),
        temperature: CoverLayer::TEMPERATURE.above(if once_in(r, 6) {
            number(r, -20.0, 20.0)
        } else {
            -1e3
        }),
        moisture: CoverLayer::MOISTURE.below(if once_in(r, 6) { number(r, 0.2, 1.0) } else { 2.0 }),
        edge_noise: number(r, 0.0, 3.0),
        coverage: number(r, 0.2, 1.5).min(1.0),
        ..CoverLayer::of(kind)
    }
}

fn kind(r: &mut Random, reach: f64) -> ScatterKind {
    let on = |r: &mut Random| if once_in(r, 3) { 0.0 } else { number(r, 0.2, 1.0) };
    let height = band(r, [-reach, reach], [-1e6, 1e6]);
    let slope = band(r, [0.0, 1.5], [0.0, 1000.0]);
    let (temperature, moisture) = (once_in(r, 4), once_in(r, 4));
    let [size_min, size_max] = [number(r, 0.1, 1.0), number(r, 1.0, 3.0)];
    let solid = once_in(r, 2);
    ScatterKind {
        seed: r.bits(),
        radius: if once_in(r, 20) { 300.0 } else { r.magnitude(0.3, 12.0) },
        density: number(r, 0.2, 1.0),
        rock: on(r),
        scree: on(r),
        grass: on(r),
        forest: on(r),
        sand: on(r),
        snow: on(r),
        height,
        slope,
        curvature: ScatterKind::CURVATURE.above(if once_in(r, 5) {
            number(r, -0.05, 0.05)
        } else {
            -1000.0
        }),
        temperature: ScatterKind::TEMPERATURE.above(if temperature {
            number(r, -20.0, 30.0)
        } else {
            -1e3
        }),
        moisture: ScatterKind::MOISTURE.below(if moisture { number(r, 0.0, 1.0) } else { 2.0 }),
        bank: ScatterKind::BANK.below(if once_in(r, 6) { number(r, 5.0, 60.0) } else { 1e6 }),
        depth: ScatterKind::DEPTH
            .above(if once_in(r, 8) { -2.0 } else { -1e6 })
            .below(number(r, -0.5, 4.0)),
        disturbed: number(r, 0.0, 1.0),
        edit: ScatterKind::EDIT
            .above(if once_in(r, 4) { number(r, 0.0, 20.0) } else { 0.0 })
            .below(if once_in(r, 6) { number(r, 20.0, 90.0) } else { 1000.0 }),
        coverage: number(r, 0.3, 1.5).min(1.0),
        cluster_size: r.magnitude(8.0, 1e3) as f32,
        size_min,
        size_max,
        solid_radius: if solid { number(r, 0.1, 2.0) } else { 0.0 },
        solid_height: if solid { number(r, 0.5, 20.0) } else { 0.0 },
        ..ScatterKind::default()
    }
}
