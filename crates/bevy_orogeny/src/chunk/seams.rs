//! The gaps between chunks.

use bevy_ecs::prelude::*;

/// How the gaps between chunks of different levels are closed.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seams {
    /// Not at all: nobody looks, as on a server.
    #[default]
    Open,
    /// Skirts hang from the border, as deep as the finer and the coarser edge differ. That is for
    /// materials that know nothing of chunks.
    Skirts,
    /// Vertices carry what a vertex shader needs to geomorph:
    /// [`ATTRIBUTE_TARGET`](crate::ATTRIBUTE_TARGET).
    Morph,
}
