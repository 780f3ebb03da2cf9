//! The alpha of mip levels, scaled to keep the coverage of level 0: Castaño, "Computing alpha
//! mipmaps", 2010.

use super::mips::Level;

/// The alpha from which a texel passes the test for alpha.
const PASS: u8 = 128;
/// The least size of levels whose four patterns are scaled separately.
const QUARTERED: usize = 8;

/// The alpha of all levels.
pub(super) fn alphas(levels: &[Level]) -> Vec<Vec<u8>> {
    let finest: Vec<u8> = levels[0].texels.iter().map(|texel| byte(texel.w)).collect();
    let passes = |part: Part| part.texels().filter(|&i| finest[i] >= PASS).count();
    let (quarters, whole) = (Part::quarters(levels[0].size), Part::whole(levels[0].size));
    let (quarters, whole) = (quarters.map(passes), passes(whole));
    let mut all = vec![Vec::new(); levels.len()];
    for (i, level) in levels.iter().enumerate().skip(1) {
        // Texels of level 0 for each of this one.
        let each = (1_u64 << (2 * i)) as f64;
        all[i] = vec![0; level.texels.len()];
        if level.size < QUARTERED {
            scale(level, Part::whole(level.size), whole as f64 / each, &mut all[i]);
            continue;
        }
        // What rounding takes from a quarter goes to the next.
        let mut rest = 0.0;
        for (part, passes) in Part::quarters(level.size).into_iter().zip(quarters) {
            rest += passes as f64 / each;
            rest -= scale(level, part, rest, &mut all[i]) as f64;
        }
    }
    all[0] = finest;
    all
}

/// Scales the alpha of a part so that about `target` of its texels pass. Returns how many do.
fn scale(level: &Level, part: Part, target: f64, alphas: &mut [u8]) -> usize {
    let alpha = |i: usize| level.texels[i].w;
    let mut sorted: Vec<f32> = part.texels().map(alpha).collect();
    sorted.sort_unstable_by(|a, b| b.total_cmp(a));
    let count = target.round() as usize;
    let above = *count.checked_sub(1).and_then(|last| sorted.get(last)).unwrap_or(&1.0);
    let below = *sorted.get(count).unwrap_or(&0.0);
    // The threshold lies halfway between the last alpha to pass and the first to fail.
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
