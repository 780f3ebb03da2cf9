//! Has the renderer compile pipelines before they are needed, and tells when it has.
//!
//! It compiles a pipeline when it first draws with it, and leaves out what it draws until that is
//! done: another material, or the first stroke of paint, whose vertices have more attributes, would
//! open holes in the ground for some frames or seconds. So chunks that nobody sees, triangles
//! without an area, have the pipelines compiled before.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bevy_app::App;
use bevy_asset::{Assets, RenderAssetUsages, UntypedAssetId};
use bevy_camera::visibility::NoFrustumCulling;
use bevy_ecs::prelude::*;
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology, VertexAttributeValues};
use bevy_pbr::{Material, MeshMaterial3d, PreparedMaterial};
use bevy_render::erased_render_asset::ErasedRenderAssets;
use bevy_render::render_resource::PipelineCache;
use bevy_render::{ExtractSchedule, Render, RenderApp, RenderSystems};

use crate::base::derived::derived;
use crate::chunk::climate::ATTRIBUTE_CLIMATE;
use crate::chunk::curvature::ATTRIBUTE_CURVATURE;
use crate::chunk::paint::{ATTRIBUTE_PAINT, ATTRIBUTE_TARGET_PAINT};
use crate::chunk::seams::Seams;
use crate::chunk::vertex::ATTRIBUTE_VERTEX;

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

/// The vertices of chunks, as far as pipelines depend on them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertices {
    pub seams: Seams,
    /// Whether the CPU can read them, so that all have positions and normals.
    pub is_kept: bool,
    pub is_painted: bool,
    pub has_climate: bool,
}

impl Vertices {
    /// Those of a terrain's chunks, painted or not.
    pub fn of(
        seams: Seams,
        is_kept: bool,
        has_climate: bool,
    ) -> impl Iterator<Item = Self> + use<> {
        let morphs = seams == Seams::Morph;
        let plain = Self { seams, is_kept, is_painted: false, has_climate };
        let painted = Self { is_painted: true, ..plain };
        [plain, painted].into_iter().take(if morphs { 2 } else { 1 })
    }
}

/// A chunk that nobody sees.
pub(crate) fn unseen<M: Material>(
    meshes: &mut Assets<Mesh>,
    material: MeshMaterial3d<M>,
    vertices: Vertices,
) -> impl Bundle {
    let Vertices { seams, is_kept, is_painted, has_climate } = vertices;
    let mut mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_indices(Indices::U16(vec![0; 3]));
    let morphs = seams == Seams::Morph;
    if !morphs || is_kept {
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0; 3]]);
        mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0, 1.0, 0.0]]);
    }
    if morphs {
        let zeros = VertexAttributeValues::Uint32x4(vec![[0; 4]]);
        mesh.insert_attribute(ATTRIBUTE_VERTEX, zeros.clone());
        let pairs = VertexAttributeValues::Snorm16x2(vec![[0; 2]]);
        mesh.insert_attribute(ATTRIBUTE_CURVATURE, pairs);
        if is_painted {
            mesh.insert_attribute(ATTRIBUTE_PAINT, zeros.clone());
            mesh.insert_attribute(ATTRIBUTE_TARGET_PAINT, zeros);
        }
        if has_climate {
            let climates = VertexAttributeValues::Snorm16x4(vec![[0; 4]]);
            mesh.insert_attribute(ATTRIBUTE_CLIMATE, climates);
        }
    } else {
        mesh.insert_attribute(Mesh::ATTRIBUTE_UV_0, vec![[0.0; 2]]);
    }
    (Mesh3d(meshes.add(mesh)), material, NoFrustumCulling, derived("Unseen chunk"))
}

#[cfg(test)]
mod tests {
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
