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

// The steepest slope that bumps approach.
const STEEPEST: f32 = 0.8;
// How much more a layer counts for each bit of its height above another's, as a power of two.
const HEIGHT_BLEND: f32 = 7.0;

// The heaviest layers, blended by weight and height: stones stick out of grass.
fn blended(weights: vec3<f32>, which: vec3<u32>, place: surface::Place) -> surface::Surface {
    var sum = surface::Surface(vec3(0.0), vec3(0.0), 0.0, 0.0, 0.0);
    var whole = 0.0;
    for (var k = 0; k < i32(ground.detail.x); k++) {
        if weights[k] < 0.02 * weights.x { break; }
        let layer = ground.layers[which[k]];
        let part = surface::sampled(layer, place);
        // A trace of a layer stays a trace, however high its texture.
        let blend = HEIGHT_BLEND * layer.scales.w * smoothstep(0.0, 0.3, weights[k]);
        let weight = weights[k] * exp2(blend * (part.height - 0.5));
        sum.colour += weight * part.colour;
        sum.slope += weight * part.slope;
        sum.roughness += weight * part.roughness;
        sum.occlusion += weight * part.occlusion;
        whole += weight;
    }
    return surface::Surface(
        sum.colour / whole, sum.slope / whole, sum.roughness / whole, sum.occlusion / whole, 0.0,
    );
}

// The contrast of strata, of the heaviest layers together.
fn strata_contrast(weights: vec3<f32>, which: vec3<u32>) -> f32 {
    var sum = 0.0;
    for (var k = 0; k < 3; k++) {
        sum += weights[k] * ground.layers[which[k]].curvature.w;
    }
    return sum;
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
    let normal = normalize(in.world_normal);
    let variance = morph::slope_variance(get_tag(in.instance_index));
    let slope = length(normal.xz) / max(normal.y, 0.01);
    let state = vec3(height, slope, curvature);
#ifdef TERRAIN_CLIMATE
    let climate = climate_at(chunk.climate, height, normal);
#else
    let climate = climate_at(vec2(ground.climate.x, 0.5), height, normal);
#endif
    // The width of a pixel at this distance, and the sides of its footprint on the ground.
    let across = 2.0 / abs(in.position.w * view.clip_from_view[1][1] * view.viewport.w);
    let sides = vec2(length(dpdx(point)), length(dpdy(point)));
    let longest = max(sides.x, sides.y);
    let shrink = min(1.0, STRETCH * across / max(longest, 1e-9));
    let dx = shrink * dpdx(point);
    let dy = shrink * dpdy(point);
    let pixel = max(across, SHARPNESS * shrink * longest);
    // The ranges of height, slope and curvature within a pixel. Where a quad of pixels reaches over
    // a crest, its slopes are extrapolated, so their range is limited.
    var blur = shrink * fwidth(state);
    blur.y = min(blur.y, WIDEST_SLOPES);

    let noise = cover::edge_noise(position, dx.xz, dy.xz);
    let depth = ground.settings.x - height;

#ifdef TERRAIN_CLIMATE
    let season = climate + vec2(ground.climate.w, 0.0);
    let climate_blur = vec2(abs(ground.climate.y) * blur.x, 0.0);
    // Trees stay where they are in winter, so their weights are those of the mean climate.
    let has_season = ground.climate.w != 0.0;
#else
    let has_season = false;
#endif

    // From the top layer down, until too little is left uncovered to be visible.
    var bare = 1.0;
    var mean_bare = select(0.0, 1.0, has_season);
    var colour = vec3(0.0);
    var roughness = 0.0;
    var trees = vec4(0.0);
    // The weights of the heaviest layers, and their indices.
    var heaviest = vec3(0.0);
    var which = vec3(0u);
    for (var i = i32(ground.settings.y) - 1; i >= 0 && max(bare, mean_bare) > hidden; i--) {
        let layer = ground.layers[i];
        var part = 1.0;
        var mean_part = 1.0;
        if i > 0 {
            part = cover::opacity(layer, state, blur, noise.edges[i & 1], noise.patches);
#ifdef TERRAIN_CLIMATE
            mean_part = part;
            if has_season {
                mean_part *= cover::in_climate(layer, climate, climate_blur, noise.edges[i & 1]);
            }
            part *= cover::in_climate(layer, season, climate_blur, noise.edges[i & 1]);
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
        trees += select(weight, mean_weight, has_season) * layer.trees;
        if weight <= 0.0 { continue; }
        colour += weight * layer.mean.rgb;
        roughness += weight * layer.mean.w;
        let index = u32(i);
        if weight > heaviest.x {
            heaviest = vec3(weight, heaviest.xy);
            which = vec3(index, which.xy);
        } else if weight > heaviest.y {
            heaviest = vec3(heaviest.x, weight, heaviest.y);
            which = vec3(which.x, index, which.y);
        } else if weight > heaviest.z {
            heaviest.z = weight;
            which.z = index;
        }
    }

    var slopes = vec3(0.0);
    var occlusion = 1.0;
    // Nobody sees ground that deep from above.
    let eye_depth = in.world_position.y - height + ground.settings.x - view.world_position.y;
    if ground.settings.z > 0.0 && (depth < ground.detail.y || eye_depth > 0.0) {
        // Between the width and the length of the footprint: scales are filtered along it.
        let mean = sqrt(across * max(across, shrink * longest));
        let place = surface::place(point, dx, dy, normal, mean);
        let mixed = blended(heaviest, which, place);
        colour = mixed.colour;
        slopes = mixed.slope;
        roughness = mixed.roughness;
        occlusion = mixed.occlusion;
    }
    let contrast = strata_contrast(heaviest, which);
    if contrast > 0.0 {
        colour *= 1.0 + 0.28 * contrast * cover::strata(height, noise, blur.x);
    }
    colour *= 1.0 + 0.06 * noise.broad + 0.08 * noise.edges.x;

    let away = length(view.world_position - in.world_position.xyz);
    let far = smoothstep(ground.canopy.x, ground.canopy.y, away);
    if far > 0.0 && any(trees > vec4(0.0)) {
        let forest = far * min(dot(trees, grown(state, blur, climate)), ground.canopy.z);
        let seen = canopy::at(position, dx.xz, dy.xz, pixel);
        slopes += forest * seen.slope;
        colour *= mix(vec3(1.0), seen.tint, forest);
    }
    // Bumps must not turn sunlit ground away from the sun, where shading would end abruptly.
    let relative = slopes / STEEPEST;
    slopes *= inverseSqrt(1.0 + dot(relative, relative));
    let bumped = normalize(normal - (slopes - normal * dot(normal, slopes)));
    roughness *= pbr_input.material.perceptual_roughness;
    roughness = morph::roughened(roughness, variance);

    if depth > -2.0 {
        let wet = shore::wet(
            shore::Wet(colour, roughness),
            position,
            dx.xz,
            dy.xz,
            depth,
            globals.time,
            max(pixel, 3.0 * blur.x),
        );
        colour = wet.colour;
        roughness = wet.roughness;
    }

    pbr_input.N = bumped;
    pbr_input.material.base_color = vec4(colour, 1.0) * pbr_input.material.base_color;
    pbr_input.material.perceptual_roughness = roughness;
    pbr_input.diffuse_occlusion *= occlusion;
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
