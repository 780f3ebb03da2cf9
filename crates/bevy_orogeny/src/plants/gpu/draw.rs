//! Draws a part of a shape as often as the device has found.

use std::any::TypeId;
use std::sync::Arc;

use bevy_core_pipeline::core_3d::{AlphaMask3d, Opaque3d};
use bevy_core_pipeline::prepass::{AlphaMask3dPrepass, Opaque3dPrepass};
use bevy_ecs::prelude::*;
use bevy_ecs::query::ROQueryItem;
use bevy_ecs::system::SystemParamItem;
use bevy_ecs::system::lifetimeless::{Read, SRes};
use bevy_material::labels::{DrawFunctionLabel as _, InternedDrawFunctionLabel};
use bevy_pbr::{
    MainPassAlphaMaskDrawFunction, MainPassOpaqueDrawFunction, PreparedMaterial,
    PrepassAlphaMaskDrawFunction, PrepassOpaqueDepthOnlyDrawFunction, PrepassOpaqueDrawFunction,
    SetMaterialBindGroup, SetMeshViewBindGroup, SetMeshViewBindingArrayBindGroup,
    SetPrepassEmptyMaterialBindGroup, SetPrepassViewBindGroup, SetPrepassViewEmptyBindGroup,
    Shadow, ShadowsDepthOnlyDrawFunction, ShadowsDrawFunction,
};
use bevy_render::erased_render_asset::ErasedRenderAssets;
use bevy_render::mesh::allocator::MeshAllocator;
use bevy_render::mesh::{RenderMesh, RenderMeshBufferInfo};
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_phase::{
    DrawFunctionId, DrawFunctions, PhaseItem, RenderCommand, RenderCommandResult, SetItemPipeline,
    TrackedRenderPass,
};
use bevy_render::view::ExtractedView;

use super::buffers::Buffers;
use super::extract::Extracted;
use super::wind::SetWind;
use crate::plants::material::PlantMaterial;
use crate::plants::store::DrawRow;

/// As Bevy's `DrawMaterial`.
pub(super) type DrawMain = (
    SetItemPipeline,
    SetMeshViewBindGroup<0>,
    SetMeshViewBindingArrayBindGroup<1>,
    SetWind<2>,
    SetMaterialBindGroup<3>,
    DrawSelected,
);

/// As Bevy's `DrawPrepass`.
pub(super) type DrawPrepass = (
    SetItemPipeline,
    SetPrepassViewBindGroup<0>,
    SetPrepassViewEmptyBindGroup<1>,
    SetWind<2>,
    SetMaterialBindGroup<3>,
    DrawSelected,
);

/// As Bevy's `DrawDepthOnlyPrepass`.
pub(super) type DrawDepth = (
    SetItemPipeline,
    SetPrepassViewBindGroup<0>,
    SetPrepassViewEmptyBindGroup<1>,
    SetWind<2>,
    SetPrepassEmptyMaterialBindGroup<3>,
    DrawSelected,
);

/// Has plants drawn by our commands instead of Bevy's.
pub(super) fn replace(
    mut materials: ResMut<ErasedRenderAssets<PreparedMaterial>>,
    opaque: Res<DrawFunctions<Opaque3d>>,
    mask: Res<DrawFunctions<AlphaMask3d>>,
    opaque_prepass: Res<DrawFunctions<Opaque3dPrepass>>,
    mask_prepass: Res<DrawFunctions<AlphaMask3dPrepass>>,
    shadow: Res<DrawFunctions<Shadow>>,
) {
    let ours: [(InternedDrawFunctionLabel, DrawFunctionId); 7] = [
        (MainPassOpaqueDrawFunction.intern(), opaque.read().id::<DrawMain>()),
        (MainPassAlphaMaskDrawFunction.intern(), mask.read().id::<DrawMain>()),
        (PrepassOpaqueDrawFunction.intern(), opaque_prepass.read().id::<DrawPrepass>()),
        (PrepassOpaqueDepthOnlyDrawFunction.intern(), opaque_prepass.read().id::<DrawDepth>()),
        (PrepassAlphaMaskDrawFunction.intern(), mask_prepass.read().id::<DrawPrepass>()),
        (ShadowsDrawFunction.intern(), shadow.read().id::<DrawPrepass>()),
        (ShadowsDepthOnlyDrawFunction.intern(), shadow.read().id::<DrawDepth>()),
    ];
    let is_ours = |id: bevy_asset::UntypedAssetId| id.type_id() == TypeId::of::<PlantMaterial>();
    for (_, material) in materials.iter_mut().filter(|(id, _)| is_ours(*id)) {
        // Nobody else has those that were prepared in this frame.
        let Some(properties) = Arc::get_mut(&mut material.properties) else { continue };
        if properties.draw_functions.as_slice() != ours {
            properties.draw_functions = ours.into_iter().collect();
        }
    }
}

/// Draws the instances that were selected for the view.
pub(super) struct DrawSelected;

impl<P: PhaseItem> RenderCommand<P> for DrawSelected {
    type Param =
        (SRes<Buffers>, SRes<Extracted>, SRes<RenderAssets<RenderMesh>>, SRes<MeshAllocator>);
    type ViewQuery = Read<ExtractedView>;
    type ItemQuery = ();

    fn render<'w>(
        item: &P,
        view: ROQueryItem<'w, '_, Self::ViewQuery>,
        _: Option<ROQueryItem<'w, '_, Self::ItemQuery>>,
        (buffers, extracted, meshes, allocator): SystemParamItem<'w, '_, Self::Param>,
        pass: &mut TrackedRenderPass<'w>,
    ) -> RenderCommandResult {
        let (buffers, extracted) = (buffers.into_inner(), extracted.into_inner());
        let (meshes, allocator) = (meshes.into_inner(), allocator.into_inner());
        let number = extracted.draw_of.get(&item.main_entity());
        let row = number.and_then(|&number| extracted.draws.get(number as usize));
        let (Some(&number), Some(&DrawRow { mesh, .. })) = (number, row) else {
            return RenderCommandResult::Skip;
        };
        let (Some(selected), Some(mesh_buffer), Some(vertices), Some(indices)) = (
            buffers.draw(&view.retained_view_entity, number),
            meshes.get(mesh).map(|mesh| &mesh.buffer_info),
            allocator.mesh_vertex_slice(&mesh),
            allocator.mesh_index_slice(&mesh),
        ) else {
            return RenderCommandResult::Skip;
        };
        let RenderMeshBufferInfo::Indexed { index_format, .. } = *mesh_buffer else {
            return RenderCommandResult::Skip;
        };
        let (instances, arguments, place) = selected;
        pass.set_vertex_buffer(0, vertices.buffer.slice(..));
        pass.set_vertex_buffer(1, instances.slice(..));
        pass.set_index_buffer(indices.buffer.slice(..), index_format);
        pass.draw_indexed_indirect(arguments, place);
        RenderCommandResult::Success
    }
}
