// What the vertex shader of chunks tells the fragment shader of the ground beside Bevy's structure.

#define_import_path bevy_orogeny::ground_io

// Bevy uses the locations below 10.
struct Chunk {
    @location(10) curvature: f32,
#ifdef TERRAIN_CLIMATE
    // The temperature in °C and the moisture at height 0 on level ground.
    @location(15) climate: vec2<f32>,
#endif
#ifdef TERRAIN_PAINT
    // The weights of paint, of four layers each.
    @location(11) first_paint: vec4<f32>,
    @location(12) second_paint: vec4<f32>,
    @location(13) third_paint: vec4<f32>,
    @location(14) fourth_paint: vec4<f32>,
#endif
}
