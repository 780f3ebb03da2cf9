//! Tiers: how far away which level of a model is drawn, and how many of the instances.

use orogeny::scatter::{Model, ScatterKind};

use crate::scatter::{SAPLING, TREES_THIN_OUT};

/// What instances have in common that decides how far they are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Grass and flowers.
    Grass,
    /// Bushes, ferns, stones and what is as small.
    Shrub,
    /// Trees and boulders.
    Large,
}

/// A range of distances, and how instances are drawn in it.
#[derive(Clone, Copy, Debug)]
pub struct Tier {
    pub class: Class,
    /// The level of detail of the models.
    pub level: usize,
    /// The distances from the camera in metres between which instances are drawn.
    pub range: [f32; 2],
    /// The rank below which instances are drawn at the beginning of the range, and at its end.
    /// Others shrink on the way.
    pub keep: [f32; 2],
    /// How much wider than their models those that are left are, at both ends.
    pub widen: [f32; 2],
    pub has_shadows: bool,
}

/// The levels of a model that tiers have.
pub const LEVELS: usize = 4;

/// Each instance has ranges of its own, within this fraction of those of its tier, so that not all
/// of them change at one distance.
pub const JITTER: f64 = 0.15;

const fn tier(class: Class, level: usize, range: [f32; 2]) -> Tier {
    let has_shadows = match class {
        Grass => false,
        Shrub => range[0] < 200.0,
        Large => true,
    };
    Tier { class, level, range, keep: [1.0, 1.0], widen: [1.0, 1.0], has_shadows }
}

const fn thinned(tier: Tier, keep: [f32; 2], widen: [f32; 2]) -> Tier {
    Tier { keep, widen, ..tier }
}

use Class::{Grass, Large, Shrub};

/// All tiers. Those of a class follow each other without gaps. Together they cost about the same
/// number of triangles each.
pub const TIERS: [Tier; 12] = [
    thinned(tier(Grass, 0, [0.0, 14.0]), [1.0, 0.7], [1.0, 1.1]),
    thinned(tier(Grass, 1, [14.0, 38.0]), [0.7, 0.4], [1.1, 1.4]),
    thinned(tier(Grass, 2, [38.0, 150.0]), [0.4, 0.0], [1.4, 2.4]),
    tier(Shrub, 0, [0.0, 28.0]),
    thinned(tier(Shrub, 1, [28.0, 90.0]), [1.0, 0.8], [1.0, 1.0]),
    thinned(tier(Shrub, 2, [90.0, 350.0]), [0.8, 0.0], [1.0, 1.3]),
    tier(Large, 0, [0.0, 32.0]),
    tier(Large, 1, [32.0, 95.0]),
    tier(Large, 2, [95.0, 200.0]),
    thinned(tier(Large, 3, [200.0, 450.0]), [1.0, 0.6], [1.0, 1.1]),
    thinned(tier(Large, 3, [450.0, 1000.0]), [0.6, 0.25], [1.1, 1.35]),
    thinned(tier(Large, 3, TREES_THIN_OUT), [0.25, 0.0], [1.35, 1.8]),
];

impl Class {
    /// The class of a model; `None` for models that the game provides.
    pub fn of(model: &Model) -> Option<Self> {
        match model {
            Model::Spruce | Model::Pine | Model::Broadleaf | Model::Birch => Some(Large),
            Model::Boulder => Some(Large),
            Model::Bush | Model::Fern | Model::Reed => Some(Shrub),
            Model::Deadwood | Model::Stone => Some(Shrub),
            Model::Grass | Model::Flower => Some(Grass),
            Model::Custom(_) => None,
        }
    }

    /// The class of a kind; `None` for models that the game provides. Trees that stay small are
    /// not seen from farther away than bushes.
    pub fn of_kind(kind: &ScatterKind) -> Option<Self> {
        let class = Self::of(&kind.model)?;
        let is_small = kind.model != Model::Boulder && kind.size_max < SAPLING;
        Some(if class == Large && is_small { Shrub } else { class })
    }

    /// The class of a model of a height in metres.
    pub fn of_height(height: f32) -> Self {
        match height {
            ..0.7 => Grass,
            ..3.0 => Shrub,
            _ => Large,
        }
    }

    /// All classes, in the order of their numbers in shaders.
    pub const ALL: [Self; 3] = [Grass, Shrub, Large];

    /// Its tiers, the nearest first.
    pub fn tiers(self) -> impl DoubleEndedIterator<Item = &'static Tier> {
        TIERS.iter().filter(move |tier| tier.class == self)
    }

    /// The distance in metres at which the last of its instances with a rank of at least `rank`
    /// have shrunk to nothing, without the jitter of ranges.
    pub fn reach(self, rank: f32) -> f32 {
        let shrinks = |tier: &&Tier| tier.keep[1] <= rank;
        let last = self.tiers().find(shrinks).or(self.tiers().next_back());
        last.map_or(0.0, |tier| tier.range[1])
    }
}

impl Tier {
    /// The level of detail of shadows: one coarser than what the camera sees.
    pub fn shadow_level(&self) -> usize {
        (self.level + 1).min(LEVELS - 1)
    }

    /// The distances in metres between which shadows shrink, because the next tier of the class
    /// casts none.
    pub fn shade(&self) -> [f32; 2] {
        let casts = |tier: &&Tier| tier.class == self.class && tier.has_shadows;
        let last = TIERS.iter().rfind(casts).filter(|last| last.keep[1] > 0.0);
        let end = last.map_or(f32::MAX / 2.0, |last| last.range[1]);
        [0.6 * end, end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saplings_are_drawn_as_bushes() {
        let class = |model, size_max| {
            Class::of_kind(&ScatterKind { model, size_max, ..ScatterKind::default() })
        };
        assert_eq!(class(Model::Spruce, 1.25), Some(Large));
        assert_eq!(class(Model::Spruce, 0.2), Some(Shrub));
        assert_eq!(class(Model::Boulder, 0.2), Some(Large));
        assert_eq!(class(Model::Grass, 0.2), Some(Grass));
        assert_eq!(class(Model::Custom("hut".into()), 0.2), None);
    }

    #[test]
    fn the_tiers_of_a_class_follow_each_other() {
        for pair in TIERS.windows(2) {
            let [a, b] = [&pair[0], &pair[1]];
            if a.class == b.class {
                assert_eq!(
                    (a.range[1], a.keep[1], a.widen[1]),
                    (b.range[0], b.keep[0], b.widen[0])
                );
                assert!(b.level >= a.level);
            } else {
                assert_eq!((a.keep[1], b.range[0], b.keep[0], b.widen[0]), (0.0, 0.0, 1.0, 1.0));
            }
        }
        assert_eq!(TIERS[TIERS.len() - 1].keep[1], 0.0);
    }
}
