//! From positions to lattice coordinates.

/// Where one octave samples its lattice: at position * frequency + offset along each axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LatticeMapping<const N: usize> {
    pub frequency: f64,
    /// The fraction of a cell by which the origin is moved, in [0, 1) along each axis.
    pub offset: [f64; N],
}
