// The README's links are files beside it. Here they are what these lines say: of several
// definitions of a link the first wins. Links to items are only here, since GitHub has none.
#![cfg_attr(doc, doc = concat!(
    "[flock]: ", env!("CARGO_PKG_REPOSITORY"), "/raw/v", env!("CARGO_PKG_VERSION"),
    "/crates/bevy_orogeny_navigation/pictures/flock.png\n",
    "[`GroundQuery::field`]: bevy_orogeny::GroundQuery::field\n",
    "[`TerrainBudget::tasks`]: bevy_orogeny::TerrainBudget::tasks\n",
    "[`TerrainOrigin`]: bevy_orogeny::TerrainOrigin\n",
    "[`WalkerObstacle`]: bevy_orogeny::WalkerObstacle\n",
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

pub use agent::{
    CELL_SIZE, HEIGHT, NavigationAgent, RADIUS, SLOPE_LIMIT, SNAP, STEP_HEIGHT, WADE_DEPTH,
};
pub use key::TileKey;
pub use mesh::{NavigationMesh, NavigationSource, RANGE};
pub use obstacle::{NavigationObstacle, Obstacle, ObstacleOutline};
pub use path::{NavigationError, NavigationPath};
pub use plugin::{NavigationPlugin, NavigationSystems};
pub use stream::NavigationChanged;
pub use tile::{NavigationTile, TileError};
pub use tiles::NavigationTiles;
