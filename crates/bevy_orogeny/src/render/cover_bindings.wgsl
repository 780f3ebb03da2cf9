// The uniforms of the default material.

#define_import_path bevy_orogeny::cover_bindings
#import bevy_orogeny::cover

struct Ground {
    layers: array<cover::Layer, 8>,
    // The sea level; the number of layers; the width of a texture, or 0 without textures; whether
    // there are normal maps.
    settings: vec4<f32>,
    // The absorption of water per metre; the depth below which the ground cannot be seen.
    absorption: vec4<f32>,
    // The colour of deep water.
    deep: vec4<f32>,
    // The distances between which a canopy takes the place of trees.
    trees: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> ground: Ground;
