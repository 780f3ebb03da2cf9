//! The workloads: what is computed. Their names are stable: results of different versions are
//! compared by them.

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

/// One octave of Perlin noise.
const ONE: Noise =
    Noise { basis: Basis::Gradient, octaves: 1, frequency: 0.01, lacunarity: 2.0, kind: Kind::Fbm };

/// Eight octaves on a grid, of which octave 0 spans two cells.
fn eight(side: usize) -> Noise {
    Noise { octaves: 8, frequency: 2.0 / (side - 1) as f64, ..ONE }
}

/// All workloads.
pub fn all() -> Vec<Workload> {
    let [one, many] = [ONE, eight(129)];
    let grid = |side, noise, gradient| Task::Grid { side, noise, gradient };
    let of = |basis| Noise { basis, ..one };
    let eight_of = |kind, gradient| grid(129, Noise { kind, ..many }, gradient);
    // Sixteen samples for each cell of octave 0.
    let volume = |octaves| Noise { octaves, frequency: 1.0 / 16.0, ..one };
    // Random positions are in cells of octave 0.
    let points = |octaves| Noise { octaves, frequency: 1.0, ..one };
    [
        ("grid_value_1", grid(256, one, false)),
        ("grid_gradient_1", grid(256, one, true)),
        ("grid_value_8", grid(129, many, false)),
        ("grid_gradient_8", grid(129, many, true)),
        ("grid_value_8_33", grid(33, eight(33), false)),
        ("grid_gradient_8_33", grid(33, eight(33), true)),
        ("grid_value_8_65", grid(65, eight(65), false)),
        ("grid_gradient_8_65", grid(65, eight(65), true)),
        ("grid_value_8_257", grid(257, eight(257), false)),
        ("grid_gradient_8_257", grid(257, eight(257), true)),
        ("grid_gradient_8_lacunarity", grid(129, Noise { lacunarity: 1.97, ..many }, true)),
        ("grid3_value_1", Task::Volume { noise: volume(1), gradient: false }),
        ("grid3_value_8", Task::Volume { noise: volume(8), gradient: false }),
        ("grid3_gradient_8", Task::Volume { noise: volume(8), gradient: true }),
        ("simplex_value", grid(256, of(Basis::Simplex), false)),
        ("simplex_gradient", grid(256, of(Basis::Simplex), true)),
        ("cellular_value", grid(256, of(Basis::Cellular), false)),
        ("cellular_gradient", grid(256, of(Basis::Cellular), true)),
        ("points_value_1", Task::Points { noise: points(1), gradient: false }),
        ("points_gradient_1", Task::Points { noise: points(1), gradient: true }),
        ("point_gradient_1", Task::Single { noise: points(1) }),
        ("point_gradient_8", Task::Single { noise: points(8) }),
        ("warped_value_8", eight_of(Kind::Warped, false)),
        ("warped_gradient_8", eight_of(Kind::Warped, true)),
        ("transformed_gradient_8", eight_of(Kind::Transformed, true)),
        ("rotated_gradient_8", eight_of(Kind::Rotated, true)),
        ("improved_gradient_8", grid(129, Noise { basis: Basis::Improved, ..many }, true)),
        ("ridged_8", eight_of(Kind::Ridged, true)),
        ("damped_8", eight_of(Kind::Damped, true)),
        ("eroded_8", eight_of(Kind::Eroded, true)),
        ("eroded_8_value", eight_of(Kind::Eroded, false)),
        ("grid_jet_8", Task::Jets { side: 129, noise: many }),
        (
            "grid_jet_eroded_8",
            Task::Jets { side: 129, noise: Noise { kind: Kind::Eroded, ..many } },
        ),
        ("chunk_mesh_65", Task::Chunk { side: 65, preset: Preset::Hills }),
        ("chunk_mesh_129", Task::Chunk { side: 129, preset: Preset::Hills }),
        ("chunk_mesh_eroded_65", Task::Chunk { side: 65, preset: Preset::Alpine }),
    ]
    .map(|(name, task)| Workload { name, task })
    .into()
}
