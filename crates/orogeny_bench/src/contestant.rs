//! Who takes part.

/// A library with one way to do a workload.
pub struct Contestant {
    pub library: &'static str,
    pub method: &'static str,
    /// The vectors it was told to use, where it can be told.
    pub level: &'static str,
    /// Does the workload once.
    pub run: Box<dyn FnMut()>,
}
