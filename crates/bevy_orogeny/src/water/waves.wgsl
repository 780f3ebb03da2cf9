// What a pixel sees of waves: those that are not too fine for it, and the sides that face it.
// Lengths are in metres.

#define_import_path bevy_orogeny::waves
#import bevy_pbr::mesh_view_bindings::view
#import bevy_orogeny::noise::visible

// A pixel's footprint on water: it is `long` in the direction `ahead`, away from the camera, and
// `wide` across it.
struct Footprint {
    ahead: vec2<f32>,
    long: f32,
    wide: f32,
}

// The footprint of a pixel at a position on the screen, with the camera in the direction `eye`.
fn footprint(position: vec4<f32>, eye: vec3<f32>) -> Footprint {
    let wide = 2.0 / abs(position.w * view.clip_from_view[1][1] * view.viewport.w);
    let ahead = eye.xz / max(length(eye.xz), 1e-6);
    return Footprint(ahead, wide / max(abs(eye.y), 1e-3), wide);
}

// The length of a footprint, over the width of waves, from which on it shows fewer of their slopes
// to the side.
const ALL: f32 = 1.4;

// The parts of their slopes along and across a footprint that it shows of waves `size` wide, which
// run in all directions. Those that run along it are too fine for a long one. Of all others, which
// are fewer the longer it is, their slopes to the side are left.
fn shown(size: f32, footprint: Footprint) -> vec2<f32> {
    let left = sqrt(min(1.0, size / (ALL * max(footprint.long, 1e-9))));
    return vec2(visible(size, footprint.long), left * visible(size, footprint.wide));
}

// Such parts of slopes.
fn filtered(slope: vec2<f32>, shown: vec2<f32>, footprint: Footprint) -> vec2<f32> {
    let along = dot(slope, footprint.ahead) * footprint.ahead;
    return shown.x * along + shown.y * (slope - along);
}

// The part of the variance of slopes that is left out.
fn left_out(shown: vec2<f32>) -> f32 {
    return 1.0 - 0.5 * dot(shown, shown);
}

// Rings that spread on the water: their number; their centres on the map, radii and slopes.
struct Rings {
    count: vec4<f32>,
    all: array<vec4<f32>, 16>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(104) var<uniform> rings: Rings;

// Half the width of the waves of a ring.
const RING: f32 = 0.35;
const PI: f32 = 3.14159265;

// The slopes of all rings at a position.
fn ringed(position: vec2<f32>, footprint: Footprint) -> vec2<f32> {
    var slope = vec2(0.0);
    for (var k = 0u; k < u32(rings.count.x); k++) {
        let ring = rings.all[k];
        let off = position - ring.xy;
        let away = length(off);
        let phase = (away - ring.z) / RING;
        let part = max(1.0 - phase * phase, 0.0);
        slope += ring.w * part * part * sin(2.0 * PI * phase) * off / max(away, 1e-3);
    }
    return visible(RING, footprint.wide) * slope;
}

// Reflected rays rise at least so much: lower ones would hit the next wave, which shows the sky
// above the horizon as well. What an environment map has below the horizon is grey ground.
const LOWEST: f32 = 0.03;
// The surface is flat: one sees sides of waves that turn away from the camera, which real waves
// hide. These are turned towards it so softly that each still looks different.
const TURNED: f32 = 0.1;
const RAISED: f32 = 0.08;
// How much waves that are too fine face the camera, over the deviation of their slopes: of these,
// the sides that do are seen.
const FACING: f32 = 0.5;

// 0 far below 0, and the number itself far above, with a bend `wide` wide.
fn bent(x: f32, wide: f32) -> f32 {
    return 0.5 * (x + sqrt(x * x + wide * wide));
}

// A normal of waves, turned so that the camera in the direction `eye` sees neither back faces nor
// what is below the horizon. `variance` is that of slopes, along each axis, which are too fine.
fn seen_normal(normal: vec3<f32>, eye: vec3<f32>, variance: f32) -> vec3<f32> {
    let facing = dot(normal, eye);
    let seen = bent(facing, TURNED) + FACING * sqrt(variance);
    let front = normalize(normal + eye * (seen - facing));
    // From below, the surface shows what is above it.
    if eye.y <= 0.0 { return front; }
    let ray = reflect(-eye, front);
    let raised = LOWEST + bent(ray.y - LOWEST, RAISED);
    return normalize(eye + normalize(vec3(ray.x, raised, ray.z)));
}
