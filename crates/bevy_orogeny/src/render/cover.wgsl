// The weights of the layers of cover: the formulas of orogeny's `Cover`, which documents them.
// Lengths are in metres, slopes in metres per metre, curvatures in 1/m.

#define_import_path bevy_orogeny::cover

const MAX_LAYERS: u32 = 8u;

struct Layer {
    // Linear RGB, and the number of its kind.
    colour: vec4<f32>,
    // Least, greatest, the width of the edges, how far noise moves edges in their widths.
    height: vec4<f32>,
    // Least, greatest, the width of the edges, the part that patches cover.
    slope: vec4<f32>,
    // Least, greatest, the width of the edges, the contrast of strata.
    curvature: vec4<f32>,
    // Strength of bumps and tints; unused.
    surface: vec4<f32>,
}

// The noise repeats after this many metres: the step by which the origin moves.
const PERIOD: f32 = 8192.0;

// A number in 0 to 1 for each cell of a plane.
fn hash(cell: vec2<i32>, key: u32) -> f32 {
    let row = bitcast<u32>(cell.y) + (key << 20u);
    var h = (bitcast<u32>(cell.x) * 0x9e3779b1u) ^ (row * 0x85ebca77u);
    h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12u)) * 0x297a2d39u;
    return f32((h ^ (h >> 15u)) >> 8u) / 16777216.0;
}

// How much is seen of what is `size` wide, where a pixel is `pixel` wide: nothing that is narrower
// than two pixels.
fn visible(size: f32, pixel: f32) -> f32 {
    return 1.0 - smoothstep(0.25, 0.5, pixel / size);
}

// Value noise in -1 to 1 on cells `size` wide, a power of two, faded out where those are narrower
// than two pixels. Turned, its lattice stands at 45 degrees.
fn value(position: vec2<f32>, size: f32, turned: bool, key: u32, pixel: f32) -> f32 {
    let shown = visible(size, pixel);
    if shown <= 0.0 { return 0.0; }
    let p = select(position, vec2(position.x + position.y, position.y - position.x), turned) / size;
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

// The noise that frays the edges of layers with even and odd numbers, and that of patches.
fn fray(p: vec2<f32>, pixel: f32) -> vec3<f32> {
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

// The part within a band; `blur` is what a pixel sees of x at once.
fn band(x: f32, limits: vec3<f32>, fray: f32, blur: f32) -> f32 {
    let soft = limits.z + blur;
    let at = x + fray * limits.z;
    let above = smoothstep(-0.5, 0.5, (at - limits.x) / soft);
    return above * (1.0 - smoothstep(-0.5, 0.5, (at - limits.y) / soft));
}

// The part of a place that a layer covers. `place` is height, slope and curvature, `blur` what a
// pixel sees of them at once.
fn opacity(layer: Layer, place: vec3<f32>, blur: vec3<f32>, edge: f32, patches: f32) -> f32 {
    let fray = layer.height.w * edge;
    let threshold = (2.0 * layer.slope.w - 1.0) * 1.25;
    return band(place.x, layer.height.xyz, fray, blur.x)
        * band(place.y, layer.slope.xyz, fray, blur.y)
        * band(place.z, layer.curvature.xyz, fray, blur.z)
        * smoothstep(-0.25, 0.25, threshold - patches);
}
