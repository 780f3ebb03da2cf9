//! Tells when the renderer can draw with all that it was asked for.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bevy_app::App;
use bevy_asset::UntypedAssetId;
use bevy_ecs::prelude::*;
use bevy_pbr::PreparedMaterial;
use bevy_render::erased_render_asset::ErasedRenderAssets;
use bevy_render::render_resource::PipelineCache;
use bevy_render::{ExtractSchedule, Render, RenderApp, RenderSystems};

/// A question whether all is compiled that is drawn from the frame on in which it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ticket(u64);

/// Asks the renderer, from the main world.
#[derive(Resource, Clone, Default)]
pub(super) struct Compiled(Arc<State>);

#[derive(Default)]
struct State {
    asked: AtomicU64,
    answered: AtomicU64,
    /// Materials that must be there as well.
    materials: Mutex<Vec<(Ticket, UntypedAssetId)>>,
}

impl Compiled {
    /// Asks for what becomes visible in this frame with a material.
    pub fn ask(&self, material: UntypedAssetId) -> Ticket {
        let mut materials = self.0.materials.lock().unwrap_or_else(PoisonError::into_inner);
        let ticket = Ticket(self.0.asked.fetch_add(1, Ordering::AcqRel) + 1);
        materials.push((ticket, material));
        ticket
    }

    /// Whether it can be drawn.
    pub fn is_answered(&self, Ticket(asked): Ticket) -> bool {
        self.0.answered.load(Ordering::Acquire) >= asked
    }
}

pub(super) fn build(app: &mut App) {
    let compiled = Compiled::default();
    app.insert_resource(compiled.clone());
    let Some(app) = app.get_sub_app_mut(RenderApp) else { return };
    app.insert_resource(compiled)
        .init_resource::<Seen>()
        .add_systems(ExtractSchedule, see)
        .add_systems(Render, answer.in_set(RenderSystems::Cleanup));
}

/// The last ticket of the frame that is being drawn.
#[derive(Resource, Default)]
struct Seen(u64);

fn see(mut seen: ResMut<Seen>, compiled: Res<Compiled>) {
    seen.0 = compiled.0.asked.load(Ordering::Acquire);
}

fn answer(
    seen: Res<Seen>,
    compiled: Res<Compiled>,
    pipelines: Option<Res<PipelineCache>>,
    prepared: Option<Res<ErasedRenderAssets<PreparedMaterial>>>,
) {
    if compiled.0.answered.load(Ordering::Acquire) >= seen.0 {
        return;
    }
    let (Some(pipelines), Some(prepared)) = (pipelines, prepared) else { return };
    if pipelines.waiting_pipelines().next().is_some() {
        return;
    }
    let mut materials = compiled.0.materials.lock().unwrap_or_else(PoisonError::into_inner);
    let is_there = |&(_, material): &(Ticket, UntypedAssetId)| prepared.get(material).is_some();
    if materials.iter().filter(|(ticket, _)| ticket.0 <= seen.0).all(is_there) {
        materials.retain(|(ticket, _)| ticket.0 > seen.0);
        compiled.0.answered.store(seen.0, Ordering::Release);
    }
}
