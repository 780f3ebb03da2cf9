//! The mesh of a chunk. A pure function of the field, the layout and the key.
//!
//! Vertices lie on a grid of `cells` + 1 by `cells` + 1 points, heights are the field's values and
//! normals come from its gradient, so that every vertex equals a query at its place. Cells are
//! split along the diagonal from (0, 0) to (1, 1). Normals of coarse levels leave out the octaves
//! that are finer than their cells; heights never do, so that vertices of two levels coincide.
//!
//! Neighbours that differ by one level share every other vertex; between those, the finer edge
//! leaves the straight coarser one. There are two ways to close the gap, see [`Seams`].

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use bevy_asset::RenderAssetUsages;
use bevy_camera::primitives::Aabb;
use bevy_math::Vec3;
use bevy_mesh::{
    Indices, Mesh, MeshVertexAttribute, PrimitiveTopology, VertexAttributeValues, VertexFormat,
};
use orogeny::{Field, Grid, Sample, Samples};

use crate::chunk::curvature::{self, ATTRIBUTE_CURVATURE, Curvatures};
use crate::chunk::key::{ChunkKey, Layout, MAX_LOD};
use crate::chunk::morph::Target;
use crate::chunk::seams::Seams;
use crate::chunk::triangles::{self, edges};

/// A field that a terrain can stand on: height in metres over (x, z) in metres.
///
/// Every [`Field`] of two dimensions that threads can share is one.
pub trait HeightField: Field<2> + Send + Sync + 'static {}

impl<F: Field<2> + Send + Sync + 'static> HeightField for F {}

/// What a vertex of a chunk that geomorphs slides onto: a packed [`Target`].
pub const ATTRIBUTE_TARGET: MeshVertexAttribute =
    MeshVertexAttribute::new("Vertex_MorphTarget", 0x006f_726f_6765_6e01, VertexFormat::Uint32x2);

/// What a chunk's task delivers.
#[derive(Debug)]
pub struct ChunkMesh {
    /// Positions and, unless it geomorphs, texture coordinates in metres from the chunk's origin,
    /// heights from that of the terrain; normals.
    pub mesh: Mesh,
    /// The box around all vertices, wherever they slide.
    pub aabb: Aabb,
    /// Whether every height and slope is finite. Heights that are not are 0, and where slopes are
    /// not, the normal is straight up.
    pub finite: bool,
}

/// Builds the chunks of a field.
pub struct ChunkBuilder {
    field: Arc<dyn HeightField>,
    layout: Layout,
    seams: Seams,
    usages: RenderAssetUsages,
    /// The same for every chunk.
    indices: Indices,
    /// For each level, the field whose normals suit it: made when the level is first built.
    bands: [Band; MAX_LOD as usize + 2],
    /// For each level, the field whose curvature decides what covers it.
    smooth: [Band; MAX_LOD as usize + 2],
}

/// A field without what is too fine for a level, where it can be told apart.
type Band = OnceLock<Option<Arc<dyn Field<2> + Send + Sync>>>;

/// The buffers of one building thread, used again for each chunk.
struct Scratch {
    surface: Samples<2>,
    coarser: Samples<2>,
    /// What the vertices of the coarser level are to those that slide onto them.
    packed: Vec<[u32; 2]>,
    /// Heights alone.
    edge: Samples<2>,
    curvatures: Curvatures,
    target_curvatures: Curvatures,
}

impl Default for Scratch {
    fn default() -> Self {
        let [surface, coarser] = [Samples::new(), Samples::new()];
        let [curvatures, target_curvatures] = [Curvatures::default(), Curvatures::default()];
        let edge = Samples::values_only();
        Self { surface, coarser, packed: Vec::new(), edge, curvatures, target_curvatures }
    }
}

impl ChunkBuilder {
    /// The layout must keep the limits [`CELLS`](crate::CELLS) and [`SPACING`](crate::SPACING), as
    /// that of a [`Terrain`](crate::Terrain) does. With `keep`, meshes stay readable on the CPU;
    /// otherwise the renderer takes their vertices away.
    pub fn new(field: Arc<dyn HeightField>, layout: Layout, seams: Seams, keep: bool) -> Self {
        let usages = if keep { RenderAssetUsages::all() } else { RenderAssetUsages::RENDER_WORLD };
        let indices = Indices::U16(triangles::indices(layout.cells as usize + 1, seams));
        let [bands, smooth] = [(); 2].map(|()| [const { OnceLock::new() }; _]);
        Self { field, layout, seams, usages, indices, bands, smooth }
    }

    /// The field.
    pub fn field(&self) -> &Arc<dyn HeightField> {
        &self.field
    }

    /// The layout of the chunks.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How the gaps between levels are closed.
    pub fn seams(&self) -> Seams {
        self.seams
    }

    /// Builds the mesh of a chunk.
    pub fn build(&self, key: ChunkKey) -> ChunkMesh {
        thread_local!(static SCRATCH: RefCell<Scratch> = RefCell::default());
        SCRATCH.with_borrow_mut(|scratch| self.build_with(key, scratch))
    }

    /// Fills a grid with the heights of the field, and with slopes that suit a level. At level 0
    /// they are the field's own.
    fn fill(&self, lod: u8, grid: &Grid<2>, out: &mut Samples<2>) {
        let band = || band(&*self.field, &self.layout, lod);
        match self.bands[usize::from(lod)].get_or_init(band) {
            Some(field) => field.sample_grid(grid, out),
            None => self.field.sample_grid(grid, out),
        }
    }

    fn build_with(&self, key: ChunkKey, scratch: &mut Scratch) -> ChunkMesh {
        let Self { layout, seams, .. } = self;
        let spacing = layout.spacing(key.lod);
        let side = layout.cells as usize + 1;
        let grid = Grid { origin: layout.origin(key), spacing, size: [side, side] };
        self.fill(key.lod, &grid, &mut scratch.surface);

        let mut finite = make_finite(&mut scratch.surface);
        let surface = &scratch.surface;
        let heights = surface.values();
        let [mut low, high] = range(heights);

        let skirt = if *seams == Seams::Skirts { 4 * side } else { 0 };
        let count = side * side + skirt;
        let mut positions = Vec::with_capacity(count);
        let mut normals = Vec::with_capacity(count);
        // A material that geomorphs knows where its vertices are.
        let with_uvs = *seams != Seams::Morph;
        let mut uvs = Vec::with_capacity(if with_uvs { count } else { 0 });
        let step = spacing as f32;
        for (j, heights) in heights.chunks_exact(side).enumerate() {
            let z = j as f32 * step;
            let x = |i| i as f32 * step;
            positions.extend(heights.iter().enumerate().map(|(i, &y)| [x(i), y, z]));
            if with_uvs {
                uvs.extend((0..side).map(|i| [x(i), z]));
            }
        }
        let slopes = surface.derivatives(0).iter().zip(surface.derivatives(1));
        normals.extend(slopes.map(|(&dx, &dz)| upright(dx, dz).to_array()));

        if *seams == Seams::Skirts {
            let (depth, edges_finite) = skirt_depth(&*self.field, &grid, &mut scratch.edge);
            finite &= edges_finite;
            low -= depth;
            for edge in edges(side) {
                for i in 0..side {
                    let top = edge.vertex(i);
                    let [x, y, z] = positions[top];
                    positions.push([x, y - depth, z]);
                    normals.push(normals[top]);
                    uvs.push(uvs[top]);
                }
            }
        }

        let mut mesh = Mesh::new(PrimitiveTopology::TriangleList, self.usages);
        if *seams == Seams::Morph {
            self.insert_targets(key, scratch, &mut mesh);
            self.insert_curvatures(key, scratch, &mut mesh);
        }
        let size = layout.size(key.lod) as f32;
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, positions);
        mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, normals);
        if with_uvs {
            mesh.insert_attribute(Mesh::ATTRIBUTE_UV_0, uvs);
        }
        mesh.insert_indices(self.indices.clone());
        // Vertices slide onto others of the chunk, so the box holds them all the way.
        let aabb = Aabb::from_min_max(Vec3::new(0.0, low, 0.0), Vec3::new(size, high, size));
        ChunkMesh { mesh, aabb, finite }
    }

    /// Adds what vertices slide onto: each the one with both indices rounded down to even numbers,
    /// as a chunk of the next coarser level has it.
    fn insert_targets(&self, key: ChunkKey, scratch: &mut Scratch, mesh: &mut Mesh) {
        let Scratch { coarser, packed, .. } = scratch;
        let cells = self.layout.cells as usize;
        let (side, half) = (cells + 1, cells / 2 + 1);
        let spacing = self.layout.spacing(key.lod);
        let grid =
            Grid { origin: self.layout.origin(key), spacing: 2.0 * spacing, size: [half, half] };
        self.fill(key.lod + 1, &grid, coarser);
        make_finite(coarser);
        packed.clear();
        let slopes = coarser.derivatives(0).iter().zip(coarser.derivatives(1));
        packed.extend(coarser.values().iter().zip(slopes).map(|(&height, (&dx, &dz))| {
            let Vec3 { x, z, .. } = upright(dx, dz);
            let (cells, spacing) = (cells as u32, spacing as f32);
            Target { height, normal: [x, z], cells, spacing }.pack()
        }));
        let mut targets = Vec::with_capacity(side * side);
        for j in 0..side {
            let row = &packed[j / 2 * half..][..half];
            targets.extend(row.iter().flat_map(|&target| [target; 2]).take(side));
        }
        mesh.insert_attribute(ATTRIBUTE_TARGET, VertexAttributeValues::Uint32x2(targets));
    }

    /// Adds the curvature that decides what covers the ground, and that of the vertices that others
    /// slide onto.
    fn insert_curvatures(&self, key: ChunkKey, scratch: &mut Scratch, mesh: &mut Mesh) {
        let Scratch { curvatures, target_curvatures, .. } = scratch;
        let Self { layout, field, smooth, .. } = self;
        let (origin, spacing) = (layout.origin(key), layout.spacing(key.lod));
        let fill = |lod: u8, spacing, side, out: &mut Curvatures| {
            let scale = curvature::scale(layout, lod);
            match smooth[usize::from(lod)].get_or_init(|| field.band_limited(scale)) {
                Some(smooth) => out.fill(&**smooth, scale, origin, spacing, side),
                None => out.fill(&**field, scale, origin, spacing, side),
            }
        };
        let cells = layout.cells as usize;
        let (side, half) = (cells + 1, cells / 2 + 1);
        fill(key.lod, spacing, side, curvatures);
        let own = curvatures.packed();
        let mut packed = Vec::with_capacity(side * side);
        // Levels that are finer than the scale have one curvature: that of a target is its vertex's
        // own.
        let same = curvature::scale(layout, key.lod) == curvature::scale(layout, key.lod + 1);
        let (targets, width, stride) = if same {
            (own, side, 2)
        } else {
            fill(key.lod + 1, 2.0 * spacing, half, target_curvatures);
            (target_curvatures.packed(), half, 1)
        };
        for (j, row) in own.chunks_exact(side).enumerate() {
            let targets = &targets[j / 2 * stride * width..][..width];
            let pairs = row.chunks_exact(2).zip(targets.iter().step_by(stride));
            packed.extend(pairs.flat_map(|(pair, &target)| [[pair[0], target], [pair[1], target]]));
            // The last vertex of a row is no pair.
            packed.push([row[side - 1], targets[width - 1]]);
        }
        mesh.insert_attribute(ATTRIBUTE_CURVATURE, VertexAttributeValues::Snorm16x2(packed));
    }
}

/// The least and the greatest of numbers; infinite ones of the wrong sign, if there are none.
fn range(numbers: &[f32]) -> [f32; 2] {
    // In lanes: one number after the other, each would wait for the last.
    const LANES: usize = 16;
    let [mut low, mut high] = [[f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]];
    for numbers in numbers.chunks(LANES) {
        for ((low, high), &x) in low.iter_mut().zip(&mut high).zip(numbers) {
            *low = if x < *low { x } else { *low };
            *high = if x > *high { x } else { *high };
        }
    }
    [
        low.into_iter().fold(f32::INFINITY, f32::min),
        high.into_iter().fold(f32::NEG_INFINITY, f32::max),
    ]
}

/// Puts heights that are not finite to 0, lays ground flat whose slope is not finite, and says
/// whether there was neither.
fn make_finite(samples: &mut Samples<2>) -> bool {
    let parts = [samples.values(), samples.derivatives(0), samples.derivatives(1)];
    // All of them, which goes in vectors.
    let finite =
        parts.iter().all(|part| part.iter().fold(true, |finite, x| finite & x.is_finite()));
    if !finite {
        samples.update(|sample| {
            let value = finite_height(sample.value);
            if is_finite(sample) { sample } else { Sample { value, ..Sample::default() } }
        });
    }
    finite
}

/// The height of a vertex for that of the field.
pub(crate) fn finite_height(height: f32) -> f32 {
    if height.is_finite() { height } else { 0.0 }
}

/// The field whose normals suit a level, where there is one: at level 0 it is the field itself.
///
/// Its gradient is band-limited to half the spacing of the vertices. A wave of noise is nearly two
/// of its cells long, so octaves count wholly while there are some four vertices to a wave, and not
/// at all where there are less than two.
pub(crate) fn band(
    field: &dyn HeightField,
    layout: &Layout,
    lod: u8,
) -> Option<Arc<dyn Field<2> + Send + Sync>> {
    if lod == 0 { None } else { field.band_limited(0.5 * layout.spacing(lod)) }
}

fn is_finite(sample: Sample<2>) -> bool {
    sample.value.is_finite() && sample.gradient.iter().all(|g| g.is_finite())
}

/// The unit normal of the graph y = f(x, z): (-df/dx, 1, -df/dz), normalised.
pub fn normal(sample: Sample<2>) -> Vec3 {
    let [dx, dz] = sample.gradient;
    upright(dx, dz)
}

/// The same for the derivatives along x and z.
fn upright(dx: f32, dz: f32) -> Vec3 {
    Vec3::new(-dx, 1.0, -dz).normalize()
}

/// How far, in metres, the edges of the grid depart from those of neighbours one level finer or
/// coarser, and whether the edges are finite.
///
/// Each edge is sampled at half the spacing: every second sample is a vertex, those between are the
/// vertices of a finer neighbour; and vertices with odd indices lie between those of a coarser one.
fn skirt_depth(field: &dyn HeightField, grid: &Grid<2>, edge: &mut Samples<2>) -> (f32, bool) {
    let [nx, nz] = grid.size;
    let [right, far] = [grid.coordinate(0, nx - 1), grid.coordinate(1, nz - 1)];
    let [x, z] = grid.origin;
    let sides = [
        ([x, z], [2 * nx - 1, 1]),
        ([x, far], [2 * nx - 1, 1]),
        ([x, z], [1, 2 * nz - 1]),
        ([right, z], [1, 2 * nz - 1]),
    ];
    let (mut depth, mut finite) = (0f32, true);
    for (origin, size) in sides {
        field.sample_grid(&Grid { origin, spacing: grid.spacing / 2.0, size }, edge);
        let heights = edge.values();
        finite &= heights.iter().all(|height| height.is_finite());
        for stride in [1, 2] {
            for i in (stride..heights.len() - stride).step_by(2 * stride) {
                let line = 0.5 * (heights[i - stride] + heights[i + stride]);
                let gap = (heights[i] - line).abs();
                if gap.is_finite() {
                    depth = depth.max(gap);
                }
            }
        }
    }
    // A little more, for the rounding of a rasteriser; and no more than leaves room to hang down
    // from any height.
    ((1.01 * depth + 0.01 * grid.spacing as f32).min(1e30), finite)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::morph::Place;
    use orogeny::{Fractal, GradientNoise, Recipe};

    const LAYOUT: Layout = Layout { cells: 16, spacing: 2.0 };
    const KEY: ChunkKey = ChunkKey { lod: 2, x: -3, z: 31_250_000_000 };

    fn field() -> impl HeightField {
        let fbm = Fractal::fbm(8.0, GradientNoise::seeded(0));
        let field = Fractal { frequency: 0.005, amplitude: 100.0, ..fbm };
        Recipe::new(4, 1.0, field).build().unwrap()
    }

    fn build(field: impl HeightField, layout: Layout, seams: Seams, key: ChunkKey) -> ChunkMesh {
        ChunkBuilder::new(Arc::new(field), layout, seams, false).build(key)
    }

    fn attribute(mesh: &Mesh, normal: bool) -> &[[f32; 3]] {
        let id = if normal { Mesh::ATTRIBUTE_NORMAL } else { Mesh::ATTRIBUTE_POSITION };
        match mesh.attribute(id) {
            Some(VertexAttributeValues::Float32x3(values)) => values,
            other => panic!("{other:?}"),
        }
    }

    /// Heights are the field's at every level; normals are at the finest, and those of the field
    /// without finer octaves at others.
    #[test]
    fn vertices_equal_queries_bit_for_bit() {
        for (key, seams) in [
            (ChunkKey { lod: 0, x: 7, z: -9 }, Seams::Morph),
            (KEY, Seams::Skirts),
            (ChunkKey { lod: 5, x: 1 << 40, z: 3 }, Seams::Open),
        ] {
            let chunk = build(field(), LAYOUT, seams, key);
            let (positions, normals) =
                (attribute(&chunk.mesh, false), attribute(&chunk.mesh, true));
            let [ox, oz] = LAYOUT.origin(key);
            let field = field();
            let smooth = band(&field, &LAYOUT, key.lod);
            for (p, n) in positions.iter().zip(normals).take(17 * 17) {
                let p = p.map(f64::from);
                let at = [ox + p[0], oz + p[2]];
                assert_eq!((p[1] as f32).to_bits(), field.sample(at).value.to_bits());
                let expected =
                    smooth.as_ref().map_or_else(|| field.sample(at), |smooth| smooth.sample(at));
                assert_eq!(Vec3::from(*n), normal(expected));
            }
            assert!(chunk.finite);
        }
    }

    #[test]
    fn meshes_have_the_bytes_that_are_counted() {
        for seams in [Seams::Open, Seams::Skirts, Seams::Morph] {
            let mesh = build(field(), LAYOUT, seams, KEY).mesh;
            let vertices = mesh.get_vertex_buffer_size();
            let indices = mesh.get_index_buffer_bytes().unwrap().len();
            assert_eq!(
                vertices + indices,
                crate::chunk::triangles::bytes(&LAYOUT, seams),
                "{seams:?}"
            );
        }
    }

    /// What a chunk turns into has the curvatures of its parent, whether or not the two levels have
    /// one scale.
    #[test]
    fn targets_have_the_curvatures_of_the_parent() {
        let layout = Layout { cells: 16, spacing: 1.0 };
        let builder = ChunkBuilder::new(Arc::new(field()), layout, Seams::Morph, true);
        let curvatures = |key| match builder.build(key).mesh.attribute(ATTRIBUTE_CURVATURE) {
            Some(VertexAttributeValues::Snorm16x2(values)) => values.clone(),
            other => panic!("{other:?}"),
        };
        // At the scale of the sixth level the field has no waves left.
        for lod in 0..5 {
            // The quarter of the parent with the smaller coordinates.
            let child = curvatures(ChunkKey { lod, x: 2, z: -4 });
            let parent = curvatures(ChunkKey { lod: lod + 1, x: 1, z: -2 });
            assert!(child.iter().any(|[own, _]| *own != 0));
            for (j, i) in (0..17).flat_map(|j| (0..17).map(move |i| (j, i))) {
                assert_eq!(child[j * 17 + i][1], parent[j / 2 * 17 + i / 2][0], "{lod} {i} {j}");
            }
        }
    }

    /// A wholly morphed chunk has the vertices of its parent, and nearly its normals.
    #[test]
    fn targets_are_the_vertices_of_the_parent() {
        let parent = build(field(), LAYOUT, Seams::Morph, KEY);
        let (parent_positions, parent_normals) =
            (attribute(&parent.mesh, false), attribute(&parent.mesh, true));
        for (quarter, child) in KEY.children().into_iter().enumerate() {
            let ChunkMesh { mesh, aabb, .. } = build(field(), LAYOUT, Seams::Morph, child);
            let positions = attribute(&mesh, false);
            let Some(VertexAttributeValues::Uint32x2(targets)) = mesh.attribute(ATTRIBUTE_TARGET)
            else {
                panic!("no targets");
            };
            for v in 0..17 * 17 {
                let target = Target::unpack(targets[v]);
                assert_eq!(f64::from(target.spacing), LAYOUT.spacing(child.lod));
                assert_eq!(target.cells, LAYOUT.cells);
                let position = Vec3::from(positions[v]);
                let [i, j] = [v % 17, v / 17];
                assert_eq!(target.place(position), Place { i: i as u32, j: j as u32, cells: 16 });
                let (x, z) = (i / 2 + quarter % 2 * 8, j / 2 + quarter / 2 * 8);
                let half = LAYOUT.size(child.lod) as f32;
                let corner =
                    Vec3::new((quarter % 2) as f32 * half, 0.0, (quarter / 2) as f32 * half);
                let expected = Vec3::from(parent_positions[z * 17 + x]);
                assert_eq!(target.morphed(position, 1.0) + corner, expected);
                let [nx, _, nz] = parent_normals[z * 17 + x];
                let [tx, tz] = target.normal;
                assert!((nx - tx).abs().max((nz - tz).abs()) < 5e-4);
                for weight in [0.0, 0.3, 1.0] {
                    let p = target.morphed(position, weight);
                    let d = (p - Vec3::from(aabb.center)).abs() - Vec3::from(aabb.half_extents);
                    assert!(d.max_element() < 1e-3);
                }
            }
        }
    }

    /// Every triangle of the surface faces up, and every one of the skirt faces away from the
    /// chunk.
    #[test]
    fn triangles_face_outwards_and_are_counted() {
        let chunk = build(field(), LAYOUT, Seams::Skirts, KEY);
        let positions = attribute(&chunk.mesh, false);
        let centre =
            Vec3::new(LAYOUT.size(KEY.lod) as f32 / 2.0, 0.0, LAYOUT.size(KEY.lod) as f32 / 2.0);
        let corners: Vec<usize> = chunk.mesh.indices().unwrap().iter().collect();
        assert_eq!(corners.len(), 3 * triangles::count(&LAYOUT, Seams::Skirts));
        for (i, triangle) in corners.chunks(3).enumerate() {
            let [a, b, c] = [0, 1, 2].map(|k| Vec3::from(positions[triangle[k]]));
            let facing = (b - a).cross(c - a);
            if i < 2 * 16 * 16 {
                assert!(facing.y > 0.0);
            } else {
                let outwards = (a + b + c) / 3.0 - centre;
                assert!(
                    facing.dot(outwards.with_y(0.0)) > 0.0
                        && facing.y.abs() < 1e-3 * facing.length()
                );
            }
        }
    }

    /// Along a border, no vertex of a chunk one level finer lies farther from the edge than either
    /// skirt reaches.
    #[test]
    fn skirts_close_the_gaps_and_boxes_hold_them() {
        let coarse = build(field(), LAYOUT, Seams::Skirts, KEY);
        let skirt = |chunk: &ChunkMesh| {
            let positions = attribute(&chunk.mesh, false);
            // The third edge, z = 0, runs backwards.
            (positions[16][1] - positions[17 * 17 + 2 * 17][1], positions.to_vec())
        };
        let (coarse_depth, coarse_positions) = skirt(&coarse);
        for (half, child) in KEY.children()[..2].iter().enumerate() {
            let (fine_depth, fine_positions) =
                skirt(&build(field(), LAYOUT, Seams::Skirts, *child));
            for (i, vertex) in fine_positions.iter().take(17).enumerate() {
                let along = half as f32 * 8.0 + i as f32 / 2.0;
                let (a, b) = (
                    coarse_positions[along.floor() as usize][1],
                    coarse_positions[along.ceil() as usize][1],
                );
                let gap = vertex[1] - 0.5 * (a + b);
                assert!(
                    gap <= fine_depth && -gap <= coarse_depth,
                    "{gap} {fine_depth} {coarse_depth}"
                );
            }
        }
        for p in coarse_positions {
            let d = (Vec3::from(p) - Vec3::from(coarse.aabb.center)).abs();
            assert!((d - Vec3::from(coarse.aabb.half_extents)).max_element() < 1e-3);
        }
    }

    #[test]
    fn fields_that_are_not_finite_give_a_mesh_that_is() {
        struct Broken(f32);
        impl Field<2> for Broken {
            fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
                // Between vertices as well, where only a finer neighbour would look.
                let broken = x > 40.0 || x.fract() == 0.5;
                Sample::constant(if broken { self.0 } else { 5.0 })
            }
        }
        const FINE: Layout = Layout { cells: 16, spacing: 1.0 };
        for (value, x) in [f32::NAN, f32::INFINITY, f32::MIN, f32::MAX, -f32::INFINITY]
            .into_iter()
            .flat_map(|value| [(value, 0), (value, 2), (value, 3)])
        {
            let chunk = build(Broken(value), FINE, Seams::Skirts, ChunkKey { lod: 0, x, z: 0 });
            assert_eq!(chunk.finite, value.is_finite(), "{value} {x}");
            let numbers = [false, true].map(|normal| attribute(&chunk.mesh, normal).as_flattened());
            assert!(numbers.concat().iter().all(|x| x.is_finite()), "{value} {x}");
            if !value.is_finite() {
                assert!(chunk.aabb.center.is_finite() && chunk.aabb.half_extents.is_finite());
            }
        }
    }
}
