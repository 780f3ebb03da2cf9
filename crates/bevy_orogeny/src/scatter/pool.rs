//! What tiles share on the GPU: meshes of copies, and pages of records.

use std::sync::Arc;

use bevy_asset::{Assets, Handle, RenderAssetUsages};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_mesh::Mesh;
use bevy_platform::collections::HashMap;
use bevy_render::renderer::RenderDevice;
use bevy_render::storage::ShaderBuffer;

use super::copies::{Copies, CopiesMesh};
use super::ranges::Ranges;
use super::record::{BYTES, Record};
use crate::render::foliage::{Foliage, PlantMaterial};

/// The records of a page: 4 MB. All of a batch are on one page.
const PAGE: u32 = 1 << 18;

/// A batch of instances: a child of its tile.
#[derive(Component, Clone, Copy, Debug)]
#[component(immutable)]
pub(crate) struct ScatterBatch {
    page: usize,
    copies: Copies,
    /// The index of its first record.
    pub start: u32,
    count: u32,
}

/// The meshes and the pages of all terrains.
#[derive(Resource, Default)]
pub(crate) struct Pool {
    /// Shared with tasks, which build those that are missing.
    meshes: Arc<HashMap<Copies, Handle<Mesh>>>,
    uses: Uses,
    pages: Vec<Page>,
    /// What is to be written into pages.
    pub writes: Vec<Write>,
    /// The bytes of meshes and pages.
    pub bytes: usize,
}

/// Bytes of meshes that no batch uses, up to which they are kept for other tiles.
const SPARE: usize = 32 << 20;

/// Who uses the meshes.
#[derive(Default)]
struct Uses {
    meshes: HashMap<Copies, Use>,
    /// The bytes of those that no batch uses.
    spare: usize,
    /// Counts batches that were removed.
    time: u64,
}

struct Use {
    batches: u32,
    bytes: usize,
    /// When the last batch was removed.
    left: u64,
}

impl Uses {
    fn add(&mut self, copies: Copies, bytes: usize) {
        self.meshes.insert(copies, Use { batches: 0, bytes, left: self.time });
        self.spare += bytes;
    }

    fn take(&mut self, copies: Copies) {
        let Some(used) = self.meshes.get_mut(&copies) else { return };
        if used.batches == 0 {
            self.spare -= used.bytes;
        }
        used.batches += 1;
    }

    fn give_back(&mut self, copies: Copies) {
        self.time += 1;
        let Some(used) = self.meshes.get_mut(&copies) else { return };
        (used.batches, used.left) = (used.batches.saturating_sub(1), self.time);
        if used.batches == 0 {
            self.spare += used.bytes;
        }
    }

    /// Takes the mesh that no batch has used for the longest time, if too many bytes are spare.
    fn pop(&mut self) -> Option<(Copies, usize)> {
        if self.spare <= SPARE {
            return None;
        }
        let spare = self.meshes.iter().filter(|(_, used)| used.batches == 0);
        let (&copies, _) = spare.min_by_key(|(_, used)| used.left)?;
        let Use { bytes, .. } = self.meshes.remove(&copies)?;
        self.spare -= bytes;
        Some((copies, bytes))
    }
}

/// A buffer of records, and the material that reads it.
struct Page {
    ranges: Ranges,
    buffer: Handle<ShaderBuffer>,
    material: Handle<PlantMaterial>,
}

/// Records for a place in a buffer.
pub(crate) struct Write {
    pub buffer: Handle<ShaderBuffer>,
    pub start: u32,
    pub records: Vec<Record>,
}

impl Write {
    /// Where it begins in the buffer, in bytes.
    pub fn offset(&self) -> u64 {
        u64::from(self.start) * BYTES as u64
    }
}

/// Adds to the pool.
#[derive(SystemParam)]
pub(crate) struct PoolWriter<'w> {
    pool: ResMut<'w, Pool>,
    meshes: ResMut<'w, Assets<Mesh>>,
    buffers: ResMut<'w, Assets<ShaderBuffer>>,
    materials: ResMut<'w, Assets<PlantMaterial>>,
    device: Option<Res<'w, RenderDevice>>,
}

/// What a batch is drawn with.
pub(crate) struct Drawn {
    pub batch: ScatterBatch,
    pub mesh: Handle<Mesh>,
    pub material: Handle<PlantMaterial>,
}

impl Pool {
    /// The meshes that need not be built any more.
    pub fn meshes(&self) -> Arc<HashMap<Copies, Handle<Mesh>>> {
        Arc::clone(&self.meshes)
    }
}

impl PoolWriter<'_> {
    /// Keeps a mesh that a task has built.
    pub fn add_mesh(&mut self, copies: Copies, CopiesMesh { mesh, bytes }: CopiesMesh) {
        let pool = &mut *self.pool;
        // Another task may have been faster.
        if !pool.meshes.contains_key(&copies) {
            pool.bytes += bytes;
            pool.uses.add(copies, bytes);
            Arc::make_mut(&mut pool.meshes).insert(copies, self.meshes.add(mesh));
        }
    }

    /// Makes room for the records of a batch, and draws them with a mesh.
    pub fn add_batch(&mut self, copies: Copies, mut records: Vec<Record>) -> Drawn {
        // The task may have known one that was dropped meanwhile.
        if !self.pool.meshes.contains_key(&copies) {
            self.add_mesh(copies, copies.mesh());
        }
        let count = u32::from(copies.count);
        // Copies that no instance needs are not drawn.
        records.resize(usize::from(copies.count), Record::default());
        let found = (self.pool.pages.iter_mut().enumerate())
            .find_map(|(index, page)| Some((index, page.ranges.take(count)?)));
        let (page, start) = found.unwrap_or_else(|| {
            self.add_page();
            let page = self.pool.pages.len() - 1;
            let start = self.pool.pages[page].ranges.take(count);
            (page, start.expect("a batch has less than a page"))
        });
        let pool = &mut *self.pool;
        let Page { buffer, material, .. } = &pool.pages[page];
        let (buffer, material) = (buffer.clone(), material.clone());
        // Nobody takes them without a device.
        if self.device.is_some() {
            pool.writes.push(Write { buffer, start, records });
        }
        pool.uses.take(copies);
        let batch = ScatterBatch { page, copies, start, count };
        Drawn { batch, mesh: pool.meshes[&copies].clone(), material }
    }

    fn add_page(&mut self) {
        let size = PAGE as usize * BYTES;
        let records = ShaderBuffer::with_size(size, RenderAssetUsages::RENDER_WORLD);
        let buffer = self.buffers.add(records);
        // All pages have the same wind.
        let first = self.pool.pages.first().and_then(|page| self.materials.get(&page.material));
        let mut material = first.cloned().unwrap_or_else(Foliage::material);
        material.extension.records = buffer.clone();
        let material = self.materials.add(material);
        self.pool.pages.push(Page { ranges: Ranges::new(PAGE), buffer, material });
        self.pool.bytes += size;
    }
}

/// Frees the records of a batch that is no more, and its mesh if too many are unused.
pub(crate) fn on_batch_removed(
    event: On<Remove, ScatterBatch>,
    batches: Query<&ScatterBatch>,
    mut pool: ResMut<Pool>,
) {
    let Ok(&ScatterBatch { page, copies, start, count }) = batches.get(event.entity) else {
        return;
    };
    let pool = &mut *pool;
    if let Some(page) = pool.pages.get_mut(page) {
        page.ranges.give_back(start..start + count);
    }
    pool.uses.give_back(copies);
    while let Some((copies, bytes)) = pool.uses.pop() {
        Arc::make_mut(&mut pool.meshes).remove(&copies);
        pool.bytes -= bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scatter::models::shape;

    /// A flight over all kinds of plants leaves no more than the spare bytes behind.
    #[test]
    fn unused_meshes_are_dropped_the_oldest_first() {
        let (shape, _) = shape(&orogeny::scatter::Model::Spruce, 0.3, 3).unwrap();
        let copies = |count| Copies { shape, count };
        let mut uses = Uses::default();
        let bytes = SPARE / 4;
        for count in 1..=6 {
            uses.add(copies(count), bytes);
            (0..2).for_each(|_| uses.take(copies(count)));
        }
        assert_eq!((uses.spare, uses.pop()), (0, None));
        for count in [3, 1, 2, 4, 5] {
            (0..2).for_each(|_| uses.give_back(copies(count)));
        }
        assert_eq!(uses.pop(), Some((copies(3), bytes)));
        assert_eq!((uses.spare, uses.pop()), (SPARE, None));
        // Used again, and no longer the oldest.
        uses.take(copies(1));
        assert_eq!(uses.spare, SPARE - bytes);
        uses.give_back(copies(1));
        (0..2).for_each(|_| uses.give_back(copies(6)));
        assert_eq!(uses.pop(), Some((copies(2), bytes)));
        assert_eq!(uses.pop(), None);
    }
}
