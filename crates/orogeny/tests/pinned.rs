//! Pinned bits: hashes of samples, the same on every machine. Changing them changes worlds and is a
//! breaking release.

use std::sync::Arc;

use orogeny::drainage::Drainage;
use orogeny::edits::{
    Area, Blend, Crater, Disc, Edit, EditLog, EditedField, Flatten, Path, Plant, Raise, Roughen,
    Smooth, Stamp, Terrace,
};
use orogeny::fractal::{Damped, Hybrid, PingPong, Ridged};
use orogeny::lattice::{Fade, Gradients, LatticeValues};
use orogeny::node::{Piece, Wave};
use orogeny::noise::{CellularOutput, Metric};
use orogeny::scatter::{KindId, Scatter, ScatterKind};
use orogeny::simd::{Level, levels};
use orogeny::{
    Band, Cellular, Erosion, Field, Fractal, FractalKind, GradientNoise, Grid, Node, Recipe,
    Region, Samples, Simplex, Transform, Tree,
};

/// The FNV-1a hash.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, word: u32) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}

fn bits<const N: usize>(field: &impl Field<N>, p: [f64; N]) -> Vec<u32> {
    let sample = field.sample(p);
    let mut bits = vec![sample.value.to_bits()];
    bits.extend(sample.gradient.map(f32::to_bits));
    bits
}

fn noise<const N: usize>() -> Tree<N> {
    Node::noise(42).build().unwrap()
}

fn fractal(kind: FractalKind, seed: u64, octaves: f64, frequency: f64) -> Node {
    let fractal = Fractal::fbm(octaves, GradientNoise::seeded(seed));
    Fractal { kind, frequency, ..fractal }.into()
}

/// The hash of 64 samples: near the origin, at negative coordinates and at 1e9.
fn fingerprint<const N: usize>(node: impl Into<Node<N>>) -> u64 {
    let field = node.into().build().unwrap();
    let mut hash = Hash::default();
    for i in 0..64u32 {
        let far = if i % 8 == 0 { 1e9 } else { 0.0 };
        let p = std::array::from_fn(|k| {
            far + f64::from(i) * 1.37 - 40.0 + f64::from(i * (k as u32 + 3) % 17) * 0.719
        });
        bits(&field, p).into_iter().for_each(|word| hash.add(word));
    }
    hash.0
}

/// Two lands over a third, along two fields.
fn blend() -> Node {
    let low = Band { max: 0.1, soft: 0.3, ..Band::default() };
    let high = Band { min: -0.2, soft: 0.2, ..Band::default() };
    let of = vec![
        Piece::new([], Node::noise(1)),
        Piece::new([low], Node::noise(2)),
        Piece::new([high, low], Node::noise(3)),
    ];
    Node::Blend { of, along: vec![Node::noise(4), Node::noise(5)] }
}

#[test]
fn points() {
    let fbm = |octaves: f64| Fractal {
        frequency: 0.3,
        ..Fractal::<2>::fbm(octaves, GradientNoise::seeded(42))
    };
    let kind = |kind| Fractal { kind, ..fbm(3.0) };
    let plain = || Node::<2>::from(fbm(2.0));
    let with = |gradients| GradientNoise::<2> { gradients, ..GradientNoise::seeded(42) };
    let fade = |fade| GradientNoise::<2> { fade, ..GradientNoise::seeded(42) };
    let heights = |values| GradientNoise::<2> { values, ..GradientNoise::seeded(42) };
    let cellular = |output| Cellular::<2> { output, ..Cellular::seeded(42) };
    let measured = |output, metric| Cellular::<2> { output, metric, ..Cellular::seeded(42) };
    let found = [
        ("1D", fingerprint(Node::<1>::noise(42)), 0x4548_55cb_3e91_a06c),
        ("2D", fingerprint(Node::<2>::noise(42)), 0x3fc3_6ff2_d04f_4576),
        ("3D", fingerprint(Node::<3>::noise(42)), 0x2674_0355_4d4c_c433),
        ("4D", fingerprint(Node::<4>::noise(42)), 0x9039_77f3_23cb_1f03),
        ("unit", fingerprint(with(Gradients::Unit)), 0xd16e_9073_eff7_f495),
        ("square", fingerprint(with(Gradients::Square)), 0x7953_f785_fe64_1dc2),
        ("diagonals", fingerprint(with(Gradients::Diagonals)), 0x26b2_7879_79de_2bbc),
        ("edges", fingerprint(with(Gradients::Edges)), 0x1ef9_d870_90c7_0fd8),
        ("linear", fingerprint(fade(Fade::Linear)), 0xeb4e_d1be_b512_39fd),
        ("cosine", fingerprint(fade(Fade::Cosine)), 0xb363_8420_6fc2_8a9e),
        ("cubic", fingerprint(fade(Fade::Cubic)), 0x8d29_c363_c2f1_fc88),
        ("improved", fingerprint(GradientNoise::<3>::improved()), 0xe90f_9896_da62_94cd),
        ("classic", fingerprint(GradientNoise::<3>::classic(42)), 0x7e1c_3e8c_a0a4_6def),
        ("added", fingerprint(heights(LatticeValues::Added)), 0x61d5_2f94_5c8d_0b18),
        ("value", fingerprint(heights(LatticeValues::Alone)), 0x2445_5f40_240c_ef7b),
        ("four-point", fingerprint(heights(LatticeValues::FourPoint)), 0x06a6_ed75_1401_c85e),
        ("simplex 2D", fingerprint::<2>(Simplex { seed: 42 }), 0x22e3_6c6f_ee69_24fd),
        ("simplex 3D", fingerprint::<3>(Simplex { seed: 42 }), 0x8737_002f_d69f_1972),
        ("F1", fingerprint(cellular(CellularOutput::F1)), 0xad60_5b6c_515d_9cce),
        ("F2", fingerprint(cellular(CellularOutput::F2)), 0xcf40_9922_3ff8_86cb),
        ("F2 - F1", fingerprint(cellular(CellularOutput::F2MinusF1)), 0x81c1_a6fc_4ea5_8aba),
        ("cell value", fingerprint(cellular(CellularOutput::CellValue)), 0xcdfb_17a3_2aef_3216),
        (
            "Manhattan",
            fingerprint(measured(CellularOutput::F1, Metric::Manhattan)),
            0x5994_d530_616b_15cd,
        ),
        (
            "Chebyshev",
            fingerprint(measured(CellularOutput::F2MinusF1, Metric::Chebyshev)),
            0x9462_a1ba_5529_3c6c,
        ),
        (
            "hybrid",
            fingerprint(kind(FractalKind::Hybrid(Hybrid::default()))),
            0x6a2c_5e51_29a3_389c,
        ),
        (
            "ping-pong",
            fingerprint(kind(FractalKind::PingPong(PingPong::default()))),
            0x665d_7300_73e6_5e64,
        ),
        ("fBm", fingerprint(fbm(3.5)), 0x32dd_ccf4_22fa_243e),
        ("turbulence", fingerprint(kind(FractalKind::Turbulence)), 0x90e8_5902_a410_478d),
        ("billow", fingerprint(kind(FractalKind::Billow)), 0xc53c_7d10_4e42_8928),
        (
            "ridged",
            fingerprint(kind(FractalKind::Ridged(Ridged::default()))),
            0x431b_a3b1_c0d9_e82e,
        ),
        (
            "rotated octaves",
            fingerprint(Fractal { rotation: 30.0, ..fbm(3.0) }),
            0xdb93_8838_6ae6_47fa,
        ),
        ("multiply", fingerprint(plain() * Node::noise(1)), 0x3d96_733e_6ec3_212b),
        ("smooth min", fingerprint(plain().min(Node::noise(1), 0.3)), 0xa2fa_55c9_4419_5dc5),
        ("lerp", fingerprint(plain().lerp(Node::noise(1), Node::noise(2))), 0x96dd_98cb_5d13_425a),
        ("clamp", fingerprint(plain().clamp(-0.1, 0.4, 0.1)), 0xa522_d682_f946_377d),
        ("terraces", fingerprint(plain().terraces(0.1, 0.4)), 0xa74d_1f61_929f_9f0c),
        (
            "curve",
            fingerprint(plain().curve([(-0.5, 0.0), (0.1, 0.3), (0.4, 1.0)])),
            0x35a9_dd25_f3ae_13e9,
        ),
        ("normalize", fingerprint(plain().normalize(0.0, 1.0)), 0x0230_2b44_357a_6f9d),
        ("rotate", fingerprint(plain().rotate(33.0)), 0x8c1d_37bf_63cf_e12c),
        ("rotate 3D", fingerprint(Node::<3>::noise(42).rotate(33.0)), 0x1c03_5223_54ba_c74d),
        (
            "warp",
            fingerprint(plain().warp([Node::noise(1), Node::noise(2)])),
            0x51cc_f002_5cfe_3f3e,
        ),
        ("wave", fingerprint(Node::<2>::Wave(Wave { length: 7.3 })), 0xd291_f1bf_230a_2105),
        ("blend", fingerprint(blend()), 0x46d1_407a_e234_a5cb),
    ];
    let wrong: Vec<_> = found.iter().filter(|(_, found, pinned)| found != pinned).collect();
    assert!(wrong.is_empty(), "{wrong:#x?}");
    // The bits of a few samples, which show by how much a change affects them.
    assert_eq!(bits(&noise::<2>(), [3.25, -7.5]), PINNED_2D);
    assert_eq!(bits(&noise::<3>(), [3.25, -7.5, 1e6 + 0.125]), PINNED_3D);
    assert_eq!(
        bits(&fractal(FractalKind::Fbm, 42, 8.0, 0.01).build().unwrap(), [-1234.5, 1e12]),
        PINNED_FBM
    );
}

const PINNED_2D: [u32; 3] = [1052957592, 3212420041, 3198341484];
const PINNED_3D: [u32; 4] = [1054760832, 3191434454, 1043477931, 1049172323];
const PINNED_FBM: [u32; 3] = [3185081172, 3155103531, 1023087294];

/// The hash of a whole chunk: values, then derivatives along x and z.
fn chunk(field: &Tree<2>, grid: &Grid<2>, level: Level) -> u64 {
    let mut samples = Samples::new().with_level(level);
    field.sample_grid(grid, &mut samples);
    let mut hash = Hash::default();
    for numbers in [samples.values(), samples.derivatives(0), samples.derivatives(1)] {
        numbers.iter().for_each(|number| hash.add(number.to_bits()));
    }
    let mut values = Samples::values_only().with_level(level);
    field.sample_grid(grid, &mut values);
    assert_eq!(values.values(), samples.values());
    hash.0
}

/// Whole chunks, at every SIMD level this CPU supports.
#[test]
fn chunks() {
    let fbm = || fractal(FractalKind::Fbm, 42, 8.0, 1.0 / 64.0);
    let ridged = fractal(FractalKind::Ridged(Ridged::default()), 42, 8.0, 1.0 / 64.0);
    let rotated = Fractal {
        rotation: 30.0,
        frequency: 1.0 / 64.0,
        ..Fractal::fbm(4.0, GradientNoise::seeded(42))
    };
    let damped = fractal(FractalKind::Damped(Damped::default()), 42, 8.0, 1.0 / 64.0);
    let gullies = Erosion { scale: 20.0, relief: 10.0, seed: 42, ..Erosion::default() };
    let eroded = || (fractal(FractalKind::Fbm, 42, 3.0, 1.0 / 64.0) * 20.0).erode(gullies);
    let warp = [1, 2].map(|seed| fractal(FractalKind::Fbm, seed, 2.0, 1.0 / 64.0) * 30.0);
    let home = Grid::new([0.0, 0.0], 1.0, [129, 129]);
    let odd = Grid::new([-1000.5, 77.25], 0.25, [45, 31]);
    let far = Grid::new([1e12, -1e12], 1.0, [65, 65]);
    let found = [
        ("fBm", fbm(), home, 0x8942_1101_0ef4_a89b),
        ("fBm, odd", fbm(), odd, 0xe6eb_12d5_139f_698b),
        ("fBm, far", fbm(), far, 0x78a3_bf07_b88c_c17d),
        ("value", GradientNoise::value(42).into(), odd, 0xd1cb_23a4_4e36_2062),
        (
            "improved",
            Node::from(GradientNoise::improved()).transform(Transform::Scale([0.1; 2])),
            odd,
            0x5114_87b4_8dbd_5828,
        ),
        (
            "unit",
            GradientNoise { gradients: Gradients::Unit, ..GradientNoise::seeded(42) }.into(),
            odd,
            0x9d66_62be_7cbd_6bda,
        ),
        ("ridged", ridged, far, 0x6a23_73e7_2696_376b),
        ("rotated", rotated.into(), odd, 0x48ac_06c2_f9a1_cb11),
        ("warped", fbm().warp(warp), home, 0x53d6_5786_2502_2327),
        ("damped", damped, odd, 0x80aa_472c_5ffe_8795),
        ("eroded", eroded(), home, 0xcd44_f7d7_5c4e_b252),
        ("eroded, far", eroded(), far, 0xe8de_764c_b2b6_6f91),
    ];
    let mut wrong = Vec::new();
    for (name, node, grid, pinned) in found {
        let field = node.build().unwrap();
        for (level, simd) in levels() {
            let hash = chunk(&field, &grid, simd);
            if hash != pinned {
                wrong.push((name, level, hash, pinned));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#x?}");
}

/// Edits of many kinds around a place.
fn edits([x, z]: [f64; 2]) -> EditLog {
    let area = |dx: f64, dz: f64| {
        Area::Disc(Disc { center: [x + dx, z + dz], radius: 12.0, falloff: 9.0 })
    };
    let center = [x - 20.0, z + 15.0];
    let points = [[-60.0, -50.0, 3.0], [-10.0, -20.0, 5.0], [50.0, -40.0, 1.0]];
    let points = points.map(|[dx, dz, height]| [x + dx, z + dz, height]).into();
    let plant = [x + 3.0, z - 4.0];
    let stamp = |blend| Stamp { center, blend, cell: 6.0, height: 8.0, ..Stamp::default() };
    let all: [Edit; 10] = [
        Raise { area: area(10.0, 20.0), height: 6.0 }.into(),
        Flatten { area: area(-30.0, 20.0), height: 12.0, ..Flatten::default() }.into(),
        Roughen { area: area(40.0, 30.0), seed: 7, ..Roughen::default() }.into(),
        Terrace { area: area(-20.0, -40.0), ..Terrace::default() }.into(),
        Smooth { area: area(25.0, -25.0), wavelength: 40.0, ..Smooth::default() }.into(),
        Crater { center, radius: 11.0, depth: 4.0, rim: 1.0 }.into(),
        Path { points, width: 5.0, falloff: 4.0, ..Path::default() }.into(),
        stamp(Blend::Add).into(),
        stamp(Blend::Max).into(),
        Plant { center: plant, kind: KindId(KIND), ..Plant::default() }.into(),
    ];
    let mut log = EditLog::new();
    all.into_iter().for_each(|edit| drop(log.add(1, edit).expect("a valid edit")));
    log
}

/// The seed of the kind that grows, which is its id.
const KIND: u64 = 1;

/// Ground with rivers, a sea, edits and plants, near and far: what saved worlds are made of.
#[test]
fn worlds() {
    let hills = Fractal { frequency: 0.004, ..Fractal::fbm(4.0, GradientNoise::seeded(42)) };
    let kind = ScatterKind {
        seed: KIND,
        radius: 4.0,
        grass: 1.0,
        forest: 0.8,
        rock: 0.6,
        scree: 0.5,
        sand: 0.4,
        ..ScatterKind::default()
    };
    let recipe = Recipe {
        rivers: Some(Drainage { spacing: 400.0, ..Drainage::default() }),
        sea_level: Some(-15.0),
        scatter: Scatter { kinds: vec![kind], ..Scatter::default() },
        ..Recipe::new(42, 40.0, hills)
    };
    let land = Arc::new(recipe.build().unwrap());
    let pinned = [
        [0xf791_9e52_af57_c939, 0x8c3a_dd33_a281_ed1f],
        [0xbc26_5c51_08d3_4d2a, 0x8382_a4d4_83cf_968f],
    ];
    let found = [[0.0, 0.0], [1e9, -1e9]].map(|at| {
        let edits = edits(at).edits();
        let ground = EditedField::new(land.clone(), edits.clone());
        let mut samples = Samples::new();
        ground.sample_grid(&Grid::new(at.map(|at| at - 64.0), 4.0, [33, 33]), &mut samples);
        let mut heights = Hash::default();
        for numbers in [samples.values(), samples.derivatives(0), samples.derivatives(1)] {
            numbers.iter().for_each(|number| heights.add(number.to_bits()));
        }
        let ground = land.with_edits(edits);
        let mut trees =
            ground.placement().in_region(Region::around(at, [64.0; 2]), |_| true).unwrap();
        trees.sort_by_key(|tree| tree.id);
        assert!(trees.len() > 100, "{}", trees.len());
        let mut plants = Hash::default();
        for tree in &trees {
            let [x, z] = tree.position.map(f64::to_bits);
            [x, x >> 32, z, z >> 32].into_iter().for_each(|word| plants.add(word as u32));
            let [dx, dz] = tree.lean;
            [tree.size, tree.turn, dx, dz, tree.tint, tree.rank]
                .into_iter()
                .for_each(|number| plants.add(number.to_bits()));
        }
        [heights.0, plants.0]
    });
    assert_eq!(found, pinned, "{found:#x?}");
}
