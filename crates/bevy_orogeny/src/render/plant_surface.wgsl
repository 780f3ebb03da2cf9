// The surfaces of plants and rocks: the patterns of `orogeny_models::Surface`, which documents
// them. The functions have the names and the order of its files.

#define_import_path bevy_orogeny::plant_surface

// --- hash.rs

fn hash(x: f32, y: f32, seed: f32) -> f32 {
    var n = (u32(i32(x)) * 0x9E3779B1u) ^ (u32(i32(y)) * 0x85EBCA77u)
        ^ (u32(i32(seed)) * 0xC2B2AE3Du);
    n = (n ^ (n >> 15u)) * 0x2C1B3C6Du;
    n = (n ^ (n >> 12u)) * 0x297A2D39u;
    n ^= n >> 15u;
    return f32(n >> 8u) / 16777216.0;
}

fn noise(p: vec2<f32>, seed: f32) -> f32 {
    return noise_around(p, 65536.0, seed);
}

fn noise_around(p: vec2<f32>, period: f32, seed: f32) -> f32 {
    let cell = floor(p);
    let f = p - cell;
    let fade = f * f * (3.0 - 2.0 * f);
    let x0 = cell.x - floor(cell.x / period) * period;
    let x1 = select(x0 + 1.0, 0.0, x0 + 1.0 == period);
    let low = mix(hash(x0, cell.y, seed), hash(x1, cell.y, seed), fade.x);
    let high = mix(hash(x0, cell.y + 1.0, seed), hash(x1, cell.y + 1.0, seed), fade.x);
    return mix(low, high, fade.y);
}

// The edges of `smoothstep` in WGSL must be in order.
fn step_smoothly(start: f32, end: f32, x: f32) -> f32 {
    let t = saturate((x - start) / (end - start));
    return t * t * (3.0 - 2.0 * t);
}

// x - floor(x), also of negative numbers.
fn part(x: f32) -> f32 {
    return x - floor(x);
}

// --- bark.rs

fn furrows(uv: vec2<f32>, seed: f32) -> vec2<f32> {
    let warp = noise_around(uv * vec2(5.0, 40.0), 5.0, seed + 2.0);
    let x = uv.x * 13.0 + 0.9 * warp;
    let coarse = noise_around(vec2(x, uv.y * 70.0), 13.0, seed + 3.0);
    let grain = noise_around(uv * vec2(29.0, 190.0), 29.0, seed + 4.0);
    return vec2(step_smoothly(0.02, 0.32, abs(coarse - 0.5)) * (0.75 + 0.25 * grain), grain);
}

fn bark(uv: vec2<f32>, seed: f32) -> vec3<f32> {
    let f = furrows(uv, seed);
    let colour = mix(vec3(0.144, 0.114, 0.09), vec3(0.396, 0.33, 0.27), f.x);
    let moss = step_smoothly(0.14, 0.0, uv.y) * step_smoothly(0.4, 0.7, f.y);
    return mix(colour, vec3(0.2, 0.22, 0.11), 0.6 * moss) * (0.85 + 0.3 * f.y);
}

fn pine_bark(uv: vec2<f32>, seed: f32) -> vec3<f32> {
    let f = furrows(uv, seed);
    let below = mix(vec3(0.15, 0.11, 0.09), vec3(0.36, 0.28, 0.23), f.x);
    let above = mix(vec3(0.38, 0.22, 0.12), vec3(0.56, 0.36, 0.21), f.x);
    let high = step_smoothly(0.25, 0.6, uv.y + 0.2 * (f.y - 0.5));
    return mix(below, above, high) * (0.85 + 0.3 * f.y);
}

fn birch_bark(uv: vec2<f32>, seed: f32) -> vec3<f32> {
    let f = furrows(uv, seed);
    let white = mix(vec3(0.72, 0.7, 0.66), vec3(0.86, 0.85, 0.82), f.y);
    let marks = noise_around(uv * vec2(4.0, 110.0), 4.0, seed + 7.0);
    let scars = noise_around(uv * vec2(3.0, 26.0), 3.0, seed + 8.0);
    let dark = step_smoothly(0.7, 0.8, marks) * 0.75 + step_smoothly(0.74, 0.8, scars);
    let fissure = step_smoothly(0.14, 0.02, uv.y) * step_smoothly(0.75, 0.35, f.x);
    return mix(white, vec3(0.13, 0.115, 0.105), min(dark + fissure, 1.0));
}

fn wood(uv: vec2<f32>, seed: f32) -> vec3<f32> {
    let fibre = noise_around(uv * vec2(24.0, 6.0), 24.0, seed);
    let stain = noise_around(uv * vec2(3.0, 5.0), 3.0, seed + 1.0);
    return mix(vec3(0.27, 0.235, 0.2), vec3(0.45, 0.41, 0.36), fibre) * mix(0.75, 1.1, stain);
}

// --- stone.rs

fn rock(uv: vec2<f32>, seed: f32) -> vec3<f32> {
    let broad = noise(uv * 5.0, seed);
    let middle = noise(uv * 17.0 + 3.3, seed + 1.0);
    let grain = noise(uv * 70.0, seed + 2.0);
    let fine = noise(uv * 150.0, seed + 3.0);
    var colour = mix(vec3(0.33, 0.32, 0.3), vec3(0.47, 0.455, 0.43), broad);
    colour *= 0.78 + 0.18 * middle + 0.16 * grain + 0.1 * fine;
    let line = abs(broad + 0.12 * middle - 0.55);
    let crack = step_smoothly(0.016, 0.004, line) * step_smoothly(0.65, 0.4, middle);
    colour = mix(colour, vec3(0.14, 0.13, 0.12), 0.7 * crack);
    let patch_ = noise(uv * 11.0 + 9.7, seed + 4.0) + 0.35 * (grain - 0.5);
    colour = mix(colour, vec3(0.52, 0.53, 0.47), 0.7 * step_smoothly(0.68, 0.76, patch_));
    let map = noise(uv * 14.0 + 5.1, seed + 5.0) + 0.4 * (fine - 0.5);
    return mix(colour, vec3(0.42, 0.43, 0.2), 0.6 * step_smoothly(0.8, 0.86, map));
}

// --- feather.rs

// v, f, share and own of `Feather`.
fn feather(p: vec2<f32>, count: f32, slant: f32, raggedness: f32, seed: f32) -> vec4<f32> {
    let s = 2.0 * p.y - 1.0;
    let v = abs(s);
    let side = select(0.0, 1.0, s > 0.0);
    let t = (p.x - slant * v) * count + 0.5 * side;
    let twig = floor(t);
    let own = hash(twig, side, seed);
    let root = (twig + 0.5 - 0.5 * side) / count;
    let widest = min(9.0 * root + 0.1, (1.0 - root) / (0.56 + slant));
    let reach = max(widest * (1.0 - raggedness * own), 0.01);
    return vec4(v, t - twig - 0.5, v / reach, own);
}

fn needles(p: vec2<f32>, seed: f32) -> vec4<f32> {
    let t = feather(p, 13.0, 0.42, 0.35, seed);
    let saw = part(t.x * 26.0 - abs(t.y) * 3.0 + t.w);
    let width = 0.47 * (1.05 - t.z * t.z) * (0.62 + 0.38 * saw);
    let axis = 0.035 * (1.1 - p.x) + 0.03 * saw - t.x;
    let edge = max(width - abs(t.y), 6.0 * axis);
    let light = saturate(0.15 + 0.6 * t.z + 0.35 * (t.w - 0.5) + 0.3 * saw);
    var colour = mix(vec3(0.133, 0.2, 0.1), vec3(0.233, 0.299, 0.153), light);
    colour = mix(colour, vec3(0.293, 0.359, 0.173), 0.5 * step_smoothly(0.7, 1.0, t.z));
    let twig = step_smoothly(0.09, 0.04, abs(t.y)) * step_smoothly(0.9, 0.4, t.z);
    let bare = max(twig, step_smoothly(0.03, 0.015, t.x)) * 0.55;
    return vec4(mix(colour, vec3(0.204, 0.156, 0.108), bare), saturate(0.5 + 5.0 * edge));
}

fn frond(p: vec2<f32>, seed: f32) -> vec4<f32> {
    let t = feather(p, 17.0, 0.16, 0.12, seed);
    let saw = part(t.x * 11.0 - abs(t.y) * 1.2);
    let width = 0.46 * (1.02 - t.z * t.z) * (0.72 + 0.28 * saw);
    let stalk = 0.022 * (1.2 - p.x) - t.x;
    let edge = max(width - abs(t.y), 8.0 * stalk);
    let light = saturate(0.35 + 0.4 * t.w + 0.3 * t.z + 0.25 * t.y);
    var colour = mix(vec3(0.19, 0.28, 0.085), vec3(0.31, 0.39, 0.14), light);
    let rib = step_smoothly(0.07, 0.02, abs(t.y)) * 0.3;
    colour = mix(colour, vec3(0.36, 0.42, 0.18), rib);
    colour = mix(colour, vec3(0.3, 0.28, 0.13), step_smoothly(0.0, 0.03, stalk));
    return vec4(colour, saturate(0.5 + 6.0 * edge));
}

// --- leaves.rs

const TURNS = array<vec2<f32>, 3>(vec2(1.0, 0.0), vec2(0.76, 0.65), vec2(0.28, -0.96));

// The product of two complex numbers.
fn rotate(turn: vec2<f32>, p: vec2<f32>) -> vec2<f32> {
    return vec2(turn.x * p.x - turn.y * p.y, turn.y * p.x + turn.x * p.y);
}

fn cross_of(a: vec2<f32>, b: vec2<f32>) -> f32 {
    return a.x * b.y - a.y * b.x;
}

struct Leaf {
    q: vec2<f32>,
    own: vec2<f32>,
    inside: f32,
}

fn leaf_at(p: vec2<f32>, layer: i32, count: f32, seed: f32) -> Leaf {
    var turns = TURNS;
    let turn = turns[layer];
    let depth = f32(layer);
    let spot = vec2(0.37, 0.71) * depth;
    let x = rotate(turn, p - 0.5) * count + spot;
    let cell = floor(x);
    let own = vec2(
        hash(cell.x, cell.y, seed * 3.0 + depth),
        hash(cell.y, cell.x, seed * 3.0 + depth + 0.5 * 4096.0),
    );
    let centre = cell + 0.5 + 0.16 * (own - 0.5);
    let from_middle = rotate(vec2(turn.x, -turn.y), centre - spot) / count;
    let lumps = noise(from_middle * 5.0 + 20.0, seed);
    let radius = 0.31 + 0.13 * lumps + 0.06 * own.x;
    return Leaf(x - centre, own, radius - length(from_middle));
}

fn direction_of(own: vec2<f32>) -> vec2<f32> {
    let along = own - 0.5;
    let size = length(along);
    return select(along / max(size, 1e-6), vec2(1.0, 0.0), size < 1e-6);
}

fn broad(p: vec2<f32>, seed: f32, count: f32) -> vec4<f32> {
    var colour = vec3(0.2, 0.28, 0.1);
    var edge = -0.1;
    for (var layer = 0; layer < 3; layer++) {
        let leaf = leaf_at(p, layer, count, seed);
        let along = direction_of(leaf.own);
        let a = dot(leaf.q, along);
        let b = cross_of(leaf.q, along);
        let reach = a / 0.5;
        let here = min(0.29 * (1.0 - reach * reach) - abs(b), 4.0 * leaf.inside);
        if here > min(edge, 0.0) {
            let light = min(0.12 + 0.25 * f32(layer) + 0.45 * leaf.own.y, 1.0);
            let blade_ = mix(vec3(0.234, 0.319, 0.106), vec3(0.378, 0.458, 0.194), light);
            let fold = select(0.93, 1.05, b > 0.0);
            colour = blade_ * (fold + 0.12 * step_smoothly(0.04, 0.01, abs(b)));
            edge = here;
        }
    }
    return vec4(colour, saturate(0.5 + 5.0 * edge));
}

fn sector(q0: vec2<f32>) -> vec2<f32> {
    var q = select(q0, q0.yx, q0.y > q0.x);
    q = rotate(vec2(0.92388, -0.38268), q);
    return rotate(vec2(0.98079, -0.19509), vec2(q.x, abs(q.y)));
}

fn pine(p: vec2<f32>, seed: f32, count: f32, needle: f32) -> vec4<f32> {
    var colour = vec3(0.13, 0.18, 0.1);
    var edge = -0.1;
    for (var layer = 0; layer < 3; layer++) {
        let leaf = leaf_at(p, layer, count, seed);
        let along = direction_of(leaf.own);
        let ray = sector(abs(vec2(dot(leaf.q, along), cross_of(leaf.q, along))));
        let width = needle * max(1.1 - ray.x / 0.56, 0.0) + 0.012;
        let here = min(min(width - abs(ray.y), 4.0 * leaf.inside), 0.5 - ray.x);
        if here > min(edge, 0.0) {
            let light = min(0.1 + 0.22 * f32(layer) + 0.3 * leaf.own.y + 0.7 * ray.x, 1.0);
            let tuft = mix(vec3(0.147, 0.203, 0.119), vec3(0.315, 0.378, 0.21), light);
            colour = mix(tuft, vec3(0.24, 0.17, 0.1), 0.7 * step_smoothly(0.07, 0.03, ray.x));
            edge = here;
        }
    }
    return vec4(colour, saturate(0.5 + 9.0 * edge));
}

fn birch(p: vec2<f32>, seed: f32, count: f32) -> vec4<f32> {
    var colour = vec3(0.26, 0.34, 0.12);
    var edge = -0.1;
    for (var layer = 0; layer < 2; layer++) {
        let depth = f32(layer);
        let wave = 0.7 * noise(p * 3.0, seed + depth);
        let x = p.x * (count - 0.7) + wave + 0.5 * depth;
        let strand = floor(x);
        let own = hash(strand, depth, seed);
        let from_middle = abs((strand + 0.5 - 0.5 * depth) / count * 2.0 - 1.0);
        let top = 0.97 - 0.3 * from_middle * from_middle - 0.1 * own;
        let bottom = 0.03 + 0.35 * from_middle * from_middle + 0.4 * own;
        let y = p.y * count * 2.1 + 0.5 * own;
        let row = floor(y);
        let level = (row + 0.5) / (count * 2.1);
        let inside = min(min(top - level, level - bottom), 1.02 - from_middle);
        let leaf = hash(strand, row, seed + 2.0 + depth);
        let q = vec2(x - strand - 0.3 - 0.4 * leaf, (y - row - 0.5) * 0.62);
        let along = normalize(vec2(leaf - 0.5, -0.55));
        let a = dot(q, along);
        let b = cross_of(q, along);
        let reach = a / 0.4;
        let blade_ = min(0.24 * (1.0 - reach * reach) - abs(b), 4.0 * inside);
        let twig = min(min(0.035 - abs(x - strand - 0.5), top - p.y), p.y - bottom - 0.04);
        if max(blade_, twig) > min(edge, 0.0) {
            let light = min(0.2 + 0.3 * depth + 0.5 * leaf, 1.0);
            let green = mix(vec3(0.27, 0.354, 0.119), vec3(0.402, 0.481, 0.2), light);
            colour = select(vec3(0.22, 0.18, 0.14), green, blade_ > twig);
            edge = max(blade_, twig);
        }
    }
    return vec4(colour, saturate(0.5 + 5.0 * edge));
}

// --- solid.rs

fn blade(p: vec2<f32>, seed: f32) -> vec3<f32> {
    let own = hash(1.0, 2.0, seed);
    let green = mix(vec3(0.295, 0.365, 0.16), vec3(0.38, 0.42, 0.2), own);
    var colour = mix(vec3(0.2, 0.27, 0.11), green, step_smoothly(0.0, 0.5, p.x));
    let dryness = step_smoothly(0.75 - 0.35 * own, 1.05, p.x + 0.1 * noise(p * 9.0, seed));
    colour = mix(colour, vec3(0.5, 0.46, 0.28), 0.75 * dryness);
    return colour * (0.94 + 0.14 * step_smoothly(0.12, 0.03, abs(p.y - 0.5)));
}

fn plume(p: vec2<f32>, seed: f32) -> vec4<f32> {
    let v = abs(2.0 * p.y - 1.0);
    let side = select(0.0, 1.0, p.y > 0.5);
    let t = (p.x - 0.25 * v) * 18.0 + 0.5 * side;
    let branch = floor(t);
    let own = hash(branch, side, seed);
    let reach = min(3.0 * p.x, 1.15 - p.x) * (0.6 + 0.4 * own);
    let edge = max(0.46 * (1.0 - v / max(reach, 0.01)) - abs(t - branch - 0.5), 0.05 - v);
    let colour = mix(vec3(0.26, 0.19, 0.13), vec3(0.42, 0.34, 0.25), own);
    return vec4(colour, saturate(0.5 + 6.0 * edge));
}

// --- far.rs

fn conifer(p: vec2<f32>, seed: f32) -> vec4<f32> {
    let s = 2.0 * p.x - 1.0;
    let v = abs(s);
    let side = select(0.0, 1.0, s > 0.0);
    let y = p.y * (1.0 + 0.5 * p.y);
    let t = (y + 0.16 * v) * 17.0 + 0.5 * side;
    let tier = floor(t);
    let f = t - tier;
    let own = hash(tier, side, seed);
    let middle = max((tier + 0.5 - 0.5 * side) / 17.0, 0.0);
    let root = min(sqrt(1.0 + 2.0 * middle) - 1.0, 1.0);
    let widest = (1.03 - root) * (1.12 - 0.12 * root) * min(0.6 + 5.0 * root, 1.0);
    let reach = max(widest * (0.68 + 0.32 * own), 0.012);
    let share = v / reach;
    let saw = part(v * 37.0 - abs(f - 0.5) * 3.0 + own);
    let width = 0.5 * (1.25 - share * share) * (0.75 + 0.25 * saw);
    let fringe = hash(floor(s * 23.0), 5.0, seed);
    let tiers = min(width - abs(f - 0.5), 4.0 * (1.08 - share));
    let edge = min(tiers, 6.0 * p.y - 0.25 * fringe);
    let twig = hash(floor(s * 19.0 + 3.0 * f), tier, seed + 1.0);
    let light = saturate(0.5 * f + 0.35 * share + 0.2 * saw + 0.5 * twig - 0.15);
    let colour = mix(vec3(0.133, 0.193, 0.1), vec3(0.246, 0.313, 0.16), light);
    return vec4(colour, saturate(0.5 + 5.0 * edge));
}

// --- surface.rs

// The colour, encoded as sRGB, and the coverage of a surface at `uv`.
fn at(surface: u32, uv: vec2<f32>, variant: f32) -> vec4<f32> {
    let seed = floor(variant * 63.0);
    let cell = min(floor(uv * 2.0), vec2(1.0));
    let p = uv * 2.0 - cell;
    let card = seed * 4.0 + cell.x + 2.0 * cell.y;
    var all = vec4(0.0);
    switch surface {
        case 0u: { all = vec4(bark(uv, seed), 1.0); }
        case 1u: { all = vec4(pine_bark(uv, seed), 1.0); }
        case 2u: { all = vec4(birch_bark(uv, seed), 1.0); }
        case 3u: { all = vec4(wood(uv, seed), 1.0); }
        case 4u: { all = vec4(rock(uv, seed), 1.0); }
        case 5u: { all = needles(p, card); }
        case 6u: { all = pine(p, card, 5.0, 0.085); }
        case 7u: { all = broad(p, card, 7.0); }
        case 8u: { all = birch(p, card, 7.0); }
        case 9u: { all = frond(p, card); }
        case 10u: { all = vec4(blade(p, card), 1.0); }
        case 11u: { all = plume(p, card); }
        case 12u: { all = conifer(p, card); }
        case 13u: { all = pine(p, card, 11.0, 0.15); }
        case 14u: { all = broad(p, card, 16.0); }
        case 15u: { all = birch(p, card, 14.0); }
        default: { all = broad(p, card, 11.0); }
    }
    let shift = variant - 0.5;
    var tint = vec3(1.0 + 0.3 * shift, 1.0 + 0.14 * shift, 1.0 - 0.1 * shift);
    if surface == 3u || surface == 4u { tint = vec3(1.0 + 0.16 * shift); }
    return vec4(saturate(all.rgb * tint), all.a);
}

// The part of light that shines through: leaves are thin.
fn transmission(surface: u32) -> f32 {
    return select(0.0, 0.3, surface >= 5u);
}
