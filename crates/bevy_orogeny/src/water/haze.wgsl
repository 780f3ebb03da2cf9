// Copies what the atmosphere puts before things into slices that materials can read: side by side,
// by distance, each of the whole view. A pixel has the light that is added, and the mean part that
// is kept. Below them is the distance of the last one in kilometres.

#import bevy_core_pipeline::fullscreen_vertex_shader::FullscreenVertexOutput
#import bevy_pbr::atmosphere::{
    bindings::{settings, view},
    functions::{
        get_view_position, sample_aerial_view_lut, sample_transmittance_lut_segment,
        uv_to_ray_direction,
    },
}

const SLICES: u32 = 32u;

@fragment
fn fragment(in: FullscreenVertexOutput) -> @location(0) vec4<f32> {
    let end = settings.aerial_view_lut_max_distance;
    let pixel = vec2<u32>(in.position.xy);
    if pixel.y == SLICES { return vec4(end / 1000.0); }
    let uv = (vec2<f32>(pixel % SLICES) + 0.5) / f32(SLICES);
    let distance = end * f32(pixel.x / SLICES + 1u) / f32(SLICES);
    let eye = get_view_position();
    let r = length(eye);
    let mu = dot(uv_to_ray_direction(uv), eye / r);
    let kept = sample_transmittance_lut_segment(r, mu, distance);
    let added = sample_aerial_view_lut(uv, distance) * view.exposure;
    return vec4(added, dot(kept, vec3(1.0 / 3.0)));
}
