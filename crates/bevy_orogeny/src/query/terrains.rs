//! The terrains of a world, by one of their two grounds.

use std::borrow::Cow;

use bevy_ecs::entity::Entity;
use bevy_ecs::query::QuerySingleError;
#[cfg(feature = "gizmos")]
use bevy_math::Vec3;
use orogeny::Sample;
use orogeny::drainage::Water;

use crate::base::query_error::QueryError;
use crate::query::Footing;
use crate::query::terrain_ground::TerrainGround;
use crate::query::terrain_query::TerrainQuery;

/// The terrains by the ground that is shown, as [`TerrainQuery::shown`] returns them.
///
/// A terrain that was changed has two grounds until its new chunks are built. The newest one is
/// that of its settings and edits: use it for rules, for what is saved, and for what is built on
/// an edit at once. The one that is shown is that of the chunks that are drawn: use it for
/// whatever the player sees standing on it, such as cameras, wheels and marks on the ground. The
/// frame in which the new ground is shown triggers [`TerrainChanged`](crate::TerrainChanged).
///
/// Where no chunk of a terrain is drawn, as on a server without a viewer and before the first
/// frame, the newest ground is the one that is shown.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::TerrainQuery;
///
/// fn stay_above(terrains: TerrainQuery, mut cameras: Query<&mut Transform, With<Camera3d>>) {
///     let Ok(ground) = terrains.shown().single() else { return };
///     for mut camera in &mut cameras {
///         let [x, y, z] = ground.position(camera.translation);
///         if let Ok(surface) = ground.surface([x, z]) {
///             let height = y.max(f64::from(surface.value) + 2.0);
///             camera.translation = ground.translation([x, height, z]);
///         }
///     }
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, AssetPlugin::default(), bevy_orogeny::TerrainPlugins));
/// # app.add_systems(Update, stay_above);
/// # app.update();
/// ```
#[derive(Clone, Copy)]
pub struct Terrains<'a, 'w, 's> {
    pub(super) query: &'a TerrainQuery<'w, 's>,
    pub(super) which: Which,
}

/// One of the two grounds of a terrain.
#[derive(Clone, Copy, Debug)]
pub(super) enum Which {
    Newest,
    Shown,
}

impl<'a> Terrains<'a, '_, '_> {
    /// The ground of the only terrain, see [`TerrainQuery::single`].
    ///
    /// # Errors
    /// As there.
    pub fn single(self) -> Result<TerrainGround<'a>, QueryError> {
        let (terrain, ..) = self.query.terrains.single().map_err(|error| match error {
            QuerySingleError::NoEntities(_) => QueryError::NoTerrain,
            QuerySingleError::MultipleEntities(_) => QueryError::Several,
        })?;
        self.get(terrain)
    }

    /// The ground of every terrain, with the errors of [`get`](Self::get).
    pub fn iter(self) -> impl Iterator<Item = Result<TerrainGround<'a>, QueryError>> {
        self.query.terrains.iter().map(move |(terrain, ..)| self.get(terrain))
    }

    /// The ground that is highest at (x, z), see [`TerrainQuery::highest`].
    ///
    /// # Errors
    /// As there.
    pub fn highest(self, position: [f64; 2]) -> Result<TerrainGround<'a>, QueryError> {
        Ok(self.grounds(None)?.highest(position)?.0.clone())
    }

    /// The ground of a terrain, see [`TerrainQuery::get`].
    ///
    /// # Errors
    /// As there.
    pub fn get(self, terrain: Entity) -> Result<TerrainGround<'a>, QueryError> {
        let TerrainQuery { terrains, origin } = self.query;
        let (_, settings, adopted) = terrains.get(terrain).map_err(|_| QueryError::NoTerrain)?;
        let adopted = adopted.ok_or(QueryError::NotRunning)?;
        let query = match self.which {
            Which::Newest => adopted.current(&settings)?,
            Which::Shown => adopted.shown(&settings)?,
        };
        let offset = adopted.position.ok_or(QueryError::Transformed)?;
        let origin = origin.as_deref().copied().unwrap_or_default();
        Ok(TerrainGround { terrain, query, offset, origin })
    }

    /// The ground of a named terrain, or of all of them.
    pub(crate) fn grounds(self, named: Option<Entity>) -> Result<Grounds<'a>, QueryError> {
        if let Some(terrain) = named {
            return Ok(Grounds { first: self.get(terrain)?, others: Vec::new() });
        }
        let mut error = QueryError::NoTerrain;
        let mut known = self.iter().filter_map(|ground| ground.map_err(|e| error = e).ok());
        let found = known.next().map(|first| Grounds { first, others: known.collect() });
        found.ok_or(error)
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
        self.best(|ground| ground.surface(position), |sample| sample.value.into())
    }

    /// The ground with the highest answer, and that answer.
    fn best<T>(
        &self,
        answer: impl Fn(&TerrainGround) -> Result<T, QueryError>,
        height: impl Fn(&T) -> f64,
    ) -> Result<(&TerrainGround<'a>, T), QueryError> {
        let first = answer(&self.first).map(|found| (&self.first, found));
        self.others.iter().fold(first, |best, ground| match (&best, answer(ground)) {
            (Ok((_, old)), Ok(found)) if height(&found) <= height(old) => best,
            (_, Ok(found)) => Ok((ground, found)),
            (_, Err(_)) => best,
        })
    }

    /// The highest triangles of level 0 at (x, z) in the world, without rounding.
    pub fn footing(&self, position: [f64; 2]) -> Result<Footing, QueryError> {
        Ok(self.best(|ground| ground.footing(position), |footing| footing.height)?.1)
    }

    /// Whether other grounds have the same triangles and the same water at (x, z).
    pub fn agrees(&self, other: &Grounds, position: [f64; 2]) -> bool {
        let is_same = |(a, b): (&TerrainGround, &TerrainGround)| {
            a.terrain == b.terrain && a.query.is_same(&b.query)
        };
        let count = self.others.len() == other.others.len();
        count && self.iter().zip(other.iter()).all(is_same)
            || self.surface(position) == other.surface(position)
                && self.water(position) == other.water(position)
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
