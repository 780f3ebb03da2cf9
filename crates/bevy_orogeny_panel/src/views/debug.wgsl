// Draws chunks in the debug views, which `DebugView` in views/mod.rs documents.

#import bevy_pbr::{
    pbr_fragment::pbr_input_from_standard_material,
    mesh_functions::{get_tag, get_world_from_local},
    mesh_view_bindings::view,
}
#import bevy_orogeny::morph

#ifdef PREPASS_PIPELINE
#import bevy_pbr::{
    prepass_io::{VertexOutput, FragmentOutput},
    pbr_deferred_functions::deferred_output,
}
#else
#import bevy_pbr::{
    forward_io::{VertexOutput, FragmentOutput},
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}
#endif

struct Debug {
    // Metres along a side of a chunk.
    size: f32,
    // The distance in metres at which the chunk's error is as large as the viewer allows.
    reach: f32,
    // See `DebugView`.
    kind: u32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> debug: Debug;

const BORDERS: u32 = 2u;
const NORMALS: u32 = 4u;
const MORPH: u32 = 5u;
const ERROR: u32 = 6u;

// How far the chunk has morphed into the next coarser level at a position in the chunk, both from 0
// to 1. Ignores the influence of its neighbours.
fn morphed(tag: u32, position: vec2<f32>) -> f32 {
    let steps = (vec4(tag) >> vec4(0u, 5u, 10u, 15u)) & vec4(morph::STEPS);
    let corner = vec4<f32>(steps) / f32(morph::STEPS);
    let along = mix(corner.xz, corner.yw, position.x);
    return mix(along.x, along.y, position.y);
}

// Blue for small amounts, yellow at 1, red from 2 on.
fn heat(amount: f32) -> vec3<f32> {
    let cold = mix(vec3(0.01, 0.03, 0.25), vec3(0.02, 0.20, 0.07), smoothstep(0.0, 0.5, amount));
    let warm = mix(cold, vec3(0.50, 0.36, 0.02), smoothstep(0.5, 1.0, amount));
    return mix(warm, vec3(0.45, 0.01, 0.01), smoothstep(1.05, 2.0, amount));
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    var pbr_input = pbr_input_from_standard_material(in, is_front);
    let world_from_local = get_world_from_local(in.instance_index);
    let position = (in.world_position.xz - world_from_local[3].xz) / debug.size;
    var color = pbr_input.material.base_color.rgb;
    if debug.kind == BORDERS {
        let edge = min(position, 1.0 - position);
        let pixels = edge / max(fwidth(position), vec2(1e-6));
        let line = 1.0 - smoothstep(1.0, 2.0, min(pixels.x, pixels.y));
        color = mix(vec3(0.12), color, line);
    } else if debug.kind == NORMALS {
        // Squared, to undo the sRGB encoding, so that the colours match those of a normal map.
        let half = 0.5 * normalize(in.world_normal) + 0.5;
        color = 0.6 * half * half;
    } else if debug.kind == MORPH {
        let weight = morphed(get_tag(in.instance_index), position);
        color = mix(vec3(0.02, 0.05, 0.22), vec3(0.55, 0.22, 0.02), weight);
    } else if debug.kind == ERROR {
        color = heat(debug.reach / distance(view.world_position, in.world_position.xyz));
    }
    pbr_input.material.base_color = vec4(color, 1.0);

#ifdef PREPASS_PIPELINE
    return deferred_output(in, pbr_input);
#else
    var out: FragmentOutput;
    out.color = apply_pbr_lighting(pbr_input);
    out.color = main_pass_post_lighting_processing(pbr_input, out.color);
    return out;
#endif
}
