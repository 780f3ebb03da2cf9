// The frames of impostors: see `orogeny_models::Impostor`.

#define_import_path bevy_orogeny::impostors

// The frames along a side of a layer, and the texels of each.
const FRAMES: f32 = 8.0;
const FRAME_TEXELS: f32 = 64.0;

// The right side, the upper side and the direction itself of a picture seen from a direction, which
// is raised to the horizon.
fn towards(direction: vec3<f32>) -> mat3x3<f32> {
    let raised = vec3(direction.x, max(direction.y, 0.0), direction.z);
    let d = normalize(raised + vec3(0.0, 0.0, 1e-5));
    let right = normalize(vec3(d.z, 0.0, -d.x));
    return mat3x3(right, cross(d, right), d);
}

// Where a direction is in the grid of frames.
fn grid_of(d: vec3<f32>) -> vec2<f32> {
    let p = d.xz / (abs(d.x) + abs(d.y) + abs(d.z));
    return (vec2(p.x + p.y, p.y - p.x) * 0.5 + 0.5) * (FRAMES - 1.0);
}

// Where a point of the quad, seen along a direction, is in a frame: to the right and downwards.
fn in_frame(frame: vec2<f32>, point: vec3<f32>, d: vec3<f32>) -> vec2<f32> {
    let e = frame * 2.0 / (FRAMES - 1.0) - 1.0;
    let p = 0.5 * vec2(e.x - e.y, e.x + e.y);
    let own = towards(vec3(p.x, 1.0 - abs(p.x) - abs(p.y), p.y));
    // On the plane of the frame through the middle.
    let seen = point - dot(point, own[2]) / max(dot(d, own[2]), 0.1) * d;
    return vec2(dot(seen, own[0]), -dot(seen, own[1]));
}

// Which frames a quad shows: where its corner is in three of them, their parts, and their numbers.
struct Shown {
    in_frames: vec4<f32>,
    in_third: vec2<f32>,
    parts: vec3<f32>,
    numbers: vec3<u32>,
}

// The frames around the direction that a quad faces, with half their width and height.
fn frames_of(facing: mat3x3<f32>, corner: vec3<f32>, extent: vec2<f32>) -> Shown {
    let d = facing[2];
    let grid = grid_of(d);
    let first = min(floor(grid), vec2(FRAMES - 2.0));
    let across = grid - first;
    // The triangle of the grid.
    let second = first + select(vec2(0.0, 1.0), vec2(1.0, 0.0), across.x > across.y);
    let third = first + vec2(1.0);
    let low = min(across.x, across.y);
    let high = max(across.x, across.y);
    // Most of what is seen is the nearest frame.
    let nearness = vec3(1.0 - high, high - low, low);
    let parts = nearness * nearness * nearness;
    var out: Shown;
    out.parts = parts / (parts.x + parts.y + parts.z);
    let places = vec4(in_frame(first, corner, d), in_frame(second, corner, d));
    out.in_frames = 0.5 + 0.5 * places / extent.xyxy;
    out.in_third = 0.5 + 0.5 * in_frame(third, corner, d) / extent;
    let row = vec2(1.0, FRAMES);
    out.numbers = vec3<u32>(vec3(dot(first, row), dot(second, row), dot(third, row)));
    return out;
}

// The texels of a frame that a pixel shows, for the change of coordinates in a frame from pixel to
// pixel.
fn texels(change: vec2<f32>) -> vec2<f32> {
    return clamp(FRAME_TEXELS * change, vec2(1.0), vec2(16.0));
}

// A number of a texel of the quad, 0 to 1.
fn chance(at: vec2<f32>, texels: vec2<f32>, variant: f32) -> f32 {
    // Cells stay the same while the distance changes a little.
    let cell = vec2<u32>(vec2<i32>(at * FRAME_TEXELS / exp2(round(log2(texels)))));
    var n = (cell.x * 0x9e3779b1u) ^ (cell.y * 0x85ebca77u) ^ (u32(variant * 255.0) * 0xc2b2ae3du);
    n = (n ^ (n >> 15u)) * 0x2c1b3c6du;
    n = (n ^ (n >> 12u)) * 0x297a2d39u;
    return f32((n ^ (n >> 15u)) >> 8u) / 16777216.0;
}

// Where a point of a frame is in a layer, half a texel from the other frames.
fn in_layer(at: vec2<f32>, number: u32, texels: vec2<f32>) -> vec2<f32> {
    let rim = 0.5 * texels / FRAME_TEXELS;
    let frame = vec2(f32(number % u32(FRAMES)), f32(number / u32(FRAMES)));
    return (frame + clamp(at, rim, 1.0 - rim)) / FRAMES;
}
