//! Queries of terrains in the world of an `App`.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;

use crate::base::origin::TerrainOrigin;
use crate::base::query_error::QueryError;
use crate::query::adopted_ground::AdoptedGround;
use crate::query::terrain_ground::TerrainGround;
use crate::query::terrains::{Grounds, Terrains, Which};
use crate::terrain::Terrain;

/// Queries the terrains of the world, even before they have chunks, at their current positions.
///
/// Positions are those of the world: x and z in `f64`, as returned by
/// [`TerrainOrigin::position`](crate::TerrainOrigin::position). While the origin is at 0, they
/// equal those of `Transform`s. If a terrain is moved, answers follow in the next frame. The query
/// reads no `Transform`, so a system may change transforms at the same time.
///
/// Answers come from the newest valid settings and edits, even while older chunks are still drawn.
/// Those of [`shown`](Self::shown) come from the ground that is drawn. [`TerrainWalker`] and
/// [`SpawnOnGround`], [`TerrainGizmos`] and pointers use that one; [`TerrainEditor`], colliders and
/// navigation meshes use the newest one.
///
/// [`TerrainWalker`]: crate::TerrainWalker
/// [`SpawnOnGround`]: crate::SpawnOnGround
/// [`TerrainGizmos`]: crate::advanced::TerrainGizmos
/// [`TerrainEditor`]: crate::TerrainEditor
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::TerrainQuery;
///
/// #[derive(Component)]
/// struct Feet;
///
/// fn stand(terrains: TerrainQuery, mut walkers: Query<&mut Transform, With<Feet>>) -> Result {
///     let ground = terrains.single()?;
///     for mut walker in &mut walkers {
///         let [x, z] = [walker.translation.x, walker.translation.z].map(f64::from);
///         walker.translation.y = ground.surface([x, z])?.value;
///     }
///     Ok(())
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, AssetPlugin::default(), bevy_orogeny::TerrainPlugins));
/// # app.add_systems(Update, stand);
/// # app.world_mut().spawn(bevy_orogeny::Terrain::default());
/// # app.world_mut().spawn((Feet, Transform::from_xyz(3.0, 0.0, 4.0)));
/// # app.update();
/// ```
#[derive(SystemParam)]
pub struct TerrainQuery<'w, 's> {
    pub(super) terrains: Query<'w, 's, Settings>,
    pub(super) origin: Option<Res<'w, TerrainOrigin>>,
}

pub(super) type Settings = (Entity, Ref<'static, Terrain>, Option<&'static AdoptedGround>);

impl<'w, 's> TerrainQuery<'w, 's> {
    /// The terrains by the ground that is shown: the newest one, unless that is still being built.
    /// That takes seconds after a change of the recipe. All of it is replaced in one frame, in
    /// which [`TerrainChanged`](crate::TerrainChanged) is triggered; see [`Terrains`].
    pub fn shown(&self) -> Terrains<'_, 'w, 's> {
        Terrains { query: self, which: Which::Shown }
    }

    /// The terrains by their newest ground.
    fn newest(&self) -> Terrains<'_, 'w, 's> {
        Terrains { query: self, which: Which::Newest }
    }

    /// Whether there is no terrain at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.terrains.is_empty()
    }

    /// The ground of the only terrain. If there may be several, use [`get`](Self::get) or
    /// [`highest`](Self::highest).
    ///
    /// # Errors
    /// No terrain or several, and those of [`get`](Self::get).
    pub fn single(&self) -> Result<TerrainGround<'_>, QueryError> {
        self.newest().single()
    }

    /// The ground of every terrain, with the errors of [`get`](Self::get).
    pub fn iter(&self) -> impl Iterator<Item = Result<TerrainGround<'_>, QueryError>> {
        self.newest().iter()
    }

    /// The ground that is highest at (x, z), by its triangles of level 0. Terrains without an
    /// answer there do not count.
    ///
    /// # Errors
    /// Fails without terrains. If no terrain has an answer, the error of one of them.
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_orogeny::TerrainQuery;
    ///
    /// fn report_highest(terrains: TerrainQuery) -> Result {
    ///     let ground = terrains.highest([10.0, 20.0])?;
    ///     info!("{} at {} m", ground.terrain(), ground.surface([10.0, 20.0])?.value);
    ///     Ok(())
    /// }
    /// ```
    pub fn highest(&self, position: [f64; 2]) -> Result<TerrainGround<'_>, QueryError> {
        self.newest().highest(position)
    }

    /// The newest ground of a named terrain, or of all of them.
    pub(crate) fn grounds(&self, named: Option<Entity>) -> Result<Grounds<'_>, QueryError> {
        self.newest().grounds(named)
    }

    /// The ground of a terrain.
    ///
    /// This is fast, except for a terrain that was changed in the same frame: its field is built
    /// for this one answer.
    ///
    /// # Errors
    /// An entity that is not a terrain; ground that is not loaded or not valid; a terrain that is
    /// rotated or scaled; an app without `TerrainPlugins` or `AssetPlugin`.
    pub fn get(&self, terrain: Entity) -> Result<TerrainGround<'_>, QueryError> {
        self.newest().get(terrain)
    }
}
