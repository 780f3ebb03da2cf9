// Colours the ground by height and slope.
// Heights in metres above the terrain's origin, slopes in metres per metre, colours in linear RGB.

#import bevy_pbr::{
    pbr_fragment::pbr_input_from_standard_material,
    mesh_functions::{get_tag, get_world_from_local},
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

struct Ground {
    sand: vec4<f32>,
    grass: vec4<f32>,
    scrub: vec4<f32>,
    rock: vec4<f32>,
    snow: vec4<f32>,
    // Shore, snow line, rock slope.
    levels: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> ground: Ground;

// A number in [0, 1) for each cell of the plane.
fn hash(cell: vec2<i32>) -> f32 {
    var h = (bitcast<u32>(cell.x) * 0x9e3779b1u) ^ (bitcast<u32>(cell.y) * 0x85ebca77u);
    h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12u)) * 0x297a2d39u;
    return f32((h ^ (h >> 15u)) >> 8u) / 16777216.0;
}

// The patterns repeat after a step of the origin, so that it may move.
const PERIOD: f32 = 8192.0;

// Value noise in [-1, 1] with cells of `size` metres, a power of two, faded out where a cell is narrower than two pixels.
fn fray(place: vec2<f32>, size: f32, pixel: f32) -> f32 {
    let p = place / size;
    let cell = vec2<i32>(floor(p));
    let t = fract(p);
    let u = t * t * (3.0 - 2.0 * t);
    let wrap = vec2(i32(PERIOD / size) - 1);
    let next = (cell + vec2(1)) & wrap;
    let here = cell & wrap;
    let low = mix(hash(here), hash(vec2(next.x, here.y)), u.x);
    let high = mix(hash(vec2(here.x, next.y)), hash(next), u.x);
    let visible = 1.0 - smoothstep(0.25, 0.5, pixel / size);
    return (2.0 * mix(low, high, u.y) - 1.0) * visible;
}

// Value noise in [-1, 1] along one axis, with cells of length 1.
fn layers(y: f32) -> f32 {
    let cell = i32(floor(y));
    let t = fract(y);
    return 2.0 * mix(hash(vec2(cell, 0)), hash(vec2(cell + 1, 0)), t * t * (3.0 - 2.0 * t)) - 1.0;
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    var pbr_input = pbr_input_from_standard_material(in, is_front);

    let place = in.world_position.xz;
    let height = in.world_position.y - get_world_from_local(in.instance_index)[3].y;
    let normal = normalize(in.world_normal);
    let slope = length(normal.xz) / max(normal.y, 0.01);
    // The longer side of the pixel's footprint.
    let pixel = max(length(dpdx(place)), length(dpdy(place)));

    let broad = fray(place, 128.0, pixel) + 0.5 * fray(place + 13.0, 64.0, pixel);
    let fine = fray(place, 16.0, pixel) + 0.6 * fray(place + 1.7, 4.0, pixel);
    let grain = fray(place, 2.0, pixel) + 0.7 * fray(place + 0.3, 0.5, pixel);

    let shore = ground.levels.x;
    let snow_line = ground.levels.y;
    let frayed_height = height + 45.0 * broad + 12.0 * fine;
    let frayed_slope = slope + 0.07 * broad + 0.07 * fine + 0.03 * grain;

    let scrubby = smoothstep(0.35, 0.85, (frayed_height - shore) / (snow_line - shore) + 0.08 * broad);
    var color = mix(ground.grass.rgb, ground.scrub.rgb, scrubby);
    color = mix(ground.sand.rgb, color, smoothstep(-4.0, 14.0, height - shore + 3.0 * fine));
    color *= 1.0 + 0.10 * broad + 0.08 * fine + 0.10 * grain;

    let rocky = smoothstep(ground.levels.z - 0.22, ground.levels.z + 0.22, frayed_slope);
    // Faint strata of uneven thickness, folded, faded out where they are narrower than a few pixels.
    let fold = 110.0 * fray(place, 1024.0, pixel) + 45.0 * fray(place + 40.0, 256.0, pixel) + 6.0 * fine;
    let strata = (layers((height + fold) / 47.0) + 0.6 * layers((height + 0.7 * fold) / 17.0))
        * (1.0 - smoothstep(3.0, 12.0, fwidth(height)));
    let rock = ground.rock.rgb * (1.0 + 0.09 * strata + 0.12 * fine + 0.14 * grain);
    color = mix(color, rock, rocky);

    let snowy = smoothstep(-90.0, 90.0, frayed_height - snow_line - 160.0 * (frayed_slope - 0.5))
        * (1.0 - smoothstep(1.0, 1.5, frayed_slope));
    color = mix(color, ground.snow.rgb * (1.0 + 0.02 * grain), snowy);

    pbr_input.material.base_color = vec4(color, 1.0) * pbr_input.material.base_color;
    pbr_input.material.perceptual_roughness = morph::roughened(
        pbr_input.material.perceptual_roughness * mix(1.0, 0.75, snowy),
        morph::slope_variance(get_tag(in.instance_index)),
    );

#ifdef PREPASS_PIPELINE
    return deferred_output(in, pbr_input);
#else
    var out: FragmentOutput;
    out.color = apply_pbr_lighting(pbr_input);
    out.color = main_pass_post_lighting_processing(pbr_input, out.color);
    return out;
#endif
}
