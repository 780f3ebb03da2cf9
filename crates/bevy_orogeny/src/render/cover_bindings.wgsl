// The uniforms of the default material.

#define_import_path bevy_orogeny::cover_bindings
#import bevy_orogeny::cover

// The minimum, the maximum and the width of the edges of what a kind of trees grows at.
struct Trees {
    height: vec4<f32>,
    slope: vec4<f32>,
    temperature: vec4<f32>,
}

struct Ground {
    layers: array<cover::Layer, 8>,
    // The sea level; the number of layers; the width of a texture, or 0 without textures; whether
    // there are normal maps.
    settings: vec4<f32>,
    // The absorption of water per metre; the depth below which the ground cannot be seen.
    absorption: vec4<f32>,
    // The colour of deep water.
    deep: vec4<f32>,
    // The distances between which a canopy takes the place of trees; the largest part that it
    // covers.
    canopy: vec4<f32>,
    // The temperature at height 0, how much colder it is per metre, and how much warmer on a cliff
    // that faces the noon sun.
    climate: vec4<f32>,
    // Where kinds of trees grow.
    trees: array<Trees, 4>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> ground: Ground;
