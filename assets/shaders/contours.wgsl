// A map: tinted by height, shaded by slope, with contour lines.

#import bevy_pbr::forward_io::VertexOutput

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> low: vec4<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var<uniform> high: vec4<f32>;
// The vertical spacing of lines, and the heights of the two tints, in metres.
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var<uniform> heights: vec4<f32>;

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let height = in.world_position.y;
    let shade = 0.65 + 0.35 * dot(normalize(in.world_normal), normalize(vec3(0.5, 0.7, 0.3)));
    let tint = mix(low.rgb, high.rgb, smoothstep(heights.y, heights.z, height));
    // Lines are 1.5 pixels wide at any distance. Lines closer together than that are not drawn.
    let lines = height / heights.x;
    let width = fwidth(lines);
    let away = abs(fract(lines - 0.5) - 0.5) / max(width, 1e-6);
    let line = (1.0 - smoothstep(0.75, 1.5, away)) * (1.0 - smoothstep(0.2, 0.5, width));
    return vec4(mix(tint * shade, vec3(0.12, 0.08, 0.05), 0.8 * line), 1.0);
}
