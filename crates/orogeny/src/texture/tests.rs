use crate::cover::{CoverKind, canopy};
use crate::fractal::Fractal;
use crate::node::Node;
use crate::noise::GradientNoise;
use crate::texture::{Texels, Texture, TextureRecipe, mip_count};

/// Smooth hills, `cells` on a tile.
fn hills(cells: u32) -> Node {
    let noise = GradientNoise { period: [cells; 2], ..GradientNoise::seeded(3) };
    let frequency = f64::from(cells);
    Fractal { frequency, amplitude: 0.3, ..Fractal::fbm(2.0, noise) }.into()
}

fn recipe(height: Node) -> TextureRecipe {
    TextureRecipe { height, width: 4.0, steepest: 10.0, ..TextureRecipe::default() }
}

/// The slopes of normals are those of the heights beside them, across the edges of the tile too.
#[test]
fn normals_belong_to_the_heights_and_the_tile_repeats() {
    let size = 256;
    let texture = recipe(hills(3)).bake(size).unwrap();
    let side = size as usize;
    let height = |x: usize, y: usize| {
        let texel = x % side + side * (y % side);
        f32::from(texture.levels.colour[4 * texel + 3]) / 255.0 * texture.relief
    };
    // Over so many texels rounding to bytes matters little.
    let reach = 6;
    let step = 2.0 * reach as f32 * 4.0 / size as f32;
    let (mut largest, mut steepest) = (0f32, 0f32);
    for y in (0..side).step_by(5) {
        for x in (0..side).step_by(5) {
            let at = |dx: usize, dy: usize| height(x + side + dx - reach, y + side + dy - reach);
            let slopes = [at(2 * reach, reach) - at(0, reach), at(reach, 2 * reach) - at(reach, 0)];
            let surface = &texture.levels.surface[4 * (x + side * y)..];
            let normal = [0, 1].map(|k| (f32::from(surface[k]) - 128.0) / 127.5);
            let up = (1.0 - normal[0] * normal[0] - normal[1] * normal[1]).sqrt();
            for k in 0..2 {
                largest = largest.max((slopes[k] / step + normal[k] / up).abs());
                steepest = steepest.max((normal[k] / up).abs());
            }
        }
    }
    assert!(largest < 0.08 && steepest > 0.5, "{largest} {steepest}");
}

#[test]
fn what_cannot_repeat_is_refused_by_name() {
    let error = |recipe: TextureRecipe| recipe.bake(64).unwrap_err();
    let plain = Fractal { frequency: 3.0, ..Fractal::fbm(2.0, GradientNoise::seeded(3)) };
    let refused = error(recipe(plain.clone().into()));
    assert_eq!(refused.path, "height");
    assert!(refused.problem.contains("must repeat after 1"), "{refused}");
    let tint = TextureRecipe { tint: plain.into(), ..TextureRecipe::default() };
    assert_eq!(error(tint).path, "tint");
    let invalid = Fractal { octaves: -1.0, ..Fractal::fbm(2.0, GradientNoise::seeded(3)) };
    assert!(error(recipe(invalid.into())).path.starts_with("height."));
    assert_eq!(error(TextureRecipe { width: f32::NAN, ..recipe(hills(2)) }).path, "width");
    for wrong in [f32::NAN, -0.1, 5.0] {
        let low = [[0.5; 3], [0.5, wrong, 0.5]];
        assert_eq!(error(TextureRecipe { low, ..TextureRecipe::default() }).path, "low[1]");
    }
    for size in [0, 3, 16384, u32::MAX] {
        assert_eq!(TextureRecipe::default().bake(size).unwrap_err().path, "size");
    }
}

/// Flat ground, a single texel, the largest numbers: no NaN, no panic.
#[test]
fn odd_recipes_have_textures() {
    for height in [0.0, 1e6, -1e6] {
        let texture = recipe(Node::Constant(height)).bake(1).unwrap();
        assert_eq!(texture.levels.surface[..2], [128; 2]);
        assert_eq!(texture.levels.colour.len(), 4);
        assert!(texture.relief > 0.0);
    }
    let steep = recipe(hills(64) * 1e5).bake(32).unwrap();
    assert!(steep.relief.is_finite());
}

#[test]
fn each_kind_has_a_texture() {
    let kinds = CoverKind::ALL.iter().map(CoverKind::texture);
    let recipes: Vec<TextureRecipe> = kinds.chain([canopy()]).collect();
    let mut means = Vec::new();
    for recipe in &recipes {
        recipe.check().unwrap();
        let texture = recipe.bake(64).unwrap();
        assert_eq!(texture, recipe.bake(64).unwrap());
        let surfaces = texture.levels.surface.as_chunks::<4>().0;
        let bent = surfaces.iter().filter(|texel| texel[0] != 128).count();
        assert!(2 * bent > surfaces.len(), "{recipe:?} is flat");
        means.push(texture.mean_colour());
    }
    // Snow is brightest, sand warmer than it, grass green.
    let [_, _, grass, _, sand, snow, _] = means[..] else { panic!() };
    assert!(snow.iter().zip(sand).all(|(snow, sand)| *snow > sand));
    assert!(sand[0] > sand[2] && grass[1] > grass[2] && grass[1] >= grass[0]);
}

/// Larger forms repeat, and none is flat or of one brightness.
#[test]
fn all_kinds_but_custom_ones_have_larger_forms() {
    for kind in CoverKind::ALL {
        let recipe = kind.forms().unwrap();
        recipe.check().unwrap();
        assert!(recipe.width > 10.0 * kind.texture().width, "{kind:?}");
        let texture = recipe.bake(64).unwrap();
        let colours = texture.levels.colour.as_chunks::<4>().0;
        let greens = colours[..64 * 64].iter().map(|texel| texel[1]);
        let [darkest, brightest] = [greens.clone().min(), greens.max()].map(Option::unwrap);
        assert!(brightest - darkest >= 6 && texture.relief > 0.3, "{kind:?} {texture:?}");
    }
    assert_eq!(CoverKind::Custom("lava".into()).forms(), None);
}

/// Levels halve down to one texel, colours average as light, and lost bumps become roughness.
#[test]
fn mips_average_light_and_keep_roughness() {
    let texel =
        |k: usize, a: [u8; 4], b: [u8; 4]| if (k + k / 4).is_multiple_of(2) { a } else { b };
    let image = |a, b| (0..16).flat_map(|k| texel(k, a, b)).collect::<Vec<u8>>();
    let texels = Texels {
        colour: image([0, 0, 0, 0], [255, 255, 255, 255]),
        surface: image([38, 128, 51, 255], [218, 128, 51, 255]),
    };
    let texture = Texture::new(texels, 4, 1.0);
    assert_eq!(mip_count(4), 3);
    assert_eq!(texture.levels.colour.len(), 4 * (16 + 4 + 1));
    // Half the light of white is 188 in sRGB, 180 as a square root.
    let mean = texture.mean_colour();
    assert!(mean.iter().all(|part| (178..190).contains(part)), "{mean:?}");
    let last: Vec<u8> = texture.levels.surface.iter().rev().take(4).rev().copied().collect();
    assert!(last[0].abs_diff(128) < 3 && last[2] > 150 && last[3] == 255, "{last:?}");
}
