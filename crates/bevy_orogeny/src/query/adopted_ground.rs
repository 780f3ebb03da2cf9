//! The ground of a terrain as the other systems see it.

use std::borrow::Cow;

use bevy_asset::{AssetId, Handle};
use bevy_ecs::change_detection::{DetectChanges, Ref, Tick};
use bevy_ecs::component::Component;

use crate::base::query_error::QueryError;
use crate::chunk::seams::Seams;
use crate::query::GroundQuery;
use crate::terrain::preset::{Preset, TerrainPreset};
use crate::terrain::{Terrain, TerrainEdits};

/// On each terrain: the ground of its newest valid settings, the ground that is shown, and the
/// terrain's position.
///
/// Streaming writes it. Queries, walkers, colliders and the sea read it.
#[derive(Component, Default)]
pub(crate) struct AdoptedGround {
    /// The newest valid settings, and the seams of their chunks.
    settings: Option<(Terrain, Seams)>,
    /// Their ground, and when they were changed.
    ground: Option<(Tick, GroundQuery)>,
    /// The ground of the chunks that are drawn. `None` while none is.
    shown: Option<GroundQuery>,
    /// The position (x, height, z) of the terrain in the world, in metres. `None` while the terrain
    /// is rotated, scaled or out of limits.
    pub position: Option<[f64; 3]>,
    /// The preset that was adopted, or could not be loaded.
    pub preset: Option<AssetId<Preset>>,
}

impl AdoptedGround {
    /// The state of a terrain at a position, before any settings are adopted.
    pub fn at(position: Option<[f64; 3]>) -> Self {
        Self { position, ..Self::default() }
    }

    /// The ground of exactly these settings, if they were adopted.
    pub fn of(&self, settings: &Ref<Terrain>) -> Option<&GroundQuery> {
        let (adopted, ground) = self.ground.as_ref()?;
        // Bevy clamps ticks after days, so an old tick may differ although nothing has changed.
        let same = || self.settings.as_ref().is_some_and(|(old, _)| *old == **settings);
        (*adopted == settings.last_changed() || same()).then_some(ground)
    }

    /// The ground of these settings, with the adopted edits; that of the newest valid ones if these
    /// are not valid. Fast, unless the settings were changed in this frame: then their field is
    /// built for this one answer.
    pub fn current(&self, settings: &Ref<Terrain>) -> Result<Cow<'_, GroundQuery>, QueryError> {
        match (self.of(settings), self.newest()) {
            (Some(query), _) => Ok(Cow::Borrowed(query)),
            (None, old) => match (GroundQuery::of(settings), old) {
                (Ok(query), Some(old)) => Ok(Cow::Owned(query.with_edits_of(old))),
                (Ok(query), None) => Ok(Cow::Owned(query)),
                (Err(_), Some(old)) => Ok(Cow::Borrowed(old)),
                (Err(error), None) => Err(error.into()),
            },
        }
    }

    /// The ground of the newest valid settings.
    pub fn newest(&self) -> Option<&GroundQuery> {
        self.ground.as_ref().map(|(_, ground)| ground)
    }

    /// The ground of the chunks that are drawn. Without any it is the newest one, as
    /// [`current`](Self::current) has it: on a server, or before the first chunks.
    pub fn shown(&self, settings: &Ref<Terrain>) -> Result<Cow<'_, GroundQuery>, QueryError> {
        self.shown.as_ref().map_or_else(|| self.current(settings), |shown| Ok(Cow::Borrowed(shown)))
    }

    /// The ground of the chunks that are drawn, or the newest one while none is.
    #[cfg(feature = "water")]
    pub fn drawn(&self) -> Option<&GroundQuery> {
        self.shown.as_ref().or(self.newest())
    }

    /// Whether this is the ground of the chunks that are drawn.
    pub fn shows(&self, ground: Option<&GroundQuery>) -> bool {
        match (&self.shown, ground) {
            (Some(shown), Some(ground)) => shown.is_same(ground),
            (shown, ground) => shown.is_none() && ground.is_none(),
        }
    }

    /// Stores the ground of the chunks that are drawn from now on.
    pub fn show(&mut self, ground: Option<&GroundQuery>) {
        self.shown = ground.cloned();
    }

    /// Whether these settings and edits were changed since they were adopted.
    pub fn is_outdated(&self, settings: &Ref<Terrain>, edits: Option<&TerrainEdits>) -> bool {
        let edited = |ground: &GroundQuery| {
            edits.is_some_and(|edits| !edits.log.edits().is_same(ground.edits()))
        };
        self.of(settings).is_none() || self.newest().is_some_and(edited)
    }

    /// Whether a preset is still being loaded, so that there will be another ground.
    pub fn waits_for(&self, preset: &TerrainPreset) -> bool {
        preset.0 != Handle::default() && self.preset != Some(preset.0.id())
    }

    /// Whether chunks of these settings would equal those of the adopted ones.
    pub fn has_chunks_of(&self, settings: &Terrain, seams: Seams) -> bool {
        self.settings
            .as_ref()
            .is_some_and(|(old, old_seams)| old.has_shape_of(settings) && *old_seams == seams)
    }

    /// Stores the ground of a terrain that has just been spawned, so that queries need not wait.
    pub fn prepare(&mut self, settings: &Ref<Terrain>, ground: GroundQuery) {
        self.ground = Some((settings.last_changed(), ground));
    }

    /// Adopts settings and their ground.
    pub fn adopt(&mut self, settings: &Ref<Terrain>, seams: Seams, ground: GroundQuery) {
        self.prepare(settings, ground);
        self.settings = Some(((**settings).clone(), seams));
    }
}
