// The weights of the layers of cover: the formulas of orogeny's `Cover`, which documents them.
// Lengths are in metres, slopes in metres per metre, curvatures in 1/m.

#define_import_path bevy_orogeny::cover
#import bevy_orogeny::ground_bindings::{Layer, noise_images, noise_sampler}

// The widths of the two images of noise. The first is the step in which the origin moves.
const WIDTHS: vec2<f32> = vec2(8192.0, 256.0);

// The noise of the coarse octaves, or of the fine ones, each from -1 to 1. `dx` and `dy` are the
// sides of a pixel.
fn octaves(position: vec2<f32>, dx: vec2<f32>, dy: vec2<f32>, fine: u32) -> vec4<f32> {
    let scale = 1.0 / WIDTHS[fine];
    let at = scale * position;
    let sides = vec4(dx, dy) * scale;
    let noise = textureSampleGrad(noise_images, noise_sampler, at, fine, sides.xy, sides.zw);
    return 2.0 * noise - 1.0;
}

struct EdgeNoise {
    // The noise that displaces the edges of layers with even and with odd numbers.
    edges: vec2<f32>,
    // The noise of patches.
    patches: f32,
    // Noise with features of some hundred metres.
    broad: f32,
}

fn edge_noise(position: vec2<f32>, dx: vec2<f32>, dy: vec2<f32>) -> EdgeNoise {
    let coarse = octaves(position, dx, dy, 0u);
    let all = coarse + octaves(position, dx, dy, 1u);
    return EdgeNoise(all.xy, clamp(4.0 * all.z, -1.0, 1.0), coarse.w);
}

// Noise from -1 to 1 along one axis, with cells of length 1.
fn strata_noise(y: f32) -> f32 {
    let at = vec2(y / 32.0, 0.5);
    return 2.0 * textureSampleLevel(noise_images, noise_sampler, at, 1u, 0.0).w - 1.0;
}

// Strata of uneven thickness, folded, from about -1.6 to 1.6. They fade out where they are narrower
// than a few pixels. `blur` is the range of heights in a pixel.
fn strata(height: f32, noise: EdgeNoise, blur: f32) -> f32 {
    let fold = 150.0 * noise.broad + 9.0 * noise.edges.y;
    return strata_noise((height + fold) / 37.0) * (1.0 - smoothstep(6.0, 18.0, blur))
        + 0.6 * strata_noise((height + 0.7 * fold) / 11.0) * (1.0 - smoothstep(1.5, 5.0, blur));
}

// The opacity of a band at x. `blur` is the range of x within a pixel.
fn band(x: f32, limits: vec3<f32>, edge_noise: f32, blur: f32) -> f32 {
    let soft = limits.z + blur;
    let at = x + edge_noise * limits.z;
    let above = smoothstep(-0.5, 0.5, (at - limits.x) / soft);
    return above * (1.0 - smoothstep(-0.5, 0.5, (at - limits.y) / soft));
}

// The part of a layer that a climate leaves: `climate` has the temperature and the moisture, `blur`
// their ranges within a pixel.
fn in_climate(layer: Layer, climate: vec2<f32>, blur: vec2<f32>, edge: f32) -> f32 {
    if layer.moisture.w == 0.0 { return 1.0; }
    let edge_noise = layer.height.w * edge;
    return band(climate.x, layer.temperature.xyz, edge_noise, blur.x)
        * band(climate.y, layer.moisture.xyz, edge_noise, blur.y);
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
