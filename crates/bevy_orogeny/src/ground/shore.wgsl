// The ground at the shore of the sea: wet, with the foam of the waves on it. What is seen through
// water is drawn with its surface.

#define_import_path bevy_orogeny::shore
#import bevy_orogeny::{cover, noise::visible}

struct Wet {
    colour: vec3<f32>,
    roughness: f32,
}

// Wets ground at a depth in metres below the sea; negative depths are above it.
fn wet(
    dry: Wet,
    position: vec2<f32>,
    sides: mat2x2<f32>,
    depth: f32,
    time: f32,
    pixel: f32,
) -> Wet {
    var out = dry;
    let dx = sides[0];
    let dy = sides[1];
    // Waves run up the beach and back.
    let noise = cover::octaves(position, dx, dy, 1u);
    let lap = 0.25 * sin(0.7 * time + 9.0 * noise.x) + 0.8 * noise.y;
    let level = depth + lap * visible(8.0, pixel);
    let soaked = smoothstep(-1.2, -0.1, level + 0.2 * lap);
    out.colour *= mix(1.0, 0.55, soaked);
    let glossy = soaked * (1.0 - smoothstep(0.0, 0.3, depth));
    out.roughness = mix(out.roughness, min(out.roughness, 0.45), glossy);

    // Foam in shallow water: a line at its edge, and another one that moves towards the shore.
    let shown = visible(4.0, pixel);
    if shown > 0.0 && depth > -0.6 && depth < 2.5 {
        // The same noise, four times as fine, in two layers that slide over each other.
        let still = cover::octaves(4.0 * position, 4.0 * dx, 4.0 * dy, 1u);
        let slid = 2.0 * position.yx + 0.6 * time;
        let ragged = 1.4 * still.x + 1.4 * cover::octaves(slid, 2.0 * dx.yx, 2.0 * dy.yx, 1u).y;
        let edge = 1.0 - smoothstep(0.03, 0.22, abs(level - 0.12));
        let run = fract(0.09 * time + noise.y);
        let crest = 1.0 - smoothstep(0.0, 0.35, abs(level - 1.9 * (1.0 - run)));
        let wave = crest * (1.0 - run) * run * 3.0;
        let foam = shown * smoothstep(0.15, 0.75, (edge + 0.8 * wave) * (0.75 + ragged));
        out.colour = mix(out.colour, vec3(0.75, 0.78, 0.78), 0.85 * foam);
        out.roughness = mix(out.roughness, 0.9, foam);
    }
    return out;
}
