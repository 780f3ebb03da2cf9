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
#import bevy_orogeny::{canopy, cover, ground_bindings::ground, ground_io, morph, shore, surface}

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

// The maximum length of a pixel's footprint, in pixel widths. Longer ones do not filter triangles
// better that are seen nearly edge-on, as on crests. They only blur their cover away.
const STRETCH: f32 = 12.0;
// Noise is filtered at this fraction of the footprint's length. Less would flicker, more would blur
// features that are short and wide.
const SHARPNESS: f32 = 0.7;

// The widest range of slopes in a pixel.
const WIDEST_SLOPES: f32 = 0.5;

// The mean climate at a height, given that at height 0 on level ground.
fn climate_at(base: vec2<f32>, height: f32, normal: vec3<f32>) -> vec2<f32> {
    let temperature = base.x - ground.climate.y * height + ground.climate.z * normal.z;
    return vec2(temperature, base.y);
}

// The part of its density that each kind of trees has at a height and a slope in a climate.
fn grown(state: vec3<f32>, blur: vec3<f32>, climate: vec2<f32>) -> vec4<f32> {
    let cooling = abs(ground.climate.y) * blur.x;
    var parts = vec4(0.0);
    for (var k = 0u; k < 4u; k++) {
        let kind = ground.trees[k];
        parts[k] = cover::band(state.x, kind.height.xyz, 0.0, blur.x)
            * cover::band(state.y, kind.slope.xyz, 0.0, blur.y)
            * cover::band(climate.x, kind.temperature.xyz, 0.0, cooling)
            * cover::band(climate.y, kind.moisture.xyz, 0.0, 0.0);
    }
    return parts;
}

// The colour of crowns where each kind of trees has a part of its density.
fn crowns(density: u32) -> vec3<f32> {
    let parts = unpack4x8unorm(density);
    var sum = vec4(0.0);
    for (var k = 0u; k < 4u; k++) { sum += parts[k] * vec4(ground.trees[k].colour.rgb, 1.0); }
    return sum.rgb / max(sum.w, 1e-3);
}

// The part of the sky's light that comes through a closed wood, and the colour of light below
// leaves, which is that of the ground: occlusion of each colour would need more registers.
const THROUGH_CROWNS: f32 = 0.9;
const BELOW_LEAVES: vec3<f32> = vec3(1.05, 0.98, 0.78);

// The steepest slope that bumps approach.
const STEEPEST: f32 = 0.8;
// How much more a layer counts for each bit of its height above another's, as a power of two.
const HEIGHT_BLEND: f32 = 14.0;

// The heaviest layers, and what all of them together look like from afar.
struct Layers {
    // The weights of the three heaviest, and their numbers, four bits each.
    heaviest: vec3<f32>,
    which: u32,
    // Halves: the mean colour, and the mean roughness.
    mean: vec2<u32>,
    // The part that trees cover.
    trees: f32,
}

// A layer among the heaviest: 0 to 2.
fn number(layers: Layers, k: u32) -> u32 {
    return (layers.which >> (4u * k)) & 15u;
}

// The heaviest layers, blended by weight and height: stones stick out of grass. At most two samples
// are blended: of two layers, or of one from two sides. What would be the third is subtracted from
// both, so that none begins or ends abruptly. What is left has its mean colour.
fn blended(layers: Layers, place: surface::Place) -> surface::Surface {
    let weights = layers.heaviest;
    let first = weights.x - weights.z;
    let of_side = first * place.weights.y;
    let of_layer = (weights.y - weights.z) * place.weights.x;
    let least = min(of_side, of_layer);
    let parts = vec2(first * place.weights.x, max(of_side, of_layer)) - least;
    let layer = number(layers, 0u);
    let mean = packed_mean(surface::halves(layers.mean) - parts.x * surface::mean_of(layer));
    var seen = surface::sampled(layer, place, place.axes.x);
    var whole = parts.x;
    var rest = mean;
    if parts.y > 0.02 * parts.x && ground.detail.x > 1.0 {
        let waiting = surface::packed_surface(seen);
        let is_side = of_side > of_layer;
        let other_layer = number(layers, select(1u, 0u, is_side));
        whole += parts.y;
        rest = packed_mean(surface::halves(mean) - parts.y * surface::mean_of(other_layer));
        let axis = select(place.axes.x, place.axes.y, is_side);
        let other = surface::sampled(other_layer, place, axis);
        seen = surface::unpacked_surface(waiting);
        // A trace of a layer stays a trace, however high its texture.
        let strengths =
            vec2(ground.layers[layer].scales.w, ground.layers[other_layer].scales.w);
        let blend = HEIGHT_BLEND * strengths * smoothstep(vec2(0.0), vec2(0.3), parts);
        let raised = parts * exp2(blend * (vec2(seen.height, other.height) - 0.5));
        let part = raised.y / max(raised.x + raised.y, 1e-9);
        seen.colour = mix(seen.colour, other.colour, part);
        seen.slope = mix(seen.slope, other.slope, part);
        seen.occlusion = mix(seen.occlusion, other.occlusion, part);
    }
    seen.colour = whole * seen.colour + max(surface::halves(rest), vec4(0.0));
    seen.slope *= whole;
    seen.occlusion = mix(1.0, seen.occlusion, whole);
    return seen;
}

fn packed_mean(mean: vec4<f32>) -> vec2<u32> {
    return vec2(pack2x16float(mean.xy), pack2x16float(mean.zw));
}

// The contrast of strata, of the heaviest layers together.
fn strata_contrast(layers: Layers) -> f32 {
    var sum = 0.0;
    for (var k = 0u; k < 3u; k++) {
        sum += layers.heaviest[k] * ground.layers[number(layers, k)].curvature.w;
    }
    return sum;
}

// The noise of a point in half as many registers, as what waits for textures decides how many
// pixels are shaded at once.
fn packed(noise: cover::EdgeNoise) -> vec2<u32> {
    return vec2(pack2x16snorm(noise.edges), pack2x16snorm(vec2(noise.patches, noise.broad)));
}

fn unpacked(noise: vec2<u32>) -> cover::EdgeNoise {
    let others = unpack2x16snorm(noise.y);
    return cover::EdgeNoise(unpack2x16snorm(noise.x), others.x, others.y);
}

// The same of the normal of ground, which never faces down.
fn unpacked_normal(normal: u32) -> vec3<f32> {
    let flat_ = unpack2x16snorm(normal);
    return vec3(flat_, sqrt(max(1.0 - dot(flat_, flat_), 0.0))).xzy;
}

@fragment
fn fragment(
    in: VertexOutput,
    @builtin(front_facing) is_front: bool,
#ifdef TERRAIN_LAYERS
    chunk: ground_io::Chunk,
#endif
) -> FragmentOutput {
#ifdef TERRAIN_LAYERS
    let curvature = chunk.curvature;
#else
    let curvature = 0.0;
#endif
#ifdef TERRAIN_PAINT
    var paint = array<vec4<f32>, 4>(
        chunk.first_paint, chunk.second_paint, chunk.third_paint, chunk.fourth_paint,
    );
    var unpainted = 1.0;
    for (var i = 0; i < i32(ground.settings.y); i++) { unpainted -= paint[i >> 2u][i & 3]; }
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
    let exact_normal = normalize(in.world_normal);
    let packed_normal = pack2x16snorm(exact_normal.xz);
    let slope = length(exact_normal.xz) / max(exact_normal.y, 0.01);
    let state = vec3(height, slope, curvature);
#ifdef TERRAIN_CLIMATE
    let climate = climate_at(chunk.climate, height, exact_normal);
#else
    let climate = climate_at(vec2(ground.climate.x, 0.5), height, exact_normal);
#endif
    // The width of a pixel at this distance, and the sides of its footprint on the ground.
    let across = 2.0 / abs(in.position.w * view.clip_from_view[1][1] * view.viewport.w);
    let lengths = vec2(length(dpdx(point)), length(dpdy(point)));
    let longest = max(lengths.x, lengths.y);
    let shrink = min(1.0, STRETCH * across / max(longest, 1e-9));
    let dx = shrink * dpdx(point);
    let dy = shrink * dpdy(point);
    let sides = surface::packed(dx, dy);
    let along = shrink * longest;
    // The ranges of height, slope and curvature within a pixel. Where a quad of pixels reaches over
    // a crest, its slopes are extrapolated, so their range is limited.
    var blur = shrink * fwidth(state);
    blur.y = min(blur.y, WIDEST_SLOPES);

    let noise = packed(cover::edge_noise(position, dx.xz, dy.xz));
    let depth = ground.settings.x - height;

#ifdef TERRAIN_CLIMATE
    let season = climate + vec2(ground.climate.w, 0.0);
    let climate_blur = vec2(abs(ground.climate.y) * blur.x, 0.0);
    // Trees stay where they are in winter, so their weights are those of the mean climate.
    let has_season = ground.climate.w != 0.0;
#else
    let has_season = false;
#endif
    // The part of their density that trees have. From afar, a canopy takes their place.
    var density = 0u;
    if ground.canopy.z > 0.0 { density = pack4x8unorm(grown(state, blur, climate)); }

    // From the top layer down, until too little is left uncovered to be visible.
    var bare = 1.0;
    var mean_bare = select(0.0, 1.0, has_season);
    var mean = vec4(0.0);
    var layers = Layers(vec3(0.0), 0u, vec2(0u), 0.0);
    for (var i = i32(ground.settings.y) - 1; i >= 0 && max(bare, mean_bare) > hidden; i--) {
        let layer = ground.layers[i];
        var part = 1.0;
        var mean_part = 1.0;
        if i > 0 {
            let own = unpacked(noise);
            let edge = select(own.edges.x, own.edges.y, (i & 1) == 1);
            part = cover::opacity(layer, state, blur, edge, own.patches);
#ifdef TERRAIN_CLIMATE
            mean_part = part;
            if has_season {
                mean_part *= cover::in_climate(layer, climate, climate_blur, edge);
            }
            part *= cover::in_climate(layer, season, climate_blur, edge);
#endif
        }
        var weight = bare * part;
        bare -= weight;
        var mean_weight = mean_bare * mean_part;
        mean_bare -= mean_weight;
#ifdef TERRAIN_PAINT
        weight = weight * unpainted + paint[i >> 2u][i & 3];
        mean_weight = mean_weight * unpainted + paint[i >> 2u][i & 3];
#endif
        layers.trees += select(weight, mean_weight, has_season)
            * dot(layer.trees, unpack4x8unorm(density));
        if weight <= 0.0 { continue; }
        mean += weight * surface::halves(layer.texture.zw);
        let heaviest = layers.heaviest;
        let which = layers.which;
        if weight > heaviest.x {
            layers.heaviest = vec3(weight, heaviest.xy);
            layers.which = u32(i) | (which << 4u);
        } else if weight > heaviest.y {
            layers.heaviest = vec3(heaviest.x, weight, heaviest.y);
            layers.which = (which & 15u) | (u32(i) << 4u) | ((which & 0xf0u) << 4u);
        } else if weight > heaviest.z {
            layers.heaviest.z = weight;
            layers.which = (which & 0xffu) | (u32(i) << 8u);
        }
    }

    layers.mean = packed_mean(mean);
    let own = unpacked(noise);
    var tint = 1.0 + 0.06 * own.broad + 0.08 * own.edges.x;
    let contrast = strata_contrast(layers);
    if contrast > 0.0 { tint *= 1.0 + 0.28 * contrast * cover::strata(height, own, blur.x); }
    let trees = min(layers.trees, ground.canopy.z);
    let away = length(view.world_position - in.world_position.xyz);
    let forest = trees * smoothstep(ground.canopy.x, ground.canopy.y, away);

    var seen = surface::Surface(surface::halves(layers.mean), vec3(0.0), 1.0, 0.0);
    // Nobody sees ground that deep from above.
    let eye_depth = in.world_position.y - height + ground.settings.x - view.world_position.y;
    if ground.settings.z > 0.0 && (depth < ground.detail.y || eye_depth > 0.0) {
        // Between the width and the length of the footprint: scales are filtered along it.
        let width = sqrt(across * max(across, along));
        seen = blended(layers, surface::place(point, sides, unpacked_normal(packed_normal), width));
    }
    var colour = tint * seen.colour.rgb;

    let pixel = max(across, SHARPNESS * along);
    if forest > 0.0 {
        let far = canopy::at(position, surface::flat_sides(sides), pixel);
        seen.slope += forest * far.slope;
        colour = mix(colour, tint * far.tint * crowns(density), forest);
    }
    let below = trees - forest;
    colour *= mix(vec3(1.0), BELOW_LEAVES, below);
    // Bumps must not turn sunlit ground away from the sun, where shading would end abruptly.
    let normal = unpacked_normal(packed_normal);
    let relative = seen.slope / STEEPEST;
    let slopes = seen.slope * inverseSqrt(1.0 + dot(relative, relative));
    let bumped = normalize(normal - (slopes - normal * dot(normal, slopes)));
    let variance = morph::slope_variance(get_tag(in.instance_index));
    let dry = seen.colour.a * pbr_input.material.perceptual_roughness;
    var ground_seen = shore::Wet(colour, morph::roughened(dry, variance));
    if depth > -2.0 {
        ground_seen = shore::wet(
            ground_seen,
            position,
            surface::flat_sides(sides),
            depth,
            globals.time,
            max(pixel, 3.0 * blur.x),
        );
    }

    pbr_input.N = bumped;
    pbr_input.world_normal = normal;
    pbr_input.material.base_color = vec4(ground_seen.colour, 1.0) * pbr_input.material.base_color;
    pbr_input.material.perceptual_roughness = ground_seen.roughness;
    pbr_input.diffuse_occlusion *= seen.occlusion * mix(1.0, THROUGH_CROWNS, below);
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
