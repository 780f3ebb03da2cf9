// Plants and rocks, for the main pass, prepasses and shadows. `gpu/select.wgsl` has written where
// each instance stands.

#import bevy_pbr::{
    mesh_view_bindings::view,
    view_transformations::position_world_to_clip,
}
#import bevy_orogeny::wind
#import bevy_render::globals::Globals
#ifdef IMPOSTOR
#import bevy_orogeny::impostors
#endif
#ifdef PREPASS_PIPELINE
#ifdef PREPASS_FRAGMENT
#import bevy_pbr::prepass_io::FragmentOutput
#ifdef MOTION_VECTOR_PREPASS
#import bevy_pbr::prepass_bindings::previous_view_uniforms
#endif
#endif
#else
#import bevy_pbr::{
    forward_io::FragmentOutput,
    mesh_view_bindings::{globals, lights},
    mesh_types::MESH_FLAGS_SHADOW_RECEIVER_BIT,
    decal::clustered::apply_decals,
    pbr_functions::{apply_pbr_lighting, calculate_view, main_pass_post_lighting_processing},
    pbr_types::pbr_input_new,
}
#endif

#ifdef PREPASS_PIPELINE
// Where prepasses and shadows have it; Bevy's own binding is that of the main pass.
@group(0) @binding(1) var<uniform> globals: Globals;
#endif

struct Material {
    // Roughness, reflectance and transmission.
    surface: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> material: Material;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var layers: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var layers_sampler: sampler;

struct PlantVertex {
    // The position over EXTENT, and how far wind moves it.
    @location(0) position: vec4<f32>,
    // The texture coordinates; then the normal, the layer and the tone.
    @location(1) packed: vec2<u32>,
    // Of the instance: where it stands, and its size across and upwards.
    @location(2) standing: vec4<u32>,
    // Its turn, its variant and its axis; its colour, and whether shadows fall on it; and how far
    // it has moved.
    @location(3) look: vec4<u32>,
#ifdef PLANT_COLOURS
    // The square roots of the linear channels, and the opacity.
    @location(4) colour: vec4<f32>,
#endif
}

struct PlantOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) world_position: vec4<f32>,
    @location(1) world_normal: vec3<f32>,
    // Texture coordinates, tone and variant. Of an impostor, the first is half the width in metres.
    @location(2) surface: vec4<f32>,
    // The layer; then the colour, and whether shadows fall on it.
    @location(3) @interpolate(flat) look: vec2<u32>,
#ifdef MOTION_VECTOR_PREPASS
    @location(4) previous_world_position: vec4<f32>,
#endif
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    @location(5) unclipped_depth: f32,
#endif
#ifdef IMPOSTOR
    // Where it is in each of three frames, and the parts that these have.
    @location(6) in_frames: vec4<f32>,
    @location(7) in_third: vec2<f32>,
    @location(8) @interpolate(flat) parts: vec3<f32>,
    @location(9) @interpolate(flat) frames: vec3<u32>,
    // How the instance is turned.
    @location(10) @interpolate(flat) turn: vec2<f32>,
#endif
#ifdef PLANT_COLOURS
    // What multiplies the texture, linear.
    @location(11) colour: vec4<f32>,
#endif
}

// The largest position of a model, in metres.
const EXTENT: f32 = 32.0;
// How deep instances sink into the ground, over their size, in metres: it may be that much lower
// between its vertices.
const SINK: f32 = 0.03;
const TAU: f32 = 6.283185307;

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
fn vertex(in: PlantVertex) -> PlantOutput {
    var out: PlantOutput;
    let base = bitcast<vec3<f32>>(in.standing.xyz);
    let size = unpack2x16float(in.standing.w);
    let turn_and_variant = unpack4x8unorm(in.look.x).xy;
    let variant = turn_and_variant.y;
    let lean = unpack4x8snorm(in.look.x).zw;
    let axis = vec3(lean.x, sqrt(saturate(1.0 - dot(lean, lean))), lean.y);
    let angle = turn_and_variant.x * TAU * 255.0 / 256.0;
    let turn = vec2(cos(angle), sin(angle));
#ifdef IMPOSTOR
    // Upwards from the foot to the middle.
    let middle = in.position.y * EXTENT;
    let extent = abs(in.position.xz) * EXTENT;
    let is_parallel = view.clip_from_view[3].w == 1.0;
    let away = view.world_position - base - axis * middle * size.y;
    let to_eye = select(normalize(away), view.world_from_view[2].xyz, is_parallel);
    let stretch = max(size, vec2(1e-4)).xyx;
    let back = vec2(turn.x, -turn.y);
    let in_model = vec3(turned(to_eye.xz, back), to_eye.y).xzy;
    let facing = impostors::towards(in_model / stretch);
    let corner = facing * vec3(in.position.xz * EXTENT, 0.0);
    let model = corner + vec3(0.0, middle, 0.0);
    let shown = impostors::frames_of(facing, corner, extent);
    out.in_frames = shown.in_frames;
    out.in_third = shown.in_third;
    out.parts = shown.parts;
    out.frames = shown.numbers;
    out.turn = turn;
#else
    let model = in.position.xyz * EXTENT;
#endif
    let flat_ = turned(model.xz, turn);
    let upward = axis * model.y - vec3(0.0, SINK, 0.0);
    var offset = (vec3(flat_.x, 0.0, flat_.y) + upward) * size.xyx;
#ifdef IMPOSTOR
    let width = extent.x * size.x;
#ifdef SUN_SHADOW
    // What faces the sun must not shade what is at its own place.
    offset -= 0.25 * width * to_eye;
#else
    // In front of the ground that the model stands on, along the line of sight.
    let seen_at = base + offset;
    let off = length(view.world_position - seen_at);
    let along = min(width / off, 0.5) * (view.world_position - seen_at);
    offset += select(along, width * to_eye, is_parallel);
#endif
#endif
    let gust = wind::gust(base.xz, globals.time, variant);
    let swayed = base + wind::bent(offset, in.position.w, gust);
    let position = wind::parted(swayed, in.position.w);
    out.world_position = vec4(position, 1.0);
    out.position = position_world_to_clip(position);
    let packed = unpack4x8unorm(in.packed.y);
    let upright = octahedral(packed.xy);
    let normal_xz = turned(upright.xz, turn);
    out.world_normal = vec3(normal_xz.x, upright.y, normal_xz.y);
    out.surface = vec4(unpack2x16float(in.packed.x), packed.w, variant);
    out.look = vec2((in.packed.y >> 16u) & 0xffu, in.look.y);
#ifdef IMPOSTOR
    out.surface.x = width;
#endif
#ifdef PLANT_COLOURS
    out.colour = vec4(in.colour.rgb * in.colour.rgb, in.colour.a);
#endif

#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    out.unclipped_depth = out.position.z;
    out.position.z = min(out.position.z, 1.0);
#endif
#ifdef MOTION_VECTOR_PREPASS
    let moved = vec3(unpack2x16float(in.look.z), unpack2x16float(in.look.w).x);
    let before = wind::gust(base.xz, globals.time - globals.delta_time, variant);
    let swayed_before = base + wind::bent(offset, in.position.w, before);
    out.previous_world_position =
        vec4(wind::parted(swayed_before, in.position.w) - moved, 1.0);
#endif
    return out;
}

#ifdef IMPOSTOR
// What a layer shows, times whether it is inside its frame. Each texel is of one of the three
// frames: blended ones would lose all gaps between leaves.
fn pictured(in: PlantOutput, layer: u32) -> vec4<f32> {
    let along_x = exp2(view.mip_bias) * dpdx(in.in_frames.xy);
    let along_y = exp2(view.mip_bias) * dpdy(in.in_frames.xy);
    let texels = impostors::texels(abs(along_x) + abs(along_y));
    let drawn = impostors::chance(in.in_frames.xy, texels, in.surface.w);
    var at = in.in_frames.xy;
    var number = in.frames.x;
    if drawn > in.parts.x {
        at = in.in_frames.zw;
        number = in.frames.y;
    }
    if drawn > in.parts.x + in.parts.y {
        at = in.in_third;
        number = in.frames.z;
    }
    let uv = impostors::in_layer(at, number, texels);
    let is_inside = all(at > vec2(0.0)) && all(at < vec2(1.0));
    return select(0.0, 1.0, is_inside)
        * textureSampleGrad(layers, layers_sampler, uv, layer, along_x / impostors::FRAMES,
            along_y / impostors::FRAMES);
}

fn texel(in: PlantOutput) -> vec4<f32> {
    return pictured(in, in.look.x);
}

// The normal in the world, and the tone.
fn relief(in: PlantOutput) -> vec4<f32> {
    let seen = pictured(in, in.look.x + 1u);
    let normal = 2.0 * seen.rgb - 1.0;
    return vec4(normalize(vec3(turned(normal.xz, in.turn), normal.y).xzy), seen.a);
}
#else
// The same in all passes, so that they cover the same pixels.
fn texel(in: PlantOutput) -> vec4<f32> {
    let seen =
        textureSampleBias(layers, layers_sampler, in.surface.xy, in.look.x, view.mip_bias);
#ifdef PLANT_COLOURS
    return seen * in.colour;
#else
    return seen;
#endif
}

fn relief(in: PlantOutput) -> vec4<f32> {
    return vec4(normalize(in.world_normal), in.surface.z);
}
#endif

#ifdef PREPASS_PIPELINE

#ifdef PREPASS_FRAGMENT
@fragment
fn fragment(in: PlantOutput) -> FragmentOutput {
    var out: FragmentOutput;
#ifdef MAY_DISCARD
    if texel(in).a < 0.5 { discard; }
#endif
#ifdef NORMAL_PREPASS
    out.normal = vec4(relief(in).xyz * 0.5 + vec3(0.5), 1.0);
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
fn fragment(in: PlantOutput) {
#ifdef MAY_DISCARD
    if texel(in).a < 0.5 { discard; }
#endif
}
#endif

#else


// The colour of a kind over that of its model, from 5, 6 and 5 bits, in sRGB.
fn colour_of(packed: u32) -> vec3<f32> {
    let parts = vec3<u32>((packed >> 11u) & 31u, (packed >> 5u) & 63u, packed & 31u);
    return vec3<f32>(parts) / vec3(16.0, 32.0, 16.0);
}

// The light that the ground and other plants reflect from the sides and from below, over that of
// the sky, of which alone Bevy knows.
const REFLECTED: vec3<f32> = vec3(1.2, 1.0, 0.6);
// What light that shines through a leaf gains and loses.
const THROUGH_LEAVES: vec3<f32> = vec3(2.4, 2.0, -1.4);

// What the colour of leaves is multiplied with when they are seen against the sun. Their normals
// point out of crowns, so that sun which falls on one side lights both.
fn seen_through(to_eye: vec3<f32>) -> vec3<f32> {
    if lights.n_directional_lights == 0u { return vec3(1.0); }
    let against = saturate(-dot(to_eye, lights.directional_lights[0].direction_to_light));
    return 1.0 + material.surface.z * against * against * against * THROUGH_LEAVES;
}

@fragment
fn fragment(in: PlantOutput) -> FragmentOutput {
    let seen = texel(in);
    var alpha = 1.0;
#ifdef MAY_DISCARD
#ifdef ALPHA_TO_COVERAGE
    // As wide as a pixel, wherever the coverage crosses a half.
    alpha = saturate((seen.a - 0.5) / max(fwidth(seen.a), 1e-4) + 0.5);
    if alpha <= 0.0 { discard; }
#else
    if seen.a < 0.5 { discard; }
#endif
#endif
    let shape = relief(in);
    let tone = shape.w;
    let shift = in.surface.w - 0.5;
    // Brightness and hue differ between instances.
    let tint = vec3(1.0 + 0.3 * shift, 1.0 + 0.14 * shift, 1.0 - 0.1 * shift);
    // A power law is near enough to sRGB for factors near 1.
    let factor = pow(max(tint * colour_of(in.look.y), vec3(0.0)), vec3(2.2));
    // Crowns shade their own insides from the sun, too.
    let colour = saturate(seen.rgb * factor) * mix(0.35, 1.0, tone);

    var pbr = pbr_input_new();
    pbr.flags = select(0u, MESH_FLAGS_SHADOW_RECEIVER_BIT, (in.look.y >> 16u) != 0u);
    pbr.material.perceptual_roughness = material.surface.x;
    pbr.material.reflectance = vec3(material.surface.y);
    pbr.is_orthographic = view.clip_from_view[3].w == 1.0;
    pbr.frag_coord = in.position;
    pbr.world_position = in.world_position;
#ifdef IMPOSTOR
    // Shadows fall on the crown, not on its axis.
    let to_eye = calculate_view(in.world_position, pbr.is_orthographic);
    let aside = 2.0 * in.in_frames.x - 1.0;
    let ahead = in.surface.x * (sqrt(saturate(1.0 - aside * aside)) - 1.0);
    pbr.world_position += vec4(ahead * to_eye, 0.0);
#endif
    // Normals point out of crowns, whichever side of a card is seen.
    pbr.world_normal = shape.xyz;
    pbr.N = pbr.world_normal;
    pbr.V = calculate_view(in.world_position, pbr.is_orthographic);
    pbr.material.base_color = vec4(colour * seen_through(pbr.V), 1.0);
    apply_decals(&pbr);
    pbr.diffuse_occlusion *= tone * (1.0 + (0.8 - 0.5 * shape.y) * REFLECTED);
    pbr.specular_occlusion *= tone;
    var out: FragmentOutput;
    out.color = apply_pbr_lighting(pbr);
    out.color = main_pass_post_lighting_processing(pbr, out.color);
    out.color.a = alpha;
    return out;
}
#endif
