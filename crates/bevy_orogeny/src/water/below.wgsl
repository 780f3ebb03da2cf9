// What is seen from below the surface of water: the water between the camera and all that is drawn.
// Its surface is drawn over it.

enable dual_source_blending;

#import bevy_pbr::{
    forward_io::{Vertex, VertexOutput},
    mesh_functions::get_world_from_local,
    mesh_view_bindings::{globals, lights, view},
    pbr_fragment::pbr_input_from_standard_material,
    view_transformations::{frag_coord_to_ndc, position_ndc_to_world},
}
#import bevy_orogeny::{
    noise::visible,
    water::{
        Blended, INDEX, Optics, blended, is_perspective, left, lit_water, refracted, scattered,
        scene_distance,
    },
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> optics: Optics;
// Noise in -1 to 1, as 0 to 1, in a cube of so many cells that repeats.
@group(#{MATERIAL_BIND_GROUP}) @binding(104) var noise_volume: texture_3d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(105) var noise_sampler: sampler;
const CELLS: f32 = 8.0;

fn noise(p: vec3<f32>) -> f32 {
    return 2.0 * textureSampleLevel(noise_volume, noise_sampler, p / CELLS, 0.0).r - 1.0;
}

// The scale along y has the height of the surface above the camera, and this much more.
const OFFSET: f32 = 1000.0;
// How far from the mesh views are covered, in metres.
const SAME_PLACE: f32 = 0.01;

// The height of the surface.
fn surface_height(instance: u32) -> f32 {
    let world_from_local = get_world_from_local(instance);
    return world_from_local[3].y + world_from_local[1].y - OFFSET;
}

// The height of the lowest corner of the near plane.
fn lowest() -> f32 {
    var lowest = view.world_position.y;
    for (var i = 0u; i < 4u; i++) {
        let corner = vec2(f32(i % 2u), f32(i / 2u)) * 2.0 - 1.0;
        lowest = min(lowest, position_ndc_to_world(vec3(corner, 1.0)).y);
    }
    return lowest;
}

// Covers the near plane of the view of the camera where the mesh is, if any of it is below the
// surface. In others it is a point.
@vertex
fn vertex(in: Vertex) -> VertexOutput {
    var out: VertexOutput;
    let world_from_local = get_world_from_local(in.instance_index);
    let is_down = world_from_local[1].y > 0.9 * OFFSET
        && lowest() < surface_height(in.instance_index);
    let own = distance(view.world_position, world_from_local[3].xyz) < SAME_PLACE && is_down;
    out.position = select(vec4(0.0, 0.0, 1.0, 1.0), vec4(in.position.xy, 1.0, 1.0), own);
    out.world_position = vec4(view.world_position, 1.0);
    out.world_normal = vec3(0.0, 1.0, 0.0);
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    out.instance_index = in.instance_index;
#endif
    return out;
}

// The waves that focus light: the width of a cell in metres, and what they add to the light. All
// patterns repeat after 8192 m, the steps in which the origin moves.
const WIDTH: f32 = 2.56;
const CAUSTICS: f32 = 1.6;
const SHAFTS: f32 = 2.5;
// Shafts are wider by this.
const WIDER: f32 = 2.5;
// The depth in metres below which their pattern is lost.
const BLURRED: f32 = 14.0;
// The steps along a ray on which shafts are looked for, and how far away they end.
const STEPS: u32 = 8u;
const REACH: f32 = 24.0;

// The direction along which light comes down to a depth, as metres aside per metre of depth, and
// how much of it the sun sends: the light that sends most.
fn sunlight() -> vec3<f32> {
    var sun = vec3(0.0);
    var most = 0.0;
    for (var i = 0u; i < lights.n_directional_lights; i++) {
        let light = lights.directional_lights[i];
        let sent = dot(light.color.rgb, vec3(0.2126, 0.7152, 0.0722)) * light.direction_to_light.y;
        if sent > most {
            most = sent;
            sun = light.direction_to_light;
        }
    }
    // In water it is never flat.
    let slant = sun.xz / (INDEX * refracted(max(sun.y, 0.0)));
    return vec3(slant, smoothstep(0.0, 0.2, sun.y));
}

// How much light waves focus on a point so far below the surface: bright lines, about 0 on the
// mean.
fn caustics(point: vec3<f32>, depth: f32, pixel: f32) -> f32 {
    let sun = sunlight();
    let shown = sun.z * visible(WIDTH, pixel) * exp(-depth / BLURRED) * smoothstep(0.0, 1.0, depth);
    if shown <= 0.0 { return 0.0; }
    let at = (point.xz + sun.xy * depth) / WIDTH;
    let time = 0.7 * globals.time;
    let a = noise(vec3(at.x, time, at.y));
    let b = noise(vec3(1.7 * at.y + 0.3 * a, 3.5 - time, 1.7 * at.x));
    let lines = (1.0 - min(abs(a) * 3.0, 1.0)) * (1.0 - min(abs(b) * 2.0, 1.0));
    return shown * (lines * lines * 2.6 - 0.35);
}

// How much more light there is along a ray, which water scatters: 0 on the mean.
fn shafts(start: vec3<f32>, ray: vec3<f32>, path: f32, level: f32, dither: f32) -> f32 {
    let sun = sunlight();
    // Near the horizon their number is endless.
    let shown = sun.z * smoothstep(0.03, 0.3, abs(ray.y));
    if shown <= 0.0 { return 0.0; }
    let reach = min(path, REACH);
    var sum = 0.0;
    for (var i = 0u; i < STEPS; i++) {
        let along = reach * (f32(i) + dither) / f32(STEPS);
        let point = start + along * ray;
        let depth = level - point.y;
        let at = (point.xz + sun.xy * depth) / (WIDER * WIDTH);
        let n = noise(vec3(at.x, 0.3 * globals.time, at.y));
        sum += n * exp(-depth / BLURRED) * (1.0 - along / REACH);
    }
    return shown * sum / f32(STEPS);
}

@fragment
fn fragment(vertex: VertexOutput, @builtin(front_facing) is_front: bool) -> Blended {
    var in = vertex;
    let level = surface_height(in.instance_index);
    let near = position_ndc_to_world(vec3(frag_coord_to_ndc(in.position).xy, 1.0));
    let forward = -view.world_from_view[2].xyz;
    let ray = select(forward, normalize(near - view.world_position), is_perspective());
    in.world_position = vec4(near + ray, 1.0);
    var pbr_input = pbr_input_from_standard_material(in, is_front);
    pbr_input.V = -ray;

    let before = distance(near, view.world_position);
    let above = level - near.y;
    var path = max(scene_distance(in.position.xy, 1.0, before) - before, 0.0);
    if ray.y > 0.0 { path = min(path, max(above, 0.0) / ray.y); }
    let dither = fract(52.9829189 * fract(dot(in.position.xy, vec2(0.06711056, 0.00583715))));
    let point = near + path * ray;
    let pixel = path * 2.0 / abs(view.clip_from_view[1][1] * view.viewport.w);
    let kept = left(optics, above, path, -ray.y)
        * (1.0 + CAUSTICS * caustics(point, level - point.y, pixel));
    let light = 1.0 + SHAFTS * shafts(near, ray, path, level, dither);
    let seen = lit_water(pbr_input, light * scattered(optics, above, path, -ray.y), kept);
    // Rays that begin above the surface see no water, or see it from above.
    return blended(seen, select(0.0, 1.0, above > 0.0));
}
