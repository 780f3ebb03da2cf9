//! The ground of a terrain as the other systems see it.

use bevy_ecs::change_detection::{DetectChanges, Ref, Tick};
use bevy_ecs::component::Component;

use crate::chunk::seams::Seams;
use crate::query::GroundQuery;
use crate::terrain::Terrain;

/// On each terrain: the ground of its newest valid settings, and the terrain's position.
///
/// Streaming writes it. Queries, colliders and the sea read it.
#[derive(Component, Default)]
pub(crate) struct AdoptedGround {
    /// The newest valid settings, and the seams of their chunks.
    settings: Option<(Terrain, Seams)>,
    /// Their ground, and when they were changed.
    ground: Option<(Tick, GroundQuery)>,
    /// The position (x, height, z) of the terrain in the world, in metres. `None` while the terrain
    /// is rotated, scaled or out of limits.
    pub position: Option<[f64; 3]>,
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

    /// The ground of the newest valid settings.
    pub fn newest(&self) -> Option<&GroundQuery> {
        self.ground.as_ref().map(|(_, ground)| ground)
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
