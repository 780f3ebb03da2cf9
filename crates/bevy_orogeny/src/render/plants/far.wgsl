// The silhouettes of far crowns, as in far.rs of `orogeny_models`, which documents them.

#define_import_path bevy_orogeny::plants::far

#import bevy_orogeny::plants::hash::{hash, part}

fn conifer(p: vec2<f32>, seed: f32) -> vec4<f32> {
    let s = 2.0 * p.x - 1.0;
    let v = abs(s);
    let side = select(0.0, 1.0, s > 0.0);
    let y = p.y * (1.0 + 0.5 * p.y);
    let t = (y + 0.16 * v) * 17.0 + 0.5 * side;
    let tier = floor(t);
    let f = t - tier;
    let own = hash(tier, side, seed);
    let middle = max((tier + 0.5 - 0.5 * side) / 17.0, 0.0);
    let root = min(sqrt(1.0 + 2.0 * middle) - 1.0, 1.0);
    let widest = (1.03 - root) * (1.12 - 0.12 * root) * min(0.6 + 5.0 * root, 1.0);
    let reach = max(widest * (0.68 + 0.32 * own), 0.012);
    let share = v / reach;
    let saw = part(v * 37.0 - abs(f - 0.5) * 3.0 + own);
    let width = 0.5 * (1.25 - share * share) * (0.75 + 0.25 * saw);
    let fringe = hash(floor(s * 23.0), 5.0, seed);
    let tiers = min(width - abs(f - 0.5), 4.0 * (1.08 - share));
    let edge = min(tiers, 6.0 * p.y - 0.25 * fringe);
    let twig = hash(floor(s * 19.0 + 3.0 * f), tier, seed + 1.0);
    let light = saturate(0.5 * f + 0.35 * share + 0.2 * saw + 0.5 * twig - 0.15);
    let colour = mix(vec3(0.15, 0.215, 0.115), vec3(0.275, 0.345, 0.18), light);
    return vec4(colour, saturate(0.5 + 5.0 * edge));
}
