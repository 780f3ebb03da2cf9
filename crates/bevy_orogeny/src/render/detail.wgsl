// What the kinds of cover look like up close: bumps and tints of three-dimensional noise, so that
// nothing is stretched on cliffs.

#define_import_path bevy_orogeny::detail
#import bevy_orogeny::cover::{PERIOD, visible}

// What octaves of cells 2, 1/2, 1/8 and 1/32 m wide do to a kind of ground.
struct Grain {
    // Slopes of the bumps.
    bump: vec4<f32>,
    // Contrast of the brightness.
    tint: vec4<f32>,
    // Slopes of the bumps and contrast of the brightness of cells 8 m wide.
    coarse: vec2<f32>,
    // How much of the bumps are cracks.
    cracks: f32,
    // Height of ripples over their width.
    ripples: f32,
    roughness: f32,
}

// In the order of orogeny's `CoverKind`.
fn grain(kind: u32) -> Grain {
    switch kind {
        case 0u: { return Grain(vec4(0.3, 0.28, 0.25, 0.2), vec4(0.14, 0.14, 0.12, 0.1), vec2(0.4, 0.14), 0.4, 0.0, 1.0); }
        case 1u: { return Grain(vec4(0.35, 0.65, 0.6, 0.25), vec4(0.1, 0.22, 0.24, 0.1), vec2(0.25, 0.12), 0.3, 0.0, 1.0); }
        case 2u: { return Grain(vec4(0.15, 0.25, 0.4, 0.45), vec4(0.16, 0.18, 0.22, 0.3), vec2(0.2, 0.16), 0.0, 0.0, 1.0); }
        case 3u: { return Grain(vec4(0.35, 0.45, 0.45, 0.4), vec4(0.28, 0.28, 0.28, 0.25), vec2(0.5, 0.3), 0.1, 0.0, 1.0); }
        case 4u: { return Grain(vec4(0.08, 0.08, 0.05, 0.1), vec4(0.05, 0.04, 0.04, 0.1), vec2(0.08, 0.04), 0.0, 0.13, 1.0); }
        default: { return Grain(vec4(0.2, 0.12, 0.06, 0.05), vec4(0.015, 0.01, 0.01, 0.02), vec2(0.1, 0.01), 0.0, 0.0, 0.8); }
    }
}

fn mixed(a: Grain, b: Grain, weight: f32) -> Grain {
    return Grain(
        a.bump + weight * b.bump, a.tint + weight * b.tint, a.coarse + weight * b.coarse, a.cracks + weight * b.cracks,
        a.ripples + weight * b.ripples, a.roughness + weight * b.roughness,
    );
}

fn hash3(cell: vec3<i32>) -> f32 {
    var h = (bitcast<u32>(cell.x) * 0x9e3779b1u) ^ (bitcast<u32>(cell.y) * 0xc2b2ae3du) ^ (bitcast<u32>(cell.z) * 0x85ebca77u);
    h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12u)) * 0x297a2d39u;
    return f32((h ^ (h >> 15u)) >> 8u) / 8388608.0 - 1.0;
}

// Value noise in -1 to 1 with cells of width 1 that repeats after `period` cells along x and z: its
// gradient, and its value as w.
fn noise(p: vec3<f32>, period: i32) -> vec4<f32> {
    let cell = vec3<i32>(floor(p));
    let t = fract(p);
    let u = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let du = 30.0 * t * t * (t * (t - 2.0) + 1.0);
    let wrap = vec3(period - 1, -1, period - 1);
    let a = cell & wrap;
    let b = (cell + 1) & wrap;
    let h000 = hash3(a);
    let h100 = hash3(vec3(b.x, a.y, a.z));
    let h010 = hash3(vec3(a.x, b.y, a.z));
    let h110 = hash3(vec3(b.x, b.y, a.z));
    let h001 = hash3(vec3(a.x, a.y, b.z));
    let h101 = hash3(vec3(b.x, a.y, b.z));
    let h011 = hash3(vec3(a.x, b.y, b.z));
    let h111 = hash3(b);
    let x00 = mix(h000, h100, u.x);
    let x10 = mix(h010, h110, u.x);
    let x01 = mix(h001, h101, u.x);
    let x11 = mix(h011, h111, u.x);
    let y0 = mix(x00, x10, u.y);
    let y1 = mix(x01, x11, u.y);
    let dx = mix(mix(h100 - h000, h110 - h010, u.y), mix(h101 - h001, h111 - h011, u.y), u.z);
    let dy = mix(x10 - x00, x11 - x01, u.z);
    return vec4(du * vec3(dx, dy, y1 - y0), mix(y0, y1, u.z));
}

struct Detail {
    // What to take off the normal.
    slope: vec3<f32>,
    // What to multiply the colour by.
    tint: f32,
}

// The bumps and tints at a point, x and z in the period of the noise.
fn detail(point: vec3<f32>, grain: Grain, pixel: f32) -> Detail {
    var out = Detail(vec3(0.0), 1.0);
    let crowns = visible(8.0, pixel);
    if crowns <= 0.0 { return out; }
    let n = noise(point / 8.0, i32(PERIOD / 8.0));
    out.slope = crowns * 0.4 * grain.coarse.x * n.xyz;
    out.tint = 1.0 + crowns * grain.coarse.y * n.w;
    // Rough places and smooth ones.
    let rough = 0.75 + 0.5 * n.w;
    var size = 2.0;
    for (var k = 0u; k < 4u; k++) {
        let shown = visible(size, pixel);
        if shown <= 0.0 { break; }
        let n = noise(point / size, i32(PERIOD / size));
        // Cracks run where the noise is 0.
        let sign = select(-1.0, 1.0, n.w > 0.0);
        let crack = smoothstep(0.0, 0.12, abs(n.w));
        let steep = mix(1.0, sign * 1.2, grain.cracks);
        out.slope += shown * 0.4 * rough * grain.bump[k] * steep * n.xyz;
        out.tint *= 1.0 + shown * grain.tint[k] * (n.w - 1.1 * grain.cracks * (1.0 - crack));
        size *= 0.25;
    }
    let ripple = visible(0.25, pixel) * grain.ripples;
    if ripple > 0.0 {
        // Crests along z, bent by noise, the lee side steeper.
        let bend = noise(point / 4.0, i32(PERIOD / 4.0));
        let phase = 6.2831853 * (point.x * 4.0 + 1.5 * bend.w + 0.5 * point.z);
        let wave = cos(phase + 0.5 * sin(phase));
        out.slope += 2.5 * ripple * wave * vec3(1.0, 0.0, 0.125);
        out.tint *= 1.0 + 0.5 * ripple * sin(phase);
    }
    return out;
}
