// What the surfaces of all water share: what is seen through them, the light that water scatters,
// the haze before them, and how they are blended. Lengths are in metres, colours in linear RGB.

enable dual_source_blending;

#define_import_path bevy_orogeny::water
#import bevy_pbr::{
    mesh_types::MESH_FLAGS_SHADOW_RECEIVER_BIT,
    mesh_view_bindings::{fog, view},
    pbr_functions::{apply_fog, apply_pbr_lighting, main_pass_post_lighting_processing},
    pbr_types::{PbrInput, STANDARD_MATERIAL_FLAGS_FOG_ENABLED_BIT},
    view_transformations::{depth_ndc_to_view_z, frag_coord_to_uv},
}

struct Optics {
    // Absorption per metre, and padding.
    absorption: vec4<f32>,
    // The colour of endlessly deep water, and padding.
    deep: vec4<f32>,
}

// The depth of what is drawn before the water, by pixel; and the haze, see `haze.wgsl`.
@group(#{MATERIAL_BIND_GROUP}) @binding(101) var scene_depth: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(102) var haze_slices: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(103) var haze_sampler: sampler;

// The refractive index of water.
const INDEX: f32 = 1.33;
// What is behind so much water is not seen.
const FARTHEST: f32 = 1e5;

fn is_perspective() -> bool {
    return view.clip_from_view[3][3] == 0.0;
}

// The distance from the camera to what is drawn at a pixel, whose view ray passes a point of that
// depth `z` at the distance `away`.
fn scene_distance(pixel: vec2<f32>, z: f32, away: f32) -> f32 {
    let scene = textureLoad(scene_depth, vec2<i32>(pixel), 0).r;
    let behind = -depth_ndc_to_view_z(max(scene, 1e-9));
    let here = -depth_ndc_to_view_z(z);
    let distance = select(away + behind - here, away * behind / here, is_perspective());
    return min(distance, away + FARTHEST);
}

// The part of light that is left of what comes from a point, on its way down to it from the surface
// and on to the camera. The water is `above` metres deep above the camera, and the way `path`
// metres long in the direction to the camera, which rises by `up` a metre.
fn left(optics: Optics, above: f32, path: f32, up: f32) -> vec3<f32> {
    return exp(-optics.absorption.rgb * (max(above, 0.0) + (1.0 + up) * path));
}

// How many times as much light is scattered to the side as back, and ahead as to the side.
const AHEAD: f32 = 3.0;

// The light that water scatters towards the camera on that way, for a light of 1 on the surface:
// the integral of light that has come from straight above. Straight up from endless depth it is the
// colour of deep water.
fn scattered(optics: Optics, above: f32, path: f32, up: f32) -> vec3<f32> {
    let lost = optics.absorption.rgb * path;
    let both = max(1.0 + up, 1e-3);
    return optics.deep.rgb * exp(-optics.absorption.rgb * max(above, 0.0))
        * pow(AHEAD, 1.0 - up) * 2.0 * (1.0 - exp(-both * lost)) / both;
}

// How much rises, per metre in the water, light that leaves it in a direction that rises by `up`.
fn refracted(up: f32) -> f32 {
    return sqrt(1.0 - (1.0 - up * up) / (INDEX * INDEX));
}

// The part that a surface reflects of light at the cosine `facing` of the angle of incidence in the
// air: Schlick's approximation for water.
fn reflected(facing: f32) -> f32 {
    return 0.02 + 0.98 * pow(1.0 - facing, 5.0);
}

// The same from below. Beyond the critical angle all is reflected.
fn reflected_below(facing: f32) -> f32 {
    let cosine = 1.0 - (1.0 - facing * facing) * INDEX * INDEX;
    return reflected(sqrt(max(cosine, 0.0)));
}

// What is drawn: the light that is added, and the part that is kept of what is behind.
struct Seen {
    added: vec3<f32>,
    kept: vec3<f32>,
}

// The same for the device, which may have one part for all colours.
struct Blended {
#ifdef WATER_BY_COLOUR
    @location(0) @blend_src(0) added: vec4<f32>,
    @location(0) @blend_src(1) kept: vec4<f32>,
#else
    @location(0) added: vec4<f32>,
#endif
}

fn blended(seen: Seen, part: f32) -> Blended {
    let added = vec4(part * seen.added, part * (1.0 - dot(seen.kept, vec3(1.0 / 3.0))));
#ifdef WATER_BY_COLOUR
    return Blended(added, vec4(mix(vec3(1.0), seen.kept, part), 1.0));
#else
    return Blended(added);
#endif
}

// The number of slices of haze, and of their pixels along each side.
const SLICES: f32 = 32.0;

// The haze of the atmosphere at a distance: the light that it adds, and the part that it keeps.
fn haze(pixel: vec2<f32>, distance: f32) -> vec4<f32> {
    let end = 1000.0 * textureLoad(haze_slices, vec2(0, i32(SLICES)), 0).r;
    if end <= 0.0 { return vec4(0.0, 0.0, 0.0, 1.0); }
    let place = SLICES * min(distance / end, 1.0);
    let uv = clamp(frag_coord_to_uv(pixel), vec2(0.5 / SLICES), vec2(1.0 - 0.5 / SLICES));
    let size = vec2(SLICES, (SLICES + 1.0) / SLICES);
    // Slice k ends at k + 1; at the camera there is none.
    let far = min(floor(place), SLICES - 1.0);
    let after = textureSampleLevel(haze_slices, haze_sampler, (vec2(far, 0.0) + uv) / size, 0.0);
    var before = vec4(0.0, 0.0, 0.0, 1.0);
    if far > 0.0 {
        let at = (vec2(far - 1.0, 0.0) + uv) / size;
        before = textureSampleLevel(haze_slices, haze_sampler, at, 0.0);
    }
    return mix(before, after, place - far);
}

// Lights what keeps a part of what is behind, and adds haze and fog for what it covers: what is
// behind has its own. Both are linear, so each colour may be divided by its own part.
//
// Without `Hdr`, tones are mapped here. That is not linear, and mixes colours: all three are
// divided by one part, the largest, or those that cover less would be blown out.
fn lit(pbr_input: PbrInput, kept: vec3<f32>) -> Seen {
    var input = pbr_input;
    let covered = clamp(1.0 - kept, vec3(0.0), vec3(1.0));
    var colour = apply_pbr_lighting(pbr_input).rgb;
    let away = length(pbr_input.world_position.xyz - view.world_position);
    let air = haze(pbr_input.frag_coord.xy, away);
    colour = colour * air.a + air.rgb * covered;
#ifdef DISTANCE_FOG
    // What fog adds to black, and the part that it leaves of white.
    if (input.material.flags & STANDARD_MATERIAL_FLAGS_FOG_ENABLED_BIT) != 0u {
        let added = fogged(input, vec3(0.0));
        colour = colour * (fogged(input, vec3(1.0)) - added) + added * covered;
    }
    input.material.flags &= ~STANDARD_MATERIAL_FLAGS_FOG_ENABLED_BIT;
#endif
    let part = max(max(covered.r, max(covered.g, covered.b)), 1e-3);
    colour = main_pass_post_lighting_processing(input, vec4(colour / part, 1.0)).rgb;
    return Seen(colour * part, kept);
}

#ifdef DISTANCE_FOG
// What fog before a point makes of a colour.
fn fogged(input: PbrInput, colour: vec3<f32>) -> vec3<f32> {
    let position = input.world_position.xyz;
    let eye = view.world_position;
    return apply_fog(fog, vec4(colour, 1.0), position, eye, input.frag_coord.xy).rgb;
}
#endif

// Lights water itself before the camera, from straight above. It reflects nothing, and has neither
// shadows nor haze.
fn lit_water(pbr_input: PbrInput, colour: vec3<f32>, kept: vec3<f32>) -> Seen {
    var input = pbr_input;
    input.world_position = vec4(view.world_position - pbr_input.V, 1.0);
    input.flags &= ~MESH_FLAGS_SHADOW_RECEIVER_BIT;
    input.material.base_color = vec4(colour, 1.0);
    input.material.perceptual_roughness = 1.0;
    input.material.reflectance = vec3(0.0);
    input.N = vec3(0.0, 1.0, 0.0);
    input.world_normal = input.N;
    input.V.y = abs(input.V.y);
    return lit(input, kept);
}

const FOAM: vec3<f32> = vec3(0.72, 0.76, 0.78);
// The part that dense foam covers.
const FOAM_COVERS: f32 = 0.9;

// What is seen of a surface from above: what it reflects, its foam, and what is `depth` metres
// below it.
fn seen_from_above(
    pbr_input: PbrInput,
    optics: Optics,
    fresnel: f32,
    depth: f32,
    foam: f32,
) -> Seen {
    let rise = refracted(pbr_input.V.y);
    let path = depth / rise;
    let covered = FOAM_COVERS * foam;
    let passing = 1.0 - fresnel;
    var input = pbr_input;
    let colour = mix(scattered(optics, 0.0, path, rise), FOAM, covered);
    input.material.base_color = vec4(passing * colour, 1.0);
    return lit(input, passing * (1.0 - covered) * left(optics, 0.0, path, rise));
}

// What is seen of a surface from below: the light of the water that it reflects. What is above it,
// and the water before it, is drawn already.
fn seen_from_below(pbr_input: PbrInput, optics: Optics, fresnel: f32) -> Seen {
    let position = pbr_input.world_position.xyz;
    let path = length(position - view.world_position);
    let up = pbr_input.V.y;
    let below = scattered(optics, 0.0, FARTHEST, -up);
    let before = scattered(optics, position.y - view.world_position.y, path, up);
    let colour = exp(-optics.absorption.rgb * path) * below + before;
    return lit_water(pbr_input, fresnel * colour, vec3(1.0 - fresnel));
}

// How deep what is seen behind a point of a surface is below it.
fn depth_behind(pbr_input: PbrInput) -> f32 {
    let away = length(pbr_input.world_position.xyz - view.world_position);
    let position = pbr_input.frag_coord;
    let beyond = scene_distance(position.xy, position.z, away) - away;
    return max(beyond, 0.0) * max(pbr_input.V.y, 0.0);
}
