//! The chain of mip levels, and the colours of texels that nothing covers.

use glam::{Vec3, Vec4, Vec4Swizzles};

/// A level of a layer.
pub(super) struct Level {
    /// Texels along a side, a power of two.
    pub(super) size: usize,
    /// Linear colour times coverage, and coverage, row by row.
    pub(super) texels: Vec<Vec4>,
}

/// All levels from `finest` to 1 x 1.
pub(super) fn chain(finest: Level) -> Vec<Level> {
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
pub(super) fn colours(levels: &[Level]) -> Vec<Vec<Vec3>> {
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
