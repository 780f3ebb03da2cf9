// The surfaces of plants and rocks: the patterns of `orogeny_models::Surface`, which documents
// them. Functions and files here have the names of those there.

#define_import_path bevy_orogeny::plants::surface

#import bevy_orogeny::plants::{bark, far, feather, leaves, solid, stone}

// The colour, encoded as sRGB, and the coverage of a surface at `uv`.
fn at(surface: u32, uv: vec2<f32>, variant: f32) -> vec4<f32> {
    // A variant is a number of 255ths. Interpolation may round it, so count them first.
    let seed = f32(u32(variant * 255.0 + 0.5) * 63u / 255u);
    let cell = min(floor(uv * 2.0), vec2(1.0));
    let p = uv * 2.0 - cell;
    let card = seed * 4.0 + cell.x + 2.0 * cell.y;
    var all = vec4(0.0);
    switch surface {
        case 0u: { all = vec4(bark::bark(uv, seed), 1.0); }
        case 1u: { all = vec4(bark::pine(uv, seed), 1.0); }
        case 2u: { all = vec4(bark::birch(uv, seed), 1.0); }
        case 3u: { all = vec4(bark::wood(uv, seed), 1.0); }
        case 4u: { all = vec4(stone::rock(uv, seed), 1.0); }
        case 5u: { all = feather::needles(p, card); }
        case 6u: { all = leaves::pine(p, card, 5.0, 0.085); }
        case 7u: { all = leaves::broad(p, card, 7.0); }
        case 8u: { all = leaves::birch(p, card, 7.0); }
        case 9u: { all = feather::frond(p, card); }
        case 10u: { all = vec4(solid::blade(p, card), 1.0); }
        case 11u: { all = solid::plume(p, card); }
        case 12u: { all = far::conifer(p, card); }
        case 13u: { all = leaves::pine(p, card, 11.0, 0.15); }
        case 14u: { all = leaves::broad(p, card, 16.0); }
        case 15u: { all = leaves::birch(p, card, 14.0); }
        default: { all = leaves::broad(p, card, 11.0); }
    }
    let shift = variant - 0.5;
    var tint = vec3(1.0 + 0.3 * shift, 1.0 + 0.14 * shift, 1.0 - 0.1 * shift);
    if surface == 3u || surface == 4u { tint = vec3(1.0 + 0.16 * shift); }
    return vec4(saturate(all.rgb * tint), all.a);
}

// The part of light that shines through: leaves are thin.
fn transmission(surface: u32) -> f32 {
    return select(0.0, 0.3, surface >= 5u);
}
