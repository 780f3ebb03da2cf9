//! The mesh of a chunk: a pure function of the ground, the layout and the key.
//!
//! Vertices lie on a grid of `cells` + 1 by `cells` + 1 points. Heights and normals come from the
//! field's values and gradients, so every vertex of the finest levels equals a query at its
//! position. Those of far levels that geomorph are balanced, see `balance`, and levels whose
//! vertices are farther apart than the finest rivers leave those out: each vertex would need a
//! network of its own. Cells are split along the diagonal from (0, 0) to (1, 1). Normals of coarse
//! levels leave out the octaves that are finer than their cells. Where the field has no height
//! there is a hole: triangles with such a vertex are left out.
//!
//! Neighbours that differ by one level share every other vertex. Between shared vertices, the finer
//! edge departs from the straight coarser one. [`Seams`] selects how the gap is closed.

use std::cell::RefCell;
use std::sync::OnceLock;

use bevy_asset::RenderAssetUsages;
use bevy_camera::primitives::Aabb;
use bevy_math::Vec3;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology};
use bevy_tasks::futures::now_or_never;
use orogeny::limits::OutOfLimits;
use orogeny::{Grid, Landscape, Region, Samples, SharedField};

use crate::chunk::climate::{self, ATTRIBUTE_CLIMATE};
use crate::chunk::curvature::{self, ATTRIBUTE_CURVATURE};
use crate::chunk::height_field::{band, is_ground, make_slopes_finite, range, range_of_ground};
use crate::chunk::key::{ChunkKey, LOD, Layout, MAX_LOD};
use crate::chunk::paint::{self, ATTRIBUTE_PAINT, ATTRIBUTE_TARGET_PAINT};
use crate::chunk::relief::Relief;
use crate::chunk::seams::{Seams, skirt_depth};
use crate::chunk::vertex::ATTRIBUTE_VERTEX;
use crate::chunk::void::{self, VoidSurface};
use crate::chunk::water_surface::{WaterParts, WaterSurface, add_floods, add_ribbons};
use crate::chunk::{attributes, balance, triangles};
use crate::slices::Pace;

/// The widest edits whose detail counts for a chunk, in its widths. Of wider ones its vertices show
/// enough.
const WIDEST_EDIT: f64 = 8.0;

/// A built chunk.
#[derive(Debug)]
pub struct ChunkMesh {
    /// If the chunk geomorphs ([`Seams::Morph`]): [`ATTRIBUTE_VERTEX`] and [`ATTRIBUTE_CURVATURE`],
    /// 20 bytes a vertex. If its cover depends on the climate also [`ATTRIBUTE_CLIMATE`], 8 more.
    /// Where it is painted also [`ATTRIBUTE_PAINT`] and [`ATTRIBUTE_TARGET_PAINT`], 32 more.
    ///
    /// If it does not, or if the builder keeps meshes: positions in metres, x and z from the
    /// chunk's origin and the height from the terrain's, and normals; without geomorphing also
    /// texture coordinates in metres.
    pub mesh: Mesh,
    /// The box around all vertices, before, during and after morphing.
    pub aabb: Aabb,
    /// How far the ground is from the mesh, and how high it is.
    pub relief: Relief,
    /// Whether no height is infinite, and every slope is finite where there is ground. Where slopes
    /// are not, the normal is straight up.
    pub finite: bool,
    /// The surfaces of the rivers and lakes that begin there, and of floods.
    pub water: Option<WaterSurface>,
    /// What is seen in the holes that edits have cut.
    pub void: Option<VoidSurface>,
}

/// Builds the chunks of a ground.
pub struct ChunkBuilder {
    ground: Landscape,
    layout: Layout,
    seams: Seams,
    usages: RenderAssetUsages,
    /// The indices, which are the same for every chunk without holes.
    indices: Vec<u16>,
    /// For each level, the field whose gradient suits it. Created when a chunk of the level is
    /// first built.
    bands: LazyBands,
    /// For each level, the field whose curvature selects the cover.
    smooth: LazyBands,
}

/// One field for each level, and one for the level above the coarsest, which its chunks morph into.
type LazyBands = [OnceLock<Option<SharedField<2>>>; MAX_LOD as usize + 2];

/// Scratch buffers, reused for the next chunk.
struct Scratch {
    surface: Samples<2>,
    /// The surface with its surroundings.
    around: Samples<2>,
    /// Heights only.
    edge: Samples<2>,
    morph: attributes::Scratch,
    paint: paint::Scratch,
    climate: climate::Scratch,
}

impl Default for Scratch {
    fn default() -> Self {
        let [surface, around] = [(); 2].map(|()| Samples::new());
        let edge = Samples::values_only();
        let (morph, paint) = (attributes::Scratch::default(), paint::Scratch::default());
        let climate = climate::Scratch::default();
        Self { surface, around, edge, morph, paint, climate }
    }
}

impl ChunkBuilder {
    /// A builder for the chunks of a ground.
    ///
    /// The layout must be within the limits [`CELLS`](crate::advanced::CELLS) and
    /// [`SPACING`](crate::advanced::SPACING), as that of a [`Terrain`](crate::Terrain) is. With
    /// `keep`, meshes stay readable on the CPU, and all have positions and normals. Otherwise their
    /// vertex data moves to the renderer, and those that geomorph have only what its shader reads.
    pub fn new(ground: Landscape, layout: Layout, seams: Seams, keep: bool) -> Self {
        let usages = if keep { RenderAssetUsages::all() } else { RenderAssetUsages::RENDER_WORLD };
        let indices = triangles::indices(layout.cells as usize + 1, seams);
        let [bands, smooth] = [(); 2].map(|()| [const { OnceLock::new() }; _]);
        Self { ground, layout, seams, usages, indices, bands, smooth }
    }

    /// The ground.
    pub fn ground(&self) -> &Landscape {
        &self.ground
    }

    /// The layout of the chunks.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Whether meshes stay readable on the CPU.
    pub fn keeps_meshes(&self) -> bool {
        self.usages == RenderAssetUsages::all()
    }

    /// The bytes of the vertices and indices of each mesh without paint.
    pub(crate) fn mesh_bytes(&self) -> usize {
        triangles::bytes(&self.layout, self.seams, self.keeps_meshes())
    }

    /// How gaps between levels are closed.
    pub fn seams(&self) -> Seams {
        self.seams
    }

    /// Builds the mesh of a chunk.
    ///
    /// # Errors
    /// Fails for a level above [`MAX_LOD`].
    pub fn build(&self, key: ChunkKey) -> Result<ChunkMesh, OutOfLimits> {
        LOD.check(key.lod.into())?;
        Ok(self.build_selected(key))
    }

    /// Builds the mesh of a selected chunk, whose level is at most [`MAX_LOD`].
    pub(crate) fn build_selected(&self, key: ChunkKey) -> ChunkMesh {
        now_or_never(self.build_with_scratch(key, Pace::AtOnce)).expect("it awaits no turns")
    }

    /// Builds the mesh of a selected chunk in a task.
    pub(crate) async fn build_in_turns(&self, key: ChunkKey) -> ChunkMesh {
        self.build_with_scratch(key, Pace::InTurns).await
    }

    async fn build_with_scratch(&self, key: ChunkKey, pace: Pace) -> ChunkMesh {
        // One on each thread, or in a browser as many as there are unfinished chunks.
        thread_local!(static SPARE: RefCell<Vec<Box<Scratch>>> = RefCell::default());
        let mut scratch = SPARE.with_borrow_mut(Vec::pop).unwrap_or_default();
        let mesh = self.build_with(key, &mut scratch, pace).await;
        SPARE.with_borrow_mut(|spare| spare.push(scratch));
        mesh
    }

    /// Samples what a level draws, with gradients filtered for it. At level 0 both are the field's
    /// own. If the level is balanced, `around` becomes the ground with its surroundings.
    pub(super) async fn sample_level(
        &self,
        lod: u8,
        grid: &Grid<2>,
        out: &mut Samples<2>,
        around: &mut Samples<2>,
        pace: Pace,
    ) {
        let is_balanced = self.is_balanced(lod);
        let wide = if is_balanced { balance::surroundings(grid) } else { *grid };
        let ground = if is_balanced { &mut *around } else { &mut *out };
        match self.band(lod) {
            Some(field) => pace.sample_grid(&**field, &wide, ground).await,
            None => pace.sample_grid(&self.ground, &wide, ground).await,
        }
        if is_balanced {
            balance::balance(around, wide.size[0], out);
        }
    }

    /// Whether the heights of a level are balanced, see [`balance`]. Others are the ground's.
    pub(crate) fn is_balanced(&self, lod: u8) -> bool {
        lod >= balance::FINEST && self.seams == Seams::Morph
    }

    /// Where the heights of the ground decide about those of a chunk's vertices and their targets.
    pub(crate) fn ground_below(&self, key: ChunkKey) -> Region {
        let (square, next) = (self.layout.square(key), key.lod + 1);
        if self.is_balanced(next) { square.grown(self.layout.spacing(next)) } else { square }
    }

    /// Whether the ground of a level and of the next coarser one, with its gradients, is known to
    /// be the same: that of a field which does not support filtering.
    pub(super) fn has_ground_of_next_level(&self, lod: u8) -> bool {
        !self.is_balanced(lod + 1) && self.band(lod).is_none() && self.band(lod + 1).is_none()
    }

    /// The field that suits a level. `None` if that is the field itself.
    fn band(&self, lod: u8) -> Option<&SharedField<2>> {
        let band = || band(&self.ground, &self.layout, lod);
        self.bands[usize::from(lod)].get_or_init(band).as_ref()
    }

    /// The field whose curvature selects the cover at a level. `None` if that is the field itself.
    pub(super) fn smooth(&self, lod: u8) -> Option<&SharedField<2>> {
        let band = || curvature::smooth(&self.ground, curvature::scale(&self.layout, lod));
        self.smooth[usize::from(lod)].get_or_init(band).as_ref()
    }

    async fn build_with(&self, key: ChunkKey, scratch: &mut Scratch, pace: Pace) -> ChunkMesh {
        let Self { ground, layout, seams, .. } = self;
        let spacing = layout.spacing(key.lod);
        let side = layout.cells as usize + 1;
        let grid = Grid::new(layout.origin(key), spacing, [side, side]);
        let Scratch { surface, around, .. } = &mut *scratch;
        self.sample_level(key.lod, &grid, surface, around, pace).await;

        let flaws = make_slopes_finite(&mut scratch.surface);
        let mut finite = !flaws.errors;
        let surface = &scratch.surface;
        let heights = surface.values();
        let [mut low, mut high] =
            if flaws.holes { range_of_ground(heights) } else { range(heights) };
        let relief = self.relief(key, surface, &scratch.around, high);
        // No triangle has the vertices in holes. They must only be finite.
        let hole = low;

        let mut mesh = Mesh::new(PrimitiveTopology::TriangleList, self.usages);
        let morphs = *seams == Seams::Morph;
        if morphs {
            let morph = &mut scratch.morph;
            let vertices = attributes::morph_vertices(self, key, surface, hole, morph, pace).await;
            if let Some([target_low, target_high]) = vertices.targets {
                (low, high) = (low.min(target_low), high.max(target_high));
            }
            let curvatures = attributes::curvatures(self, key, morph, pace).await;
            mesh.insert_attribute(ATTRIBUTE_VERTEX, vertices.packed);
            mesh.insert_attribute(ATTRIBUTE_CURVATURE, curvatures);
            if ground.appearance().has_climates() {
                let (field, scratch) = (ground.climate(), &mut scratch.climate);
                let vertices = climate::vertices(field, &grid, scratch, pace).await;
                mesh.insert_attribute(ATTRIBUTE_CLIMATE, vertices);
            }
            pace.turn().await;
            let paint = &mut scratch.paint;
            if let Some([own, target]) = paint::vertices(ground, &grid, surface, paint) {
                mesh.insert_attribute(ATTRIBUTE_PAINT, own);
                mesh.insert_attribute(ATTRIBUTE_TARGET_PAINT, target);
            }
        }
        pace.turn().await;
        let skirt = (*seams == Seams::Skirts).then(|| {
            let (depth, edges_finite) = skirt_depth(&self.ground, &grid, &mut scratch.edge);
            finite &= edges_finite;
            low -= depth;
            depth
        });
        if !morphs || self.keeps_meshes() {
            // A material that geomorphs derives texture coordinates from positions.
            let with_uvs = !morphs;
            let step = spacing as f32;
            attributes::insert_plain(&mut mesh, surface, side, step, hole, with_uvs, skirt);
        }
        let indices = if flaws.holes {
            let mut left = triangles::around_holes(&self.indices, side, |i| is_ground(heights[i]));
            if left.is_empty() {
                // The renderer expects triangles: one without an area.
                left.extend([0; 3]);
            }
            left
        } else {
            self.indices.clone()
        };
        mesh.insert_indices(Indices::U16(indices));
        let size = layout.size(key.lod) as f32;
        // Each vertex morphs into another one, of the chunk or of the next coarser level, so it
        // never leaves this box.
        let aabb = Aabb::from_min_max(Vec3::new(0.0, low, 0.0), Vec3::new(size, high, size));
        let mut water = WaterParts::default();
        if ground.rivers().is_some() {
            pace.turn().await;
            add_ribbons(ground, layout, key, &mut water);
            pace.turn().await;
        }
        add_floods(ground, &grid, heights, &mut water);
        let void = if flaws.holes { self.void(&grid) } else { None };
        ChunkMesh { mesh, aabb, relief, finite, water: water.surface(self.usages), void }
    }

    /// The relief of a chunk with heights up to `highest`, with edits that its vertices may miss,
    /// given what [`sample_level`](Self::sample_level) has sampled.
    fn relief(
        &self,
        key: ChunkKey,
        surface: &Samples<2>,
        around: &Samples<2>,
        highest: f32,
    ) -> Relief {
        let Self { ground, layout, .. } = self;
        let (side, spacing) = (layout.cells as usize + 1, layout.spacing(key.lod));
        let mut relief = if self.is_balanced(key.lod) {
            let heights = balance::inner(around, side + 2);
            let relief = Relief::of(heights, side + 2, side, spacing, highest);
            balance::relief(key.lod, relief)
        } else {
            Relief::of(surface.values(), side, side, spacing, highest)
        };
        if !ground.edits().is_empty() {
            let widest = WIDEST_EDIT * layout.size(key.lod);
            let edits = ground.edited().detail_error(&layout.square(key), spacing, widest);
            if edits > relief.error {
                // Smaller chunks may miss it as well.
                relief = Relief { error: edits, shrinking: 1.0, ..relief };
            }
        }
        relief
    }

    /// The void in the holes of a chunk.
    fn void(&self, grid: &Grid<2>) -> Option<VoidSurface> {
        let [width, depth] = [0, 1].map(|k| (grid.size[k] - 1) as f64 * grid.spacing[k]);
        let max = [grid.origin[0] + width, grid.origin[1] + depth];
        // Others are holes of the field.
        let is_edited = self.ground.edits().touch(&Region { min: grid.origin, max });
        let whole = is_edited.then(|| self.ground.edited().without_holes());
        void::surface(&whole?, &self.ground, grid)
    }
}
