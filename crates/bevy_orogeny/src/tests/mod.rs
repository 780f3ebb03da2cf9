//! Tests that involve several modules.

mod chunks;
mod floods;
mod rivers;
#[cfg(feature = "plants")]
mod scatter;
#[cfg(feature = "plants")]
mod scatter_owner;
#[cfg(all(feature = "plants", feature = "water"))]
mod scene_names;
