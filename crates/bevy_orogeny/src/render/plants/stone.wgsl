// Rock, as in stone.rs of `orogeny_models`, which documents them.

#define_import_path bevy_orogeny::plants::stone

#import bevy_orogeny::plants::hash::{noise, step_smoothly}

fn rock(uv: vec2<f32>, seed: f32) -> vec3<f32> {
    let broad = noise(uv * 5.0, seed);
    let middle = noise(uv * 17.0 + 3.3, seed + 1.0);
    let grain = noise(uv * 70.0, seed + 2.0);
    let fine = noise(uv * 150.0, seed + 3.0);
    var colour = mix(vec3(0.33, 0.32, 0.3), vec3(0.47, 0.455, 0.43), broad);
    colour *= 0.78 + 0.18 * middle + 0.16 * grain + 0.1 * fine;
    let line = abs(broad + 0.12 * middle - 0.55);
    let crack = step_smoothly(0.016, 0.004, line) * step_smoothly(0.65, 0.4, middle);
    colour = mix(colour, vec3(0.14, 0.13, 0.12), 0.4 * crack);
    let patch_ = noise(uv * 11.0 + 9.7, seed + 4.0) + 0.35 * (grain - 0.5);
    colour = mix(colour, vec3(0.52, 0.53, 0.47), 0.7 * step_smoothly(0.68, 0.76, patch_));
    let map = noise(uv * 14.0 + 5.1, seed + 5.0) + 0.4 * (fine - 0.5);
    return mix(colour, vec3(0.42, 0.43, 0.2), 0.6 * step_smoothly(0.8, 0.86, map));
}
