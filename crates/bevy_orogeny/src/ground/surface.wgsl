// The textures of layers on the ground: two scales, from one or two sides. Loops rather than copies
// of code: most pixels need one layer, one side, and far away one scale.

#define_import_path bevy_orogeny::surface
#import bevy_orogeny::ground_bindings::{Layer, colours, surfaces, textures_sampler}

// Where a texture is sampled.
struct Place {
    // Position in metres, and the sides of a pixel.
    point: vec3<f32>,
    dx: vec3<f32>,
    dy: vec3<f32>,
    // The axes from which the ground is seen best (0 to 2), and their weights.
    axes: vec2<u32>,
    weights: vec2<f32>,
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

// The far scale is turned by an angle whose tangent is 1/3, so that no row repeats beside itself:
// cosine and sine times sqrt(10), which its scale allows for.
const TURN: vec2<f32> = vec2(3.0, 1.0);
const TURN_LENGTH: f32 = 3.1622777;
// The contrast of colours at the far scale, and the strength of its bumps.
const FAR_CONTRAST: f32 = 0.55;
const FAR_BUMPS: f32 = 0.45;
// Sides that count for less are left out.
const LEAST_SIDE: f32 = 0.1;

// Biplanar mapping (Inigo Quilez, 2020): the two sides that the ground faces most.
fn place(point: vec3<f32>, dx: vec3<f32>, dy: vec3<f32>, normal: vec3<f32>, pixel: f32) -> Place {
    let facing = abs(normal);
    let first = select(
        select(2u, 0u, facing.x >= facing.z),
        1u,
        facing.y >= facing.x && facing.y >= facing.z,
    );
    let others = vec2((first + 1u) % 3u, (first + 2u) % 3u);
    let second = select(others.y, others.x, facing[others.x] >= facing[others.y]);
    var weights = vec2(facing[first], facing[second]);
    weights = weights * weights;
    weights = weights * weights;
    weights.y = max(weights.y / (weights.x + weights.y) - LEAST_SIDE, 0.0) / (1.0 - LEAST_SIDE);
    weights.x = 1.0 - weights.y;
    return Place(point, dx, dy, vec2(first, second), weights, pixel);
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

// Turned by an angle, with a scale: x is its cosine and y its sine, times the scale.
fn turned(v: vec2<f32>, by: vec2<f32>) -> vec2<f32> {
    return vec2(by.x * v.x + by.y * v.y, by.x * v.y - by.y * v.x);
}

fn turned_back(v: vec2<f32>, by: vec2<f32>) -> vec2<f32> {
    return turned(v, vec2(by.x, -by.y));
}

// What is seen along an axis. Images have y downwards, so sides have heights upside down.
fn on_side(v: vec3<f32>, axis: u32) -> vec2<f32> {
    return select(vec2(select(v.x, v.z, axis == 0u), -v.y), v.xz, axis == 1u);
}

fn from_side(v: vec2<f32>, axis: u32) -> vec3<f32> {
    let upright = select(vec3(v.x, -v.y, 0.0), vec3(0.0, -v.y, v.x), axis == 0u);
    return select(upright, vec3(v.x, 0.0, v.y), axis == 1u);
}

// A layer at a place.
fn sampled(layer: Layer, place: Place) -> Surface {
    // The far scale and the near one.
    let parts = vec2(
        shown(TURN_LENGTH * layer.scales.y, place.pixel),
        shown(layer.scales.x, place.pixel),
    );
    var out = Surface(vec3(0.0), vec3(0.0), layer.mean.w, 0.0, 0.0);
    let index = u32(layer.factor.w);
    let relative = layer.factor.rgb / max(layer.mean.rgb, vec3(1e-4));
    for (var side = 0u; side < 2u; side++) {
        let weight = place.weights[side];
        if weight <= 0.0 { break; }
        let axis = place.axes[side];
        let at = on_side(place.point, axis);
        let dx = on_side(place.dx, axis);
        let dy = on_side(place.dy, axis);
        var tint = vec3(1.0);
        var slope = vec2(0.0);
        var height = 0.5;
        var occlusion = 1.0;
        for (var scale = 0u; scale < 2u; scale++) {
            let part = parts[scale];
            if part <= 0.0 { break; }
            let is_far = scale == 0u;
            let turn = select(vec2(layer.scales.x, 0.0), layer.scales.y * TURN, is_far);
            let seen = texel(turned(at, turn), index, turned(dx, turn), turned(dy, turn));
            let contrast = part * select(1.0, FAR_CONTRAST, is_far);
            tint *= mix(vec3(1.0), seen.colour.rgb * relative, contrast);
            let unit = select(vec2(1.0, 0.0), TURN / TURN_LENGTH, is_far);
            slope += part * select(1.0, FAR_BUMPS, is_far) * turned_back(seen.surface.xy, unit);
            occlusion *= mix(1.0, seen.surface.w, contrast);
            if !is_far {
                height = mix(height, seen.colour.a, part);
                out.roughness = mix(out.roughness, seen.surface.z, weight * part);
            }
        }
        out.colour += weight * tint;
        out.slope += weight * from_side(slope, axis);
        out.occlusion += weight * occlusion;
        out.height += weight * height;
    }
    out.colour *= layer.mean.rgb;
    out.slope *= layer.scales.z;
    return out;
}
