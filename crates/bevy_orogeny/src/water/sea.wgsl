// The surface of the sea: animated waves, over what is seen through the water.

enable dual_source_blending;

#import bevy_pbr::{
    forward_io::{Vertex, VertexOutput},
    mesh_functions::get_world_from_local,
    mesh_view_bindings::{globals, view},
    pbr_fragment::pbr_input_from_standard_material,
    view_transformations::position_world_to_clip,
}
#import bevy_orogeny::{
    morph::roughened,
    noise::noise,
    water::{
        Blended, Optics, blended, depth_behind, reflected, reflected_below, seen_from_above,
        seen_from_below,
    },
    waves,
}

struct Sea {
    optics: Optics,
    // The direction of travel of the waves as a unit vector, their steepness, and padding. A member
    // may not have the name of an imported module: an import would be sought in its place.
    travel: vec4<f32>,
    // The origin of the world in steps of 8192 m along x and z.
    origin: vec4<i32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> sea: Sea;

// Octaves of waves: the width of a cell of the widest in metres, and their number.
const WIDEST: f32 = 32.0;
const OCTAVES: u32 = 8u;

// The rotation from (x, z, time) to lattice coordinates. All lattice axes are at the same angle to
// time, so the noise is never flatter at one moment than at another. Its entries are those for
// sqrt(3) / 3, rounded to 128ths, so that a step of the origin is a whole number of cells.
const ALONG_X: vec3<f32> = vec3(101.0, -74.0, -27.0) / 128.0;
const ALONG_Z: vec3<f32> = vec3(-27.0, -74.0, 101.0) / 128.0;
const ALONG_T: vec3<f32> = vec3(74.0, 74.0, 74.0) / 128.0;

// The plane follows each view in steps of this length, in metres, so that its vertices do not
// slide.
const STEP: f32 = 64.0;

// Centres the plane on the current view. The mesh's transform has the sea level and the size.
@vertex
fn vertex(in: Vertex) -> VertexOutput {
    var out: VertexOutput;
    let world_from_local = get_world_from_local(in.instance_index);
    let middle = floor(view.world_position.xz / STEP) * STEP;
    let position = middle + world_from_local[0].x * in.position.xz;
    out.world_position = vec4(position.x, world_from_local[3].y, position.y, 1.0);
    out.position = position_world_to_clip(out.world_position.xyz);
    out.world_normal = vec3(0.0, 1.0, 0.0);
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    out.instance_index = in.instance_index;
#endif
    return out;
}

struct Waves {
    // The slopes along x and z.
    slope: vec2<f32>,
    // The variance, along each axis, of slopes that are too fine for a pixel.
    variance: f32,
    // How much waves break, from below 0 to about 1.
    breaking: f32,
}

// Octaves of which the crests break where they meet, and those that tear their foam.
const BREAKING: vec2<u32> = vec2(1u, 2u);
const TEARING: vec2<u32> = vec2(4u, 6u);
// The mean of noise without its sign.
const MEAN: f32 = 0.22;

// The exact slopes of the waves, as far as a footprint shows them.
fn swell(position: vec2<f32>, footprint: waves::Footprint, time: f32) -> Waves {
    var out = Waves(vec2(0.0), 0.0, 0.0);
    var crests = 0.0;
    var torn = f32(TEARING.y - TEARING.x + 1u) * MEAN;
    var size = WIDEST;
    // Cells in a step of the origin, before rotation.
    var step = i32(8192.0 / WIDEST);
    for (var k = 0u; k < OCTAVES; k++) {
        let steep = sea.travel.z * select(0.16, 0.09, k == 0u);
        let parts = waves::shown(size, footprint);
        // Waves of that length on deep water repeat after sqrt(2 pi length / g).
        let period = sqrt(0.64 * 2.0 * size);
        if parts.y > 0.0 {
            let drift = position - sea.travel.xy * (0.6 * size / period * time);
            let p = (ALONG_X * drift.x + ALONG_Z * drift.y) / size
                + ALONG_T * (0.8 * time / period);
            let origin = vec3(101, -74, -27) * sea.origin.x + vec3(-27, -74, 101) * sea.origin.y;
            let n = noise(p, origin * (step / 128) + vec3(17, -31, 59) * i32(k), -1);
            // Crests are sharper than troughs: h = -sqrt(n^2 + e^2).
            let sharp = -n.w / sqrt(n.w * n.w + 0.04);
            let g = mix(1.0, sharp, 0.7) * n.xyz;
            let slope = vec2(dot(g, ALONG_X), dot(g, ALONG_Z));
            if k == BREAKING.x { crests = saturate(1.0 - 7.0 * abs(n.w)); }
            if k == BREAKING.y { crests *= saturate(0.3 + 2.0 * n.w); }
            if k >= TEARING.x && k <= TEARING.y { torn += parts.y * (abs(n.w) - MEAN); }
            out.slope += steep * waves::filtered(slope, parts, footprint);
        }
        // Nothing breaks where these are too fine.
        if k == BREAKING.y { crests *= parts.y; }
        out.variance += waves::left_out(parts) * 0.35 * steep * steep;
        size *= 0.5;
        step *= 2;
    }
    out.breaking = crests - 0.9 * torn;
    return out;
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> Blended {
    var pbr_input = pbr_input_from_standard_material(in, is_front);
    let position = in.world_position.xz;
    let eye = pbr_input.V;
    let footprint = waves::footprint(in.position, eye);
    let seen = swell(position, footprint, globals.time);
    let slope = seen.slope + waves::ringed(position, footprint);
    var normal = normalize(vec3(-slope.x, 1.0, -slope.y));
    if eye.y < 0.0 { normal = -normal; }
    normal = waves::seen_normal(normal, eye, seen.variance);

    let facing = saturate(dot(normal, eye));
    if eye.y < 0.0 {
        return blended(seen_from_below(pbr_input, sea.optics, reflected_below(facing)), 1.0);
    }
    pbr_input.N = normal;
    pbr_input.world_normal = normal;
    // The wind decides how many break.
    let calm = 1.0 - 0.35 * sea.travel.z;
    let foam = smoothstep(calm - 0.35, calm, seen.breaking);
    // A higher roughness would match the glitter of the sun better, but would lose the reflection
    // of the sky in flat waves.
    pbr_input.material.perceptual_roughness =
        mix(min(roughened(0.12, seen.variance), 0.35), 0.9, foam);
    let depth = depth_behind(pbr_input);
    let fresnel = reflected(facing) * (1.0 - foam);
    return blended(seen_from_above(pbr_input, sea.optics, fresnel, depth, foam), 1.0);
}
