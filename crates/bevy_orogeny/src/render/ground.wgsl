// The default fragment shader: blends the layers of cover, above and below the sea. Lengths are in
// metres, heights are above the terrain's origin, slopes in metres per metre, colours in linear
// RGB.

#import bevy_pbr::{
    decal::clustered::apply_decals,
    pbr_fragment::pbr_input_from_standard_material,
    pbr_types::STANDARD_MATERIAL_FLAGS_UNLIT_BIT,
    mesh_functions::{get_tag, get_world_from_local},
    mesh_view_bindings::view,
}
#import bevy_orogeny::{canopy, cover, cover_bindings::ground, detail, morph, shore}

#ifdef PREPASS_PIPELINE
#import bevy_pbr::{
    prepass_io::{VertexOutput, FragmentOutput},
    pbr_deferred_functions::deferred_output,
}
#import bevy_render::globals::Globals
@group(0) @binding(1) var<uniform> globals: Globals;
#else
#import bevy_pbr::{
    forward_io::{VertexOutput, FragmentOutput},
    mesh_view_bindings::globals,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}
#endif

@group(#{MATERIAL_BIND_GROUP}) @binding(101) var colours: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(102) var colours_sampler: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(103) var normals: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(104) var normals_sampler: sampler;

// Value noise in -1 to 1 along one axis, with cells of length 1.
fn layers(y: f32) -> f32 {
    let cell = i32(floor(y));
    let t = fract(y);
    let ends = vec2(cover::hash(vec2(cell, 0), 30u), cover::hash(vec2(cell + 1, 0), 30u));
    return 2.0 * mix(ends.x, ends.y, t * t * (3.0 - 2.0 * t)) - 1.0;
}

// Triplanar mapping, weighted by how much the ground faces each side.
struct Triplanar {
    weights: vec3<f32>,
    // Position in widths of a texture, with y downwards as in images.
    side: vec3<f32>,
    dx: vec3<f32>,
    dy: vec3<f32>,
}

fn colour_at(uv: vec2<f32>, layer: u32, dx: vec2<f32>, dy: vec2<f32>) -> vec3<f32> {
    return textureSampleGrad(colours, colours_sampler, uv, layer, dx, dy).rgb;
}

fn normal_at(uv: vec2<f32>, layer: u32, dx: vec2<f32>, dy: vec2<f32>) -> vec2<f32> {
    return textureSampleGrad(normals, normals_sampler, uv, layer, dx, dy).xy * 2.0 - 1.0;
}

fn sample_colour(at: Triplanar, layer: u32) -> vec3<f32> {
    return at.weights.x * colour_at(at.side.zy, layer, at.dx.zy, at.dy.zy)
        + at.weights.y * colour_at(at.side.xz, layer, at.dx.xz, at.dy.xz)
        + at.weights.z * colour_at(at.side.xy, layer, at.dx.xy, at.dy.xy);
}

// The slopes of a normal map, to be subtracted from the normal.
fn sample_slope(at: Triplanar, layer: u32) -> vec3<f32> {
    let x = normal_at(at.side.zy, layer, at.dx.zy, at.dy.zy);
    let y = normal_at(at.side.xz, layer, at.dx.xz, at.dy.xz);
    let z = normal_at(at.side.xy, layer, at.dx.xy, at.dy.xy);
    return -(at.weights.x * vec3(0.0, -x.y, x.x) + at.weights.y * vec3(y.x, 0.0, y.y)
        + at.weights.z * vec3(z.x, -z.y, 0.0));
}

// The maximum length of a pixel's footprint, in pixel widths. Longer ones do not filter triangles
// better that are seen nearly edge-on, as on crests. They only blur their cover away.
const STRETCH: f32 = 12.0;
// Noise is filtered at this fraction of the footprint's length. Less would flicker, more would blur
// features that are short and wide.
const SHARPNESS: f32 = 0.7;

// The part of its density that each kind of trees has at a height and a slope.
fn grown(surface: vec3<f32>, blur: vec3<f32>, normal: vec3<f32>) -> vec4<f32> {
    let climate = ground.climate;
    let temperature = climate.x - climate.y * surface.x + climate.z * normal.z;
    let cooling = abs(climate.y) * blur.x;
    var parts = vec4(0.0);
    for (var k = 0u; k < 4u; k++) {
        let kind = ground.trees[k];
        parts[k] = cover::band(surface.x, kind.height.xyz, 0.0, blur.x)
            * cover::band(surface.y, kind.slope.xyz, 0.0, blur.y)
            * cover::band(temperature, kind.temperature.xyz, 0.0, cooling);
    }
    return parts;
}

@fragment
fn fragment(vertex_output: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    var in = vertex_output;
    // The vertex shader adds the curvature to w.
    let curvature = in.world_position.w - 1.0;
    in.world_position.w = 1.0;
#ifdef TERRAIN_PAINT
    // It adds the weights of paint to fields that Bevy would use otherwise.
    var paint = array<f32, 8>(
        in.color.x, in.color.y, in.color.z, in.color.w, in.uv.x, in.uv.y, in.uv_b.x, in.uv_b.y,
    );
    in.color = vec4(1.0);
    var unpainted = 1.0;
    for (var i = 0; i < i32(ground.settings.y); i++) { unpainted -= paint[i]; }
    unpainted = max(unpainted, 0.0);
    // Paint is on layers that others hide.
    let hidden = -1.0;
#else
    let hidden = 0.002;
#endif
    var pbr_input = pbr_input_from_standard_material(in, is_front);

    let position = in.world_position.xz;
    let height = in.world_position.y - get_world_from_local(in.instance_index)[3].y;
    let point = vec3(position.x, height, position.y);
    let normal = normalize(in.world_normal);
    let variance = morph::slope_variance(get_tag(in.instance_index));
    let slope = length(normal.xz) / max(normal.y, 0.01);
    let surface = vec3(height, slope, curvature);
    // The width of a pixel at this distance, and the sides of its footprint on the ground.
    let across = 2.0 / abs(in.position.w * view.clip_from_view[1][1] * view.viewport.w);
    let sides = vec2(length(dpdx(point)), length(dpdy(point)));
    let longest = max(sides.x, sides.y);
    let shrink = min(1.0, STRETCH * across / max(longest, 1e-9));
    let dx = shrink * dpdx(point);
    let dy = shrink * dpdy(point);
    let pixel = max(across, SHARPNESS * shrink * longest);
    // The ranges of height, slope and curvature within a pixel.
    let blur = shrink * fwidth(surface);

    let edge_noise = cover::edge_noise(position, pixel);
    let broad = 0.6 * cover::value(position, 512.0, true, 24u, pixel) + 0.4 * edge_noise.x;

    // Strata of uneven thickness, folded. They fade out where they are narrower than a few pixels.
    let fold = 110.0 * cover::value(position, 1024.0, false, 25u, pixel)
        + 40.0 * cover::value(position, 256.0, true, 26u, pixel) + 9.0 * edge_noise.y;
    let strata = layers((height + fold) / 37.0) * (1.0 - smoothstep(6.0, 18.0, blur.x))
        + 0.6 * layers((height + 0.7 * fold) / 11.0) * (1.0 - smoothstep(1.5, 5.0, blur.x));

    var triplanar: Triplanar;
    let width = ground.settings.z;
    if width > 0.0 {
        let facing = pow(abs(normal), vec3(4.0));
        let down = vec3(1.0, -1.0, 1.0);
        let weights = facing / (facing.x + facing.y + facing.z);
        let scale = down / width;
        triplanar = Triplanar(weights, scale * point, scale * dx, scale * dy);
    }

    // From the top layer down, until too little is left uncovered to be visible.
    var bare = 1.0;
    var colour = vec3(0.0);
    var textured = vec3(0.0);
    var trees = vec4(0.0);
    var grain = detail::Grain(vec4(0.0), vec4(0.0), vec2(0.0), 0.0, 0.0, 0.0, 0.0);
    for (var i = i32(ground.settings.y) - 1; i >= 0 && bare > hidden; i--) {
        let layer = ground.layers[i];
        var part = 1.0;
        if i > 0 {
            let edge = select(edge_noise.x, edge_noise.y, (i & 1) == 1);
            part = cover::opacity(layer, surface, blur, edge, edge_noise.z);
        }
        var weight = bare * part;
        bare -= weight;
#ifdef TERRAIN_PAINT
        weight = weight * unpainted + paint[i];
#endif
        if weight <= 0.0 { continue; }
        var own = layer.colour.rgb * (1.0 + 0.28 * layer.curvature.w * strata);
        let kind = detail::grain(u32(layer.colour.w));
        if width > 0.0 {
            own = layer.colour.rgb * sample_colour(triplanar, u32(i));
            if ground.settings.w > 0.0 {
                textured += weight * sample_slope(triplanar, u32(i));
            }
            grain.roughness += weight * kind.roughness;
        } else {
            grain = detail::mixed(grain, detail::scaled(kind, layer.surface.x), weight);
        }
        colour += weight * own;
        trees += weight * layer.trees;
    }
    colour *= 1.0 + 0.1 * broad;

    var slopes = textured;
    if width <= 0.0 {
        let close = detail::detail(point, grain, pixel);
        slopes = close.slope;
        colour *= close.tint;
    }
    let away = length(view.world_position - in.world_position.xyz);
    let far = smoothstep(ground.canopy.x, ground.canopy.y, away);
    if far > 0.0 && any(trees > vec4(0.0)) {
        let forest = far * min(dot(trees, grown(surface, blur, normal)), ground.canopy.z);
        let seen = canopy::at(point, pixel);
        slopes += forest * seen.slope;
        colour *= mix(vec3(1.0), seen.tint, forest);
    }
    var bumped = normalize(normal - (slopes - normal * dot(normal, slopes)));
    var roughness = pbr_input.material.perceptual_roughness * grain.roughness;
    roughness = morph::roughened(roughness, variance);

    let depth = ground.settings.x - height;
    if depth > -2.0 {
        let wet = shore::wet(
            shore::Wet(colour, bumped, roughness),
            position,
            depth,
            pbr_input.V.y,
            ground.absorption.rgb,
            ground.deep.rgb,
            globals.time,
            max(pixel, 3.0 * blur.x),
        );
        colour = wet.colour;
        bumped = wet.normal;
        roughness = wet.roughness;
    }

    pbr_input.N = bumped;
    pbr_input.material.base_color = vec4(colour, 1.0) * pbr_input.material.base_color;
    pbr_input.material.perceptual_roughness = roughness;
    apply_decals(&pbr_input);

#ifdef PREPASS_PIPELINE
    return deferred_output(in, pbr_input);
#else
    var out: FragmentOutput;
    if (pbr_input.material.flags & STANDARD_MATERIAL_FLAGS_UNLIT_BIT) == 0u {
        out.color = apply_pbr_lighting(pbr_input);
    } else {
        out.color = pbr_input.material.base_color;
    }
    out.color = main_pass_post_lighting_processing(pbr_input, out.color);
    return out;
#endif
}
