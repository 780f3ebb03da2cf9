#![doc = include_str!("../README.md")]

#[cfg(feature = "avian")]
mod avian;
#[cfg(feature = "rapier")]
mod rapier;
#[cfg(any(feature = "avian", feature = "rapier"))]
mod tri_mesh;

#[cfg(feature = "avian")]
pub use avian::Avian;
#[cfg(feature = "rapier")]
pub use rapier::Rapier;
