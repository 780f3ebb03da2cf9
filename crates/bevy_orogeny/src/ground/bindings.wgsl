// What the default material binds.

#define_import_path bevy_orogeny::ground_bindings

// A layer of cover. Lengths are in metres, slopes in metres per metre, curvatures in 1/m, colours
// linear.
struct Layer {
    // Minimum, maximum, the width of the edges, and how far noise displaces the edges, in edge
    // widths.
    height: vec4<f32>,
    // Minimum, maximum, the width of the edges, and the fraction that patches cover.
    slope: vec4<f32>,
    // Minimum, maximum, the width of the edges, and the contrast of strata.
    curvature: vec4<f32>,
    // Minimum, maximum and the width of the edges, in °C.
    temperature: vec4<f32>,
    // Minimum, maximum, the width of the edges, and whether the climate counts.
    moisture: vec4<f32>,
    // Halves: the inverse of the texture's mean colour, and the index of the texture; then the mean
    // colour and the mean roughness of the layer.
    texture: vec4<u32>,
    // Tiles of the texture and of larger forms per metre; the strength of bumps; how much its
    // height decides where it ends beside others.
    scales: vec4<f32>,
    // The part that each kind of trees covers, where it grows.
    trees: vec4<f32>,
    // The layer of larger forms, and their strength.
    forms: vec2<f32>,
}

// The minimum, the maximum and the width of the edges of what a kind of trees grows at; the colour
// of its crowns.
struct Trees {
    height: vec4<f32>,
    slope: vec4<f32>,
    temperature: vec4<f32>,
    moisture: vec4<f32>,
    colour: vec4<f32>,
}

struct Ground {
    layers: array<Layer, 16>,
    // The sea level; the number of layers; whether there are textures; the mean
    // colour of the canopy.
    settings: vec4<f32>,
    // The distances between which a canopy takes the place of trees; the largest part that it
    // covers, 0 without trees; the index of its texture.
    canopy: vec4<f32>,
    // The temperature at height 0, how much colder it is per metre, how much warmer on a cliff that
    // faces the noon sun, and how much warmer in this season.
    climate: vec4<f32>,
    // Where kinds of trees grow.
    trees: array<Trees, 4>,
    // The layers that a pixel blends at most, and the depth below which none are seen from above.
    detail: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> ground: Ground;
// Colour and height of each texture; normal, roughness and occlusion.
@group(#{MATERIAL_BIND_GROUP}) @binding(101) var colours: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(102) var surfaces: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(103) var textures_sampler: sampler;
// The noise of cover: the coarse image of orogeny's `EdgeTextures`, and the fine one. Behind them
// larger forms, which are sampled as textures are: their normal, half of how many times brighter
// than the mean they are, and how much warmer.
@group(#{MATERIAL_BIND_GROUP}) @binding(104) var noise_images: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(105) var noise_sampler: sampler;
