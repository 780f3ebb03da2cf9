//! Prints how the levels of models compare.

use glam::Vec3;
use orogeny_models::{Levels, Model, grow};

use crate::measure::Appearance;

/// Prints the appearance of each level: means of a few seeds, and the extremes relative to the
/// finest level.
pub fn print(models: &[&Model]) {
    for &model in models {
        let grown: Vec<Levels> = (0..8).filter_map(|seed| grow(model, seed)).collect();
        let all: Vec<Vec<Appearance>> = grown
            .iter()
            .map(|levels| levels.levels.iter().map(|m| Appearance::of(m, levels, 128)).collect())
            .collect();
        println!("{model:?}");
        for level in 0..grown[0].levels.len() {
            let most = grown.iter().map(|l| l.levels[level].triangles()).max().unwrap_or(0);
            let count = all.len() as f32;
            let area = all.iter().map(|a| a[level].area).sum::<f32>() / count;
            let colour = all.iter().map(|a| a[level].encoded()).sum::<Vec3>() / count;
            let difference = |a: &Vec<Appearance>| (a[level].encoded() - a[0].encoded()).abs();
            let difference = all.iter().map(difference).fold(Vec3::ZERO, Vec3::max).max_element();
            println!(
                "  {level}: {most:4} triangles, {area:6.3} m2 ({}), top {}, colour {colour:.3} \
                 (differs by {difference:.3})",
                range(all.iter().map(|a| a[level].area / a[0].area)),
                range(all.iter().map(|a| a[level].top / a[0].top)),
            );
        }
    }
}

/// Minimum and maximum.
fn range(values: impl Iterator<Item = f32>) -> String {
    let (low, high) = values.fold((f32::MAX, 0.0_f32), |(a, b), x| (a.min(x), b.max(x)));
    format!("{low:.2}..{high:.2}")
}
