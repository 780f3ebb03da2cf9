//! The list of models, and the function that grows one.

use crate::{
    Levels, birch, broadleaf, bush, deadwood, fern, grass, pine, random::Random, reed, rock, spruce,
};

/// A kind of plant or rock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// A slender Norway spruce, about 16 m high.
    Spruce,
    /// A Scots pine with a bare lower trunk, about 14 m high.
    Pine,
    /// A broad-leaved tree such as a maple or lime, about 13 m high.
    Broadleaf,
    /// A slender birch with drooping twigs, about 12 m high.
    Birch,
    /// A leafy bush, about 1.6 m high.
    Bush,
    /// A fern with arching fronds, about 0.7 m high.
    Fern,
    /// A tuft of grass, about 0.45 m high.
    Grass,
    /// A clump of reed, about 1.8 m high.
    Reed,
    /// A fallen log with stubs of branches, about 5 m long.
    Deadwood,
    /// A boulder, about 1.6 m across.
    Boulder,
    /// A stone, about 0.35 m across.
    Stone,
}

impl Model {
    /// Every model, in the order of declaration.
    pub const ALL: [Model; 11] = [
        Model::Spruce,
        Model::Pine,
        Model::Broadleaf,
        Model::Birch,
        Model::Bush,
        Model::Fern,
        Model::Grass,
        Model::Reed,
        Model::Deadwood,
        Model::Boulder,
        Model::Stone,
    ];
}

/// Grows one model. The same model and seed give the same result on one machine; other machines
/// may differ in the last bits, because the standard library's trigonometry does.
pub fn grow(model: Model, seed: u64) -> Levels {
    // Mixing in the model keeps two models with one seed from sharing their random numbers.
    let random = Random::new(seed ^ (model as u64 + 1).wrapping_mul(0xA076_1D64_78BD_642F));
    let meshes = match model {
        Model::Spruce => spruce::grow(random),
        Model::Pine => pine::grow(random),
        Model::Broadleaf => broadleaf::grow(random),
        Model::Birch => birch::grow(random),
        Model::Bush => bush::grow(random),
        Model::Fern => fern::grow(random),
        Model::Grass => grass::grow(random),
        Model::Reed => reed::grow(random),
        Model::Deadwood => deadwood::grow(random),
        Model::Boulder => rock::boulder(random),
        Model::Stone => rock::stone(random),
    };
    Levels::new(meshes)
}
