//! A contestant: a library and a method.

/// A library with one method of doing a workload.
pub struct Contestant {
    pub library: &'static str,
    pub method: &'static str,
    /// The SIMD level that it is forced to; empty for libraries without that choice.
    pub level: &'static str,
    /// Runs the workload once.
    pub run: Box<dyn FnMut()>,
}
