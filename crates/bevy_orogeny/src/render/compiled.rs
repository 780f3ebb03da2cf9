//! Tells when the renderer can draw with all that it was asked for.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
pub(super) struct Compiled(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    asked: u64,
    /// Those without an answer, with the materials that must be there as well.
    waiting: Vec<(Ticket, UntypedAssetId)>,
}

impl State {
    /// Answers what was asked up to a ticket, where all is compiled that was drawn then. A material
    /// that is not there holds up no other one.
    fn answer(&mut self, seen: Ticket, is_there: impl Fn(UntypedAssetId) -> bool) {
        self.waiting.retain(|&(ticket, material)| ticket > seen || !is_there(material));
    }
}

impl Compiled {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for what becomes visible in this frame with a material.
    pub fn ask(&self, material: UntypedAssetId) -> Ticket {
        let mut state = self.state();
        state.asked += 1;
        let ticket = Ticket(state.asked);
        state.waiting.push((ticket, material));
        ticket
    }

    /// Whether it can be drawn.
    pub fn is_answered(&self, asked: Ticket) -> bool {
        !self.state().waiting.iter().any(|(ticket, _)| *ticket == asked)
    }

    /// Takes a question back.
    pub fn forget(&self, asked: Ticket) {
        self.state().waiting.retain(|(ticket, _)| *ticket != asked);
    }
}

pub(super) fn build(app: &mut App) {
    let compiled = Compiled::default();
    app.insert_resource(compiled.clone());
    let Some(app) = app.get_sub_app_mut(RenderApp) else { return };
    app.insert_resource(compiled)
        .insert_resource(Seen(Ticket(0)))
        .add_systems(ExtractSchedule, see)
        .add_systems(Render, answer.in_set(RenderSystems::Cleanup));
}

/// The last ticket of the frame that is being drawn.
#[derive(Resource)]
struct Seen(Ticket);

fn see(mut seen: ResMut<Seen>, compiled: Res<Compiled>) {
    seen.0 = Ticket(compiled.state().asked);
}

fn answer(
    seen: Res<Seen>,
    compiled: Res<Compiled>,
    pipelines: Option<Res<PipelineCache>>,
    prepared: Option<Res<ErasedRenderAssets<PreparedMaterial>>>,
) {
    let mut state = compiled.state();
    if state.waiting.is_empty() {
        return;
    }
    let (Some(pipelines), Some(prepared)) = (pipelines, prepared) else { return };
    if pipelines.waiting_pipelines().next().is_none() {
        state.answer(seen.0, |material| prepared.get(material).is_some());
    }
}

#[cfg(test)]
mod tests {
    use bevy_asset::Assets;
    use bevy_pbr::StandardMaterial;

    use super::*;

    /// A material whose texture is missing never is there.
    #[test]
    fn what_is_missing_holds_up_no_other() {
        let materials = Assets::<StandardMaterial>::default();
        let [missing, there] = [0, 1].map(|_| materials.reserve_handle().id().untyped());
        let compiled = Compiled::default();
        let [first, second, late] = [missing, there, there].map(|it| compiled.ask(it));
        compiled.state().answer(second, |material| material == there);
        let answered =
            |compiled: &Compiled| [first, second, late].map(|it| compiled.is_answered(it));
        assert_eq!(answered(&compiled), [false, true, false]);
        compiled.forget(first);
        compiled.state().answer(late, |material| material == there);
        assert!(compiled.state().waiting.is_empty());
    }
}
