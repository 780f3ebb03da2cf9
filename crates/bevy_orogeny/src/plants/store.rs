//! What is drawn of all terrains: tiles of records, the variants of their instances, the shapes of
//! these, and the entities that draw shapes. The renderer has a copy of it.
//!
//! There is one entity for each part of a shape, whatever stands where. To Bevy, each is a mesh
//! that is always in view. How many instances of it are drawn is decided on the device, see `gpu`.

use bevy_asset::{AssetId, Assets, Handle};
use bevy_camera::visibility::{NoFrustumCulling, Visibility};
use bevy_ecs::prelude::*;
use bevy_mesh::{Mesh, Mesh3d};
use bevy_pbr::MeshMaterial3d;
use bevy_platform::collections::HashMap;
use bevy_render::batching::NoAutomaticBatching;
use bevy_transform::components::Transform;
use offset_allocator::{Allocation, Allocator};
use slab::Slab;

use super::grown::{self, Part};
use super::library::{Library, Parts, Shape, Variant};
use super::material::{PlantMaterial, PlantMaterials};
use super::packed::{BYTES, Record, model, with_model};
use super::textures::Baking;
use super::tiers::{Class, LEVELS};
use crate::base::derived::derived;
use crate::base::drawn_for::{DrawnFor, NeverCasts};
use crate::terrain::Terrain;

/// The records that there is room for at first: 1 MB.
const FIRST: u32 = 1 << 16;
/// The most records: 128 MB, which is as much as a buffer may have on most devices.
const MOST: u32 = 1 << 23;
/// The most ranges of records, free ones included.
const MOST_RANGES: u32 = 1 << 16;

/// The number of a tile in [`Plants`]: on its entity.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(immutable)]
pub struct TileNumber(pub usize);

/// The number of a draw in [`Plants`]: on an entity that draws a part of a shape.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(immutable)]
pub struct DrawNumber(pub usize);

/// A tile: where its records are.
#[derive(Clone)]
pub struct TileRow {
    /// Where its records are in the buffer, and how many.
    range: Allocation,
    pub count: u32,
    pub class: Class,
    /// How far instances reach out of its box, in metres.
    pub reach: f32,
    /// Tells it from others of the same number.
    pub born: u64,
    /// The numbers of the variants in its records.
    variants: Vec<u16>,
}

/// A variant on a terrain.
#[derive(Clone, Copy, Debug)]
pub struct VariantRow {
    pub variant: Variant,
    pub class: Class,
    /// The number of the shape at each level, and by how much the variant is larger than it.
    pub shapes: [(usize, f32); LEVELS],
    /// Its height and its radius in metres.
    pub size: [f32; 2],
    terrain: Entity,
    tiles: u32,
}

/// A shape on a terrain.
#[derive(Clone, Debug)]
struct ShapeRow {
    terrain: Entity,
    shape: Shape,
    casts: bool,
    /// What draws its parts.
    entities: Vec<Option<Entity>>,
}

/// A part of a shape, drawn by an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRow {
    pub entity: Entity,
    /// The number of the shape, and which part it is.
    pub shape: usize,
    pub part: usize,
    pub mesh: AssetId<Mesh>,
}

/// An entity to be spawned.
pub struct Wanted {
    pub terrain: Entity,
    pub shape: usize,
    pub part: usize,
    pub mesh: Handle<Mesh>,
    pub material: Handle<PlantMaterial>,
    pub casts: bool,
}

/// Records for a place in the buffer.
pub struct Write {
    pub start: u32,
    pub records: Vec<Record>,
}

/// Where records are in their buffer, which grows.
struct Space {
    allocator: Allocator,
    /// The size of the buffer so far, in records.
    capacity: u32,
}

impl Default for Space {
    fn default() -> Self {
        Self { allocator: Allocator::with_max_allocs(MOST, MOST_RANGES), capacity: 0 }
    }
}

impl Space {
    /// A range for so many records. `None` if there is none.
    fn take(&mut self, count: u32) -> Option<Allocation> {
        let range = self.allocator.allocate(count)?;
        while self.capacity < range.offset + count {
            self.capacity = (2 * self.capacity).clamp(FIRST, MOST);
        }
        Some(range)
    }
}

/// All numbers of a slab are below this.
pub fn end<T>(slab: &Slab<T>) -> usize {
    slab.iter().next_back().map_or(0, |(number, _)| number + 1)
}

/// All of it. Numbers stay the same until what they are of is removed.
#[derive(Resource, Default)]
pub struct Plants {
    space: Space,
    /// What is to be written into the buffer of records.
    pub writes: Vec<Write>,
    pub tiles: Slab<TileRow>,
    pub variants: Slab<VariantRow>,
    known_variants: HashMap<(Entity, Variant, Class), usize>,
    shapes: Slab<ShapeRow>,
    /// All numbers of shapes are below this, those of removed ones, too: draws may still have them.
    pub shape_count: usize,
    known_shapes: HashMap<(Entity, Shape), usize>,
    pub draws: Slab<DrawRow>,
    /// Those of grown models.
    meshes: HashMap<Shape, Vec<(Part, Handle<Mesh>)>>,
    /// Entities that draw nothing any more.
    pub unused: Vec<Entity>,
    /// Whether some shapes have no entities.
    lacks_entities: bool,
    /// The bytes of meshes.
    mesh_bytes: usize,
    /// Counts changes.
    pub version: u64,
}

impl TileRow {
    /// The number of its first record.
    pub fn first(&self) -> u32 {
        self.range.offset
    }
}

impl Plants {
    /// The number of records that there is room for.
    pub fn capacity(&self) -> u32 {
        self.space.capacity
    }

    /// The bytes on the device.
    pub fn bytes(&self) -> usize {
        self.capacity() as usize * BYTES + self.mesh_bytes
    }

    /// Adds a tile of a terrain, whose records have indices of variants. `None` if there is no
    /// room.
    pub fn add(
        &mut self,
        terrain: Entity,
        class: Class,
        reach: f32,
        mut records: Vec<Record>,
        variants: &[Variant],
        library: &Library,
    ) -> Option<TileNumber> {
        let count = u32::try_from(records.len()).ok()?;
        let range = self.space.take(count)?;
        self.version += 1;
        let variants: Vec<u16> = variants
            .iter()
            .map(|&variant| self.use_variant(terrain, variant, class, library))
            .collect();
        for record in &mut records {
            *record = with_model(*record, variants[usize::from(model(*record))]);
        }
        self.writes.push(Write { start: range.offset, records });
        let born = self.version;
        Some(TileNumber(self.tiles.insert(TileRow { range, count, class, reach, born, variants })))
    }

    /// Removes a tile.
    pub fn remove(&mut self, TileNumber(tile): TileNumber) {
        let Some(TileRow { range, variants, .. }) = self.tiles.try_remove(tile) else { return };
        self.version += 1;
        // Nobody takes them without a device.
        self.writes.retain(|write| write.start != range.offset);
        self.space.allocator.free(range);
        for variant in variants.into_iter().map(usize::from) {
            let Some(row) = self.variants.get_mut(variant) else { continue };
            row.tiles -= 1;
            if row.tiles == 0 {
                let key = (row.terrain, row.variant, row.class);
                // Another terrain of the same entity may have it by now.
                if self.known_variants.get(&key) == Some(&variant) {
                    self.known_variants.remove(&key);
                }
                let shapes = row.shapes;
                self.variants.remove(variant);
                if key.1.is_own() {
                    // Levels of size 0 have no shape of their own.
                    let own = shapes.into_iter().filter(|(_, larger)| *larger > 0.0);
                    own.for_each(|(shape, _)| self.remove_unused(shape));
                }
            }
        }
    }

    /// Removes a shape of a game's own that no variant has any more: another model may have
    /// replaced it.
    fn remove_unused(&mut self, shape: usize) {
        let has = |row: &VariantRow| row.shapes.iter().any(|(number, _)| *number == shape);
        if self.variants.iter().any(|(_, row)| has(row)) {
            return;
        }
        if let Some(row) = self.shapes.try_remove(shape) {
            self.known_shapes.remove(&(row.terrain, row.shape));
            self.unused.extend(row.entities.into_iter().flatten());
        }
    }

    /// The number of a variant for one more tile.
    fn use_variant(
        &mut self,
        terrain: Entity,
        variant: Variant,
        class: Class,
        library: &Library,
    ) -> u16 {
        if let Some(&number) = self.known_variants.get(&(terrain, variant, class))
            && let Some(row) = self.variants.get_mut(number)
        {
            row.tiles += 1;
            return number as u16;
        }
        let casts =
            |level| class.tiers().any(|tier| tier.has_shadows && tier.shadow_level() == level);
        let shapes = core::array::from_fn(|level| match library.shape(variant, level) {
            Some((shape, larger)) => (self.shape(terrain, shape, casts(level)), larger),
            // It was removed while the tile was built. Of size 0, it is not drawn.
            None => (0, 0.0),
        });
        let size = library.size(variant);
        let number =
            self.variants.insert(VariantRow { variant, class, shapes, size, terrain, tiles: 1 });
        self.known_variants.insert((terrain, variant, class), number);
        // Tiles with more variants would need gigabytes of records.
        number as u16
    }

    /// The number of a shape on a terrain.
    fn shape(&mut self, terrain: Entity, shape: Shape, casts: bool) -> usize {
        if let Some(&number) = self.known_shapes.get(&(terrain, shape)) {
            // Models of few levels have one for several.
            if let Some(row) = self.shapes.get_mut(number) {
                row.casts |= casts;
            }
            return number;
        }
        let row = ShapeRow { terrain, shape, casts, entities: Vec::new() };
        let number = self.shapes.insert(row);
        self.shape_count = self.shape_count.max(number + 1);
        self.known_shapes.insert((terrain, shape), number);
        self.lacks_entities = true;
        number
    }

    /// What is to be spawned: the parts of shapes without entities. Their textures are baked from
    /// now on.
    pub fn wanted(
        &mut self,
        library: &Library,
        meshes: &mut Assets<Mesh>,
        materials: &PlantMaterials,
        baking: &mut Baking,
    ) -> Vec<Wanted> {
        if !core::mem::take(&mut self.lacks_entities) {
            return Vec::new();
        }
        let mut all = Vec::new();
        for (number, row) in self.shapes.iter() {
            let drawn: Vec<(Handle<Mesh>, Handle<PlantMaterial>)> = match library.parts(row.shape) {
                None => continue,
                Some(Parts::Own(parts)) => {
                    parts.iter().map(|part| (part.mesh.clone(), part.material.clone())).collect()
                }
                Some(Parts::Grown { model, seed, level }) => {
                    let bytes = &mut self.mesh_bytes;
                    let add = |(part, mesh): (Part, Mesh)| {
                        *bytes += mesh.get_vertex_buffer_size();
                        *bytes += mesh.get_index_buffer_bytes().map_or(0, <[u8]>::len);
                        (part, meshes.add(mesh))
                    };
                    let known = self.meshes.entry(row.shape).or_insert_with(|| {
                        grown::meshes(model, seed, level).into_iter().map(add).collect()
                    });
                    let drawn = |(part, mesh): &(Part, Handle<Mesh>)| {
                        baking.start(part.textures());
                        (mesh.clone(), materials.of(*part))
                    };
                    known.iter().map(drawn).collect()
                }
            };
            for (part, (mesh, material)) in drawn.into_iter().enumerate() {
                if row.entities.get(part).is_none_or(Option::is_none) {
                    let ShapeRow { terrain, casts, .. } = *row;
                    all.push(Wanted { terrain, shape: number, part, mesh, material, casts });
                }
            }
        }
        all
    }

    /// Keeps the entity that draws a part of a shape.
    pub fn add_draw(&mut self, draw: DrawRow) -> DrawNumber {
        self.version += 1;
        if let Some(row) = self.shapes.get_mut(draw.shape) {
            row.entities.resize(row.entities.len().max(draw.part + 1), None);
            row.entities[draw.part] = Some(draw.entity);
        }
        DrawNumber(self.draws.insert(draw))
    }

    /// Forgets an entity that draws a part of a shape. It is spawned again if it is still wanted.
    pub fn remove_draw(&mut self, DrawNumber(draw): DrawNumber) {
        let Some(DrawRow { entity, shape, part, .. }) = self.draws.try_remove(draw) else { return };
        self.version += 1;
        // The number may be that of another shape by now.
        let row = self.shapes.get_mut(shape).and_then(|row| row.entities.get_mut(part));
        if let Some(known) = row.filter(|known| **known == Some(entity)) {
            *known = None;
            self.lacks_entities = true;
        }
    }

    /// Forgets the shapes of a terrain that is no more.
    pub fn forget(&mut self, terrain: Entity) {
        self.known_shapes.retain(|(owner, _), number| {
            let stays = *owner != terrain;
            if !stays {
                self.shapes.try_remove(*number);
            }
            stays
        });
        // Their tiles go, too. Others that come must not find them.
        self.known_variants.retain(|(owner, ..), _| *owner != terrain);
        self.version += 1;
    }

    /// The numbers of the shapes of a tile.
    #[cfg(test)]
    pub fn shapes_of(&self, tile: usize) -> Vec<usize> {
        let variants = &self.tiles.get(tile).expect("there is such a tile").variants;
        let rows =
            variants.iter().map(|&variant| self.variants.get(variant.into()).expect("it is kept"));
        rows.flat_map(|row| row.shapes.map(|(shape, _)| shape)).collect()
    }
}

/// Spawns what draws new shapes.
pub(crate) fn spawn(
    mut commands: Commands,
    mut plants: ResMut<Plants>,
    mut meshes: ResMut<Assets<Mesh>>,
    (library, materials): (Res<Library>, Res<PlantMaterials>),
    mut baking: ResMut<Baking>,
    terrains: Query<(), With<Terrain>>,
) {
    for unused in plants.unused.drain(..) {
        commands.entity(unused).try_despawn();
    }
    for wanted in plants.wanted(&library, &mut meshes, &materials, &mut baking) {
        let Wanted { terrain, shape, part, mesh, material, casts } = wanted;
        if !terrains.contains(terrain) {
            continue;
        }
        let id = mesh.id();
        let drawn = (Mesh3d(mesh), MeshMaterial3d(material), NoAutomaticBatching);
        let always = (Transform::IDENTITY, Visibility::Inherited, NoFrustumCulling);
        let owner = (DrawnFor(terrain), ChildOf(terrain));
        let entity = commands.spawn_empty().id();
        let number = plants.add_draw(DrawRow { entity, shape, part, mesh: id });
        let mut entity = commands.entity(entity);
        entity.insert((drawn, always, owner, number, derived("Shape of plants")));
        // Shadows of far plants would not be seen.
        if !casts {
            entity.insert(NeverCasts);
        }
    }
}

/// Despawns what has lost its terrain.
pub(super) fn despawn_orphans(
    mut commands: Commands,
    orphans: Query<Entity, (With<DrawNumber>, Without<ChildOf>)>,
) {
    orphans.iter().for_each(|entity| commands.entity(entity).try_despawn());
}

pub(super) fn on_tile_removed(
    event: On<Remove, TileNumber>,
    tiles: Query<&TileNumber>,
    mut plants: ResMut<Plants>,
) {
    if let Ok(&tile) = tiles.get(event.entity) {
        plants.remove(tile);
    }
}

pub(super) fn on_draw_removed(
    event: On<Remove, DrawNumber>,
    draws: Query<&DrawNumber>,
    mut plants: ResMut<Plants>,
) {
    if let Ok(&draw) = draws.get(event.entity) {
        plants.remove_draw(draw);
    }
}

#[cfg(test)]
mod tests {
    use core::ops::Range;

    use proptest::prelude::*;

    use orogeny::scatter::{Model, ScatterKind};

    use super::*;

    /// Saplings have the models of trees, but are drawn as far as bushes; trees stay trees.
    #[test]
    fn a_model_in_two_classes_is_two_variants() {
        let (library, mut plants) = (Library::default(), Plants::default());
        let spruce = ScatterKind { model: Model::Spruce, ..ScatterKind::default() };
        let variant = library.variant(&spruce, 0.0).unwrap();
        let terrain = Entity::from_raw_u32(1).unwrap();
        let classes = [Class::Shrub, Class::Large, Class::Shrub];
        let tiles = classes.map(|class| {
            let records = vec![[0; 4]];
            plants.add(terrain, class, 1.0, records, &[variant], &library).unwrap()
        });
        let class_of = |plants: &Plants, TileNumber(tile)| {
            plants.variants[usize::from(plants.tiles[tile].variants[0])].class
        };
        assert_eq!(tiles.map(|tile| class_of(&plants, tile)), classes);
        plants.remove(tiles[0]);
        assert_eq!([1, 2].map(|k| class_of(&plants, tiles[k])), [Class::Large, Class::Shrub]);
        tiles.into_iter().for_each(|tile| plants.remove(tile));
        assert!(plants.variants.is_empty() && plants.known_variants.is_empty());
    }

    /// Ranges are apart, and their buffer grows with them up to its limit.
    #[test]
    fn the_buffer_grows_as_far_as_it_must() {
        let mut space = Space::default();
        let all: Vec<u32> = (0..3).map(|_| space.take(FIRST).unwrap().offset).collect();
        assert_eq!((all, space.capacity), (vec![0, FIRST, 2 * FIRST], 4 * FIRST));
        assert!(space.take(MOST - 3 * FIRST + 1).is_none());
        let rest = space.take(MOST / 2).unwrap();
        assert_eq!((rest.offset, space.capacity), (3 * FIRST, MOST));
        space.allocator.free(rest);
        assert_eq!(space.take(FIRST).map(|range| range.offset), Some(3 * FIRST));
    }

    proptest! {
        /// Ranges never overlap, the buffer has them all, and all of it is free again after them.
        #[test]
        fn ranges_are_apart_and_come_back(
            steps in prop::collection::vec((1..2 * FIRST, any::<bool>(), 0usize..64), 1..100),
        ) {
            let mut space = Space::default();
            let mut taken: Vec<(Range<u32>, Allocation)> = Vec::new();
            for (count, takes, which) in steps {
                if takes {
                    let Some(place) = space.take(count) else { continue };
                    let range = place.offset..place.offset + count;
                    prop_assert!(range.end <= space.capacity && space.capacity <= MOST);
                    let is_apart = |(other, _): &(Range<u32>, _)| {
                        other.end <= range.start || other.start >= range.end
                    };
                    prop_assert!(taken.iter().all(is_apart));
                    taken.push((range, place));
                } else if !taken.is_empty() {
                    space.allocator.free(taken.swap_remove(which % taken.len()).1);
                }
            }
            taken.into_iter().for_each(|(_, place)| space.allocator.free(place));
            prop_assert_eq!(space.take(MOST).map(|place| place.offset), Some(0));
        }
    }
}
