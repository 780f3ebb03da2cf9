//! The plugin: fills the terrain from the open world, and saves what changes.

use bevy_app::{App, AppExit, Last, Plugin, PostUpdate, SpawnScene};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::common_conditions::{on_message, resource_exists};
use bevy_orogeny::{EditApplied, Terrain, TerrainEdits};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;

use crate::following;
use crate::terrain_world::TerrainWorld;

/// Loads and saves the terrain with a [`SavedTerrain`] while there is a [`TerrainWorld`]. Add it
/// beside the plugin of the terrain.
pub struct TerrainWorldPlugin;

/// The terrain of the open [`TerrainWorld`].
///
/// As soon as both are there it gets the recipe and the edits of the world. Spawned alone it
/// becomes a [`Terrain`]. The settings of a [`Terrain`] beside it stay, but its ground and its
/// edits are replaced, even if they are inserted later in the same frame. All other changes of the
/// two are saved. The settings are not: they are those of the machine.
///
/// When it is despawned the world stays open, and the next one gets its ground and edits. If there
/// are several, only the first one is saved, and a warning is logged.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct SavedTerrain;

/// The systems of [`TerrainWorldPlugin`], to run a game's own systems before or after them.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny_world::{TerrainWorld, TerrainWorldSystems};
///
/// /// Saves the score of this frame in one transaction with its edits.
/// fn save_score(mut world: ResMut<TerrainWorld>) -> Result {
///     world.set_value("score", &7)?;
///     Ok(())
/// }
///
/// # let mut app = App::new();
/// app.add_systems(PostUpdate, save_score.before(TerrainWorldSystems::Save));
/// ```
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TerrainWorldSystems {
    /// In `SpawnScene`: fills the [`SavedTerrain`] if it was not filled when it was spawned, or
    /// when the world was opened.
    Fill,
    /// In `PostUpdate`: saves what the frame has changed, and closes the file after
    /// [`TerrainWorld::close`]. What is changed later is saved in the next frame.
    Save,
    /// In `PostUpdate`, after [`Save`](Self::Save): changes to the world that was given to
    /// [`TerrainWorld::switch_to`].
    Switch,
    /// In `Last`, at `AppExit`: saves what is left, and closes the file.
    Finish,
}

pub(crate) type Parts = (Entity, Option<&'static Terrain>, Option<&'static TerrainEdits>);

impl Plugin for TerrainWorldPlugin {
    fn build(&self, app: &mut App) {
        use TerrainWorldSystems::{Fill, Finish, Save, Switch};
        app.register_type::<SavedTerrain>()
            .add_message::<EditApplied>()
            .configure_sets(PostUpdate, (Save, Switch).chain())
            .add_systems(
                SpawnScene,
                following::fill.in_set(Fill).run_if(resource_exists::<TerrainWorld>),
            )
            .add_systems(
                PostUpdate,
                (save.in_set(Save), switch.in_set(Switch)).run_if(resource_exists::<TerrainWorld>),
            )
            .add_systems(
                Last,
                (
                    finish
                        .in_set(Finish)
                        .run_if(on_message::<AppExit>.and_then(resource_exists::<TerrainWorld>)),
                    following::settle.run_if(resource_exists::<TerrainWorld>),
                ),
            )
            .add_observer(following::on_opened)
            .add_observer(following::on_added)
            .add_observer(following::on_ground_inserted)
            .add_observer(following::on_edits_inserted)
            .add_observer(following::on_closed)
            .add_observer(following::on_removed);
    }
}

/// Saves the changes of this frame in one transaction, and closes the file if that was asked for.
fn save(
    mut world: ResMut<TerrainWorld>,
    mut applied: MessageReader<EditApplied>,
    terrains: Query<Parts>,
    changed: Query<(), Or<(Changed<Terrain>, Changed<TerrainEdits>)>>,
) {
    let world = world.bypass_change_detection();
    if world.is_just_filled {
        // Edits from before that are those of another world. Later ones are found by comparison.
        applied.clear();
    }
    if let Some(terrain) = world.terrain
        && changed.contains(terrain)
        && let Ok(found) = terrains.get(terrain)
    {
        let ours = applied.read().filter(|applied| applied.terrain == terrain);
        world.follow(found, ours.map(|EditApplied { applied, .. }| &applied.change));
    } else {
        applied.clear();
    }
    world.give();
    if world.is_closing {
        world.close_now();
    }
}

/// Changes to the next world once this one is saved.
fn switch(mut world: ResMut<TerrainWorld>, terrains: Query<Parts>, mut commands: Commands) {
    let Some(next) = world.bypass_change_detection().take_next() else { return };
    // Edits since `Save` are those of the old world, too.
    world.follow_terrain(&terrains);
    let terrain = world.terrain;
    *world = next;
    if let Some(found) = terrain.and_then(|terrain| terrains.get(terrain).ok()) {
        world.fill(found, &mut commands);
    }
}

/// Saves what is left, and waits for the disk.
fn finish(mut world: ResMut<TerrainWorld>, terrains: Query<Parts>) {
    world.follow_terrain(&terrains);
    world.close_now();
}
