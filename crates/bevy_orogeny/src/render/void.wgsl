// The dark inside of holes, as far away as the sky: it is drawn where nothing else is.

#import bevy_pbr::{
    mesh_functions::{get_world_from_local, mesh_position_local_to_world},
    mesh_view_bindings::{fog, view},
    pbr_functions::apply_fog,
    view_transformations::position_world_to_clip,
}
#ifdef TONEMAP_IN_SHADER
#import bevy_core_pipeline::tonemapping::tone_mapping
#endif

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> color: vec4<f32>;

struct Vertex {
    @builtin(instance_index) instance_index: u32,
    @location(0) position: vec3<f32>,
}

struct Inside {
    @builtin(position) position: vec4<f32>,
    @location(0) world_position: vec3<f32>,
}

@vertex
fn vertex(in: Vertex) -> Inside {
    let world_from_local = get_world_from_local(in.instance_index);
    let position = mesh_position_local_to_world(world_from_local, vec4(in.position, 1.0)).xyz;
    let clip = position_world_to_clip(position);
    return Inside(vec4(clip.xy, 0.0, clip.w), position);
}

@fragment
fn fragment(in: Inside) -> @location(0) vec4<f32> {
    var seen = color;
#ifdef DISTANCE_FOG
    seen = apply_fog(fog, seen, in.world_position, view.world_position, in.position.xy);
#endif
#ifdef TONEMAP_IN_SHADER
    seen = tone_mapping(seen, view.color_grading);
#endif
    return seen;
}
