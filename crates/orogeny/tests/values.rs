//! Properties of the values: grids, ranges, symmetry, and bits that must not change.

use orogeny::{
    Cellular, Distance, Fade, Field, Fractal, GradientNoise, Gradients, Grid, Heights, Kind, Node,
    Recipe, Ridged, Samples, Simplex, Tree,
};
use proptest::prelude::*;

fn bits<const N: usize>(field: &impl Field<N>, p: [f64; N]) -> Vec<u32> {
    let sample = field.sample(p);
    let mut bits = vec![sample.value.to_bits()];
    bits.extend(sample.gradient.map(f32::to_bits));
    bits
}

fn same_on_the_grid<const N: usize>(
    field: &impl Field<N>,
    grid: &Grid<N>,
    out: &mut Samples<N>,
) -> Result<(), TestCaseError> {
    field.fill(grid, out);
    prop_assert_eq!(out.len(), grid.len());
    for (i, p) in grid.points().enumerate() {
        let sample = out.get(i);
        let mut found = vec![sample.value.to_bits()];
        found.extend(sample.gradient.map(f32::to_bits));
        prop_assert_eq!(found, bits(field, p), "{:?}", p);
        prop_assert_eq!(field.value(p).to_bits(), sample.value.to_bits());
    }
    Ok(())
}

fn tree() -> Node {
    let fbm = |seed| {
        let fractal = Fractal { frequency: 0.01, ..Fractal::fbm(4.0, GradientNoise::seeded(seed)) };
        Node::from(fractal)
    };
    Node::Add(vec![
        Node::Multiply(vec![fbm(1), Node::Add(vec![Node::Constant(0.5), fbm(2)]), fbm(3)]),
        fbm(4),
    ])
}

fn noise<const N: usize>(seed: u64) -> Tree<N> {
    Node::noise(seed).build().unwrap()
}

fn fbm<const N: usize>(seed: u64, octaves: f64, frequency: f64) -> Tree<N> {
    let fractal = Fractal { frequency, ..Fractal::fbm(octaves, GradientNoise::seeded(seed)) };
    Node::from(fractal).build().unwrap()
}

proptest! {
    #[test]
    fn grids_equal_points_bit_for_bit(
        x in -1e12f64..1e12, z in -1e6f64..1e6, level in -4i32..8, seed: u64, nx in 0usize..12, nz in 1usize..12,
    ) {
        let grid = Grid { origin: [x.floor(), z], spacing: 2f64.powi(level), size: [nx, nz] };
        let mut out = Samples::new();
        same_on_the_grid(&noise(seed), &grid, &mut out)?;
        same_on_the_grid(&fbm(seed, 8.0, 0.013), &grid, &mut out)?;
        same_on_the_grid(&Recipe { seed, height: 90.0, field: tree() }.build().unwrap(), &grid, &mut out)?;
        let cube = Grid { origin: [x, z, 0.25], spacing: 0.3, size: [nx, 3, 2] };
        same_on_the_grid(&fbm(seed, 3.0, 1.0), &cube, &mut Samples::new())?;
    }

    /// Two grids that share a border share its bits: chunks meet exactly.
    #[test]
    fn neighbouring_grids_meet(cx in -1_000_000_000i64..1_000_000_000, cz in -1000i64..1000, seed: u64) {
        let field = Recipe { seed, height: 90.0, field: tree() }.build().unwrap();
        let fill = |cx: i64, cz: i64| {
            let mut out = Samples::new();
            let origin = [cx as f64 * 16.0, cz as f64 * 16.0];
            field.fill(&Grid { origin, spacing: 1.0, size: [17, 17] }, &mut out);
            out
        };
        let (here, right) = (fill(cx, cz), fill(cx + 1, cz));
        for row in 0..17 {
            prop_assert_eq!(here.get(row * 17 + 16), right.get(row * 17));
        }
    }
}

/// A lattice zero stays a zero, positive: the first octave is written, not added to zero.
#[test]
fn lattice_points_are_zero() {
    let noise = noise(11);
    for x in -20..20 {
        for z in -20..20 {
            assert_eq!(noise.value([f64::from(x), f64::from(z)]), 0.0);
        }
    }
}

/// A hash (FNV-1a) of the bits of 64 samples, at home, at negative places and far out.
fn fingerprint<const N: usize>(node: impl Into<Node<N>>) -> u64 {
    let field = node.into().build().unwrap();
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for i in 0..64u32 {
        let far = if i % 8 == 0 { 1e9 } else { 0.0 };
        let p = std::array::from_fn(|k| {
            far + f64::from(i) * 1.37 - 40.0 + f64::from(i * (k as u32 + 3) % 17) * 0.719
        });
        for word in bits(&field, p) {
            for byte in word.to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    hash
}

/// Changing these bits changes worlds: a breaking release. They are the same on every machine.
#[test]
fn pinned() {
    let fbm = |octaves: f64| Fractal {
        frequency: 0.3,
        ..Fractal::<2>::fbm(octaves, GradientNoise::seeded(42))
    };
    let kind = |kind| Fractal { kind, ..fbm(3.0) };
    let plain = || Node::<2>::from(fbm(2.0));
    let with = |gradients| GradientNoise::<2> { gradients, ..GradientNoise::seeded(42) };
    let fade = |fade| GradientNoise::<2> { fade, ..GradientNoise::seeded(42) };
    let heights = |heights| GradientNoise::<2> { heights, ..GradientNoise::seeded(42) };
    let cellular = |distance| Cellular::<2> { distance, ..Cellular::seeded(42) };
    let found = [
        ("1D", fingerprint(Node::<1>::noise(42)), 0x34d3_ff90_1ac5_286d),
        ("2D", fingerprint(Node::<2>::noise(42)), 0xb31b_cf45_dd33_ce27),
        ("3D", fingerprint(Node::<3>::noise(42)), 0x0c57_f2bb_6b21_0f34),
        ("4D", fingerprint(Node::<4>::noise(42)), 0xe6b6_7a9b_94fe_54f7),
        ("unit", fingerprint(with(Gradients::Unit)), 0xf12a_5e57_77e9_b485),
        ("square", fingerprint(with(Gradients::Square)), 0xf604_c447_f1b2_d8f4),
        ("diagonals", fingerprint(with(Gradients::Diagonals)), 0xb8f3_d388_5561_81b2),
        ("edges", fingerprint(with(Gradients::Edges)), 0x90b8_7ffd_ca55_5318),
        ("linear", fingerprint(fade(Fade::Linear)), 0xb4dd_91c9_5f41_9669),
        ("cosine", fingerprint(fade(Fade::Cosine)), 0xe83c_2544_5304_c798),
        ("cubic", fingerprint(fade(Fade::Cubic)), 0xd093_c92a_bd8a_d654),
        ("improved", fingerprint(GradientNoise::<3>::improved()), 0xe90f_9896_da62_94cd),
        ("classic", fingerprint(GradientNoise::<3>::classic(42)), 0x7e1c_3e8c_a0a4_6def),
        ("added", fingerprint(heights(Heights::Added)), 0xfeae_3ffe_4f88_dc30),
        ("value", fingerprint(heights(Heights::Alone)), 0x629a_a46e_3550_062f),
        ("four-point", fingerprint(heights(Heights::FourPoint)), 0x743c_4c25_a918_623b),
        ("simplex 2D", fingerprint::<2>(Simplex { seed: 42 }), 0x409c_e4eb_fb0d_2ebb),
        ("simplex 3D", fingerprint::<3>(Simplex { seed: 42 }), 0x1658_8c3e_2d46_f597),
        ("F1", fingerprint(cellular(Distance::F1)), 0xd524_be18_6edd_44e0),
        ("F2", fingerprint(cellular(Distance::F2)), 0x391b_17d0_9b13_8961),
        ("F2 - F1", fingerprint(cellular(Distance::F2MinusF1)), 0x1ab3_44e5_98e8_35d4),
        ("fBm", fingerprint(fbm(3.5)), 0xc44a_09ff_63a9_663f),
        ("turbulence", fingerprint(kind(Kind::Turbulence)), 0x57a5_79e9_b5b8_202c),
        ("billow", fingerprint(kind(Kind::Billow)), 0x171f_e8fe_874a_4559),
        ("ridged", fingerprint(kind(Kind::Ridged(Ridged::default()))), 0x3255_3a6d_fe96_d357),
        (
            "turned octaves",
            fingerprint(Fractal { rotation: 30.0, ..fbm(3.0) }),
            0xf05c_d82d_4692_f6c2,
        ),
        ("multiply", fingerprint(plain() * Node::noise(1)), 0xb47a_c23d_543b_2934),
        ("smooth min", fingerprint(plain().min(Node::noise(1), 0.3)), 0xc187_d0f2_26d8_7f54),
        ("lerp", fingerprint(plain().lerp(Node::noise(1), Node::noise(2))), 0x0745_66f4_48f4_88ce),
        ("clamp", fingerprint(plain().clamp(-0.1, 0.4, 0.1)), 0x765a_a171_580a_7801),
        ("terraces", fingerprint(plain().terraces(0.1, 0.4)), 0xb113_6204_ca55_1aa9),
        (
            "curve",
            fingerprint(plain().curve([(-0.5, 0.0), (0.1, 0.3), (0.4, 1.0)])),
            0x8f70_51a0_5133_9d46,
        ),
        ("normalize", fingerprint(plain().normalize(0.0, 1.0)), 0x35b4_8b83_46d6_8d73),
        ("rotate", fingerprint(plain().rotate(33.0)), 0x23a0_1bc2_6c42_336e),
        ("rotate 3D", fingerprint(Node::<3>::noise(42).rotate(33.0)), 0x1ee2_6ee2_0c58_d6bd),
        (
            "warp",
            fingerprint(plain().warp([Node::noise(1), Node::noise(2)])),
            0x7bfd_e537_c916_6c64,
        ),
    ];
    let wrong: Vec<_> = found.iter().filter(|(_, found, pinned)| found != pinned).collect();
    assert!(wrong.is_empty(), "{wrong:#x?}");
    // The very numbers of some, to see by how much they change.
    assert_eq!(bits(&noise(42), [3.25, -7.5]), PINNED_2D);
    assert_eq!(bits(&noise(42), [3.25, -7.5, 1e6 + 0.125]), PINNED_3D);
    assert_eq!(bits(&self::fbm(42, 8.0, 0.01), [-1234.5, 1e12]), PINNED_FBM);
}

const PINNED_2D: [u32; 3] = [1045056067, 3196356267, 1066402007];
const PINNED_3D: [u32; 4] = [1026067028, 1049631242, 1041264232, 1047222066];
const PINNED_FBM: [u32; 3] = [3168689898, 977878320, 3171813972];
