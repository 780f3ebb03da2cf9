//! The function that grows a model, and what decides how: forms and random numbers.

use glam::Vec3;
use orogeny::scatter::Model;

use crate::{Levels, deadwood, herbs, rock, spruce, tree};

/// Grows one model. The same model and seed give the same result on one machine; other machines
/// may differ in the last bits, because the standard library's trigonometry does. `None` for
/// [`Model::Custom`], which is not grown.
pub fn grow(model: &Model, seed: u64) -> Option<Levels> {
    let index = Model::GROWN.iter().position(|grown| grown == model)?;
    // Mixing in the model keeps two models with one seed from sharing their random numbers.
    let random = Random::new(seed ^ (index as u64 + 1).wrapping_mul(0xA076_1D64_78BD_642F));
    let form = Form::of(seed);
    let meshes = match model {
        Model::Spruce => spruce::grow(random, form),
        Model::Pine => tree::pine(random, form),
        Model::Broadleaf => tree::broadleaf(random, form),
        Model::Birch => tree::birch(random, form),
        Model::Bush => tree::bush(random, form),
        Model::Fern => herbs::fern(random),
        Model::Grass => herbs::grass(random),
        Model::Reed => herbs::reed(random),
        Model::Deadwood => deadwood::grow(random, form),
        Model::Boulder => rock::boulder(random, form),
        Model::Stone => rock::stone(random, form),
        Model::Flower => herbs::flower(random, form),
        Model::Custom(_) => return None,
    };
    Some(Levels::new(meshes))
}

/// What has become of a plant. Seeds take turns, so that any four in a row differ clearly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As most are. From afar a renderer may draw this one for all.
    Typical,
    /// Slim and regular.
    Young,
    /// Broad and sparse.
    Old,
    /// With parts broken off or grown to one side.
    Battered,
}

impl Form {
    pub(crate) fn of(seed: u64) -> Form {
        [Form::Typical, Form::Young, Form::Old, Form::Battered][(seed % 4) as usize]
    }

    /// The value for this form, of those for all in their order.
    pub(crate) fn pick<T: Copy>(self, values: [T; 4]) -> T {
        values[self as usize]
    }
}

/// The generator SplitMix64 (Steele, Lea and Flood 2014). It is small, and every seed is good.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// An independent generator, so that one part of a model does not disturb the others.
    pub(crate) fn fork(&mut self) -> Random {
        Random(self.bits())
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number within 0..1.
    pub(crate) fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u32 << 24) as f32
    }

    /// A number within `min..max`.
    pub(crate) fn range(&mut self, min: f32, max: f32) -> f32 {
        min + (max - min) * self.unit()
    }

    /// A factor within `1 - spread..1 + spread`.
    pub(crate) fn vary(&mut self, spread: f32) -> f32 {
        self.range(1.0 - spread, 1.0 + spread)
    }

    /// An integer within `min..=max`.
    pub(crate) fn count(&mut self, min: u32, max: u32) -> u32 {
        (min + (self.unit() * (max - min + 1) as f32) as u32).min(max)
    }

    /// An angle within a full turn, in radians.
    pub(crate) fn angle(&mut self) -> f32 {
        self.range(0.0, std::f32::consts::TAU)
    }

    /// A direction, uniform on the sphere.
    pub(crate) fn direction(&mut self) -> Vec3 {
        let y = self.range(-1.0, 1.0);
        let (sin, cos) = self.angle().sin_cos();
        let r = (1.0 - y * y).sqrt();
        Vec3::new(r * cos, y, r * sin)
    }

    /// One of the four cells of a card's pattern, see [`crate::shapes::Print`].
    pub(crate) fn cell(&mut self) -> u32 {
        self.count(0, 3)
    }
}
