// Copies the depth of a view. Of several samples the farthest counts: water is drawn on those that
// it is in front of.

#import bevy_core_pipeline::fullscreen_vertex_shader::FullscreenVertexOutput

#ifdef MULTISAMPLED
@group(0) @binding(0) var depth: texture_depth_multisampled_2d;
#else
@group(0) @binding(0) var depth: texture_depth_2d;
#endif

@fragment
fn fragment(in: FullscreenVertexOutput) -> @location(0) f32 {
    let pixel = vec2<i32>(in.position.xy);
#ifdef MULTISAMPLED
    var farthest = textureLoad(depth, pixel, 0);
    for (var i = 1; i < i32(textureNumSamples(depth)); i++) {
        farthest = min(farthest, textureLoad(depth, pixel, i));
    }
    return farthest;
#else
    return textureLoad(depth, pixel, 0);
#endif
}
