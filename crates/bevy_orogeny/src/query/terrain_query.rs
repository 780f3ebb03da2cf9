//! Queries of terrains in the world of an `App`.

use std::borrow::Cow;

use bevy_ecs::prelude::*;
use bevy_ecs::query::QuerySingleError;
use bevy_ecs::system::SystemParam;
#[cfg(feature = "gizmos")]
use bevy_math::Vec3;
use orogeny::Sample;
use orogeny::drainage::Water;

use crate::query::QueryError;
use crate::query::adopted_ground::AdoptedGround;
use crate::query::terrain_ground::TerrainGround;
use crate::streaming::origin::TerrainOrigin;
use crate::terrain::Terrain;

/// Queries the terrains of the world, even before they have chunks, at their current positions.
///
/// Positions are those of the world: x and z in `f64`, as returned by
/// [`TerrainOrigin::position`](crate::TerrainOrigin::position). While the origin is at 0, they
/// equal those of `Transform`s. Answers come from the newest valid settings, even while older
/// chunks are still drawn. If a terrain is moved, answers follow in the next frame. The query reads
/// no `Transform`, so a system may change transforms at the same time.
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
    terrains: Query<'w, 's, Settings>,
    origin: Option<Res<'w, TerrainOrigin>>,
}

type Settings = (Entity, Ref<'static, Terrain>, Option<&'static AdoptedGround>);

impl TerrainQuery<'_, '_> {
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
        let (terrain, ..) = self.terrains.single().map_err(|error| match error {
            QuerySingleError::NoEntities(_) => QueryError::NoTerrain,
            QuerySingleError::MultipleEntities(_) => QueryError::Several,
        })?;
        self.get(terrain)
    }

    /// The ground of every terrain, with the errors of [`get`](Self::get).
    pub fn iter(&self) -> impl Iterator<Item = Result<TerrainGround<'_>, QueryError>> {
        self.terrains.iter().map(|(terrain, ..)| self.get(terrain))
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
        Ok(self.grounds(None)?.highest(position)?.0.clone())
    }

    /// The ground of a named terrain, or of all of them.
    pub(crate) fn grounds(&self, named: Option<Entity>) -> Result<Grounds<'_>, QueryError> {
        if let Some(terrain) = named {
            return Ok(Grounds { first: self.get(terrain)?, others: Vec::new() });
        }
        let mut error = QueryError::NoTerrain;
        let mut known = self.iter().filter_map(|ground| ground.map_err(|e| error = e).ok());
        let found = known.next().map(|first| Grounds { first, others: known.collect() });
        found.ok_or(error)
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
        let (_, settings, adopted) =
            self.terrains.get(terrain).map_err(|_| QueryError::NoTerrain)?;
        let adopted = adopted.ok_or(QueryError::NotRunning)?;
        let query = adopted.current(&settings)?;
        let offset = adopted.position.ok_or(QueryError::Transformed)?;
        let origin = self.origin.as_deref().copied().unwrap_or_default();
        Ok(TerrainGround { terrain, query, offset, origin })
    }
}

/// The grounds of one or more terrains. The highest counts.
pub(crate) struct Grounds<'a> {
    first: TerrainGround<'a>,
    /// Empty, and so not allocated, for a single terrain.
    others: Vec<TerrainGround<'a>>,
}

impl<'a> Grounds<'a> {
    /// The same grounds, for a task.
    pub fn into_owned(self) -> Grounds<'static> {
        let owned = |ground: TerrainGround| {
            let query = Cow::Owned(Cow::into_owned(ground.query));
            TerrainGround { query, ..ground }
        };
        let others = self.others.into_iter().map(owned).collect();
        Grounds { first: owned(self.first), others }
    }

    /// The ground whose triangles of level 0 are highest at (x, z), with their height and slopes.
    fn highest(&self, position: [f64; 2]) -> Result<(&TerrainGround<'a>, Sample<2>), QueryError> {
        let first = self.first.surface(position).map(|sample| (&self.first, sample));
        self.others.iter().fold(first, |highest, ground| {
            let sample = ground.surface(position);
            match (&highest, sample) {
                (Ok((_, old)), Ok(sample)) if sample.value <= old.value => highest,
                (_, Ok(sample)) => Ok((ground, sample)),
                (_, Err(_)) => highest,
            }
        })
    }

    /// Height in the world and slopes of the highest triangles of level 0 at (x, z).
    pub fn surface(&self, position: [f64; 2]) -> Result<Sample<2>, QueryError> {
        Ok(self.highest(position)?.1)
    }

    /// The `Transform` translation of a position (x, height, z) in the world.
    #[cfg(feature = "gizmos")]
    pub fn translation(&self, position: [f64; 3]) -> Vec3 {
        self.first.translation(position)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &TerrainGround<'a>> {
        core::iter::once(&self.first).chain(&self.others)
    }

    /// The water over the highest triangles at (x, z).
    pub fn water(&self, position: [f64; 2]) -> Option<Water> {
        self.highest(position).and_then(|(ground, _)| ground.water(position)).ok().flatten()
    }

    /// The depth of the water over the highest triangles at (x, z); 0 where they are dry.
    pub fn depth(&self, position: [f64; 2]) -> f64 {
        self.water(position).map_or(0.0, |water| water.depth)
    }
}
