//! Where an octave looks its noise up.

/// Where one octave samples its noise: at position * frequency + offset along each axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<const N: usize> {
    pub frequency: f64,
    /// The place of the origin within its cell, in [0, 1) along each axis.
    pub offset: [f64; N],
}
