//! Collects the assets of a model.

use bevy_asset::{AssetId, AssetServer, Assets, Handle, LoadState};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_image::Image;
use bevy_math::Affine3A;
use bevy_mesh::{Mesh, Mesh3d};
use bevy_pbr::{MeshMaterial3d, StandardMaterial};
use bevy_transform::components::Transform;
use bevy_world_serialization::WorldAsset;

use super::plant_model::{PlantModel, PlantPart, PlantSource};

/// The most levels that a game may give.
const MOST_LEVELS: usize = 8;

/// Where assets are.
#[derive(SystemParam)]
pub(in crate::plants) struct Sources<'w> {
    pub scenes: Res<'w, Assets<WorldAsset>>,
    pub meshes: Res<'w, Assets<Mesh>>,
    pub materials: Res<'w, Assets<StandardMaterial>>,
    pub images: Res<'w, Assets<Image>>,
    pub server: Res<'w, AssetServer>,
}

/// The assets of a model.
#[derive(Default)]
pub(super) struct Gathered {
    /// The finest level first.
    pub levels: Vec<Vec<Piece>>,
    /// The materials of pieces, each with the image of its base colour.
    pub materials: Vec<(StandardMaterial, Option<Image>)>,
    known: Vec<AssetId<StandardMaterial>>,
    /// The images that are used, which may change.
    pub images: Vec<AssetId<Image>>,
}

/// A mesh at a place.
pub(super) struct Piece {
    pub mesh: Mesh,
    pub place: Affine3A,
    /// The index of its material.
    pub material: usize,
}

/// Why a model is not there.
pub(super) enum Missing {
    /// Assets are being loaded.
    Loading,
    /// What is wrong.
    Wrong(String),
}

impl Sources<'_> {
    /// The assets of a model.
    pub(super) fn gather(&self, model: &PlantModel) -> Result<Gathered, Missing> {
        model.check().map_err(|error| Missing::Wrong(error.to_string()))?;
        let mut gathered = Gathered::default();
        match &model.source {
            PlantSource::Scene(scene) => {
                let scene = self.find(scene, &self.scenes)?;
                let found = found(&scene.world);
                found.iter().try_for_each(|found| self.look_for(&found.part))?;
                for Found { part, place, level } in found {
                    if level >= MOST_LEVELS {
                        return Err(wrong(format!("has more than {MOST_LEVELS} levels")));
                    }
                    let count = gathered.levels.len().max(level + 1);
                    gathered.levels.resize_with(count, Vec::new);
                    let piece = self.piece(&part, place, &mut gathered)?;
                    gathered.levels[level].push(piece);
                }
                // A file may begin with LOD1.
                gathered.levels.retain(|level| !level.is_empty());
            }
            PlantSource::Levels(levels) => {
                if levels.len() > MOST_LEVELS {
                    return Err(wrong(format!("has more than {MOST_LEVELS} levels")));
                }
                levels.iter().flatten().try_for_each(|part| self.look_for(part))?;
                for parts in levels {
                    let mut pieces = Vec::new();
                    for part in parts {
                        pieces.push(self.piece(part, Affine3A::IDENTITY, &mut gathered)?);
                    }
                    gathered.levels.push(pieces);
                }
            }
        }
        if gathered.levels.first().is_none_or(Vec::is_empty) {
            return Err(wrong("has no meshes".into()));
        }
        Ok(gathered)
    }

    /// Whether all assets of a part are there: they are cloned when all of a model are.
    fn look_for(&self, part: &PlantPart) -> Result<(), Missing> {
        self.find(&part.mesh, &self.meshes)?;
        let material = self.find(&part.material, &self.materials)?;
        match &material.base_color_texture {
            Some(image) => self.find(image, &self.images).map(|_| ()),
            None => Ok(()),
        }
    }

    fn piece(
        &self,
        part: &PlantPart,
        place: Affine3A,
        all: &mut Gathered,
    ) -> Result<Piece, Missing> {
        let mesh = self.find(&part.mesh, &self.meshes)?.clone();
        let id = part.material.id();
        let material = match all.known.iter().position(|known| *known == id) {
            Some(index) => index,
            None => {
                let material = self.find(&part.material, &self.materials)?.clone();
                let image = match &material.base_color_texture {
                    Some(image) => {
                        all.images.push(image.id());
                        Some(self.find(image, &self.images)?.clone())
                    }
                    None => None,
                };
                all.materials.push((material, image));
                all.known.push(id);
                all.known.len() - 1
            }
        };
        Ok(Piece { mesh, place, material })
    }

    /// An asset that is loaded.
    fn find<'a, A: bevy_asset::Asset>(
        &self,
        handle: &Handle<A>,
        assets: &'a Assets<A>,
    ) -> Result<&'a A, Missing> {
        assets.get(handle).ok_or_else(|| match self.server.get_load_state(handle) {
            // What follows may be a backtrace.
            Some(LoadState::Failed(error)) => {
                wrong(error.to_string().lines().next().unwrap_or_default().into())
            }
            _ => Missing::Loading,
        })
    }
}

fn wrong(error: String) -> Missing {
    Missing::Wrong(error)
}

/// A mesh of a scene.
struct Found {
    part: PlantPart,
    place: Affine3A,
    level: usize,
}

/// All meshes of a scene. Those without a material are left out.
fn found(world: &World) -> Vec<Found> {
    type Drawn = (Entity, &'static Mesh3d, &'static MeshMaterial3d<StandardMaterial>);
    let Some(mut query) = world.try_query::<Drawn>() else { return Vec::new() };
    let mut all: Vec<(Entity, Found)> = query
        .iter(world)
        .map(|(entity, mesh, material)| {
            let part = PlantPart { mesh: mesh.0.clone(), material: material.0.clone() };
            let (place, level) = place(world, entity);
            (entity, Found { part, place, level })
        })
        .collect();
    // The same order whatever the archetypes are.
    all.sort_unstable_by_key(|(entity, _)| *entity);
    all.into_iter().map(|(_, found)| found).collect()
}

/// Where an entity of a scene is, and in which level of detail.
fn place(world: &World, entity: Entity) -> (Affine3A, usize) {
    let (mut place, mut level, mut next) = (Affine3A::IDENTITY, None, Some(entity));
    while let Some(entity) = next.and_then(|entity| world.get_entity(entity).ok()) {
        let own = entity.get::<Transform>().copied().unwrap_or_default();
        place = own.compute_affine() * place;
        level = level.or_else(|| level_of(entity.get::<Name>()?.as_str()));
        next = entity.get::<ChildOf>().map(ChildOf::parent);
    }
    (place, level.unwrap_or(0))
}

/// The level in a name such as `oak_LOD2` or `Oak lod 2`.
fn level_of(name: &str) -> Option<usize> {
    let digits = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let word = digits.trim_end_matches([' ', '_', '-', '.']);
    let is_level = word.len() >= 3
        && word.get(word.len() - 3..).is_some_and(|end| end.eq_ignore_ascii_case("lod"));
    name[digits.len()..].parse().ok().filter(|_| is_level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_from_names() {
        let levels = ["oak_LOD0", "Oak lod 2", "LOD3", "oak.lod1", "oak_LOD12"].map(level_of);
        assert_eq!(levels, [Some(0), Some(2), Some(3), Some(1), Some(12)]);
        let none = ["oak", "oak2", "LOD", "é1", "", "lod99999999999999999999999"].map(level_of);
        assert_eq!(none, [None; 6]);
    }

    #[test]
    fn meshes_are_found_with_their_places_and_levels() {
        let mut world = World::new();
        let drawn = || (Mesh3d::default(), MeshMaterial3d::<StandardMaterial>::default());
        let at = |x| Transform::from_xyz(x, 0.0, 0.0);
        let root =
            world.spawn((Transform::from_scale(bevy_math::Vec3::splat(2.0)), Name::new("oak")));
        let root = root.id();
        let fine = world.spawn((at(1.0), Name::new("oak_LOD1"), ChildOf(root))).id();
        world.spawn((drawn(), at(3.0), ChildOf(fine)));
        world.spawn((drawn(), at(5.0), ChildOf(root)));
        world.spawn((Mesh3d::default(), ChildOf(root)));
        let found = found(&world);
        let mut places: Vec<(usize, f32)> =
            found.iter().map(|found| (found.level, found.place.translation.x)).collect();
        places.sort_unstable_by_key(|(level, _)| *level);
        assert_eq!(places, [(0, 10.0), (1, 8.0)]);
        assert!(super::found(&World::new()).is_empty());
    }
}
