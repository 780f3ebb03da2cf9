//! The workloads: what is computed.

/// A task for every library.
pub struct Workload {
    pub name: &'static str,
    pub task: Task,
}

/// What a workload computes.
#[derive(Clone, Copy)]
pub enum Task {
    /// A dense grid of `side` x `side` samples.
    Grid { side: usize, noise: Noise, gradient: bool },
    /// A dense grid of [`VOLUME`] samples in three dimensions.
    Volume { noise: Noise, gradient: bool },
    /// A dense grid with second derivatives.
    Jets { side: usize, noise: Noise },
    /// Random positions in one call.
    Points { noise: Noise, gradient: bool },
    /// Random positions, each with its gradient in a call of its own.
    Single { noise: Noise },
    /// The mesh of a terrain chunk with `side` vertices along each side.
    Chunk { side: usize, preset: Preset },
}

/// A noise or a sum of octaves.
#[derive(Clone, Copy)]
pub struct Noise {
    pub basis: Basis,
    pub octaves: u32,
    /// Frequency of the first octave, in cells per sample.
    pub frequency: f64,
    pub lacunarity: f64,
    pub kind: Kind,
}

/// The noise of an octave.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// Perlin noise.
    Gradient,
    /// Perlin's improved noise of 2002, with its permutation table.
    Improved,
    Simplex,
    /// The distance to the nearest point of cellular noise, F1.
    Cellular,
}

/// The use of the octaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Fbm,
    Ridged,
    /// fBm with its domain warped by one octave of value noise along each axis.
    Warped,
    /// fBm under a scale and a translation: nodes of their own.
    Transformed,
    /// fBm whose octaves are rotated by [`TURN`] with respect to the one before.
    Rotated,
    /// Slope-damped fBm.
    Damped,
    /// fBm with an erosion filter of five octaves.
    Eroded,
}

/// A terrain of the example world.
#[derive(Clone, Copy)]
pub enum Preset {
    Hills,
    /// Its mountains have an erosion filter.
    Alpine,
}

pub const GAIN: f32 = 0.5;
/// The amplitude of warps, in cells.
pub const WARP: f32 = 0.5;
/// The translation of [`Kind::Transformed`], in samples.
pub const OFFSET: [f64; 2] = [100.3, -20.7];
/// The angle of [`Kind::Rotated`], in degrees.
pub const TURN: f64 = 30.0;
/// The size of [`Task::Volume`].
pub const VOLUME: [usize; 3] = [64, 64, 16];
/// The number of random positions.
pub const POINTS: usize = 1 << 16;
/// The maximum of each random coordinate, in cells.
pub const REACH: f64 = 1000.0;

impl Task {
    pub fn samples(&self) -> usize {
        match *self {
            Task::Grid { side, .. } | Task::Jets { side, .. } | Task::Chunk { side, .. } => {
                side * side
            }
            Task::Volume { .. } => VOLUME.iter().product(),
            Task::Points { .. } | Task::Single { .. } => POINTS,
        }
    }

    /// The noise that other libraries have to compute.
    pub fn noise(&self) -> Option<Noise> {
        match *self {
            Task::Grid { noise, .. }
            | Task::Volume { noise, .. }
            | Task::Points { noise, .. }
            | Task::Single { noise } => Some(noise),
            Task::Jets { .. } | Task::Chunk { .. } => None,
        }
    }

    /// Whether it has gradients.
    pub fn has_gradients(&self) -> bool {
        match *self {
            Task::Grid { gradient, .. }
            | Task::Volume { gradient, .. }
            | Task::Points { gradient, .. } => gradient,
            Task::Single { .. } | Task::Jets { .. } | Task::Chunk { .. } => true,
        }
    }

    /// Whether it has three dimensions.
    pub fn is_volume(&self) -> bool {
        matches!(self, Task::Volume { .. })
    }
}
