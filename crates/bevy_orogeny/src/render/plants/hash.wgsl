// Hashing and value noise, as in hash.rs of `orogeny_models`, which documents them.

#define_import_path bevy_orogeny::plants::hash

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
