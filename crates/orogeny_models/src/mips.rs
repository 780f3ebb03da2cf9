//! Mip levels of layers of a texture array: their colours, their coverage and their bytes.

use std::future::ready;

use glam::{Vec3, Vec4, Vec4Swizzles};

use crate::pattern::{at_once, rounded};

/// The texels that are encoded between two turns.
const TEXELS: usize = 1 << 15;

/// All mip levels of a texture of foliage that was not baked, as
/// [`Pattern::bake`](crate::Pattern::bake) makes them: RGBA texels of four bytes, first `size` x
/// `size` as they are given, row by row. `size` must be a power of two from 1 to 4096 and there
/// must be so many texels: otherwise there are no levels.
pub fn mip_levels(size: u32, texels: &[u8]) -> Vec<u8> {
    let count = size as usize * size as usize;
    if rounded(size) != size as usize || texels.len() != 4 * count {
        return Vec::new();
    }
    let srgb = Srgb::new();
    let texel = |texel: &[u8]| {
        let [r, g, b] = [0, 1, 2].map(|k| srgb.decode(f32::from(texel[k]) / 255.0));
        let coverage = f32::from(texel[3]) / 255.0;
        (Vec3::new(r, g, b) * coverage).extend(coverage)
    };
    let finest = Level { size: size as usize, texels: texels.chunks_exact(4).map(texel).collect() };
    at_once(encode(&chain(finest), &srgb, &|| ready(())))
}

/// The bytes of all levels of a layer that has linear colours times coverage, and coverage.
pub(crate) async fn encode_levels<T: Future>(
    size: usize,
    texels: Vec<Vec4>,
    turn: &impl Fn() -> T,
) -> Vec<u8> {
    let levels = chain(Level { size, texels });
    encode(&levels, &Srgb::new(), turn).await
}

/// The bytes of all levels of a layer that has values in the place of colours and of alpha, each
/// times coverage, and followed by it.
pub(crate) async fn encode_values<T: Future>(
    size: usize,
    values: Vec<Vec4>,
    alphas: Vec<Vec4>,
    turn: &impl Fn() -> T,
) -> Vec<u8> {
    let srgb = Srgb::new();
    let values = colours(&chain(Level { size, texels: values }));
    turn().await;
    let alphas = colours(&chain(Level { size, texels: alphas }));
    let mut bytes = Vec::with_capacity(4 * values.iter().map(Vec::len).sum::<usize>());
    for (values, alphas) in values.iter().zip(&alphas) {
        for (values, alphas) in values.chunks(TEXELS).zip(alphas.chunks(TEXELS)) {
            turn().await;
            bytes.extend(values.iter().zip(alphas).flat_map(|(value, alpha)| {
                let [r, g, b] = value.to_array().map(|channel| srgb.encode(channel));
                [r, g, b, (255.0 * alpha.x.clamp(0.0, 1.0) + 0.5) as u8]
            }));
        }
    }
    bytes
}

/// The bytes of all levels.
pub(crate) async fn encode<T: Future>(
    levels: &[Level],
    srgb: &Srgb,
    turn: &impl Fn() -> T,
) -> Vec<u8> {
    turn().await;
    let colours = colours(levels);
    turn().await;
    let coverage = Coverage::of(&levels[0]);
    let texels: usize = colours.iter().map(Vec::len).sum();
    let mut layer = Vec::with_capacity(4 * texels);
    for (number, (level, colours)) in levels.iter().zip(&colours).enumerate() {
        turn().await;
        let alphas = coverage.alphas(number, level);
        for (colours, alphas) in colours.chunks(TEXELS).zip(alphas.chunks(TEXELS)) {
            turn().await;
            for (colour, &alpha) in colours.iter().zip(alphas) {
                layer.extend(colour.to_array().map(|channel| srgb.encode(channel)));
                layer.push(alpha);
            }
        }
    }
    layer
}

/// A level of a layer.
pub(crate) struct Level {
    /// Texels along a side, a power of two.
    pub(crate) size: usize,
    /// Linear colour times coverage, and coverage, row by row.
    pub(crate) texels: Vec<Vec4>,
}

/// All levels from `finest` to 1 x 1.
pub(crate) fn chain(finest: Level) -> Vec<Level> {
    let mut levels = vec![finest];
    while let Some(finer) = levels.last().filter(|level| level.size > 1) {
        let coarser = halved(finer);
        levels.push(coarser);
    }
    levels
}

fn halved(finer: &Level) -> Level {
    let size = finer.size / 2;
    let texel = |i: usize| {
        let corner = 2 * (i / size) * finer.size + 2 * (i % size);
        let row = |at: usize| finer.texels[at] + finer.texels[at + 1];
        0.25 * (row(corner) + row(corner + finer.size))
    };
    Level { size, texels: (0..size * size).map(texel).collect() }
}

/// The linear colours of all levels, not multiplied by coverage.
fn colours(levels: &[Level]) -> Vec<Vec<Vec3>> {
    let mut all: Vec<Vec<Vec3>> = Vec::with_capacity(levels.len());
    // From the coarsest to the finest: a texel without coverage looks at the level above.
    for (i, level) in levels.iter().enumerate().rev() {
        let around = |texel| match (levels.get(i + 1), all.last()) {
            (Some(coarser), Some(colours)) => filled(level.size, texel, coarser, colours),
            _ => Vec3::ZERO,
        };
        let colour = |(i, texel): (usize, &Vec4)| {
            if texel.w > 0.0 { texel.xyz() / texel.w } else { around(i) }
        };
        let colours = level.texels.iter().enumerate().map(colour).collect();
        all.push(colours);
    }
    all.reverse();
    all
}

/// The colour for texel `i` of a level with `size` texels along a side: the covered colour of the
/// coarser level, filtered bilinearly. The four texels there contain all neighbours of texel `i`.
/// If they are uncovered too, it is what they were filled with.
fn filled(size: usize, i: usize, coarser: &Level, colours: &[Vec3]) -> Vec3 {
    let last = coarser.size - 1;
    // Along an axis: the texel that contains `x`, the next one on its side, and their weights.
    let pair = |x: usize| {
        let other =
            if x.is_multiple_of(2) { (x / 2).saturating_sub(1) } else { (x / 2 + 1).min(last) };
        [(x / 2, 0.75), (other, 0.25)]
    };
    let (mut covered, mut plain) = (Vec4::ZERO, Vec3::ZERO);
    for (y, along_y) in pair(i / size) {
        for (x, along_x) in pair(i % size) {
            let at = y * coarser.size + x;
            covered += along_x * along_y * coarser.texels[at];
            plain += along_x * along_y * colours[at];
        }
    }
    if covered.w > 0.0 { covered.xyz() / covered.w } else { plain }
}

/// The alpha from which a texel passes the test for alpha.
const PASS: u8 = 128;
/// The least size of levels whose four cells are scaled separately.
const QUARTERED: usize = 8;

/// How much of level 0 is covered.
struct Coverage {
    /// The texels of level 0 that pass, in each of its quarters and in all together.
    quarters: [usize; 4],
    whole: usize,
}

impl Coverage {
    fn of(finest: &Level) -> Self {
        let passes =
            |part: Part| part.texels().filter(|&i| byte(finest.texels[i].w) >= PASS).count();
        Self {
            quarters: Part::quarters(finest.size).map(passes),
            whole: passes(Part::whole(finest.size)),
        }
    }

    /// The alpha of a level, with its number.
    fn alphas(&self, number: usize, level: &Level) -> Vec<u8> {
        if number == 0 {
            return level.texels.iter().map(|texel| byte(texel.w)).collect();
        }
        // Texels of level 0 for each of this one.
        let each = (1_u64 << (2 * number)) as f64;
        let mut alphas = vec![0; level.texels.len()];
        if level.size < QUARTERED {
            scale(level, Part::whole(level.size), self.whole as f64 / each, &mut alphas);
            return alphas;
        }
        // What rounding takes from a quarter goes to the next.
        let mut rest = 0.0;
        for (part, passes) in Part::quarters(level.size).into_iter().zip(self.quarters) {
            rest += passes as f64 / each;
            rest -= scale(level, part, rest, &mut alphas) as f64;
        }
        alphas
    }
}

/// Scales the alpha of a part so that about `target` of its texels pass. Returns how many do.
fn scale(level: &Level, part: Part, target: f64, alphas: &mut [u8]) -> usize {
    let alpha = |i: usize| level.texels[i].w;
    let mut all: Vec<f32> = part.texels().map(alpha).collect();
    let count = target.round() as usize;
    // The last alpha to pass and the first to fail, in falling order.
    let [above, below] = if count < all.len() {
        let (pass, below, _) = all.select_nth_unstable_by(count, |a, b| b.total_cmp(a));
        [pass.iter().copied().reduce(f32::min).unwrap_or(1.0), *below]
    } else {
        [all.iter().copied().reduce(f32::min).unwrap_or(1.0), 0.0]
    };
    // The threshold lies halfway between them.
    let fits = below < 0.5 && 0.5 <= above;
    let factor = if fits { 1.0 } else { 1.0 / (above + below).max(f32::MIN_POSITIVE) };
    for i in part.texels() {
        alphas[i] = byte(factor * alpha(i));
    }
    part.texels().filter(|&i| alphas[i] >= PASS).count()
}

fn byte(alpha: f32) -> u8 {
    (255.0 * alpha + 0.5) as u8
}

/// A square part of a level.
#[derive(Clone, Copy)]
struct Part {
    /// Texels along a side of the level.
    stride: usize,
    /// The first texel.
    corner: usize,
    /// Texels along a side of the part.
    size: usize,
}

impl Part {
    fn whole(size: usize) -> Self {
        Self { stride: size, corner: 0, size }
    }

    fn quarters(stride: usize) -> [Self; 4] {
        let size = stride / 2;
        let corners = [0, size, size * stride, size * stride + size];
        corners.map(|corner| Self { stride, corner, size })
    }

    fn texels(self) -> impl Iterator<Item = usize> {
        (0..self.size).flat_map(move |row| {
            let start = self.corner + row * self.stride;
            start..start + self.size
        })
    }
}

/// Steps of the table for decoding. Linear interpolation between them errs by less than 1e-6.
const STEPS: usize = 1024;
/// Steps of the table for encoding. Within one, the code grows by 0.81 at most.
const GUESSES: usize = 4096;

pub(crate) struct Srgb {
    /// The linear value at each step.
    decoded: [f32; STEPS + 1],
    /// The linear value from which the code is above `i`.
    ends: [f32; 255],
    /// The code at the start of each step.
    guesses: [u8; GUESSES + 1],
}

impl Srgb {
    pub(crate) fn new() -> Self {
        let decoded = std::array::from_fn(|i| decode(i as f64 / STEPS as f64) as f32);
        let ends: [f32; 255] = std::array::from_fn(|i| decode((i as f64 + 0.5) / 255.0) as f32);
        let guesses = std::array::from_fn(|i| {
            ends.partition_point(|&end| end <= i as f32 / GUESSES as f32) as u8
        });
        Self { decoded, ends, guesses }
    }

    /// The linear value of an encoded one within 0..=1.
    pub(crate) fn decode(&self, encoded: f32) -> f32 {
        let x = encoded.clamp(0.0, 1.0) * STEPS as f32;
        let i = (x as usize).min(STEPS - 1);
        let (a, b) = (self.decoded[i], self.decoded[i + 1]);
        a + (b - a) * (x - i as f32)
    }

    /// The nearest code of a linear value.
    pub(crate) fn encode(&self, linear: f32) -> u8 {
        let guess = self.guesses[(linear.clamp(0.0, 1.0) * GUESSES as f32) as usize] as usize;
        let more = self.ends[guess..].iter().take_while(|&&end| end <= linear).count();
        (guess + more) as u8
    }
}

/// The linear value of an encoded one.
fn decode(encoded: f64) -> f64 {
    if encoded <= 0.04045 {
        return encoded / 12.92;
    }
    let x = (encoded + 0.055) / 1.055;
    // x^2.4 by Newton's method for the fifth root of x². Unlike `powf`, it gives the same result on
    // all machines.
    let square = x * x;
    let root = (0..16).fold(1.0_f64, |y, _| y - (y - square / (y * y * y * y)) / 5.0);
    square * root
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pattern;

    #[test]
    fn textures_that_were_not_baked_get_the_same_levels() {
        let baked = Pattern::Needles.bake(64);
        let levels = mip_levels(64, &baked[..4 * 64 * 64]);
        assert_eq!(levels.len(), baked.len());
        let differ = levels.iter().zip(&baked).filter(|(a, b)| a.abs_diff(**b) > 3).count();
        // Rounded colours, where little is covered.
        assert!(differ < baked.len() / 50, "{differ} of {}", baked.len());
        assert!(mip_levels(64, &[0; 12]).is_empty() && mip_levels(3, &[0; 36]).is_empty());
    }

    #[test]
    fn decoding_is_exact() {
        let srgb = Srgb::new();
        for i in 0..=10_000 {
            let x = i as f64 / 10_000.0;
            let exact = if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) };
            assert!((decode(x) - exact).abs() < 1e-12, "{x}");
            assert!((srgb.decode(x as f32) as f64 - exact).abs() < 1e-6, "{x}");
        }
    }

    #[test]
    fn encoding_gives_the_nearest_code() {
        let srgb = Srgb::new();
        for i in 0..=100_000 {
            let x = i as f64 / 100_000.0;
            let exact =
                if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 };
            assert!((srgb.encode(x as f32) as f64 - 255.0 * exact).abs() < 0.501, "{x}");
        }
        assert_eq!((srgb.encode(-1.0), srgb.encode(2.0)), (0, 255));
    }
}
