// Blades and plumes, as in solid.rs of `orogeny_models`, which documents them.

#define_import_path bevy_orogeny::plants::solid

#import bevy_orogeny::plants::hash::{hash, noise, step_smoothly}

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
