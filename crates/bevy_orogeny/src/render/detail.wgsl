// The appearance of the kinds of cover up close: bumps and tints from 3D gradient noise, which does
// not stretch on cliffs. Its octaves are rotated against the world and against each other, so that
// the lattice does not show.

#define_import_path bevy_orogeny::detail
#import bevy_orogeny::cover::visible
#import bevy_orogeny::noise::noise

// The bumps and tints of a kind of ground, for octaves with cells 2, 1/2, 1/8 and 1/32 m wide.
struct Grain {
    // Slopes of the bumps.
    bump: vec4<f32>,
    // Contrast of the brightness.
    tint: vec4<f32>,
    // Slopes of the bumps and contrast of the brightness of cells 8 m wide.
    coarse: vec2<f32>,
    // How far the bumps are lumps with creases between them, from 0 to 1.
    lumps: f32,
    // Height of ripples divided by their width.
    ripples: f32,
    // The limit that the slopes of bumps approach.
    steepest: f32,
    roughness: f32,
}

// In the order of orogeny's `CoverKind`.
fn grain(kind: u32) -> Grain {
    switch kind {
        // Rock.
        case 0u: {
            let bump = vec4(0.26, 0.28, 0.26, 0.2);
            return Grain(bump, vec4(0.2, 0.2, 0.18, 0.16), vec2(0.25, 0.2), 0.45, 0.0, 0.6, 1.0);
        }
        // Scree.
        case 1u: {
            let bump = vec4(0.2, 0.28, 0.5, 0.36);
            return Grain(bump, vec4(0.12, 0.2, 0.36, 0.26), vec2(0.15, 0.16), 0.9, 0.0, 0.6, 1.0);
        }
        // Grass.
        case 2u: {
            let bump = vec4(0.1, 0.2, 0.42, 0.6);
            return Grain(bump, vec4(0.16, 0.2, 0.34, 0.5), vec2(0.08, 0.2), 0.0, 0.0, 0.27, 1.0);
        }
        // Forest floor.
        case 3u: {
            let bump = vec4(0.2, 0.26, 0.42, 0.5);
            return Grain(bump, vec4(0.3, 0.34, 0.42, 0.44), vec2(0.2, 0.34), 0.15, 0.0, 0.28, 1.0);
        }
        // Sand.
        case 4u: {
            let bump = vec4(0.08, 0.06, 0.05, 0.12);
            return Grain(bump, vec4(0.06, 0.05, 0.05, 0.14), vec2(0.08, 0.05), 0.0, 0.13, 0.5, 1.0);
        }
        // Snow.
        default: {
            let bump = vec4(0.16, 0.1, 0.05, 0.05);
            let tint = vec4(0.02, 0.015, 0.015, 0.03);
            return Grain(bump, tint, vec2(0.1, 0.015), 0.0, 0.0, 0.4, 0.8);
        }
    }
}

fn mixed(a: Grain, b: Grain, weight: f32) -> Grain {
    return Grain(
        a.bump + weight * b.bump,
        a.tint + weight * b.tint,
        a.coarse + weight * b.coarse,
        a.lumps + weight * b.lumps,
        a.ripples + weight * b.ripples,
        a.steepest + weight * b.steepest,
        a.roughness + weight * b.roughness,
    );
}

// A grain scaled by a layer's `detail`.
fn scaled(a: Grain, by: f32) -> Grain {
    return Grain(
        by * a.bump, by * a.tint, by * a.coarse, a.lumps, by * a.ripples, a.steepest, a.roughness,
    );
}

// Approximately a rotation, with axes far from those of the world. In 16ths, so that a step of the
// origin is a whole number of lattice periods.
const ROTATION: mat3x3<f32> = mat3x3(
    vec3(6.0, 11.0, 10.0) / 16.0,
    vec3(-11.0, -4.0, 11.0) / 16.0,
    vec3(10.0, -11.0, 6.0) / 16.0,
);
// The length in metres after which an octave repeats along its axes: a 16th of the step of the
// origin.
const REPEAT: f32 = 512.0;

// Noise with cells `size` metres wide, a power of two: its gradient per cell, and its value as w.
// Octaves with consecutive numbers are rotated differently.
fn octave(point: vec3<f32>, size: f32, number: u32) -> vec4<f32> {
    let wrap = i32(REPEAT / size) - 1;
    switch number % 3u {
        case 0u: {
            let n = noise(ROTATION * (point / size), vec3(0), wrap);
            return vec4(n.xyz * ROTATION, n.w);
        }
        case 1u: {
            let n = noise(ROTATION * (point.zxy / size), vec3(7), wrap);
            return vec4((n.xyz * ROTATION).yzx, n.w);
        }
        default: {
            let n = noise(ROTATION * (point.yzx / size), vec3(13), wrap);
            return vec4((n.xyz * ROTATION).zxy, n.w);
        }
    }
}

struct Detail {
    // Subtracted from the normal.
    slope: vec3<f32>,
    // Multiplied with the colour.
    tint: vec3<f32>,
}

// Bright areas are dry and warm, dark ones damp and cool.
const WARMTH: vec3<f32> = vec3(1.15, 1.0, 0.7);

// The bumps and tints at a point, with x and z modulo the period of the noise.
fn detail(point: vec3<f32>, grain: Grain, pixel: f32) -> Detail {
    var out = Detail(vec3(0.0), vec3(1.0));
    let broad = visible(8.0, pixel);
    if broad <= 0.0 { return out; }
    let n = octave(point, 8.0, 0u);
    out.slope = broad * grain.coarse.x * n.xyz;
    out.tint = 1.0 + 1.3 * broad * grain.coarse.y * n.w * WARMTH;
    // Some areas are rougher than others.
    let rough = 0.8 + 0.6 * n.w;
    var size = 2.0;
    for (var k = 0u; k < 4u; k++) {
        let shown = visible(size, pixel);
        if shown <= 0.0 { break; }
        let n = octave(point, size, k + 1u);
        // Lumps are the noise's absolute value: round on top, with creases where the noise is 0.
        let steep = mix(1.0, 1.6 * sign(n.w), grain.lumps);
        let value = mix(n.w, 2.2 * abs(n.w) - 0.6, grain.lumps);
        out.slope += shown * rough * grain.bump[k] * steep * n.xyz;
        out.tint *= 1.0 + 1.3 * shown * grain.tint[k] * value * WARMTH;
        size *= 0.25;
    }
    let ripple = visible(0.25, pixel) * grain.ripples;
    if ripple > 0.0 {
        // Crests along z, bent by noise, the lee side steeper.
        let bend = octave(point, 4.0, 2u);
        let phase = 6.2831853 * (point.x * 4.0 + 2.0 * bend.w + 0.5 * point.z);
        let wave = cos(phase + 0.5 * sin(phase));
        out.slope += 2.5 * ripple * wave * vec3(1.0, 0.0, 0.125);
        out.tint *= 1.0 + 0.5 * ripple * sin(phase);
    }
    // Limits the slope: bumps must not turn sunlit ground away from the sun, where shading would
    // end abruptly.
    let relative = out.slope / max(grain.steepest, 0.01);
    out.slope *= inverseSqrt(1.0 + dot(relative, relative));
    out.tint = max(out.tint, vec3(0.42));
    return out;
}
