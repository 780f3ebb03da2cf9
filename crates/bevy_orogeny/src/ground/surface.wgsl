// The textures of layers on the ground, from one or two sides. A texture is seen close by; where a
// tile of it would look small, and around it, larger forms of the same kind of ground are.

#define_import_path bevy_orogeny::surface
#import bevy_orogeny::ground_bindings::{
    colours, ground, noise_images, surfaces, textures_sampler,
}

// Where a texture is sampled.
struct Place {
    // Position in metres, and the sides of a pixel, packed.
    point: vec3<f32>,
    sides: vec3<u32>,
    // The axes from which the ground is seen best (0 to 2), and their weights.
    axes: vec2<u32>,
    weights: vec2<f32>,
    // The width of a pixel.
    pixel: f32,
}

struct Surface {
    // The colour and the roughness.
    colour: vec4<f32>,
    // Subtracted from the normal.
    slope: vec3<f32>,
    occlusion: f32,
    // From 0 to 1 over the relief.
    height: f32,
}

// Every other scale of larger forms is turned by an angle whose tangent is 1/3, so that no row
// repeats beside itself: cosine and sine times sqrt(10).
const TURN: vec2<f32> = vec2(3.0, 1.0);
const TURN_LENGTH: f32 = 3.1622777;
// The step in which the origin moves: tiles repeat in it.
const STEP: f32 = 8192.0;
// A tile begins to fade when it is so many pixels wide, and is gone when it is narrower by the
// ratio of scales. So its repetition is never seen.
const WIDEST: f32 = 256.0;
// How much wider forms are at each scale, as a power of two, and the number of scales after the
// first.
const RATIO: f32 = 3.0;
const SCALES: f32 = 2.0;
// Close by, the second scale is seen to this part.
const LEAST: f32 = 0.4;
// The contrast of larger forms, how much they change hues, and the strength of their bumps.
const CONTRAST: f32 = 0.75;
const HUE: f32 = 0.3;
const FORM_BUMPS: f32 = 0.8;
// The width of a pixel in metres between which only mean colours are left.
const FARTHEST: vec2<f32> = vec2(4.0, 16.0);
// Sides that count for less are left out.
const LEAST_SIDE: f32 = 0.1;

// The sides of a pixel, along each axis, in half as many registers: what waits for textures decides
// how many pixels are shaded at once.
fn packed(dx: vec3<f32>, dy: vec3<f32>) -> vec3<u32> {
    return vec3(
        pack2x16float(vec2(dx.x, dy.x)), pack2x16float(vec2(dx.y, dy.y)),
        pack2x16float(vec2(dx.z, dy.z)),
    );
}

// The sides along two axes.
fn unpacked(along_u: u32, along_v: u32) -> mat2x2<f32> {
    return transpose(mat2x2(unpack2x16float(along_u), unpack2x16float(along_v)));
}

// The sides on the map.
fn flat_sides(sides: vec3<u32>) -> mat2x2<f32> {
    return unpacked(sides.x, sides.z);
}

// Biplanar mapping (Inigo Quilez, 2020): the two sides that the ground faces most.
fn place(point: vec3<f32>, sides: vec3<u32>, normal: vec3<f32>, pixel: f32) -> Place {
    let facing = abs(normal);
    let across = max(facing.x, facing.z);
    let side = select(2u, 0u, facing.x >= facing.z);
    var axes = vec2(1u, side);
    var weights = vec2(facing.y, across);
    if across > facing.y {
        let other = min(facing.x, facing.z);
        axes = vec2(side, select(2u - side, 1u, facing.y >= other));
        weights = vec2(across, max(facing.y, other));
    }
    weights = weights * weights;
    weights = weights * weights;
    weights.y = max(weights.y / (weights.x + weights.y) - LEAST_SIDE, 0.0) / (1.0 - LEAST_SIDE);
    weights.x = 1.0 - weights.y;
    return Place(point, sides, axes, weights, pixel);
}

// What waits for others in fewer registers.
fn packed_surface(s: Surface) -> array<u32, 5> {
    return array(
        pack2x16float(s.colour.xy), pack2x16float(s.colour.zw), pack2x16float(s.slope.xy),
        pack2x16float(vec2(s.slope.z, s.occlusion)), bitcast<u32>(s.height),
    );
}

fn unpacked_surface(s: array<u32, 5>) -> Surface {
    let last = unpack2x16float(s[3]);
    let colour = vec4(unpack2x16float(s[0]), unpack2x16float(s[1]));
    return Surface(colour, vec3(unpack2x16float(s[2]), last.x), last.y, bitcast<f32>(s[4]));
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
    return Texel(colour, vec4(slope_of(surface.xy), surface.zw));
}

// The gradient of a height whose normal is packed.
fn slope_of(packed: vec2<f32>) -> vec2<f32> {
    let normal = 2.0 * packed - 256.0 / 255.0;
    let up = sqrt(max(1.0 - dot(normal, normal), 0.04));
    return -normal / up;
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

// Four numbers of as many halves.
fn halves(packed: vec2<u32>) -> vec4<f32> {
    return vec4(unpack2x16float(packed.x), unpack2x16float(packed.y));
}

// The mean colour and the mean roughness of a layer.
fn mean_of(layer: u32) -> vec4<f32> {
    return halves(ground.layers[layer].texture.zw);
}

// How many scales too small a tile is to be seen, for a pixel that has a part of it.
fn scales_above(part: f32) -> f32 {
    return max(log2(WIDEST * part) / RATIO, 0.0);
}

// Larger forms at one of their scales, and the sides of a pixel: the gradient of their height,
// brightness and warmth.
fn formed(layer: u32, scale: f32, at: vec2<f32>, dx: vec2<f32>, dy: vec2<f32>) -> vec4<f32> {
    let is_turned = (u32(scale) & 1u) == 1u;
    let unit = select(vec2(1.0, 0.0), TURN, is_turned);
    let unit_length = select(1.0, TURN_LENGTH, is_turned);
    let tiles = STEP * ground.layers[layer].scales.y * exp2(-RATIO * scale) / unit_length;
    let turn = max(round(tiles), 1.0) / STEP * unit;
    let seen = textureSampleGrad(
        noise_images, textures_sampler, turned(at, turn), u32(ground.layers[layer].forms.x),
        turned(dx, turn), turned(dy, turn),
    );
    let slope = turned_back(slope_of(seen.xy), unit) / unit_length;
    return vec4(slope, 2.0 * seen.z, 2.0 * seen.w - 1.0);
}

// A layer at a place, seen along an axis: its own texture close by, and larger forms at two scales.
fn sampled(layer: u32, place: Place, axis: u32) -> Surface {
    let at = on_side(place.point, axis);
    let along_u = select(place.sides.x, place.sides.z, axis == 0u);
    let along_v = select(place.sides.y, place.sides.z, axis == 1u);
    let sides = unpacked(along_u, along_v);
    let down = vec2(1.0, select(-1.0, 1.0, axis == 1u));
    let dx = down * sides[0];
    let dy = down * sides[1];
    var colour = mean_of(layer);
    var slope = vec2(0.0);
    var occlusion = 1.0;
    var height = 0.5;
    let tiles = ground.layers[layer].scales.x;
    let gone = min(scales_above(tiles * place.pixel), 1.0);
    if gone < 1.0 {
        let texture = halves(ground.layers[layer].texture.xy);
        let seen = texel(tiles * at, u32(texture.w), tiles * dx, tiles * dy);
        let part = 1.0 - gone * gone;
        colour = vec4(
            colour.rgb * mix(vec3(1.0), seen.colour.rgb * texture.rgb, part),
            mix(colour.a, seen.surface.z, 0.5 * part),
        );
        slope = part * seen.surface.xy;
        occlusion = mix(1.0, seen.surface.w, part);
        height += part * (seen.colour.a - 0.5);
    }
    let strength = ground.layers[layer].forms.y
        * (1.0 - smoothstep(FARTHEST.x, FARTHEST.y, place.pixel));
    if strength > 0.0 {
        let above =
            clamp(scales_above(ground.layers[layer].scales.y * place.pixel), LEAST, SCALES);
        let first = min(floor(above), SCALES - 1.0);
        let next = above - first;
        // Their squares would add up to 1 if forms were unrelated; a little less looks as sharp.
        let parts = strength * vec2(1.0 - next * next, next * (2.0 - next));
        for (var k = 0u; k < 2u; k++) {
            // One after the other, so that they need the same registers.
            if parts[k] <= 0.0 { break; }
            let seen = formed(layer, first + f32(k), at, dx, dy);
            slope += FORM_BUMPS * parts[k] * seen.xy;
            let warm = HUE * seen.w * vec3(1.0, 0.0, -1.0);
            colour = vec4(
                colour.rgb * max(1.0 + parts[k] * (CONTRAST * (seen.z - 1.0) + warm), vec3(0.0)),
                colour.a,
            );
            height += 0.25 * parts[k] * (seen.z - 1.0);
        }
    }
    let bumps = ground.layers[layer].scales.z;
    return Surface(colour, bumps * from_side(slope, axis), occlusion, height);
}
