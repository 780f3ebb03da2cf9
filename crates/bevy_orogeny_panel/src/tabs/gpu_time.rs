//! GPU times by pass, for the tab Statistics.

use bevy::diagnostic::{DiagnosticPath, DiagnosticsStore};

/// What to do if nothing is measured.
pub const HOW: &str = "To measure render passes on the GPU, add \
     bevy::render::diagnostic::RenderDiagnosticsPlugin to the app. It needs timestamp queries, \
     which Vulkan and DirectX 12 have";

/// The passes that draw terrain: their names, their help, and Bevy's names of them.
const PASSES: [(&str, &str, &str); 3] = [
    ("Opaque pass", "The ground, and all other opaque objects", "main_opaque_pass_3d"),
    ("Transparent pass", "Water, and all other blended objects", "main_transparent_pass_3d"),
    ("Prepass", "Depth, normals and motion vectors, for cameras that need them", "early prepass"),
];

const OTHERS: (&str, &str) = (
    "Other passes",
    "All other passes that Bevy measures, such as bloom, but not shadows or the atmosphere",
);

/// A pass with its GPU time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GpuTime {
    pub name: &'static str,
    pub help: &'static str,
    /// In milliseconds, smoothed over the last frames.
    pub milliseconds: f64,
}

/// The GPU times of all passes. Empty if none are measured.
pub fn gpu_times(store: &DiagnosticsStore) -> Vec<GpuTime> {
    let of = |pass| {
        let path = DiagnosticPath::from_components(["render", pass, "elapsed_gpu"]);
        store.get(&path).and_then(|time| time.smoothed())
    };
    let mut times: Vec<GpuTime> = PASSES
        .iter()
        .filter_map(|&(name, help, pass)| {
            of(pass).map(|milliseconds| GpuTime { name, help, milliseconds })
        })
        .collect();
    let others: Vec<f64> =
        store.iter().filter(|d| is_other(d.path())).filter_map(|d| d.smoothed()).collect();
    if !others.is_empty() {
        let (name, help) = OTHERS;
        times.push(GpuTime { name, help, milliseconds: others.iter().sum() });
    }
    times
}

/// Whether this is the GPU time of a pass that is not in [`PASSES`], nor within another one.
fn is_other(path: &DiagnosticPath) -> bool {
    let parts: Vec<&str> = path.components().collect();
    let ["render", pass, "elapsed_gpu"] = parts[..] else { return false };
    PASSES.iter().all(|(.., known)| *known != pass)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::diagnostic::{Diagnostic, DiagnosticMeasurement};

    /// A store with one measurement of each path.
    fn store(measured: &[(&'static str, f64)]) -> DiagnosticsStore {
        let mut store = DiagnosticsStore::default();
        for &(path, value) in measured {
            let mut diagnostic = Diagnostic::new(DiagnosticPath::new(path));
            let time = bevy::platform::time::Instant::now();
            diagnostic.add_measurement(DiagnosticMeasurement { time, value });
            store.add(diagnostic);
        }
        store
    }

    #[test]
    fn passes_have_names_and_the_others_are_added_up() {
        let times = gpu_times(&store(&[
            ("render/main_opaque_pass_3d/elapsed_gpu", 2.0),
            ("render/main_opaque_pass_3d/elapsed_cpu", 9.0),
            ("render/tonemapping/elapsed_gpu", 0.25),
            ("render/smaa/elapsed_gpu", 0.5),
            ("render/bloom/bloom_downsampling/elapsed_gpu", 7.0),
        ]));
        let found: Vec<_> = times.iter().map(|time| (time.name, time.milliseconds)).collect();
        assert_eq!(found, [("Opaque pass", 2.0), ("Other passes", 0.75)]);
        assert_eq!(gpu_times(&store(&[("fps", 60.0)])), []);
    }
}
