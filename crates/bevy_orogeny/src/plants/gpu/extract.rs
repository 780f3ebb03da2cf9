//! Copies what changed of the plants into the renderer.

use bevy_camera::visibility::{InheritedVisibility, RenderLayers};
use bevy_ecs::prelude::*;
use bevy_light::NotShadowReceiver;
use bevy_math::{Vec3, Vec4};
use bevy_platform::collections::HashMap;
use bevy_render::sync_world::MainEntity;
use bevy_render::{Extract, MainWorld};
use bevy_transform::components::GlobalTransform;

use super::buffers::{BLOCK, GpuTile, GpuVariant};
use super::drawn::DrawnPlants;
use crate::base::budget::TerrainBudget;
use crate::plants::store::{DrawRow, Plants, TileNumber, Write, end};
use crate::render::shadows::CascadePlanes;
use crate::render::wind::TerrainWind;
use crate::streaming::components::TerrainViews;

/// What the renderer knows of plants.
#[derive(Resource, Default)]
pub(super) struct Extracted {
    version: Option<u64>,
    /// Records for the buffer, and how many there is room for.
    pub writes: Vec<Write>,
    pub capacity: u32,
    /// By their numbers. Those that are not drawn have no records.
    pub tiles: Vec<GpuTile>,
    /// What tells them from earlier ones of the same numbers.
    born: Vec<u64>,
    pub variants: Vec<GpuVariant>,
    pub draws: Vec<DrawRow>,
    /// The number of the draw of each entity.
    pub draw_of: HashMap<MainEntity, u32>,
    pub shapes: u32,
    /// A tile and the first of its records, for each workgroup.
    pub blocks: Vec<[u32; 2]>,
    /// Whether tiles and blocks, or the other rows, are to be written to the device.
    pub tiles_changed: bool,
    pub rows_changed: bool,
    /// Whether some tile has moved in the last frame.
    moved: bool,
    pub wind: TerrainWind,
    /// The bodies that bend plants, as balls.
    pub bodies: Vec<Vec4>,
    /// The largest magnification of a viewer.
    pub magnification: f32,
    pub cascades: CascadePlanes,
    /// Those of all terrains together.
    pub layers: RenderLayers,
    /// The most bytes for instances.
    pub budget: u64,
    /// Who asks how many were drawn.
    pub drawn: Option<DrawnPlants>,
}

/// Takes the records that wait.
pub(super) fn take_writes(mut main: ResMut<MainWorld>, mut extracted: ResMut<Extracted>) {
    if let Some(mut plants) = main.get_resource_mut::<Plants>() {
        extracted.writes.append(&mut plants.bypass_change_detection().writes);
    }
}

pub(super) fn copy(
    mut extracted: ResMut<Extracted>,
    plants: Extract<Res<Plants>>,
    (wind, budget): (Extract<Res<TerrainWind>>, Extract<Res<TerrainBudget>>),
    cascades: Extract<Res<CascadePlanes>>,
    drawn: Extract<Option<Res<DrawnPlants>>>,
    terrains: Extract<Query<(&TerrainViews, Option<&RenderLayers>)>>,
    places: Extract<
        Query<(&TileNumber, &GlobalTransform, &InheritedVisibility, Has<NotShadowReceiver>)>,
    >,
) {
    let extracted = &mut *extracted;
    extracted.wind = **wind;
    extracted.budget = budget.plant_bytes;
    extracted.cascades.clone_from(&cascades);
    extracted.drawn = drawn.as_deref().cloned();
    let factors = terrains.iter().flat_map(|(views, _)| &views.now).map(|view| view.zoom.factor);
    extracted.magnification = factors.fold(1.0, f64::max) as f32;
    extracted.layers = terrains
        .iter()
        .fold(RenderLayers::none(), |all, (_, layers)| all.union(layers.unwrap_or_default()));
    // Once more after a move, which is over then.
    let mut tiles_changed = core::mem::take(&mut extracted.moved);
    if extracted.version != Some(plants.version) {
        extracted.version = Some(plants.version);
        extracted.copy_rows(&plants);
        extracted.rows_changed = true;
        tiles_changed = true;
    }
    for (&TileNumber(number), place, visibility, is_unshaded) in &places {
        let (Some(tile), Some(row)) = (extracted.tiles.get_mut(number), plants.tiles.get(number))
        else {
            continue;
        };
        let place = place.affine();
        let base = Vec3::from(place.translation);
        // Terrain that is turned is not drawn.
        let axes = place.matrix3;
        let scale = Vec3::new(axes.x_axis.x, axes.y_axis.y, axes.z_axis.z);
        let was_drawn = tile.count > 0;
        let moved = if was_drawn { base - tile.base } else { Vec3::ZERO };
        let count = if visibility.get() { row.count } else { 0 };
        let is_receiver = u32::from(!is_unshaded);
        let now = GpuTile { base, scale, moved, count, is_receiver, ..*tile };
        extracted.moved |= moved != Vec3::ZERO;
        tiles_changed |= *tile != now;
        *tile = now;
    }
    if tiles_changed {
        extracted.list_blocks();
        extracted.tiles_changed = true;
    }
}

impl Extracted {
    fn copy_rows(&mut self, plants: &Plants) {
        let mut tiles = vec![GpuTile::default(); end(&plants.tiles)];
        self.born.resize(tiles.len(), 0);
        for (number, row) in plants.tiles.iter() {
            let born = core::mem::replace(&mut self.born[number], row.born);
            let old = self.tiles.get(number).filter(|_| born == row.born);
            let old = old.copied().unwrap_or_default();
            let class = row.class as u32;
            tiles[number] = GpuTile { class, reach: row.reach, first: row.first(), ..old };
        }
        self.tiles = tiles;
        self.variants = vec![GpuVariant::default(); end(&plants.variants)];
        plants.variants.iter().for_each(|(number, row)| self.variants[number] = row.into());
        self.draws = plants.draws.iter().map(|(_, draw)| *draw).collect();
        self.draw_of = (0..).zip(&self.draws).map(|(n, draw)| (draw.entity.into(), n)).collect();
        self.shapes = plants.shape_count as u32;
        self.capacity = plants.capacity();
    }

    fn list_blocks(&mut self) {
        self.blocks.clear();
        for (number, tile) in (0..).zip(&self.tiles) {
            let starts = (tile.first..tile.first + tile.count).step_by(BLOCK as usize);
            self.blocks.extend(starts.map(|start| [number, start]));
        }
    }
}
