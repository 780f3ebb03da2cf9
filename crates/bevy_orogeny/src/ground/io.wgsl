// What the vertex shader of chunks tells the fragment shader of the ground beside Bevy's structure.

#define_import_path bevy_orogeny::ground_io

// Bevy uses the locations below 10.
struct Chunk {
    @location(10) curvature: f32,
#ifdef TERRAIN_PAINT
    // The weights of paint, of four layers each.
    @location(11) first_paint: vec4<f32>,
    @location(12) second_paint: vec4<f32>,
    @location(13) third_paint: vec4<f32>,
    @location(14) fourth_paint: vec4<f32>,
#endif
}
