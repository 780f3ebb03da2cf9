//! How gaps between chunks of different levels are closed.

use bevy_ecs::prelude::*;

/// How gaps between chunks of different levels are closed. On a terrain it applies to the chunks
/// that are built next, on a chunk to its mesh.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seams {
    /// Gaps stay open: for servers, which draw nothing.
    #[default]
    Open,
    /// Skirts hang down from the border, as deep as the finer and the coarser edge differ. For
    /// materials that were not written for chunks.
    Skirts,
    /// Vertices geomorph in the vertex shader, which reads
    /// [`ATTRIBUTE_VERTEX`](crate::ATTRIBUTE_VERTEX).
    Morph,
}
