//! The list of all workloads. Their names are stable: results of different versions are compared by
//! them.

use crate::workload::{Basis, Kind, Noise, Preset, Task, Workload};

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
