// Geomorphing for vertex shaders: the formulas of morph.rs, which documents them.

#define_import_path bevy_orogeny::morph

const STEPS: u32 = 31u;

const NORMAL_STEPS: f32 = 1023.0;

// The grid indices of a vertex along x and z, and the cells along a side.
fn grid_vertex(position: vec3<f32>, packed_target: vec2<u32>) -> vec3<u32> {
    // The spacing is a power of two. So its inverse and the product are exact.
    let inverse = bitcast<f32>((191u - (packed_target.y >> 25u)) << 23u);
    return vec3(vec2<u32>(position.xz * inverse), 1u << ((packed_target.y >> 22u) & 7u));
}

// How far a vertex has morphed into the next coarser level, from 0 to 1. `tag` is that of the mesh
// instance.
fn weight(tag: u32, grid_vertex: vec3<u32>) -> f32 {
    let i = grid_vertex.x;
    let j = grid_vertex.y;
    let n = grid_vertex.z;
    var neighbour = 0u;
    if i == 0u { neighbour = (tag >> 20u) & 3u; }
    if i == n && neighbour == 0u { neighbour = (tag >> 22u) & 3u; }
    if j == 0u && neighbour == 0u { neighbour = (tag >> 24u) & 3u; }
    if j == n && neighbour == 0u { neighbour = (tag >> 26u) & 3u; }
    if neighbour != 0u { return select(0.0, 1.0, neighbour == 1u); }
    let near = (tag & STEPS) * (n - i) + ((tag >> 5u) & STEPS) * i;
    let far = ((tag >> 10u) & STEPS) * (n - i) + ((tag >> 15u) & STEPS) * i;
    let sum = near * (n - j) + far * j;
    let whole = STEPS * n * n;
    return select(f32(sum) / f32(whole), 1.0, sum == whole);
}

// The position of a vertex that has morphed into its target by `weight`.
fn morphed_position(
    position: vec3<f32>,
    packed_target: vec2<u32>,
    grid_vertex: vec3<u32>,
    weight: f32,
) -> vec3<f32> {
    let odd = grid_vertex.xy & vec2(1u);
    if all(odd == vec2(0u)) { return position; }
    let slide = weight * bitcast<f32>(((packed_target.y >> 25u) + 63u) << 23u);
    return vec3(
        position.x - slide * f32(odd.x),
        position.y * (1.0 - weight) + bitcast<f32>(packed_target.x) * weight,
        position.z - slide * f32(odd.y),
    );
}

// The normal of a vertex that has morphed into its target by `weight`; not normalised.
fn morphed_normal(normal: vec3<f32>, packed_target: vec2<u32>, weight: f32) -> vec3<f32> {
    let parts = vec2(packed_target.y & 0x7ffu, (packed_target.y >> 11u) & 0x7ffu);
    let horizontal = vec2<f32>(parts) / NORMAL_STEPS - 1.0;
    let up = sqrt(max(1.0 - dot(horizontal, horizontal), 0.0));
    return mix(normal, vec3(horizontal.x, up, horizontal.y), weight);
}

// The variance, along each axis, of the slopes that the normals leave out.
fn slope_variance(tag: u32) -> f32 {
    let step = tag >> 28u;
    return select(exp2(0.5 * f32(step) - 7.0), 0.0, step == 0u);
}

// A perceptual roughness, increased for the variance of the slopes that the normals leave out: the
// squared widths of two Gaussian lobes of normals add up (Olano and Baker, "LEAN mapping", 2010).
fn roughened(perceptual_roughness: f32, variance: f32) -> f32 {
    let width = perceptual_roughness * perceptual_roughness;
    return pow(min(width * width + 2.0 * variance, 1.0), 0.25);
}
