// The textures of layers on the ground: two scales, from one to three sides.

#define_import_path bevy_orogeny::surface
#import bevy_orogeny::ground_bindings::{Layer, colours, surfaces, textures_sampler}

// Where a texture is sampled.
struct Place {
    // Position in metres, and the sides of a pixel.
    point: vec3<f32>,
    dx: vec3<f32>,
    dy: vec3<f32>,
    // The weight of each side: how much the ground faces it.
    sides: vec3<f32>,
    // The width of a pixel.
    pixel: f32,
}

struct Surface {
    colour: vec3<f32>,
    // Subtracted from the normal.
    slope: vec3<f32>,
    roughness: f32,
    occlusion: f32,
    // From 0 to 1 over the relief.
    height: f32,
}

// The far scale is turned by an angle whose tangent is 1/3, so that no row repeats beside itself.
// Its length is sqrt(10), which its scale allows for.
const TURN: mat2x2<f32> = mat2x2(vec2(3.0, -1.0), vec2(1.0, 3.0));
// The contrast of colours at the far scale.
const FAR_CONTRAST: f32 = 0.55;
// The strength of bumps at the far scale.
const FAR_BUMPS: f32 = 0.45;

// Sides that count for less are left out.
const LEAST_SIDE: f32 = 0.1;

// The weights of the sides. Few points have more than two.
fn sides(normal: vec3<f32>) -> vec3<f32> {
    let facing = normal * normal;
    let sharp = facing * facing * abs(normal);
    let weights = max(sharp / (sharp.x + sharp.y + sharp.z) - LEAST_SIDE, vec3(0.0));
    return weights / (weights.x + weights.y + weights.z);
}

// The part of a tile of some width that is visible, rather than its mean.
fn shown(tiles_per_metre: f32, pixel: f32) -> f32 {
    return 1.0 - smoothstep(0.06, 0.2, tiles_per_metre * pixel);
}

struct Texel {
    // The colour, and the height.
    colour: vec4<f32>,
    // The gradient of the height along the image, the roughness and the occlusion.
    surface: vec4<f32>,
}

fn texel(uv: vec2<f32>, index: u32, dx: vec2<f32>, dy: vec2<f32>) -> Texel {
    let colour = textureSampleGrad(colours, textures_sampler, uv, index, dx, dy);
    let surface = textureSampleGrad(surfaces, textures_sampler, uv, index, dx, dy);
    let normal = surface.xy * (510.0 / 255.0) - 256.0 / 255.0;
    let up = sqrt(max(1.0 - dot(normal, normal), 0.04));
    return Texel(colour, vec4(-normal / up, surface.zw));
}

// Both scales on one side.
fn on_side(layer: Layer, at: vec2<f32>, dx: vec2<f32>, dy: vec2<f32>, parts: vec2<f32>) -> Texel {
    let index = u32(layer.factor.w);
    var out = Texel(vec4(layer.mean.rgb, 0.5), vec4(0.0, 0.0, layer.mean.w, 1.0));
    if parts.x > 0.0 {
        let scale = layer.scales.x;
        let near = texel(scale * at, index, scale * dx, scale * dy);
        let own = Texel(vec4(near.colour.rgb * layer.factor.rgb, near.colour.a), near.surface);
        out.colour = mix(out.colour, own.colour, parts.x);
        out.surface = mix(out.surface, own.surface, parts.x);
    }
    if parts.y > 0.0 {
        let turn = layer.scales.y * TURN;
        let far = texel(turn * at, index, turn * dx, turn * dy);
        // The mean is that of the same texture.
        let relative = far.colour.rgb * layer.factor.rgb / max(layer.mean.rgb, vec3(1e-4));
        let contrast = FAR_CONTRAST * parts.y;
        out.colour = vec4(out.colour.rgb * mix(vec3(1.0), relative, contrast), out.colour.a);
        // Turned back, over the length of the turn.
        let slope = FAR_BUMPS * parts.y / sqrt(10.0) * (far.surface.xy * TURN);
        out.surface.x += slope.x;
        out.surface.y += slope.y;
        out.surface.w *= mix(1.0, far.surface.w, contrast);
    }
    return out;
}

fn added(sum: Surface, part: Texel, slope: vec3<f32>, weight: f32) -> Surface {
    return Surface(
        sum.colour + weight * part.colour.rgb,
        sum.slope + weight * slope,
        sum.roughness + weight * part.surface.z,
        sum.occlusion + weight * part.surface.w,
        sum.height + weight * part.colour.a,
    );
}

// A layer at a place. Images have y downwards, so sides have heights upside down.
fn sampled(layer: Layer, place: Place) -> Surface {
    let parts = vec2(
        shown(layer.scales.x, place.pixel),
        shown(3.2 * layer.scales.y, place.pixel),
    );
    if parts.y <= 0.0 {
        return Surface(layer.mean.rgb, vec3(0.0), layer.mean.w, 1.0, 0.5);
    }
    let down = vec2(1.0, -1.0);
    var out = Surface(vec3(0.0), vec3(0.0), 0.0, 0.0, 0.0);
    if place.sides.y > 0.0 {
        let part = on_side(layer, place.point.xz, place.dx.xz, place.dy.xz, parts);
        let slope = vec3(part.surface.x, 0.0, part.surface.y);
        out = added(out, part, slope, place.sides.y);
    }
    if place.sides.x > 0.0 {
        let at = place.point.zy * down;
        let part = on_side(layer, at, place.dx.zy * down, place.dy.zy * down, parts);
        let slope = vec3(0.0, -part.surface.y, part.surface.x);
        out = added(out, part, slope, place.sides.x);
    }
    if place.sides.z > 0.0 {
        let at = place.point.xy * down;
        let part = on_side(layer, at, place.dx.xy * down, place.dy.xy * down, parts);
        let slope = vec3(part.surface.x, -part.surface.y, 0.0);
        out = added(out, part, slope, place.sides.z);
    }
    out.slope *= layer.scales.z;
    return out;
}
