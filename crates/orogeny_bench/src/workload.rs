//! The workloads.

/// A task for every library.
pub struct Workload {
    pub name: &'static str,
    pub task: Task,
}

/// What a workload computes.
#[derive(Clone, Copy)]
pub enum Task {
    /// A dense grid.
    Grid { side: usize, fractal: Fractal, gradient: bool },
    /// A dense grid with second derivatives.
    Jets { side: usize, fractal: Fractal },
    /// Random positions, one octave.
    Points { gradient: bool },
    /// The mesh of a terrain chunk with `side` vertices along each side.
    Chunk { side: usize },
}

/// The octaves of a noise.
#[derive(Clone, Copy)]
pub struct Fractal {
    pub octaves: u32,
    /// Frequency of the first octave, in cells per sample.
    pub frequency: f64,
    pub lacunarity: f64,
    pub kind: Kind,
}

/// The use of the octaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Fbm,
    Ridged,
    /// fBm with its domain warped by two fBm of two octaves.
    Warped,
    /// Slope-damped fBm.
    Damped,
    /// fBm with an erosion filter of five octaves.
    Eroded,
}

pub const GAIN: f32 = 0.5;
/// The amplitude of warps, in cells.
pub const WARP: f32 = 0.5;
/// The number of random positions.
pub const POINTS: usize = 1 << 16;
/// The maximum of each random coordinate, in cells.
pub const REACH: f64 = 1000.0;

impl Task {
    pub fn samples(&self) -> usize {
        match *self {
            Task::Grid { side, .. } | Task::Jets { side, .. } | Task::Chunk { side } => side * side,
            Task::Points { .. } => POINTS,
        }
    }
}

/// All workloads.
pub fn all() -> Vec<Workload> {
    let one = Fractal { octaves: 1, frequency: 0.01, lacunarity: 2.0, kind: Kind::Fbm };
    // Octave 0 spans two cells.
    let eight = |side: usize| Fractal { octaves: 8, frequency: 2.0 / (side - 1) as f64, ..one };
    let grid = |side, fractal, gradient| Task::Grid { side, fractal, gradient };
    let other = Fractal { lacunarity: 1.97, ..eight(129) };
    let of_kind = |kind| Fractal { kind, ..eight(129) };
    [
        ("grid_value_1", grid(256, one, false)),
        ("grid_gradient_1", grid(256, one, true)),
        ("grid_value_8", grid(129, eight(129), false)),
        ("grid_gradient_8", grid(129, eight(129), true)),
        ("grid_value_8_33", grid(33, eight(33), false)),
        ("grid_gradient_8_33", grid(33, eight(33), true)),
        ("grid_value_8_65", grid(65, eight(65), false)),
        ("grid_gradient_8_65", grid(65, eight(65), true)),
        ("grid_value_8_257", grid(257, eight(257), false)),
        ("grid_gradient_8_257", grid(257, eight(257), true)),
        ("grid_gradient_8_lacunarity", grid(129, other, true)),
        ("ridged_8", grid(129, of_kind(Kind::Ridged), true)),
        ("warped_8", grid(129, of_kind(Kind::Warped), true)),
        ("damped_8", grid(129, of_kind(Kind::Damped), true)),
        ("eroded_8", grid(129, of_kind(Kind::Eroded), true)),
        ("eroded_8_value", grid(129, of_kind(Kind::Eroded), false)),
        ("grid_jet_8", Task::Jets { side: 129, fractal: eight(129) }),
        ("points_value_1", Task::Points { gradient: false }),
        ("points_gradient_1", Task::Points { gradient: true }),
        ("chunk_mesh_65", Task::Chunk { side: 65 }),
        ("chunk_mesh_129", Task::Chunk { side: 129 }),
    ]
    .map(|(name, task)| Workload { name, task })
    .into()
}
