// Forest from afar: where its trees are not drawn any more, bumps and shades of the ground look
// like their crowns.

#define_import_path bevy_orogeny::canopy
#import bevy_orogeny::ground_bindings::ground
#import bevy_orogeny::surface::{TURN, texel, turned, turned_back}

struct Canopy {
    // Subtracted from the normal.
    slope: vec3<f32>,
    // Multiplied with the colour.
    tint: vec3<f32>,
}

// The width of a tile of crowns, and of the same far wider: stands of different trees. In metres.
const WIDTHS: vec2<f32> = vec2(64.0, 648.0);

// The canopy at a point, with the sides of a pixel.
fn at(point: vec2<f32>, sides: mat2x2<f32>, pixel: f32) -> Canopy {
    var out = Canopy(vec3(0.0), vec3(1.0));
    for (var scale = 0u; scale < 2u; scale++) {
        let is_far = scale == 0u;
        let width = select(WIDTHS.x, WIDTHS.y, is_far);
        let part = 1.0 - smoothstep(0.06, 0.2, pixel / width);
        if part <= 0.0 { break; }
        // Whole numbers of tiles in a step of the origin.
        let turn = select(vec2(1.0 / WIDTHS.x, 0.0), TURN / 2048.0, is_far);
        let crowns = texel(
            turned(point, turn), u32(ground.canopy.w), turned(sides[0], turn),
            turned(sides[1], turn),
        );
        let slope = width * turned_back(crowns.surface.xy, turn);
        out.slope += part * vec3(slope.x, 0.0, slope.y);
        let tint = crowns.colour.rgb / ground.settings.w * mix(0.5, 1.0, crowns.surface.w);
        out.tint *= mix(vec3(1.0), tint, part * select(1.0, 0.7, is_far));
    }
    return out;
}
