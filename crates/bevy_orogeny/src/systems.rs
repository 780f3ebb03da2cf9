//! The order of the plugin's systems.

use bevy_ecs::schedule::SystemSet;

/// The steps of streaming, in this order in `PostUpdate`: after cameras have moved in `Update`, before transforms are
/// propagated and visibility is decided, so that a frame is drawn with the chunks selected for it.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TerrainSystems {
    /// Changed presets, settings and far planes are taken over.
    Adopt,
    /// Finished tasks become meshes.
    Receive,
    /// Each terrain selects the chunks that its viewers want.
    Select,
    /// Chunks are shown and hidden.
    Show,
    /// Tasks are started, unwanted chunks removed.
    Dispatch,
    /// Statistics are counted.
    Report,
}
