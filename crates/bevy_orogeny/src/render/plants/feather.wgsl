// Branches of spruces, and fronds, as in feather.rs of `orogeny_models`, which documents them.

#define_import_path bevy_orogeny::plants::feather

#import bevy_orogeny::plants::hash::{hash, part, step_smoothly}

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
    var colour = mix(vec3(0.15, 0.22, 0.115), vec3(0.26, 0.33, 0.175), light);
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
