//! How the gaps between chunks of different levels are closed.

use bevy_ecs::prelude::*;

/// How the gaps between chunks of different levels are closed. On a terrain: for its next chunks.
/// On a chunk: for its mesh.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seams {
    /// Not at all: for servers, where nothing is drawn.
    #[default]
    Open,
    /// Skirts hang from the border, as deep as the finer and the coarser edge differ: for materials
    /// that are not made for chunks.
    Skirts,
    /// Vertices geomorph in the vertex shader, by [`ATTRIBUTE_TARGET`](crate::ATTRIBUTE_TARGET).
    Morph,
}
