// The vertex shader of chunks: Bevy's own, with vertices that geomorph. For the main pass,
// prepasses and shadows.
//
// Meshes that are not chunks may use the material, too; they keep their shape. Motion vectors
// include the motion of the camera and of the terrain, but not the slow morph.

#import bevy_pbr::{
    mesh_functions,
    view_transformations::position_world_to_clip,
}
#ifdef TERRAIN_CHUNK
#import bevy_orogeny::morph
#import bevy_pbr::mesh_bindings::mesh
#endif
#ifdef TERRAIN_COVER
#import bevy_orogeny::ground_bindings::ground
#import bevy_pbr::mesh_view_bindings::view
#endif
#ifdef PREPASS_PIPELINE
#import bevy_pbr::prepass_io::{Vertex, VertexOutput}
#else
#import bevy_pbr::forward_io::{Vertex, VertexOutput}
#endif

#ifdef TERRAIN_CHUNK
struct ChunkVertex {
    @builtin(instance_index) instance_index: u32,
    // Counts from the first vertex of the buffer, which chunks share.
    @builtin(vertex_index) index: u32,
    @location(10) packed: vec4<u32>,
#ifdef TERRAIN_COVER
    // The curvatures at this vertex and at its morph target.
    @location(11) curvature: vec2<f32>,
#endif
#ifdef TERRAIN_PAINT
    // The weights of paint at this vertex and at its morph target.
    @location(12) paint: vec4<u32>,
#endif
}
#endif

@vertex
#ifdef TERRAIN_CHUNK
fn vertex(in: ChunkVertex) -> VertexOutput {
    let first_vertex = mesh[in.instance_index].first_vertex_index;
    let grid_vertex = morph::grid_vertex(in.packed, in.index - first_vertex);
    let weight = morph::weight(mesh_functions::get_tag(in.instance_index), grid_vertex);
    let position = vec4(morph::morphed_position(in.packed, grid_vertex, weight), 1.0);
#else
fn vertex(in: Vertex) -> VertexOutput {
    let position = vec4(in.position, 1.0);
#endif
    var out: VertexOutput;

    let world_from_local = mesh_functions::get_world_from_local(in.instance_index);
    out.world_position = mesh_functions::mesh_position_local_to_world(world_from_local, position);
#ifdef TERRAIN_COVER
    // From above, deep ground cannot be seen. But haze depends on its distance, so its outlines
    // would show through the water. Draw it at the depth where light ends.
    let deepest = ground.settings.x - ground.absorption.w;
    let from_above = view.world_position.y > ground.settings.x + world_from_local[3].y;
    if from_above {
        out.world_position.y = max(out.world_position.y, deepest + world_from_local[3].y);
    }
#endif
    out.position = position_world_to_clip(out.world_position.xyz);

#ifdef PREPASS_PIPELINE
#ifdef NORMAL_PREPASS_OR_DEFERRED_PREPASS
#ifdef TERRAIN_CHUNK
    let normal = morph::morphed_normal(in.packed, weight);
#else
    let normal = in.normal;
#endif
    out.world_normal = mesh_functions::mesh_normal_local_to_world(normal, in.instance_index);
#endif
#else
#ifdef TERRAIN_CHUNK
    let normal = morph::morphed_normal(in.packed, weight);
#else
    let normal = in.normal;
#endif
    out.world_normal = mesh_functions::mesh_normal_local_to_world(normal, in.instance_index);
#endif

#ifdef PREPASS_PIPELINE
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    out.unclipped_depth = out.position.z;
    out.position.z = min(out.position.z, 1.0);
#endif
#ifdef MOTION_VECTOR_PREPASS
    let previous = mesh_functions::get_previous_world_from_local(in.instance_index);
    out.previous_world_position = mesh_functions::mesh_position_local_to_world(previous, position);
#ifdef TERRAIN_COVER
    // Raised like the current position. Otherwise deep ground would seem to move.
    if from_above {
        out.previous_world_position.y =
            max(out.previous_world_position.y, deepest + previous[3].y);
    }
#endif
#endif
#endif

#ifdef TERRAIN_COVER
    // Bevy's structure has no field for the curvature. w is always 1, so add the curvature to it.
    // The fragment shader subtracts it again.
#ifndef PREPASS_PIPELINE
    out.world_position.w += mix(in.curvature.x, in.curvature.y, weight);
#else ifdef DEFERRED_PREPASS
    out.world_position.w += mix(in.curvature.x, in.curvature.y, weight);
#endif
#endif

#ifdef TERRAIN_PAINT
    // Bevy's fields for colours and texture coordinates are free.
    out.color = mix(unpack4x8unorm(in.paint.x), unpack4x8unorm(in.paint.z), weight);
    let high = mix(unpack4x8unorm(in.paint.y), unpack4x8unorm(in.paint.w), weight);
    out.uv = high.xy;
    out.uv_b = high.zw;
#endif

#ifndef TERRAIN_CHUNK
#ifdef VERTEX_UVS_A
    out.uv = in.uv;
#endif
#ifdef VERTEX_UVS_B
    out.uv_b = in.uv_b;
#endif
#ifdef VERTEX_COLORS
    out.color = in.color;
#endif
#endif
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    out.instance_index = in.instance_index;
#endif
#ifdef VISIBILITY_RANGE_DITHER
    out.visibility_range_dither = mesh_functions::get_visibility_range_dither_level(
        in.instance_index, world_from_local[3]);
#endif
    return out;
}
