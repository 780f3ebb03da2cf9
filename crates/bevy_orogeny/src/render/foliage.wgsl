// Plants and rocks of scatter, for the main pass, prepasses and shadows.
//
// A mesh has copies of one model, each of which stands where a record says. It is drawn only at the
// distances of the tile's tier; the others collapse into a point.

#import bevy_pbr::{
    mesh_functions,
    mesh_view_bindings::view,
    view_transformations::position_world_to_clip,
}
#import bevy_render::globals::Globals
#import bevy_orogeny::plants::surface
#ifdef PREPASS_PIPELINE
#import bevy_pbr::prepass_io::VertexOutput
#ifdef PREPASS_FRAGMENT
#import bevy_pbr::prepass_io::FragmentOutput
#ifdef MOTION_VECTOR_PREPASS
#import bevy_pbr::prepass_bindings::previous_view_uniforms
#endif
#endif
#else
#import bevy_pbr::{
    forward_io::{VertexOutput, FragmentOutput},
    mesh_view_bindings::globals,
    pbr_fragment::pbr_input_from_standard_material,
    decal::clustered::apply_decals,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}
#endif

#ifdef PREPASS_PIPELINE
// Where prepasses and shadows have it; Bevy's own binding is that of the main pass.
@group(0) @binding(1) var<uniform> globals: Globals;
#endif

struct FoliageUniform {
    // The direction of the wind, its strength, and the jitter of ranges.
    wind: vec4<f32>,
    // The largest magnification of a view; the height of an image at distance 1 that does not
    // magnify, halved.
    zoom: vec4<f32>,
    // The range of a tier and what it keeps at its ends; then how much it widens there, and the
    // distances between which its shadows shrink.
    tiers: array<vec4<f32>, #{TIER_VECTORS}>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> foliage: FoliageUniform;

// The records of instances, see `scatter/record.rs`. A tag has the index of the first one of a
// batch, and the tier in its upper four bits.
@group(#{MATERIAL_BIND_GROUP}) @binding(101) var<storage, read> records: array<vec4<u32>>;

struct PlantVertex {
    @builtin(instance_index) instance_index: u32,
    // The position over EXTENT, and how far wind moves it.
    @location(0) position: vec4<f32>,
    // uv, surface and tone; the normal and the number of the copy.
    @location(1) packed: vec2<u32>,
}

// The largest position of a model, in metres.
const EXTENT: f32 = 32.0;
// How deep instances sink into the ground, over their size, in metres: it may be that much lower
// between its vertices.
const SINK: f32 = 0.03;
// The origin moves by this, in metres. Waves of wind have a whole number of periods in it.
const ORIGIN_STEP: f32 = 8192.0;
const TAU: f32 = 6.283185307;

// Whether this is the view of a camera rather than that of a light.
fn is_camera() -> bool {
    return all(view.lod_view_world_position == view.world_position);
}

// By how much the view magnifies: what is seen larger has finer levels, and is drawn farther away.
// Neither orthographic views nor shadows do.
fn magnification() -> f32 {
    let is_perspective = view.clip_from_view[3][3] == 0.0;
    if !is_perspective || !is_camera() { return 1.0; }
    return clamp(abs(view.clip_from_view[1][1]) * foliage.zoom.y, 1.0, foliage.zoom.x);
}

// How large an instance is drawn at a distance, across and upwards; 0 if another tier has it.
fn size_at(tier: u32, distance: f32, rank: f32, variant: f32) -> vec2<f32> {
    let range = foliage.tiers[2u * tier];
    let second = foliage.tiers[2u * tier + 1u];
    let widen = second.xy;
    // Each instance has its own distances.
    let own = distance / magnification()
        / (1.0 + foliage.wind.w * (2.0 * fract(variant * 7.31 + rank * 3.7) - 1.0));
    if own < range.x || own >= range.y { return vec2(0.0); }
    let t = (own - range.x) / (range.y - range.x);
    // Those of high rank shrink first. All that are not kept at the end have shrunk by then.
    var left = 1.0;
    if rank >= range.w {
        let order = (range.z - rank) / max(range.z - range.w, 1e-3);
        let end = mix(0.35, 1.0, saturate(order));
        left = 1.0 - smoothstep(end - 0.25, end, t);
    }
    // Shadows must not end at once where the next tier has none.
    if !is_camera() { left *= 1.0 - smoothstep(second.z, second.w, own); }
    let wide = mix(widen.x, widen.y, t);
    return left * vec2(wide, sqrt(wide));
}

// How far wind moves the top of a plant at a position, per metre of its height squared.
fn gust(at: vec2<f32>, time: f32, variant: f32) -> vec2<f32> {
    // Wavelengths of 40 and 13 m. Whole numbers, so that periods fit into steps of the origin.
    let waves = TAU / ORIGIN_STEP * vec2(
        dot(at, vec2(181.0, 97.0)),
        dot(at, vec2(-311.0, 547.0)),
    );
    let slow = sin(waves.x - 0.9 * time) + 0.6 * sin(waves.y - 1.7 * time + 2.0);
    let own = sin(time * (2.2 + variant) + 40.0 * variant);
    let push = 0.5 + 0.35 * slow + 0.15 * own;
    let across = 0.25 * sin(time * (1.6 + variant) + 23.0 * variant);
    let direction = foliage.wind.xy;
    return foliage.wind.z * (push * direction + across * vec2(-direction.y, direction.x));
}

// Bends an offset by wind. Its length stays about the same.
fn bent(offset: vec3<f32>, sway: f32, wind: vec2<f32>) -> vec3<f32> {
    // Tall plants are stiffer.
    let height = max(offset.y, 0.0);
    let push = wind * sway * height * 0.22 / (1.0 + 0.22 * height);
    let drop = dot(push, push) / max(2.0 * height, 0.2);
    return offset + vec3(push.x, -drop, push.y);
}

// A vector on the map, turned from x to z.
fn turned(v: vec2<f32>, turn: vec2<f32>) -> vec2<f32> {
    return vec2(turn.x * v.x - turn.y * v.y, turn.y * v.x + turn.x * v.y);
}

fn octahedral(packed: vec2<f32>) -> vec3<f32> {
    let p = 2.0 * packed - 1.0;
    var n = vec3(p.x, 1.0 - abs(p.x) - abs(p.y), p.y);
    let fold = max(-n.y, 0.0);
    n.x += select(fold, -fold, n.x >= 0.0);
    n.z += select(fold, -fold, n.z >= 0.0);
    return normalize(n);
}

@vertex
fn vertex(in: PlantVertex) -> VertexOutput {
    var out: VertexOutput;
    let tag = mesh_functions::get_tag(in.instance_index);
    let record = records[(tag & 0x0fffffffu) + (in.packed.y >> 16u)];
    let low = unpack2x16unorm(record.x);
    let high = unpack2x16unorm(record.y);
    let standing = vec4(low, high.x, 1.0);
    let rank = high.y;
    let own_size = unpack2x16float(record.z).x;
    let turn_and_variant = unpack4x8unorm(record.z).zw;
    let variant = turn_and_variant.y;
    let lean = unpack4x8snorm(record.w).xy;
    let axis = vec3(lean.x, sqrt(saturate(1.0 - dot(lean, lean))), lean.y);

    let world_from_local = mesh_functions::get_world_from_local(in.instance_index);
    let base = mesh_functions::mesh_position_local_to_world(world_from_local, standing).xyz;
    let pattern = unpack4x8unorm(in.packed.x);
    // Shadows are those of what the camera sees.
    let to_camera = view.lod_view_world_position - base;
    let size = own_size * size_at(tag >> 28u, length(to_camera), rank, variant);
    let angle = turn_and_variant.x * TAU * 255.0 / 256.0;
    let turn = vec2(cos(angle), sin(angle));
    let model = in.position.xyz * EXTENT;
    let flat = turned(model.xz, turn);
    let upward = axis * model.y - vec3(0.0, SINK, 0.0);
    let offset = (vec3(flat.x, 0.0, flat.y) + upward) * size.xyx;
    let position = base + bent(offset, in.position.w, gust(base.xz, globals.time, variant));
    out.world_position = vec4(position, 1.0);
    out.position = position_world_to_clip(position);
    let upright = octahedral(unpack4x8unorm(in.packed.y).xy);
    let normal_xz = turned(upright.xz, turn);
    let normal = vec3(normal_xz.x, upright.y, normal_xz.y);

#ifdef PREPASS_PIPELINE
#ifdef NORMAL_PREPASS_OR_DEFERRED_PREPASS
    out.world_normal = normal;
#endif
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    out.unclipped_depth = out.position.z;
    out.position.z = min(out.position.z, 1.0);
#endif
#ifdef MOTION_VECTOR_PREPASS
    let previous = mesh_functions::get_previous_world_from_local(in.instance_index);
    let previous_base = mesh_functions::mesh_position_local_to_world(
        previous, standing).xyz;
    let before = gust(base.xz, globals.time - globals.delta_time, variant);
    out.previous_world_position = vec4(previous_base + bent(offset, in.position.w, before), 1.0);
#endif
#else
    out.world_normal = normal;
#endif

    out.uv = pattern.xy;
    // The surface and the colour are integers, the same at all vertices of a triangle.
    out.color = vec4(pattern.z * 255.0, variant, pattern.w, f32(record.w >> 16u));
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    out.instance_index = in.instance_index;
#endif
#ifdef VISIBILITY_RANGE_DITHER
    out.visibility_range_dither = mesh_functions::get_visibility_range_dither_level(
        in.instance_index, world_from_local[3]);
#endif
    return out;
}

fn look(uv: vec2<f32>, attributes: vec4<f32>) -> vec4<f32> {
    return surface::at(u32(attributes.x + 0.5), uv, attributes.y);
}

#ifdef PREPASS_PIPELINE

#ifdef PREPASS_FRAGMENT
@fragment
fn fragment(in: VertexOutput) -> FragmentOutput {
    var out: FragmentOutput;
    if look(in.uv, in.color).a < 0.5 { discard; }
#ifdef NORMAL_PREPASS
    out.normal = vec4(in.world_normal * 0.5 + vec3(0.5), 1.0);
#endif
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    out.frag_depth = in.unclipped_depth;
#endif
#ifdef MOTION_VECTOR_PREPASS
    let clip_t = view.unjittered_clip_from_world * in.world_position;
    let previous_t = previous_view_uniforms.clip_from_world * in.previous_world_position;
    out.motion_vector = (clip_t.xy / clip_t.w - previous_t.xy / previous_t.w) * vec2(0.5, -0.5);
#endif
    return out;
}
#else
@fragment
fn fragment(in: VertexOutput) {
    if look(in.uv, in.color).a < 0.5 { discard; }
}
#endif

#else

fn linear_of(srgb: vec3<f32>) -> vec3<f32> {
    let low = srgb / 12.92;
    let high = pow((srgb + 0.055) / 1.055, vec3(2.4));
    return select(high, low, srgb <= vec3(0.04045));
}

// The colour of a kind over that of its model, from 5, 6 and 5 bits.
fn colour_of(packed: u32) -> vec3<f32> {
    let parts = vec3<u32>(packed >> 11u, (packed >> 5u) & 63u, packed & 31u);
    return vec3<f32>(parts) / vec3(16.0, 32.0, 16.0);
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    let seen = look(in.uv, in.color);
    if seen.a < 0.5 { discard; }
    var pbr = pbr_input_from_standard_material(in, true);
    let tone = in.color.z;
    let colour = saturate(seen.rgb * colour_of(u32(in.color.w + 0.5)));
    pbr.material.base_color = vec4(linear_of(colour), 1.0);
    pbr.material.diffuse_transmission =
        surface::transmission(u32(in.color.x + 0.5)) * tone;
    // Normals point out of crowns, whichever side of a card is seen.
    pbr.world_normal = normalize(in.world_normal);
    pbr.N = pbr.world_normal;
    apply_decals(&pbr);
    pbr.diffuse_occlusion *= tone;
    pbr.specular_occlusion *= tone;
    var out: FragmentOutput;
    // Crowns shade their own insides from the sun, too.
    pbr.material.base_color = vec4(pbr.material.base_color.rgb * mix(0.35, 1.0, tone), 1.0);
    out.color = apply_pbr_lighting(pbr);
    out.color = main_pass_post_lighting_processing(pbr, out.color);
    return out;
}
#endif
