//! Images whose channels are weights: masks and splat maps. Start with `weights.rs`; `image.rs`
//! reads files.

mod image;
#[expect(clippy::module_inception, reason = "the file has the name of its type")]
mod weights;

pub use image::read_weights;
pub use weights::Weights;
