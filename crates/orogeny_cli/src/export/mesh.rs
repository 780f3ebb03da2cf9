//! Binary glTF of a region: a node `terrain_lod0` with all vertices, and a node for each coarser
//! level of detail.
//!
//! All nodes are in the scene, since most importers skip those that only an extension such as
//! `MSFT_lod` names. Show one at a time.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use gltf::binary::{Glb, Header};
use gltf::json::accessor::{ComponentType, GenericComponentType, Type};
use gltf::json::buffer::{self, Buffer, View};
use gltf::json::extras::RawValue;
use gltf::json::mesh::Semantic;
use gltf::json::validation::{Checked::Valid, USize64};
use gltf::json::{self, Accessor, Index, Root};
use indicatif::ProgressBar;
use orogeny::{Grid, ParallelField, Samples};

use crate::cli::{Failure, interrupted};
use crate::export::about::{self, counted};
use crate::export::band::normal;
use crate::export::files::Target;
use crate::export::tiles::{Tile, missing};
use crate::export::{Job, write_tiles};

/// The maximum number of vertices of all levels: some 470 MB, since a vertex takes 56 bytes.
const MAX_VERTICES: usize = 1 << 23;

/// Writes the meshes of all tiles. Returns a report.
pub fn export(job: &Job) -> Result<String, Failure> {
    let levels = levels(job)?;
    let (count, mut samples) = (job.tiles.pixels(), Samples::new());
    let build = |tile: &Tile, target: &Target, bar: &ProgressBar| {
        write(job, tile, &levels, &mut samples, target)?;
        bar.inc(tile.grid.len() as u64);
        Ok(())
    };
    let (files, seconds) = write_tiles(job, "building meshes", (count, "samples"), build)?;
    let counts: Vec<String> = levels.iter().map(|level| level.vertices().to_string()).collect();
    let facts = format!(
        "mesh     {} with {} vertices\ntook     {seconds:.2} s\n",
        counted(levels.len(), "level"),
        counts.join(", "),
    );
    Ok(about::done(job, &files, &facts))
}

/// Writes the mesh of a tile.
fn write(
    job: &Job,
    tile: &Tile,
    levels: &[Level],
    samples: &mut Samples<2>,
    target: &Target,
) -> Result<(), Failure> {
    let grid = &tile.grid;
    job.field.par_sample_grid(grid, samples);
    let missing_heights = samples.values().iter().filter(|height| !height.is_finite()).count();
    if missing_heights > 0 {
        return Err(missing(format!("at {missing_heights} of the pixels")));
    }
    let glb = glb(job, tile, levels.iter().map(|level| level.mesh(grid, samples)));
    let mut out = BufWriter::new(target.file());
    let written = glb.to_writer(&mut out).map_err(plain).and_then(|()| out.flush());
    written.map_err(|error| target.failure(error))?;
    if interrupted() { Err(Failure::Interrupted) } else { Ok(()) }
}

/// The error of the file system in an error of glTF.
fn plain(error: gltf::Error) -> io::Error {
    match error {
        gltf::Error::Io(error) => error,
        error => io::Error::other(error),
    }
}

/// The levels of detail of each tile.
fn levels(job: &Job) -> Result<Vec<Level>, Failure> {
    let (size, count) = (job.args.size, job.options.level_count());
    let [width, height] = size;
    job.tiles.check_extent()?;
    let vertices: usize = (0..count)
        .map(|level| {
            let along = |k: usize| (size[k] - 1).div_ceil(1 << level) + 1;
            along(0) * along(1)
        })
        .sum();
    if vertices > MAX_VERTICES {
        let problem = format!(
            "{width} x {height} pixels in {} are {vertices} vertices, but a mesh has at most \
             {MAX_VERTICES}; use --tiles",
            counted(count, "level")
        );
        return Err(Failure::request("--size", problem));
    }
    Ok((0..count).map(|level| Level::new(size, 1 << level)).collect())
}

/// A file with a node for each mesh.
fn glb(job: &Job, tile: &Tile, meshes: impl Iterator<Item = Mesh>) -> Glb<'static> {
    let mut file = File::default();
    file.root.asset.generator = Some("orogeny".into());
    file.root.asset.extras = extras(job, tile);
    let ground = file.root.push(json::Material {
        name: Some("terrain".into()),
        pbr_metallic_roughness: json::material::PbrMetallicRoughness {
            metallic_factor: json::material::StrengthFactor(0.0),
            ..Default::default()
        },
        ..Default::default()
    });
    let nodes = meshes.enumerate().map(|(level, mesh)| {
        let name = Some(format!("terrain_lod{level}"));
        let mesh = Some(file.mesh(&mesh, ground, name.clone()));
        file.root.push(json::Node { mesh, name, ..Default::default() })
    });
    let nodes = nodes.collect();
    let scene = json::Scene { extensions: None, extras: None, name: None, nodes };
    file.root.scene = Some(file.root.push(scene));
    file.finish()
}

/// Where the region is in the terrain.
fn extras(job: &Job, tile: &Tile) -> json::Extras {
    let about = serde_json::json!({ "orogeny": {
        "preset": job.args.preset,
        "seed": job.recipe.seed,
        "middle": middle(&tile.grid),
        "spacing": job.args.spacing,
        "size": tile.grid.size,
    }});
    RawValue::from_string(about.to_string()).ok()
}

/// A level of detail: some of the columns and rows of a grid, among them the first and last ones.
struct Level {
    columns: Vec<usize>,
    rows: Vec<usize>,
}

/// The vertices of a level, as the bytes of 32-bit floats, and its triangles.
struct Mesh {
    /// x, y, z in metres, x and z relative to the middle of the grid.
    positions: Vec<[f32; 3]>,
    /// Unit normals from the gradient of the field.
    normals: Vec<[f32; 3]>,
    /// Where a picture of the grid has the pixel of the vertex.
    uvs: Vec<[f32; 2]>,
    /// Three vertices for each triangle, counter-clockwise seen from above.
    indices: Vec<u32>,
}

impl Level {
    /// Every `step`th column and row of a grid. Where the last one is left over, the cells before
    /// it are narrower.
    fn new(size: [usize; 2], step: usize) -> Self {
        let every = |side: usize| {
            let last = side - 1;
            (0..last).step_by(step).chain([last]).collect()
        };
        Self { columns: every(size[0]), rows: every(size[1]) }
    }

    /// The number of vertices.
    fn vertices(&self) -> usize {
        self.columns.len() * self.rows.len()
    }

    /// Builds the mesh from the samples of the whole grid.
    fn mesh(&self, grid: &Grid<2>, samples: &Samples<2>) -> Mesh {
        let middle = middle(grid);
        let count = self.vertices();
        let mut mesh = Mesh {
            positions: Vec::with_capacity(count),
            normals: Vec::with_capacity(count),
            uvs: Vec::with_capacity(count),
            indices: self.triangles(),
        };
        for &j in &self.rows {
            for &i in &self.columns {
                let sample = samples.get(j * grid.size[0] + i);
                // In double precision, so that it is exact far from the origin, too.
                let at = |k: usize, index: usize| (grid.coordinate(k, index) - middle[k]) as f32;
                mesh.positions.push([at(0, i), sample.value, at(1, j)]);
                mesh.normals.push(normal(&sample).map(|part| part as f32));
                let uv = |k: usize, index: usize| (index as f32 + 0.5) / grid.size[k] as f32;
                mesh.uvs.push([uv(0, i), uv(1, j)]);
            }
        }
        mesh
    }

    fn triangles(&self) -> Vec<u32> {
        let [width, height] = [self.columns.len(), self.rows.len()].map(|side| side as u32);
        let mut indices = Vec::with_capacity(6 * self.vertices());
        for j in 0..height - 1 {
            for i in 0..width - 1 {
                let first = j * width + i;
                let [right, below] = [first + 1, first + width];
                indices.extend([first, below, right, right, below, below + 1]);
            }
        }
        indices
    }
}

/// The middle of a grid, to which positions are relative.
fn middle(grid: &Grid<2>) -> [f64; 2] {
    [0, 1].map(|k| (grid.coordinate(k, 0) + grid.coordinate(k, grid.size[k] - 1)) / 2.0)
}

/// A file of one buffer, with a view and an accessor for each array.
#[derive(Default)]
struct File {
    root: Root,
    bytes: Vec<u8>,
}

impl File {
    fn mesh(
        &mut self,
        mesh: &Mesh,
        material: Index<json::Material>,
        name: Option<String>,
    ) -> Index<json::Mesh> {
        let positions = self.floats(Type::Vec3, &mesh.positions);
        let accessor = &mut self.root.accessors[positions.value()];
        accessor.min = bound(&mesh.positions, f32::min);
        accessor.max = bound(&mesh.positions, f32::max);
        let normals = self.floats(Type::Vec3, &mesh.normals);
        let uvs = self.floats(Type::Vec2, &mesh.uvs);
        let bytes = mesh.indices.iter().flat_map(|index| index.to_le_bytes());
        let target = buffer::Target::ElementArrayBuffer;
        let count = mesh.indices.len();
        let indices = self.array(bytes, count, ComponentType::U32, Type::Scalar, target);
        let attributes = [
            (Valid(Semantic::Positions), positions),
            (Valid(Semantic::Normals), normals),
            (Valid(Semantic::TexCoords(0)), uvs),
        ];
        let primitive = json::mesh::Primitive {
            attributes: attributes.into_iter().collect(),
            extensions: None,
            extras: None,
            indices: Some(indices),
            material: Some(material),
            mode: Valid(json::mesh::Mode::Triangles),
            targets: None,
        };
        let primitives = vec![primitive];
        self.root.push(json::Mesh {
            extensions: None,
            extras: None,
            name,
            primitives,
            weights: None,
        })
    }

    fn floats<const N: usize>(&mut self, kind: Type, vectors: &[[f32; N]]) -> Index<Accessor> {
        let bytes = vectors.iter().flatten().flat_map(|part| part.to_le_bytes());
        self.array(bytes, vectors.len(), ComponentType::F32, kind, buffer::Target::ArrayBuffer)
    }

    fn array(
        &mut self,
        bytes: impl Iterator<Item = u8>,
        count: usize,
        component: ComponentType,
        kind: Type,
        target: buffer::Target,
    ) -> Index<Accessor> {
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        let view = self.root.push(View {
            buffer: Index::new(0),
            byte_length: USize64::from(self.bytes.len() - offset),
            byte_offset: Some(USize64::from(offset)),
            byte_stride: None,
            extensions: None,
            extras: None,
            name: None,
            target: Some(Valid(target)),
        });
        self.root.push(Accessor {
            buffer_view: Some(view),
            byte_offset: None,
            count: USize64::from(count),
            component_type: Valid(GenericComponentType(component)),
            extensions: None,
            extras: None,
            type_: Valid(kind),
            min: None,
            max: None,
            name: None,
            normalized: false,
            sparse: None,
        })
    }

    fn finish(mut self) -> Glb<'static> {
        self.root.push(Buffer {
            byte_length: USize64::from(self.bytes.len()),
            extensions: None,
            extras: None,
            name: None,
            uri: None,
        });
        // A tree of numbers and names is always JSON.
        let json = json::serialize::to_vec(&self.root).unwrap_or_default();
        // The length in the header is computed when it is written.
        let header = Header { magic: *b"glTF", version: 2, length: 0 };
        Glb { header, json: Cow::Owned(json), bin: Some(Cow::Owned(self.bytes)) }
    }
}

/// A bound of each component, for an accessor.
fn bound(vectors: &[[f32; 3]], pick: fn(f32, f32) -> f32) -> Option<serde_json::Value> {
    let bound = |a: [f32; 3], b: [f32; 3]| [0, 1, 2].map(|k| pick(a[k], b[k]));
    vectors.iter().copied().reduce(bound).map(|bound| bound.to_vec().into())
}
