// The README's links are files beside it. Here they are what these lines say: of several
// definitions of a link the first wins.
#![cfg_attr(doc, doc = concat!(
    "[warp]: ", env!("CARGO_PKG_REPOSITORY"), "/raw/v", env!("CARGO_PKG_VERSION"),
    "/crates/orogeny/pictures/warp.png\n",
    "[terraces]: ", env!("CARGO_PKG_REPOSITORY"), "/raw/v", env!("CARGO_PKG_VERSION"),
    "/crates/orogeny/pictures/terraces.png\n",
    "[erode]: ", env!("CARGO_PKG_REPOSITORY"), "/raw/v", env!("CARGO_PKG_VERSION"),
    "/crates/orogeny/pictures/erode.png\n",
    "[accuracy]: docs::accuracy\n",
    "[bounds]: docs::bounds\n",
    "[speed]: docs::speed\n",
    "[comparison]: docs::comparison\n",
    "[from_noise_to_a_world]: docs::from_noise_to_a_world\n",
))]
#![doc = include_str!("../README.md")]
// Tests compare with the platform's maths library, so they may call it.
#![cfg_attr(test, allow(clippy::disallowed_methods))]
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(not(test), warn(clippy::std_instead_of_alloc, clippy::std_instead_of_core))]
#![cfg_attr(not(test), warn(clippy::alloc_instead_of_core))]
// Tests link `std`, so they do not use `float`.
#![cfg_attr(all(test, not(feature = "std")), allow(unused_imports))]

#[macro_use]
extern crate alloc;

mod arrays;
mod band;
pub mod climate;
pub mod cover;
mod derivative;
pub mod drainage;
pub mod edits;
mod error;
mod field;
#[cfg(any(test, not(feature = "std")))]
mod float;
pub mod fractal;
mod kernel;
mod kind_id;
pub mod lattice;
pub mod limits;
pub mod node;
pub mod noise;
#[cfg(feature = "rayon")]
mod parallel;
mod position;
pub mod ray;
mod real;
mod region;
mod samples;
pub mod scatter;
pub mod simd;
mod terrain;
#[cfg(test)]
mod tests;
#[cfg(any(feature = "ron", feature = "json"))]
mod text;
pub mod texture;
mod tiles;

pub use band::Band;
pub use climate::Climate;
pub use cover::Cover;
pub use derivative::bounds::Bounds;
pub use derivative::jet::{Curvature, Jet};
pub use derivative::sample::Sample;
pub use error::DataError;
pub use field::{Field, SharedField};
pub use fractal::{Fractal, FractalKind};
pub use node::{Erosion, Node, Shape, Transform, Tree};
pub use noise::{Cellular, GradientNoise, Simplex};
#[cfg(feature = "rayon")]
pub use parallel::ParallelField;
pub use position::Position;
pub use region::Region;
pub use samples::positions::Grid;
pub use samples::{Jets, Samples};
pub use scatter::ground::Appearance;
pub use terrain::lands_field::LandsField;
pub use terrain::landscape::Landscape;
pub use terrain::recipe::Recipe;

/// A guide, and pages of figures and comparisons. They are included here so that their examples are
/// tested.
#[cfg(any(doc, doctest))]
pub mod docs {
    #[doc = include_str!("../docs/accuracy.md")]
    pub mod accuracy {}
    #[doc = include_str!("../docs/bounds.md")]
    pub mod bounds {}
    #[doc = include_str!("../docs/comparison.md")]
    pub mod comparison {}
    #[cfg(feature = "ron")]
    #[cfg_attr(doc, doc = concat!(
        "[world]: ", env!("CARGO_PKG_REPOSITORY"), "/blob/v", env!("CARGO_PKG_VERSION"),
        "/crates/orogeny/docs/world.terrain.ron\n",
    ))]
    #[doc = include_str!("../docs/from_noise_to_a_world.md")]
    pub mod from_noise_to_a_world {}
    #[doc = include_str!("../docs/speed.md")]
    pub mod speed {}
}
