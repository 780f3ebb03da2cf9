// The weights of the layers of cover: the formulas of orogeny's `Cover`, which documents them.
// Lengths are in metres, slopes in metres per metre, curvatures in 1/m.

#define_import_path bevy_orogeny::cover

const MAX_LAYERS: u32 = 8u;

struct Layer {
    // Linear RGB, and the index of its kind.
    colour: vec4<f32>,
    // Minimum, maximum, the width of the edges, and how far noise displaces the edges, in edge
    // widths.
    height: vec4<f32>,
    // Minimum, maximum, the width of the edges, and the fraction that patches cover.
    slope: vec4<f32>,
    // Minimum, maximum, the width of the edges, and the contrast of strata.
    curvature: vec4<f32>,
    // The strength of bumps and of tints; the rest is unused.
    surface: vec4<f32>,
    // The part that each kind of trees covers, where it grows.
    trees: vec4<f32>,
}

// The noise repeats after this many metres: the step in which the origin moves.
const PERIOD: f32 = 8192.0;

// A pseudo-random number from 0 to 1 for each cell of a plane.
fn hash(cell: vec2<i32>, key: u32) -> f32 {
    let row = bitcast<u32>(cell.y) + (key << 20u);
    var h = (bitcast<u32>(cell.x) * 0x9e3779b1u) ^ (row * 0x85ebca77u);
    h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12u)) * 0x297a2d39u;
    return f32((h ^ (h >> 15u)) >> 8u) / 16777216.0;
}

// How much of a feature `size` wide is visible with pixels `pixel` wide: nothing if it is narrower
// than two pixels.
fn visible(size: f32, pixel: f32) -> f32 {
    return 1.0 - smoothstep(0.25, 0.5, pixel / size);
}

// Value noise in -1 to 1 with cells `size` wide, a power of two. It fades out where cells are
// narrower than two pixels. With `rotated`, the lattice is rotated by 45 degrees.
fn value(position: vec2<f32>, size: f32, rotated: bool, key: u32, pixel: f32) -> f32 {
    let shown = visible(size, pixel);
    if shown <= 0.0 { return 0.0; }
    let diagonal = vec2(position.x + position.y, position.y - position.x);
    let p = select(position, diagonal, rotated) / size;
    let cell = vec2<i32>(floor(p));
    let t = fract(p);
    let u = t * t * (3.0 - 2.0 * t);
    let wrap = vec2(i32(PERIOD / size) - 1);
    let here = cell & wrap;
    let next = (cell + 1) & wrap;
    let low = mix(hash(here, key), hash(vec2(next.x, here.y), key), u.x);
    let high = mix(hash(vec2(here.x, next.y), key), hash(next, key), u.x);
    return (2.0 * mix(low, high, u.y) - 1.0) * shown;
}

// The noise that displaces the edges of layers with even and with odd numbers, and the noise of
// patches.
fn edge_noise(p: vec2<f32>, pixel: f32) -> vec3<f32> {
    let even = 0.38 * value(p, 128.0, false, 0u, pixel) + 0.22 * value(p, 64.0, true, 1u, pixel)
        + 0.2 * value(p, 16.0, false, 2u, pixel) + 0.12 * value(p, 4.0, true, 3u, pixel)
        + 0.08 * value(p, 1.0, false, 4u, pixel);
    let odd = 0.38 * value(p, 128.0, false, 8u, pixel) + 0.22 * value(p, 64.0, true, 9u, pixel)
        + 0.2 * value(p, 16.0, false, 10u, pixel) + 0.12 * value(p, 4.0, true, 11u, pixel)
        + 0.08 * value(p, 1.0, false, 12u, pixel);
    let patches = 0.3 * value(p, 256.0, true, 16u, pixel)
        + 0.34 * value(p, 128.0, false, 17u, pixel) + 0.2 * value(p, 32.0, true, 18u, pixel)
        + 0.16 * value(p, 8.0, false, 19u, pixel);
    return vec3(even, odd, clamp(4.0 * patches, -1.0, 1.0));
}

// The opacity of a band at x. `blur` is the range of x within a pixel.
fn band(x: f32, limits: vec3<f32>, edge_noise: f32, blur: f32) -> f32 {
    let soft = limits.z + blur;
    let at = x + edge_noise * limits.z;
    let above = smoothstep(-0.5, 0.5, (at - limits.x) / soft);
    return above * (1.0 - smoothstep(-0.5, 0.5, (at - limits.y) / soft));
}

// The opacity of a layer at a point. `surface` has the height, the slope and the curvature there,
// `blur` their ranges within a pixel.
fn opacity(layer: Layer, surface: vec3<f32>, blur: vec3<f32>, edge: f32, patches: f32) -> f32 {
    let edge_noise = layer.height.w * edge;
    let threshold = (2.0 * layer.slope.w - 1.0) * 1.25;
    return band(surface.x, layer.height.xyz, edge_noise, blur.x)
        * band(surface.y, layer.slope.xyz, edge_noise, blur.y)
        * band(surface.z, layer.curvature.xyz, edge_noise, blur.z)
        * smoothstep(-0.25, 0.25, threshold - patches);
}
