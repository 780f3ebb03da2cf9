//! What is drawn of all terrains: tiles of records, the looks of their instances, and the shapes of
//! these. The renderer has a copy of it.

use bevy_asset::{AssetId, Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_mesh::Mesh;
use bevy_platform::collections::HashMap;
use slots::Slots;

use super::baking::Baking;
use super::grown;
use super::library::{Library, Look, Parts, Shape};
use super::material::{PlantMaterial, PlantMaterials};
use super::part::Part;
use super::record::{BYTES, Record, model, with_model};
use super::room::Room;
use super::slots;
use super::tiers::{Class, LEVELS};

/// The records that there is room for at first: 1 MB.
const FIRST: u32 = 1 << 16;
/// The most records: 128 MB, which is as much as a buffer may have on most devices.
const MOST: u32 = 1 << 23;

/// The number of a tile in [`Plants`]: on its entity.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(immutable)]
pub struct TileNumber(pub u32);

/// The number of a draw in [`Plants`]: on an entity that draws a part of a shape.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(immutable)]
pub struct DrawNumber(pub u32);

/// A tile: where its records are.
#[derive(Clone, Debug)]
pub struct TileRow {
    pub first: u32,
    pub count: u32,
    pub class: Class,
    /// How far instances reach out of its box, in metres.
    pub reach: f32,
    /// Tells it from others of the same number.
    pub born: u64,
    /// The numbers of the looks in its records.
    looks: Vec<u16>,
}

/// A look on a terrain.
#[derive(Clone, Copy, Debug)]
pub struct LookRow {
    pub look: Look,
    pub class: Class,
    /// The number of the shape at each level, and by how much the look is larger than it.
    pub shapes: [(u32, f32); LEVELS],
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
    pub shape: u32,
    pub part: usize,
    pub mesh: AssetId<Mesh>,
}

/// An entity to be spawned.
pub struct Wanted {
    pub terrain: Entity,
    pub shape: u32,
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

/// All of it. Numbers stay the same until what they are of is removed.
#[derive(Resource, Default)]
pub struct Plants {
    room: Room,
    /// What is to be written into the buffer of records.
    pub writes: Vec<Write>,
    pub tiles: Slots<TileRow>,
    pub looks: Slots<LookRow>,
    known_looks: HashMap<(Entity, Look), u32>,
    shapes: Slots<ShapeRow>,
    known_shapes: HashMap<(Entity, Shape), u32>,
    pub draws: Slots<DrawRow>,
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

impl Plants {
    /// The number of records that there is room for.
    pub fn capacity(&self) -> u32 {
        self.room.size()
    }

    /// The number of shapes, unused ones included.
    pub fn shape_count(&self) -> usize {
        self.shapes.len()
    }

    /// The bytes on the device.
    pub fn bytes(&self) -> usize {
        self.capacity() as usize * BYTES + self.mesh_bytes
    }

    /// Adds a tile of a terrain, whose records have indices of looks. `None` if there is no room.
    pub fn add(
        &mut self,
        terrain: Entity,
        class: Class,
        reach: f32,
        mut records: Vec<Record>,
        looks: &[Look],
        library: &Library,
    ) -> Option<TileNumber> {
        let count = u32::try_from(records.len()).ok()?;
        let first = self.take(count)?;
        self.version += 1;
        let looks: Vec<u16> =
            looks.iter().map(|&look| self.use_look(terrain, look, class, library)).collect();
        for record in &mut records {
            *record = with_model(*record, looks[usize::from(model(*record))]);
        }
        self.writes.push(Write { start: first, records });
        let born = self.version;
        Some(TileNumber(self.tiles.add(TileRow { first, count, class, reach, born, looks })))
    }

    /// Removes a tile.
    pub fn remove(&mut self, TileNumber(tile): TileNumber) {
        let Some(TileRow { first, count, looks, .. }) = self.tiles.remove(tile) else { return };
        self.version += 1;
        // Nobody takes them without a device.
        self.writes.retain(|write| write.start != first);
        self.room.give_back(first..first + count);
        for look in looks.into_iter().map(u32::from) {
            let Some(row) = self.looks.get_mut(look) else { continue };
            row.tiles -= 1;
            if row.tiles == 0 {
                let key = (row.terrain, row.look);
                // Another terrain of the same entity may have it by now.
                if self.known_looks.get(&key) == Some(&look) {
                    self.known_looks.remove(&key);
                }
                let shapes = row.shapes;
                self.looks.remove(look);
                if key.1.is_own() {
                    // Levels of size 0 have no shape of their own.
                    let own = shapes.into_iter().filter(|(_, larger)| *larger > 0.0);
                    own.for_each(|(shape, _)| self.remove_unused(shape));
                }
            }
        }
    }

    /// Removes a shape of a game's own that no look has any more: another model may have replaced
    /// it.
    fn remove_unused(&mut self, shape: u32) {
        let has = |row: &LookRow| row.shapes.iter().any(|(number, _)| *number == shape);
        if self.looks.values().any(has) {
            return;
        }
        if let Some(row) = self.shapes.remove(shape) {
            self.known_shapes.remove(&(row.terrain, row.shape));
            self.unused.extend(row.entities.into_iter().flatten());
        }
    }

    /// Room for so many records.
    fn take(&mut self, count: u32) -> Option<u32> {
        loop {
            if let Some(first) = self.room.take(count) {
                return Some(first);
            }
            let size = self.room.size();
            if size >= MOST {
                return None;
            }
            self.room.grow((2 * size).clamp(FIRST, MOST));
        }
    }

    /// The number of a look for one more tile.
    fn use_look(&mut self, terrain: Entity, look: Look, class: Class, library: &Library) -> u16 {
        if let Some(&number) = self.known_looks.get(&(terrain, look))
            && let Some(row) = self.looks.get_mut(number)
        {
            row.tiles += 1;
            return number as u16;
        }
        let casts =
            |level| class.tiers().any(|tier| tier.has_shadows && tier.shadow_level() == level);
        let shapes = core::array::from_fn(|level| match library.shape(look, level) {
            Some((shape, larger)) => (self.shape(terrain, shape, casts(level)), larger),
            // It was removed while the tile was built. Of size 0, it is not drawn.
            None => (0, 0.0),
        });
        let size = library.size(look);
        let number = self.looks.add(LookRow { look, class, shapes, size, terrain, tiles: 1 });
        self.known_looks.insert((terrain, look), number);
        // Tiles with more looks would need gigabytes of records.
        number as u16
    }

    /// The number of a shape on a terrain.
    fn shape(&mut self, terrain: Entity, shape: Shape, casts: bool) -> u32 {
        if let Some(&number) = self.known_shapes.get(&(terrain, shape)) {
            // Models of few levels have one for several.
            if let Some(row) = self.shapes.get_mut(number) {
                row.casts |= casts;
            }
            return number;
        }
        let row = ShapeRow { terrain, shape, casts, entities: Vec::new() };
        let number = self.shapes.add(row);
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
                Some(Parts::Grown([model, variant, level])) => {
                    let bytes = &mut self.mesh_bytes;
                    let add = |(part, mesh): (Part, Mesh)| {
                        *bytes += mesh.get_vertex_buffer_size();
                        *bytes += mesh.get_index_buffer_bytes().map_or(0, <[u8]>::len);
                        (part, meshes.add(mesh))
                    };
                    let known = self.meshes.entry(row.shape).or_insert_with(|| {
                        grown::meshes(model, variant, level).into_iter().map(add).collect()
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
        DrawNumber(self.draws.add(draw))
    }

    /// Forgets an entity that draws a part of a shape. It is spawned again if it is still wanted.
    pub fn remove_draw(&mut self, DrawNumber(draw): DrawNumber) {
        let Some(DrawRow { entity, shape, part, .. }) = self.draws.remove(draw) else { return };
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
                self.shapes.remove(*number);
            }
            stays
        });
        // Their tiles go, too. Others that come must not find them.
        self.known_looks.retain(|(owner, _), _| *owner != terrain);
        self.version += 1;
    }

    /// The numbers of the shapes of a tile.
    #[cfg(test)]
    pub fn shapes_of(&self, tile: u32) -> Vec<u32> {
        let looks = &self.tiles.get(tile).expect("there is such a tile").looks;
        let rows = looks.iter().map(|&look| self.looks.get(look.into()).expect("it is kept"));
        rows.flat_map(|row| row.shapes.map(|(shape, _)| shape)).collect()
    }
}
