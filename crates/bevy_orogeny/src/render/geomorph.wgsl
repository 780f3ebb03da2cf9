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
#ifdef PREPASS_PIPELINE
#import bevy_pbr::prepass_io::Vertex
#else
#import bevy_pbr::forward_io::Vertex
#endif
#ifndef TERRAIN_LAYERS
#ifdef PREPASS_PIPELINE
#import bevy_pbr::prepass_io::VertexOutput
#else
#import bevy_pbr::forward_io::VertexOutput
#endif
#endif

#ifdef TERRAIN_LAYERS
// Bevy's structure, as far as chunks have it, and that of `ground_io`.
struct VertexOutput {
    @builtin(position) position: vec4<f32>,
#ifdef PREPASS_PIPELINE
    @location(4) world_position: vec4<f32>,
#ifdef NORMAL_PREPASS_OR_DEFERRED_PREPASS
    @location(2) world_normal: vec3<f32>,
#endif
#ifdef MOTION_VECTOR_PREPASS
    @location(5) previous_world_position: vec4<f32>,
#endif
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    @location(6) unclipped_depth: f32,
#endif
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    @location(7) @interpolate(flat) instance_index: u32,
#endif
#ifdef VISIBILITY_RANGE_DITHER
    @location(9) @interpolate(flat) visibility_range_dither: i32,
#endif
#else
    @location(0) world_position: vec4<f32>,
    @location(1) world_normal: vec3<f32>,
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    @location(6) @interpolate(flat) instance_index: u32,
#endif
#ifdef VISIBILITY_RANGE_DITHER
    @location(7) @interpolate(flat) visibility_range_dither: i32,
#endif
#endif
    @location(10) curvature: f32,
#ifdef TERRAIN_CLIMATE
    @location(15) climate: vec2<f32>,
#endif
#ifdef TERRAIN_PAINT
    @location(11) first_paint: vec4<f32>,
    @location(12) second_paint: vec4<f32>,
    @location(13) third_paint: vec4<f32>,
    @location(14) fourth_paint: vec4<f32>,
#endif
}

// A word of paint on its way from a vertex to its morph target.
fn painted(own: u32, other: u32, weight: f32) -> vec4<f32> {
    return mix(unpack4x8unorm(own), unpack4x8unorm(other), weight);
}
#endif

#ifdef TERRAIN_CHUNK
struct ChunkVertex {
    @builtin(instance_index) instance_index: u32,
    // Counts from the first vertex of the buffer, which chunks share.
    @builtin(vertex_index) index: u32,
    @location(10) packed: vec4<u32>,
#ifdef TERRAIN_LAYERS
    // The curvatures at this vertex and at its morph target.
    @location(11) curvature: vec2<f32>,
#endif
#ifdef TERRAIN_CLIMATE
    // The temperature in units of 128 °C and the moisture, and those of the morph target.
    @location(14) climate: vec4<f32>,
#endif
#ifdef TERRAIN_PAINT
    // The weights of paint at this vertex and at its morph target.
    @location(12) paint: vec4<u32>,
    @location(13) target_paint: vec4<u32>,
#endif
}
#endif

@vertex
fn vertex(
#ifdef TERRAIN_CHUNK
    in: ChunkVertex,
#else
    in: Vertex,
#endif
) -> VertexOutput {
#ifdef TERRAIN_CHUNK
    let first_vertex = mesh[in.instance_index].first_vertex_index;
    let grid_vertex = morph::grid_vertex(in.packed, in.index - first_vertex);
    let weight = morph::weight(mesh_functions::get_tag(in.instance_index), grid_vertex);
    let position = vec4(morph::morphed_position(in.packed, grid_vertex, weight), 1.0);
#else
    let position = vec4(in.position, 1.0);
#endif
    var out: VertexOutput;

    let world_from_local = mesh_functions::get_world_from_local(in.instance_index);
    out.world_position = mesh_functions::mesh_position_local_to_world(world_from_local, position);
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
#endif
#endif

#ifdef TERRAIN_LAYERS
    out.curvature = mix(in.curvature.x, in.curvature.y, weight);
#endif
#ifdef TERRAIN_CLIMATE
    out.climate = mix(in.climate.xy, in.climate.zw, weight) * vec2(128.0, 1.0);
#endif
#ifdef TERRAIN_PAINT
    out.first_paint = painted(in.paint.x, in.target_paint.x, weight);
    out.second_paint = painted(in.paint.y, in.target_paint.y, weight);
    out.third_paint = painted(in.paint.z, in.target_paint.z, weight);
    out.fourth_paint = painted(in.paint.w, in.target_paint.w, weight);
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
