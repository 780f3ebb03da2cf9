// What moves plants: the wind, and bodies that they bend away from.

#define_import_path bevy_orogeny::wind

struct Wind {
    // The direction of the wind, its strength, and the number of bodies.
    wind: vec4<f32>,
    // The centres and the radii of bodies that plants bend away from.
    bodies: array<vec4<f32>, 16>,
}

// In the place of Bevy's meshes.
@group(2) @binding(0) var<uniform> air: Wind;

// The origin moves by this, in metres. Waves of wind have a whole number of periods in it.
const ORIGIN_STEP: f32 = 8192.0;
const TAU: f32 = 6.283185307;

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
    let direction = air.wind.xy;
    return air.wind.z * (push * direction + across * vec2(-direction.y, direction.x));
}

// Bends an offset by wind. Its length stays about the same.
fn bent(offset: vec3<f32>, sway: f32, wind: vec2<f32>) -> vec3<f32> {
    // Tall plants are stiffer.
    let height = max(offset.y, 0.0);
    let push = wind * sway * height * 0.22 / (1.0 + 0.22 * height);
    let drop = dot(push, push) / max(2.0 * height, 0.2);
    return offset + vec3(push.x, -drop, push.y);
}

// A position out of all bodies, as far as it can sway.
fn parted(at: vec3<f32>, sway: f32) -> vec3<f32> {
    var out = at;
    for (var k = 0u; k < u32(air.wind.w); k++) {
        let body = air.bodies[k];
        let off = out - body.xyz;
        let inside = 1.0 - length(off) / body.w;
        if inside <= 0.0 { continue; }
        // To the side, and down as far as tips go when blades keep their length.
        let push = body.w * inside * saturate(3.0 * sway);
        let flat_ = off.xz / max(length(off.xz), 0.05);
        out += push * vec3(flat_.x, -0.6, flat_.y);
    }
    return out;
}
