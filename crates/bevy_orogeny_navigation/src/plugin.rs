//! The plugin.

use bevy_app::{App, Plugin};
use bevy_ecs::prelude::*;
use bevy_orogeny::advanced::{StreamTerrain, TerrainSystems};

use crate::stream;

/// Builds the tiles of [`NavigationMesh`](crate::NavigationMesh)es around
/// [`NavigationSource`](crate::NavigationSource)s. Add it together with
/// [`TerrainPlugins`](bevy_orogeny::TerrainPlugins), or with
/// [`TerrainStreamingPlugin`](bevy_orogeny::advanced::TerrainStreamingPlugin) on a server.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::prelude::*;
/// use bevy_orogeny_navigation::*;
///
/// fn setup(mut commands: Commands) -> Result {
///     commands.spawn(Terrain::default());
///     let mesh = commands.spawn(NavigationMesh::new(NavigationAgent::default())?).id();
///     commands.spawn((NavigationSource::new(mesh), Transform::from_xyz(300.0, 0.0, 0.0)));
///     Ok(())
/// }
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, AssetPlugin::default(), TerrainPlugins, NavigationPlugin));
/// app.add_systems(Startup, setup);
/// app.update();
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NavigationPlugin;

/// The systems of navigation, in the schedule [`StreamTerrain`] after the plugin's own steps: an
/// edit of a frame marks the tiles that it touches in the same frame.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NavigationSystems {
    /// Finds obstacles that have come, moved or gone, takes finished tiles, drops those that are no
    /// longer needed, and starts tasks for others.
    Stream,
}

impl Plugin for NavigationPlugin {
    fn build(&self, app: &mut App) {
        app.configure_sets(StreamTerrain, NavigationSystems::Stream.after(TerrainSystems::Report))
            .init_resource::<stream::WorldObstacles>()
            .add_systems(
                StreamTerrain,
                (stream::find_obstacles, stream::stream).chain().in_set(NavigationSystems::Stream),
            );
    }
}
