// Forest from afar: where its trees are not drawn any more, bumps and shades of the ground look
// like their crowns.

#define_import_path bevy_orogeny::canopy
#import bevy_orogeny::cover::{value, visible}
#import bevy_orogeny::detail::{Detail, octave}

// Adds crowns `size` metres wide: round on top, with dark gaps between them.
fn added(crowns: Detail, point: vec3<f32>, size: f32, number: u32, pixel: f32) -> Detail {
    let shown = visible(size, pixel);
    if shown <= 0.0 { return crowns; }
    let n = octave(point, size, number);
    // The wider they are, the less is between them. The absolute value is round on top, with
    // creases where the noise is 0.
    let part = shown * inverseSqrt(0.125 * size);
    let lump = 2.2 * abs(n.w) - 0.6;
    let slope = crowns.slope + 0.9 * part * sign(n.w) * n.xyz;
    return Detail(slope, crowns.tint * (1.0 + 0.55 * part * lump));
}

// The canopy at a point, with x and z modulo the period of the noise: crowns, groups of them, and
// stands of different trees.
fn at(point: vec3<f32>, pixel: f32) -> Detail {
    let stands = 0.14 * value(point.xz, 32.0, true, 40u, pixel)
        + 0.16 * value(point.xz, 64.0, false, 41u, pixel)
        + 0.14 * value(point.xz, 256.0, true, 42u, pixel);
    // Lighter stands are those of broadleaved trees.
    var crowns = Detail(vec3(0.0), 1.0 + stands * vec3(1.3, 1.0, 0.6));
    var size = 8.0;
    for (var k = 1u; k <= 4u; k++) {
        crowns = added(crowns, point, size, k, pixel);
        size *= 2.0;
    }
    crowns.tint = max(crowns.tint, vec3(0.25));
    return crowns;
}
