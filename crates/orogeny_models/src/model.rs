//! The function that grows a model.

use orogeny::scatter::Model;

use crate::{
    Levels, birch, broadleaf, bush, deadwood, fern, form::Form, grass, pine, random::Random, reed,
    rock, spruce,
};

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
        Model::Pine => pine::grow(random, form),
        Model::Broadleaf => broadleaf::grow(random, form),
        Model::Birch => birch::grow(random, form),
        Model::Bush => bush::grow(random, form),
        Model::Fern => fern::grow(random),
        Model::Grass => grass::grow(random),
        Model::Reed => reed::grow(random),
        Model::Deadwood => deadwood::grow(random, form),
        Model::Boulder => rock::boulder(random, form),
        Model::Stone => rock::stone(random, form),
        Model::Custom(_) => return None,
    };
    Some(Levels::new(meshes))
}
