//! Tests that involve several modules.

mod far;
mod floods;
#[cfg(all(feature = "plants", feature = "water"))]
mod parts;
mod rivers;
#[cfg(feature = "plants")]
mod scatter;
#[cfg(feature = "plants")]
mod scatter_owner;
#[cfg(feature = "plants")]
mod scatter_spawn;
mod seams;
