//! Tests that involve several modules.

mod far;
mod floods;
mod rivers;
#[cfg(feature = "render")]
mod scatter;
#[cfg(feature = "render")]
mod scatter_owner;
#[cfg(feature = "render")]
mod scatter_spawn;
mod seams;
