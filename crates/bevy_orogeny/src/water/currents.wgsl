// The surfaces of rivers and lakes: ripples that drift with the flow, over what is seen through the
// water. Lengths are in metres, velocities in metres a second, colours in linear RGB.

enable dual_source_blending;

#import bevy_pbr::{
    forward_io::{Vertex, VertexOutput},
    mesh_functions::{get_world_from_local, mesh_normal_local_to_world},
    mesh_view_bindings::{globals, view},
    pbr_fragment::pbr_input_from_standard_material,
    view_transformations::position_world_to_clip,
}
#import bevy_orogeny::{
    morph::roughened,
    noise::noise,
    water::{
        Blended, Optics, blended, depth_behind, is_perspective, reflected, reflected_below,
        seen_from_above, seen_from_below,
    },
    waves,
}

struct Currents {
    optics: Optics,
    // The strength of ripples, and padding.
    settings: vec4<f32>,
    // The origin of the world in steps of 8192 m along x and z.
    origin: vec4<i32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> currents: Currents;

// Octaves of ripples: the width of a cell of the widest in metres, and their number.
const WIDEST: f32 = 8.0;
const OCTAVES: u32 = 4u;
// The seconds after which a pattern that drifts with the flow starts again. Two of them alternate.
const PERIOD: f32 = 3.0;
// Ripples of still water, as if it moved by so many metres a second.
const BREEZE: f32 = 0.25;

// Coarse levels of the ground may be above a river by some pixels. From afar it is drawn as if it
// were higher by so many.
const RISE: f32 = 3.0;
// Radians per pixel of views that are not in perspective, for which levels are selected as for 1080
// pixels and 45 degrees.
const PIXEL: f32 = 0.000767;
const NEAR: f32 = 40.0;
const FAR: f32 = 800.0;
@vertex
fn vertex(in: Vertex) -> VertexOutput {
    var out: VertexOutput;
    let world_from_local = get_world_from_local(in.instance_index);
    out.world_position = world_from_local * vec4(in.position, 1.0);
    let distance = length(out.world_position.xyz - view.world_position);
    let own_pixel = 2.0 / abs(view.clip_from_view[1][1] * view.viewport.w);
    let pixel = select(PIXEL, own_pixel, is_perspective());
    let rise = RISE * pixel * distance * smoothstep(NEAR, FAR, distance);
    out.position = position_world_to_clip(out.world_position.xyz + vec3(0.0, rise, 0.0));
    out.world_normal = mesh_normal_local_to_world(in.normal, in.instance_index);
    out.uv = in.uv;
    out.uv_b = in.uv_b;
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    out.instance_index = in.instance_index;
#endif
    return out;
}

struct Ripples {
    // The slopes along x and z.
    slope: vec2<f32>,
    // The variance, along each axis, of slopes that are too fine for a pixel.
    variance: f32,
    // A pattern for foam, in about -1 to 1.
    pattern: f32,
}

// Ripples that drift with the flow. Where the flow differs from place to place, a drifting pattern
// is torn apart; so it starts again before that, while it cannot be seen.
fn ripples(
    position: vec2<f32>,
    flow: vec2<f32>,
    steep: f32,
    footprint: waves::Footprint,
    time: f32,
) -> Ripples {
    var out = Ripples(vec2(0.0), 0.0, 0.0);
    for (var phase = 0u; phase < 2u; phase++) {
        let cycle = time / PERIOD + 0.5 * f32(phase);
        let t = fract(cycle);
        let part = 1.0 - abs(2.0 * t - 1.0);
        let drift = position - flow * (t - 0.5) * PERIOD;
        // Each start shows another pattern.
        let start = i32(floor(cycle)) * 7 + i32(phase) * 131;
        var size = WIDEST;
        var step = i32(8192.0 / WIDEST);
        for (var k = 0u; k < OCTAVES; k++) {
            let parts = waves::shown(size, footprint);
            let own = steep * select(0.8, 1.0, k > 0u);
            if parts.y > 0.0 {
                let p = vec3(drift / size, 0.7 * time / sqrt(size)).xzy;
                let cell = currents.origin * step;
                let origin = vec3(cell.x, start + i32(k) * 17, cell.y);
                let n = noise(p, origin, -1);
                out.slope += part * own * waves::filtered(n.xz, parts, footprint);
                out.pattern += part * parts.y * 0.5 * n.w;
            }
            out.variance += 0.5 * waves::left_out(parts) * 0.2 * own * own;
            size *= 0.5;
            step = i32(8192.0 / size);
        }
    }
    return out;
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> Blended {
    var pbr_input = pbr_input_from_standard_material(in, is_front);
    let position = in.world_position.xz;
    let flow = in.uv_b;
    let speed = length(flow);
    let rest = normalize(in.world_normal);
    let fall = length(rest.xz) / max(rest.y, 0.01);
    let eye = pbr_input.V;

    // Fast and steep water is rough.
    let rough = 0.10 * (speed + BREEZE) / (speed + 1.0) + 0.5 * min(fall, 0.5);
    let steep = currents.settings.x * rough;
    let footprint = waves::footprint(in.position, eye);
    let seen = ripples(position, flow, steep, footprint, globals.time);
    let slope = seen.slope + waves::ringed(position, footprint);
    var normal = normalize(rest - vec3(slope.x, 0.0, slope.y));
    if eye.y < 0.0 { normal = -normal; }
    normal = waves::seen_normal(normal, eye, seen.variance);

    // The bed is deepest in the middle.
    let dry = clamp(1.0 - in.uv.x * in.uv.x, 0.0, 1.0);
    let bed = in.uv.y * dry * dry * dry;
    // Thin water fades out, so that its edge cannot be seen, and so do rivers that are narrower
    // than pixels.
    let narrow = 1.0 - smoothstep(0.6, 2.0, fwidth(in.uv.x));
    let part = smoothstep(0.0, 0.03, bed) * narrow;

    let facing = saturate(dot(normal, eye));
    if eye.y < 0.0 {
        let fresnel = reflected_below(facing);
        return blended(seen_from_below(pbr_input, currents.optics, fresnel), part);
    }
    // White water where it falls.
    let foam = smoothstep(0.04, 0.22, fall) * smoothstep(-0.15, 0.35, seen.pattern + fall)
        * smoothstep(0.02, 0.12, bed);
    pbr_input.N = normal;
    pbr_input.world_normal = normal;
    pbr_input.material.perceptual_roughness =
        mix(min(roughened(0.1, seen.variance), 0.4), 0.9, foam);
    // Far away, the ground that is drawn is too coarse for the bed.
    let coarse = smoothstep(NEAR, FAR, length(in.world_position.xyz - view.world_position));
    let depth = mix(depth_behind(pbr_input), bed, coarse);
    let fresnel = reflected(facing) * (1.0 - foam);
    return blended(seen_from_above(pbr_input, currents.optics, fresnel, depth, foam), part);
}
