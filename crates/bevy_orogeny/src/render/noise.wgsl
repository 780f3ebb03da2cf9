// Gradient noise in three dimensions with its exact gradient, and what pixels show of it.

#define_import_path bevy_orogeny::noise

// How much of a feature `size` wide is visible with pixels `pixel` wide: nothing if it is narrower
// than two pixels.
fn visible(size: f32, pixel: f32) -> f32 {
    return 1.0 - smoothstep(0.25, 0.5, pixel / size);
}

const PRIMES: vec3<u32> = vec3(0x9e3779b1u, 0xc2b2ae3du, 0x85ebca77u);

// One of the twelve edge directions of a cube, selected by a hash of the corner's three products.
fn lattice_gradient(products: vec3<u32>) -> vec3<f32> {
    var h = products.x ^ products.y ^ products.z;
    h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12u)) * 0x297a2d39u;
    h ^= h >> 15u;
    let sign = 1.0 - 2.0 * vec2<f32>(vec2(h & 1u, (h >> 1u) & 1u));
    let across_z = vec3(sign, 0.0);
    let across_y = vec3(sign.x, 0.0, sign.y);
    let across_x = vec3(0.0, sign);
    let axis = ((h >> 16u) * 3u) >> 16u;
    return select(select(across_x, across_y, axis == 1u), across_z, axis == 0u);
}

// The gradient at a lattice corner, and its ramp at offset `t` from the corner as w.
fn corner(products: vec3<u32>, t: vec3<f32>) -> vec4<f32> {
    let g = lattice_gradient(products);
    return vec4(g, dot(g, t));
}

// Noise in about -1 to 1 with cells of width 1: its gradient, and its value as w. `offset` is added
// to the cell indices, which are then masked with `wrap`: a power of two less one, or -1.
fn noise(p: vec3<f32>, offset: vec3<i32>, wrap: i32) -> vec4<f32> {
    let floored = floor(p);
    let cell = vec3<i32>(floored) + offset;
    let t = p - floored;
    let u = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let du = 30.0 * t * t * (t * (t - 2.0) + 1.0);
    let a = bitcast<vec3<u32>>(cell & vec3(wrap)) * PRIMES;
    let b = bitcast<vec3<u32>>((cell + 1) & vec3(wrap)) * PRIMES;
    let s = t - 1.0;
    let n000 = corner(a, t);
    let n100 = corner(vec3(b.x, a.y, a.z), vec3(s.x, t.y, t.z));
    let n010 = corner(vec3(a.x, b.y, a.z), vec3(t.x, s.y, t.z));
    let n110 = corner(vec3(b.x, b.y, a.z), vec3(s.x, s.y, t.z));
    let n001 = corner(vec3(a.x, a.y, b.z), vec3(t.x, t.y, s.z));
    let n101 = corner(vec3(b.x, a.y, b.z), vec3(s.x, t.y, s.z));
    let n011 = corner(vec3(a.x, b.y, b.z), vec3(t.x, s.y, s.z));
    let n111 = corner(b, s);
    let x00 = mix(n000, n100, u.x);
    let x10 = mix(n010, n110, u.x);
    let x01 = mix(n001, n101, u.x);
    let x11 = mix(n011, n111, u.x);
    let y0 = mix(x00, x10, u.y);
    let y1 = mix(x01, x11, u.y);
    let low = mix(n100.w - n000.w, n110.w - n010.w, u.y);
    let high = mix(n101.w - n001.w, n111.w - n011.w, u.y);
    let along = vec3(mix(low, high, u.z), mix(x10.w - x00.w, x11.w - x01.w, u.z), y1.w - y0.w);
    return mix(y0, y1, u.z) + vec4(du * along, 0.0);
}
