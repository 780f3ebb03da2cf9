//! The map from positions to lattice coordinates.

/// How an octave maps positions to its lattice: position * frequency + offset along each axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LatticeMapping<const N: usize> {
    pub frequency: f64,
    /// The offset of the origin in cells, in [0, 1) along each axis.
    pub offset: [f64; N],
}
