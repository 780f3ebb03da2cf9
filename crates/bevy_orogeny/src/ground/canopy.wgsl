// Forest from afar: where its trees are not drawn any more, bumps and shades of the ground look
// like their crowns.

#define_import_path bevy_orogeny::canopy
#import bevy_orogeny::ground_bindings::ground
#import bevy_orogeny::surface::{TURN, Texel, shown, texel}

struct Canopy {
    // Subtracted from the normal.
    slope: vec3<f32>,
    // Multiplied with the colour.
    tint: vec3<f32>,
}

// The width of a tile of crowns, and of the same far wider: stands of different trees. In metres.
const WIDTHS: vec2<f32> = vec2(64.0, 648.0);

// Adds crowns at a scale: `turn` is from metres to tiles `width` wide.
fn added(
    canopy: Canopy,
    turn: mat2x2<f32>,
    width: f32,
    contrast: f32,
    point: vec2<f32>,
    dx: vec2<f32>,
    dy: vec2<f32>,
    pixel: f32,
) -> Canopy {
    let part = shown(1.0 / width, pixel);
    if part <= 0.0 { return canopy; }
    let crowns = texel(turn * point, u32(ground.canopy.w), turn * dx, turn * dy);
    let slope = width * (crowns.surface.xy * turn);
    let tint = crowns.colour.rgb / ground.settings.w * mix(0.5, 1.0, crowns.surface.w);
    return Canopy(
        canopy.slope + part * vec3(slope.x, 0.0, slope.y),
        canopy.tint * mix(vec3(1.0), tint, contrast * part),
    );
}

// The canopy at a point, with the sides of a pixel.
fn at(point: vec2<f32>, dx: vec2<f32>, dy: vec2<f32>, pixel: f32) -> Canopy {
    let none = Canopy(vec3(0.0), vec3(1.0));
    let straight = mat2x2(vec2(1.0, 0.0), vec2(0.0, 1.0)) * (1.0 / WIDTHS.x);
    let crowns = added(none, straight, WIDTHS.x, 1.0, point, dx, dy, pixel);
    // A whole number of tiles in a step of the origin.
    let turn = TURN * (1.0 / 2048.0);
    return added(crowns, turn, WIDTHS.y, 0.7, point, dx, dy, pixel);
}
