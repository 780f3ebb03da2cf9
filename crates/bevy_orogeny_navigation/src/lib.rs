// The README's links are files beside it. Here they are what these lines say: of several
// definitions of a link the first wins. Links to items are only here, since GitHub has none.
#![cfg_attr(doc, doc = concat!(
    "[flock]: ", env!("CARGO_PKG_REPOSITORY"), "/raw/v", env!("CARGO_PKG_VERSION"),
    "/crates/bevy_orogeny_navigation/pictures/flock.png\n",
    "[`GroundQuery::field`]: bevy_orogeny::GroundQuery::field\n",
    "[`TerrainBudget::tasks`]: bevy_orogeny::advanced::TerrainBudget::tasks\n",
    "[`TerrainOrigin`]: bevy_orogeny::TerrainOrigin\n",
    "[`WalkerObstacle`]: bevy_orogeny::advanced::WalkerObstacle\n",
))]
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod agent;
mod key;
mod mesh;
mod obstacle;
mod path;
mod plugin;
mod search;
mod stream;
mod tile;
mod tiles;

pub use agent::NavigationAgent;
pub use mesh::{NavigationMesh, NavigationSource};
pub use obstacle::NavigationObstacle;
pub use path::{NavigationError, NavigationPath};
pub use plugin::NavigationPlugin;
pub use stream::NavigationChanged;
pub use tiles::NavigationTiles;

pub mod advanced {
    //! What few games name.
    //!
    //! * **Single tiles**, without an `App`: [`NavigationTile`], [`TileKey`], [`TileError`], with
    //!   each [`Obstacle`] and its [`ObstacleOutline`].
    //! * **When tiles are built**: [`NavigationSystems`].
    //! * **Limits of numbers**: [`RANGE`] of sources, and all others of
    //!   [agents](crate::NavigationAgent).

    pub use crate::agent::{CELL_SIZE, HEIGHT, RADIUS, SLOPE_LIMIT, SNAP, STEP_HEIGHT, WADE_DEPTH};
    pub use crate::key::TileKey;
    pub use crate::mesh::RANGE;
    pub use crate::obstacle::{Obstacle, ObstacleOutline};
    pub use crate::plugin::NavigationSystems;
    pub use crate::tile::{NavigationTile, TileError};
}
