//! Why a terrain cannot be opened or saved.

use std::path::PathBuf;

use orogeny_world::WorldError;

/// Why a world was not opened or created. No file was changed.
#[derive(Debug, thiserror::Error)]
pub enum TerrainWorldError {
    /// The file cannot be opened, created or replaced.
    #[error("{0}")]
    File(#[from] WorldError),
    /// The folder of a new file cannot be created.
    #[error("{}: {error}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the file system.
        error: std::io::Error,
    },
    /// The ground is [`Ground::Loading`](bevy_orogeny::Ground::Loading).
    #[error("the ground of the terrain is not loaded yet, so it cannot be saved")]
    Loading,
    /// The ground is a [`Ground::Field`](bevy_orogeny::Ground::Field), which is code.
    #[error("the ground of the terrain is a custom field, which no file can hold: use a recipe")]
    Field,
}
