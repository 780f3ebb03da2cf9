// Clumps of leaves and needles, as in leaves.rs of `orogeny_models`, which documents them.

#define_import_path bevy_orogeny::plants::leaves

#import bevy_orogeny::plants::hash::{hash, noise, step_smoothly}

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
    var colour = vec3(0.18, 0.245, 0.1);
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
            let blade_ = mix(vec3(0.205, 0.275, 0.11), vec3(0.33, 0.395, 0.185), light);
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
    var colour = vec3(0.22, 0.29, 0.125);
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
            let green = mix(vec3(0.23, 0.3, 0.125), vec3(0.345, 0.405, 0.195), light);
            colour = select(vec3(0.22, 0.18, 0.14), green, blade_ > twig);
            edge = max(blade_, twig);
        }
    }
    return vec4(colour, saturate(0.5 + 5.0 * edge));
}
