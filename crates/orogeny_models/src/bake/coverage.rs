//! The alpha of mip levels, scaled to keep the coverage of level 0: Castaño, "Computing alpha
//! mipmaps", 2010.

use super::mips::Level;

/// The alpha from which a texel passes the test for alpha.
const PASS: u8 = 128;
/// The least size of levels whose four patterns are scaled separately.
const QUARTERED: usize = 8;

/// How much of level 0 is covered.
pub(super) struct Coverage {
    /// The texels of level 0 that pass, in each of its quarters and in all together.
    quarters: [usize; 4],
    whole: usize,
}

impl Coverage {
    pub fn of(finest: &Level) -> Self {
        let passes =
            |part: Part| part.texels().filter(|&i| byte(finest.texels[i].w) >= PASS).count();
        Self {
            quarters: Part::quarters(finest.size).map(passes),
            whole: passes(Part::whole(finest.size)),
        }
    }

    /// The alpha of a level, with its number.
    pub fn alphas(&self, number: usize, level: &Level) -> Vec<u8> {
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
