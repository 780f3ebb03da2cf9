//! Binary glTF of a region: a node `terrain_lod0` with all vertices, and a node for each coarser
//! level of detail.
//!
//! All nodes are in the scene, since most importers skip those that only an extension such as
//! `MSFT_lod` names. Show one at a time.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use gltf::binary::{Glb, Header};
use gltf::json::accessor::Type;
use gltf::json::extras::RawValue;
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked::Valid;
use gltf::json::{self, Index, Root};
use orogeny::{ParallelField, Samples};

use crate::area::missing;
use crate::failure::{Failure, interrupted};
use crate::gltf_data::Data;
use crate::job::Job;
use crate::mesh::{Level, Mesh, middle};
use crate::outputs::{Outputs, Target};
use crate::report::{self, counted};
use crate::tiles::Tile;

/// The maximum number of vertices of all levels: some 470 MB, since a vertex takes 56 bytes.
const MAX_VERTICES: usize = 1 << 23;

/// Writes the meshes of all tiles. Returns a report.
///
/// # Errors
/// Errors of the file system, an interrupt, positions without a height, or too many vertices.
pub fn export(job: &Job) -> Result<String, Failure> {
    let levels = levels(job)?;
    let files: Vec<PathBuf> = job.tiles.iter().map(|tile| tile.path(&job.args.out, "")).collect();
    let mut outputs = Outputs::create(&files, job.args.force)?;
    let begun = Instant::now();
    let bar = report::progress(job.tiles.pixels(), "samples");
    bar.set_message("building meshes");
    let mut samples = Samples::new();
    let tiles = job.tiles.iter().zip(&files);
    let written = { tiles }.try_for_each(|(tile, path)| {
        let target = outputs.open(path)?;
        write(job, &tile, &levels, &mut samples, &target)?;
        bar.inc(tile.area.pixels());
        outputs.add(target)
    });
    bar.finish_and_clear();
    written?;
    outputs.persist()?;
    let counts: Vec<String> = levels.iter().map(|level| level.vertices().to_string()).collect();
    let facts = format!(
        "mesh     {} with {} vertices\ntook     {:.2} s\n",
        counted(levels.len(), "level"),
        counts.join(", "),
        begun.elapsed().as_secs_f64()
    );
    Ok(report::done(job, &files, &facts))
}

/// Writes the mesh of a tile.
fn write(
    job: &Job,
    tile: &Tile,
    levels: &[Level],
    samples: &mut Samples<2>,
    target: &Target,
) -> Result<(), Failure> {
    let grid = &tile.area.grid;
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
    let (size, count) = (job.args.size, job.args.level_count());
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
    let mut root = Root::default();
    root.asset.generator = Some("orogeny, example heightmap".into());
    root.asset.extras = extras(job, tile);
    let ground = root.push(json::Material {
        name: Some("terrain".into()),
        pbr_metallic_roughness: json::material::PbrMetallicRoughness {
            metallic_factor: json::material::StrengthFactor(0.0),
            ..Default::default()
        },
        ..Default::default()
    });
    let mut data = Data::new(&mut root);
    let nodes = meshes.enumerate().map(|(level, mesh)| {
        let name = Some(format!("terrain_lod{level}"));
        let mesh = mesh_of(&mut data, &mut root, &mesh, ground, name.clone());
        let mesh = Some(root.push(mesh));
        root.push(json::Node { mesh, name, ..Default::default() })
    });
    let nodes = nodes.collect();
    let scene = json::Scene { extensions: None, extras: None, name: None, nodes };
    root.scene = Some(root.push(scene));
    let bin = data.finish(&mut root);
    // A tree of numbers and names is always JSON.
    let json = json::serialize::to_vec(&root).unwrap_or_default();
    // The length in the header is computed when it is written.
    let header = Header { magic: *b"glTF", version: 2, length: 0 };
    Glb { header, json: Cow::Owned(json), bin: Some(Cow::Owned(bin)) }
}

fn mesh_of(
    data: &mut Data,
    root: &mut Root,
    mesh: &Mesh,
    material: Index<json::Material>,
    name: Option<String>,
) -> json::Mesh {
    let positions = data.floats(root, Type::Vec3, &mesh.positions, true);
    let normals = data.floats(root, Type::Vec3, &mesh.normals, false);
    let uvs = data.floats(root, Type::Vec2, &mesh.uvs, false);
    let indices = data.indices(root, &mesh.indices);
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
    json::Mesh { extensions: None, extras: None, name, primitives: vec![primitive], weights: None }
}

/// Where the region is in the terrain.
fn extras(job: &Job, tile: &Tile) -> json::Extras {
    let about = serde_json::json!({ "orogeny": {
        "preset": job.args.preset,
        "seed": job.recipe.seed,
        "middle": middle(&tile.area.grid),
        "spacing": job.args.spacing,
        "size": tile.area.grid.size,
    }});
    RawValue::from_string(about.to_string()).ok()
}
