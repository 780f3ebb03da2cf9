//! The sets of lattice gradients.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::arrays::{self, Each};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::lattice::hash::derive;
#[cfg(feature = "serde")]
use crate::limits::{MAX_LATTICE_POINTS, arrays_at_most};

/// The set of lattice gradients. The lattice's hash selects one of them for each point.
///
/// The longest gradient of the set bounds the noise, and its power spectrum shows the directions
/// that the set prefers. All sets but `Table` and `Edges` have mean zero and E\[g g^T\]
/// proportional to the identity, so they prefer no axis.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum Gradients<const N: usize> {
    /// Evenly spread unit vectors: 16 directions on the unit circle, 22.5 degrees apart and none
    /// along an axis; the 12 edges of a cube scaled to length 1; the 32 edges of a hypercube scaled
    /// to length 1; +1 and -1 in one dimension.
    #[default]
    Even,
    /// Random unit vectors, as in 1985 (Ken Perlin, "An Image Synthesizer"); +1 and -1 in one
    /// dimension.
    Unit,
    /// Uniform in the square, cube or hypercube from -1 to 1; uniform in the interval in one
    /// dimension.
    Square,
    /// All (+-1, +-1, ..): the four diagonals in two dimensions, of length sqrt(N). Index 0 is (-1,
    /// .., -1), and the lowest bit of the index is the sign of the last component.
    Diagonals,
    /// The 12 edges of a cube by the bit rule of Ken Perlin, "Improving Noise", 2002, of length
    /// sqrt 2. Four edges occur twice; they favour the second axis, 12 to 10. In one and two
    /// dimensions the first components of these edges are used, which is the noise's slice at zero.
    /// In four dimensions the set is the 32 edges of a hypercube, of length sqrt 3.
    Edges,
    /// A custom table, up to 65,536 gradients with components within +-1e6.
    Table(
        #[cfg_attr(
            feature = "serde",
            serde(serialize_with = "serde_with::As::<Vec<[serde_with::Same; N]>>::serialize"),
            serde(deserialize_with = "arrays_at_most::<MAX_LATTICE_POINTS, N, _, _>")
        )]
        Vec<[f32; N]>,
    ),
}

impl<const N: usize> Gradients<N> {
    /// The set, in the order that hashes index it.
    pub(crate) fn table(&self) -> Arc<[[f32; N]]> {
        match self {
            Gradients::Even => even(),
            Gradients::Unit => orbits(|base| {
                let length = base.iter().map(|x| x * x).sum::<f64>().sqrt();
                // Rejection sampling: the accepted points are uniform in the ball, so their
                // directions are uniform on the sphere.
                (0.1..=1.0).contains(&length).then(|| base.each(|x| x / length))
            }),
            Gradients::Square if N == 1 => {
                (0..256).map(|i| [(2 * i - 255) as f32 / 256.0; N]).collect()
            }
            Gradients::Square => orbits(Some),
            Gradients::Diagonals => {
                (0..1 << N).map(|i| arrays::from_fn(|k| sign(i >> (N - 1 - k) & 1 == 0))).collect()
            }
            Gradients::Edges if N == 4 => edges_4d().into(),
            Gradients::Edges => (0..16).map(edge).collect(),
            Gradients::Table(table) => table.as_slice().into(),
        }
    }
}

fn sign(negative: bool) -> f32 {
    if negative { -1.0 } else { 1.0 }
}

pub(crate) fn even<const N: usize>() -> Arc<[[f32; N]]> {
    let scaled =
        |set: Vec<[f32; N]>, length: f32| set.iter().map(|g| g.each(|x| x * length)).collect();
    match N {
        1 => Arc::new([[1.0; N], [-1.0; N]]),
        2 => (0..16).map(sixteenth).collect(),
        3 => scaled(edges_3d().to_vec(), core::f32::consts::FRAC_1_SQRT_2),
        _ => scaled(edges_4d().to_vec(), 1.0 / 3f32.sqrt()),
    }
}

/// The 16 even directions in two dimensions.
pub(crate) fn even_directions() -> [[f32; 2]; 16] {
    arrays::from_fn(sixteenth)
}

/// Direction i of 16: bits 3 and 2 are the signs, bit 1 swaps the components, bit 0 selects the
/// pair.
///
/// The noise of 8 directions, or of the 4 diagonals, shows preferred angles; 16 look isotropic. And
/// each component is one of four numbers with a sign, which vector units select without a table in
/// memory.
fn sixteenth<const N: usize>(i: usize) -> [f32; N] {
    /// cos and sin of 11.25 and 33.75 degrees.
    const PAIRS: [[f32; 2]; 2] = [[0.980_785_25, 0.195_090_32], [0.831_469_6, 0.555_570_24]];
    let mut pair = PAIRS[i & 1];
    if i & 2 != 0 {
        pair.swap(0, 1);
    }
    let signs = [sign(i & 8 != 0), sign(i & 4 != 0)];
    arrays::from_fn(|k| pair[k] * signs[k])
}

/// The directions from the centre of a cube to its edges.
fn edges_3d<const N: usize>() -> [[f32; N]; 12] {
    arrays::from_fn(|i| {
        // Four signs for each pair of axes: (0, 1), (0, 2), (1, 2).
        let axes = [[0, 1], [0, 2], [1, 2]][i / 4];
        let mut edge = [0.0; N];
        edge[axes[0]] = sign(i & 1 != 0);
        edge[axes[1]] = sign(i & 2 != 0);
        edge
    })
}

/// The directions from the centre of a hypercube to its edges: one component is zero.
fn edges_4d<const N: usize>() -> [[f32; N]; 32] {
    arrays::from_fn(|i| {
        let mut bits = i % 8;
        arrays::from_fn(|k| {
            if k == i / 8 {
                return 0.0;
            }
            let component = sign(bits & 1 != 0);
            bits >>= 1;
            component
        })
    })
}

/// `grad` of "Improving Noise": the low four bits of a hash select one of 12 edges, of which the
/// first N components are used.
fn edge<const N: usize>(hash: usize) -> [f32; N] {
    let mut components = [0.0; 3];
    let u = if hash < 8 { 0 } else { 1 };
    let v = match hash {
        0..4 => 1,
        12 | 14 => 0,
        _ => 2,
    };
    components[u] += sign(hash & 1 != 0);
    components[v] += sign(hash & 2 != 0);
    arrays::from_fn(|k| components[k])
}

/// About 256 vectors: random ones from the cube that `accept` accepts, each with all its sign
/// changes and rotations of components. So the set has exactly no preferred axis, rather than only
/// on average.
fn orbits<const N: usize>(accept: impl Fn([f64; N]) -> Option<[f64; N]>) -> Arc<[[f32; N]]> {
    if N == 1 {
        return Arc::new([[1.0; N], [-1.0; N]]);
    }
    /// "gradients" in ASCII. Any number would do.
    const SEED: u64 = 0x6772_6164_6965_6e74;
    let draws = (0..).map(|i| derive(SEED, i));
    let mut components = draws.map(|bits| (bits >> 11) as f64 / (1u64 << 53) as f64);
    let bases =
        core::iter::from_fn(|| Some(arrays::from_fn(|_| components.next().expect("endless"))));
    let orbit = N << N;
    bases
        .filter_map(accept)
        .take(256 / orbit)
        .flat_map(|base| {
            (0..N << N).map(move |i| {
                let (turn, signs) = (i >> N, i & ((1 << N) - 1));
                arrays::from_fn(|k| base[(k + turn) % N] as f32 * sign(signs >> k & 1 != 0))
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: usize>() {
        let sets = [
            (Gradients::<N>::Even, Some(1.0)),
            (Gradients::Unit, Some(1.0)),
            (Gradients::Square, None),
            (Gradients::Diagonals, Some(N as f64)),
            (Gradients::Edges, None),
        ];
        for (set, squared_length) in sets {
            let table = set.table();
            assert!(table.len() > 1 && table.len() <= 256, "{set:?}: {}", table.len());
            let mut moments = [[0.0; N]; N];
            let mut mean = [0.0; N];
            for g in table.iter() {
                let g = g.map(f64::from);
                let squared: f64 = g.iter().map(|x| x * x).sum();
                assert!(g.iter().all(|x| x.abs() <= 1.0));
                if let Some(expected) = squared_length {
                    assert!((squared - expected).abs() < 1e-6, "{set:?}: {g:?}");
                }
                for k in 0..N {
                    mean[k] += g[k];
                    for l in 0..N {
                        moments[k][l] += g[k] * g[l];
                    }
                }
            }
            for k in 0..N {
                assert!(mean[k].abs() < 1e-4, "{N}D {set:?}: mean {mean:?}");
                for l in 0..N {
                    let expected = if k == l { moments[0][0] } else { 0.0 };
                    // Perlin's rule of 2002 has four of its edges twice.
                    let expected = if set == Gradients::Edges && N < 4 {
                        [[10.0, 0.0, 0.0], [0.0, 12.0, 0.0], [0.0, 0.0, 10.0]][k][l]
                    } else {
                        expected
                    };
                    assert!((moments[k][l] - expected).abs() < 1e-4, "{N}D {set:?}: {moments:?}");
                }
            }
        }
    }

    /// Mean zero and E[g g^T] proportional to the identity, so the power spectrum of the noise
    /// favours no axis.
    #[test]
    fn sets_are_centred_and_isotropic() {
        check::<1>();
        check::<2>();
        check::<3>();
        check::<4>();
    }

    #[test]
    fn edges_follow_the_bit_rule() {
        let grad = |hash: usize, [x, y, z]: [f32; 3]| {
            let u = if hash < 8 { x } else { y };
            let v = if hash < 4 {
                y
            } else if hash == 12 || hash == 14 {
                x
            } else {
                z
            };
            (if hash & 1 == 0 { u } else { -u }) + (if hash & 2 == 0 { v } else { -v })
        };
        for (hash, g) in Gradients::<3>::Edges.table().iter().enumerate() {
            let p = [0.3, 0.5, 0.7];
            let dot: f32 = g.iter().zip(p).map(|(g, x)| g * x).sum();
            assert!((dot - grad(hash, p)).abs() < 1e-6, "{hash}");
        }
    }

    #[test]
    fn the_four_diagonals_are_in_order() {
        let table = Gradients::<2>::Diagonals.table();
        assert_eq!(*table, [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]);
    }
}
