//! All models by the names of their kinds: the plugin's own, and those that a game provides.

use std::sync::Arc;

use bevy_asset::Handle;
use bevy_ecs::resource::Resource;
use bevy_mesh::Mesh;
use bevy_platform::collections::HashMap;
use orogeny::scatter::{Model, ScatterKind};

use super::grown::{self, SEEDS};
use super::material::PlantMaterial;
use super::tiers::Class;

/// Identifies a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ModelId {
    /// The index of one of [`Model::GROWN`].
    Grown(u8),
    /// One that a game provides. Another one of the same name has another number.
    Own(u32),
}

/// A variant of a model: what an instance looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    model: ModelId,
    seed: u8,
    /// Over that of the model: red, green and blue with 5, 6 and 5 bits.
    pub colour: u16,
}

impl Variant {
    /// Whether a game provides its model.
    pub fn is_own(self) -> bool {
        matches!(self.model, ModelId::Own(_))
    }
}

/// A level of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    model: ModelId,
    seed: u8,
    level: u8,
}

/// A model that a game provides.
#[derive(Clone, Debug)]
pub struct OwnModel {
    pub number: u32,
    pub class: Class,
    /// Its height above the origin, and its largest horizontal distance from it, in metres.
    pub height: f32,
    pub radius: f32,
    /// The meshes are this much smaller.
    pub larger: f32,
    /// The finest first, at least one.
    pub levels: Vec<Vec<OwnPart>>,
}

/// A mesh of a game with its material.
#[derive(Clone, Debug)]
pub struct OwnPart {
    pub mesh: Handle<Mesh>,
    pub material: Handle<PlantMaterial>,
}

/// What a shape is drawn from.
pub enum Parts<'a> {
    /// A grown one, by the index of its model.
    Grown {
        model: u8,
        seed: u8,
        level: u8,
    },
    Own(&'a [OwnPart]),
}

/// The models. Tasks have copies of it.
#[derive(Resource, Clone, Debug, Default)]
pub struct Library {
    own: Arc<HashMap<String, OwnModel>>,
    /// Counts changes.
    pub version: u64,
}

impl Library {
    /// Adds a model that a game provides, or replaces one.
    pub fn insert(&mut self, name: String, model: OwnModel) {
        Arc::make_mut(&mut self.own).insert(name, model);
        self.version += 1;
    }

    /// Removes a model that a game provided.
    pub fn remove(&mut self, name: &str) {
        if self.own.contains_key(name) {
            Arc::make_mut(&mut self.own).remove(name);
            self.version += 1;
        }
    }

    /// The class of a kind; `None` for kinds without a model.
    pub fn class_of(&self, kind: &ScatterKind) -> Option<Class> {
        match &kind.model {
            Model::Custom(name) => self.own.get(name).map(|model| model.class),
            _ => Class::of_kind(kind),
        }
    }

    /// What an instance of a kind with a tint looks like; `None` for kinds without a model.
    pub fn variant(&self, kind: &ScatterKind, tint: f32) -> Option<Variant> {
        let (model, seeds) = match &kind.model {
            Model::Custom(name) => (ModelId::Own(self.own.get(name)?.number), 1),
            model => {
                let index = Model::GROWN.iter().position(|grown| grown == model)?;
                (ModelId::Grown(index as u8), SEEDS)
            }
        };
        let seed = ((tint * 97.0) as usize % seeds) as u8;
        Some(Variant { model, seed, colour: colour([kind.red, kind.green, kind.blue]) })
    }

    /// The height and the radius of a variant in metres, at size 1.
    pub fn size(&self, variant: Variant) -> [f32; 2] {
        match variant.model {
            ModelId::Grown(model) => {
                let levels = grown::levels(model, variant.seed);
                [levels.height, levels.radius]
            }
            ModelId::Own(number) => {
                self.of(number).map_or([0.0; 2], |model| [model.height, model.radius])
            }
        }
    }

    /// The shape at a level, which may be beyond the last one, and by how much the variant is
    /// larger. `None` if a game has removed the model.
    pub fn shape(&self, variant: Variant, level: usize) -> Option<(Shape, f32)> {
        let Variant { model, seed, .. } = variant;
        match model {
            ModelId::Grown(index) => {
                let height = |seed| grown::levels(index, seed).height;
                let (drawn, level) = grown::drawn(index, seed, level);
                let larger = height(seed) / height(drawn);
                Some((Shape { model, seed: drawn, level }, larger))
            }
            ModelId::Own(number) => {
                let own = self.of(number)?;
                let level = level.min(own.levels.len() - 1) as u8;
                Some((Shape { model, seed, level }, own.larger))
            }
        }
    }

    /// What a shape is drawn from; `None` if a game has removed it.
    pub fn parts(&self, shape: Shape) -> Option<Parts<'_>> {
        let level = usize::from(shape.level);
        match shape.model {
            ModelId::Grown(model) => {
                let Shape { seed, level, .. } = shape;
                Some(Parts::Grown { model, seed, level })
            }
            ModelId::Own(number) => Some(Parts::Own(self.of(number)?.levels.get(level)?)),
        }
    }

    fn of(&self, number: u32) -> Option<&OwnModel> {
        self.own.values().find(|model| model.number == number)
    }
}

/// Parts of 1 / 16, 1 / 32 and 1 / 16, so that the model's own colour is exact.
fn colour([red, green, blue]: [f32; 3]) -> u16 {
    let part = |x: f32, one: f32, max: u16| ((x * one + 0.5) as u16).min(max);
    part(red, 16.0, 31) << 11 | part(green, 32.0, 63) << 5 | part(blue, 16.0, 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_models_are_exact_and_limits_fit() {
        let read = |packed: u16| {
            let [red, green, blue] = [packed >> 11, packed >> 5 & 63, packed & 31].map(f32::from);
            [red / 16.0, green / 32.0, blue / 16.0]
        };
        assert_eq!(read(colour([1.0; 3])), [1.0; 3]);
        assert_eq!(read(colour([0.0, 1.9, 9.0])), [0.0, 61.0 / 32.0, 31.0 / 16.0]);
        for i in 0..190 {
            let x = i as f32 * 0.01;
            let read = read(colour([x, 1.9 - x, 0.5 * x]));
            let errors = [read[0] - x, read[1] - 1.9 + x, read[2] - 0.5 * x];
            assert!(errors[0].abs() < 0.032 && errors[1].abs() < 0.016 && errors[2].abs() < 0.032);
        }
    }

    #[test]
    fn every_kind_has_shapes_at_all_levels() {
        let library = Library::default();
        for model in Model::GROWN {
            let kind = ScatterKind { model: model.clone(), ..ScatterKind::default() };
            assert!(library.class_of(&kind).is_some());
            for tint in [0.0, 0.3, 0.6, 0.9] {
                let variant = library.variant(&kind, tint).expect("it is grown");
                for level in 0..5 {
                    let (shape, larger) = library.shape(variant, level).expect("it is grown");
                    assert!((0.5..2.0).contains(&larger), "{shape:?}");
                    assert!(matches!(library.parts(shape), Some(Parts::Grown { .. })));
                }
            }
        }
    }

    #[test]
    fn a_replaced_model_is_another_one() {
        let own = |number, height| OwnModel {
            number,
            class: Class::Shrub,
            height,
            radius: 1.0,
            larger: 2.0,
            levels: vec![Vec::new(); 2],
        };
        let kind = ScatterKind { model: Model::Custom("fig".into()), ..ScatterKind::default() };
        let mut library = Library::default();
        assert_eq!((library.class_of(&kind), library.variant(&kind, 0.5)), (None, None));
        library.insert("fig".into(), own(0, 3.0));
        let first = library.variant(&kind, 0.5).unwrap();
        assert_eq!(library.size(first), [3.0, 1.0]);
        assert_eq!(library.shape(first, 3), library.shape(first, 1));
        let copy = library.clone();
        library.insert("fig".into(), own(1, 4.0));
        let second = library.variant(&kind, 0.5).unwrap();
        assert_ne!(first, second);
        assert_eq!((library.size(second), copy.size(first)), ([4.0, 1.0], [3.0, 1.0]));
        assert!(library.shape(first, 0).is_none(), "those of the old one are not drawn");
        library.remove("fig");
        assert!(library.variant(&kind, 0.5).is_none() && library.version == 3);
    }
}
