// Bark and wood, as in bark.rs of `orogeny_models`, which documents them.

#define_import_path bevy_orogeny::plants::bark

#import bevy_orogeny::plants::hash::{noise_around, step_smoothly}

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

fn pine(uv: vec2<f32>, seed: f32) -> vec3<f32> {
    let f = furrows(uv, seed);
    let below = mix(vec3(0.15, 0.11, 0.09), vec3(0.36, 0.28, 0.23), f.x);
    let above = mix(vec3(0.38, 0.22, 0.12), vec3(0.56, 0.36, 0.21), f.x);
    let high = step_smoothly(0.25, 0.6, uv.y + 0.2 * (f.y - 0.5));
    return mix(below, above, high) * (0.85 + 0.3 * f.y);
}

fn birch(uv: vec2<f32>, seed: f32) -> vec3<f32> {
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
