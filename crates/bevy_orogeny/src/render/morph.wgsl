// Geomorphing for vertex shaders: the formulas of vertex.rs, octahedral.rs and morph.rs, which
// document them. `packed` is the attribute `ATTRIBUTE_VERTEX`.

#define_import_path bevy_orogeny::morph

const STEPS: u32 = 31u;

// Steps of a coordinate of a target's normal on either side of zero.
const NORMAL_STEPS: f32 = 1023.0;

// The grid indices of a vertex along x and z, and the cells along a side. `index` counts from the
// first vertex of the mesh.
fn grid_vertex(packed: vec4<u32>, index: u32) -> vec3<u32> {
    let cells = 1u << ((packed.w >> 22u) & 7u);
    return vec3(index % (cells + 1u), index / (cells + 1u), cells);
}

// How far a vertex has morphed into the next coarser level, from 0 to 1. `tag` is that of the mesh
// instance.
fn weight(tag: u32, grid_vertex: vec3<u32>) -> f32 {
    let i = grid_vertex.x;
    let j = grid_vertex.y;
    let n = grid_vertex.z;
    let at_end = vec4(i == 0u, i == n, j == 0u, j == n);
    let sides = (vec4(tag) >> vec4(20u, 22u, 24u, 26u)) & vec4(3u);
    let of_ends = select(vec4(0u), sides, at_end);
    // The weights at corners already depend on the neighbours there.
    let is_corner = any(at_end.xy) && any(at_end.zw);
    let neighbour = select(of_ends.x | of_ends.y | of_ends.z | of_ends.w, 0u, is_corner);
    if neighbour != 0u { return select(0.0, 1.0, neighbour == 1u); }
    let near = (tag & STEPS) * (n - i) + ((tag >> 5u) & STEPS) * i;
    let far = ((tag >> 10u) & STEPS) * (n - i) + ((tag >> 15u) & STEPS) * i;
    let sum = near * (n - j) + far * j;
    let whole = STEPS * n * n;
    return select(f32(sum) / f32(whole), 1.0, sum == whole);
}

// The position of a vertex that has morphed into its target by `weight`.
fn morphed_position(packed: vec4<u32>, grid_vertex: vec3<u32>, weight: f32) -> vec3<f32> {
    let spacing = bitcast<f32>(((packed.w >> 25u) + 63u) << 23u);
    // The spacing is a power of two. So the products are exact.
    let at = vec2<f32>(grid_vertex.xy) * spacing;
    let height = bitcast<f32>(packed.x);
    let odd = grid_vertex.xy & vec2(1u);
    // Compared as bits: shaders may assume that no float is infinite or NaN.
    let in_hole = (packed.z & 0x7f800000u) == 0x7f800000u;
    // Near vertices with even indices are their own targets. Blending would round their heights.
    let stays = all(odd == vec2(0u)) && packed.x == packed.z;
    if in_hole || stays { return vec3(at.x, height, at.y); }
    let slide = weight * spacing;
    return vec3(
        at.x - slide * f32(odd.x),
        height * (1.0 - weight) + bitcast<f32>(packed.z) * weight,
        at.y - slide * f32(odd.y),
    );
}

// The unit normal at octahedral coordinates.
fn octahedral_normal(coordinates: vec2<f32>) -> vec3<f32> {
    let x = 0.5 * (coordinates.x + coordinates.y);
    let z = 0.5 * (coordinates.x - coordinates.y);
    return normalize(vec3(x, 1.0 - abs(x) - abs(z), z));
}

// The normal of a vertex that has morphed into its target by `weight`; not normalised.
fn morphed_normal(packed: vec4<u32>, weight: f32) -> vec3<f32> {
    let own = octahedral_normal(unpack2x16snorm(packed.y));
    let steps = vec2(packed.w & 0x7ffu, (packed.w >> 11u) & 0x7ffu);
    let target_normal = octahedral_normal(vec2<f32>(steps) / NORMAL_STEPS - 1.0);
    return mix(own, target_normal, weight);
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
