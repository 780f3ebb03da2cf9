//! Whether all that tells the height of the ground tells the same.

use bevy::mesh::VertexAttributeValues;
use bevy::prelude::*;
use bevy_orogeny::advanced::{ATTRIBUTE_VERTEX, Chunk, ChunkVertex, Layout, QueryError, Tile};
use bevy_orogeny::orogeny::ray::{Cast, Ray};
use bevy_orogeny::orogeny::scatter::ScatterKind;
use bevy_orogeny::{TerrainGround, TerrainOrigin, TerrainQuery};

use super::Checked;
use super::player::Player;
use super::round::Random;

/// The tolerance of rays with the exact field, in metres.
const TOLERANCE: f64 = 0.05;
/// How far above the ground rays begin, in metres.
const ABOVE: f64 = 300.0;
/// How far places are from the camera, in metres.
const NEAR: [f64; 3] = [3.0, 60.0, 800.0];
/// Plants are compared at one place of so many: a block of them takes long to place.
const PLANTS: usize = 10;
/// Chunks that are compared, and vertices of each.
const CHUNKS: usize = 12;
const VERTICES: usize = 4;

/// Compares the field, its triangles, rays, colliders and plants at random places near the camera,
/// and the chunks that are drawn.
pub fn agree(player: &mut Player, places: usize, random: &mut Random) -> Checked {
    let Some(camera) = player.camera::<Transform>() else {
        return Err("there is no camera".into());
    };
    let draws: Vec<[f64; 2]> =
        (0..places).map(|i| [0, 1].map(|_| random.between(-NEAR[i % 3], NEAR[i % 3]))).collect();
    let picks: Vec<[f64; 2]> =
        (0..CHUNKS * VERTICES).map(|_| [0, 1].map(|_| random.between(0.0, 1.0))).collect();
    player.ask(move |terrains: TerrainQuery, origin: Res<TerrainOrigin>, chunks: Chunks| {
        let ground = terrains.single().map_err(|error| error.to_string())?;
        let [x, _, z] = origin.position(camera.translation);
        for (i, [dx, dz]) in draws.iter().enumerate() {
            at(&ground, [x + dx, z + dz], i % PLANTS == 0)?;
        }
        chunks.agree(&ground, &origin, &picks)
    })
}

fn at(ground: &TerrainGround, p: [f64; 2], has_plants: bool) -> Checked {
    let wrong = |what: &str, found: f64, expected: f64| {
        let error = format!("at {p:?}, {what} is at {found}, not {expected}");
        Err::<(), _>(error)
    };
    let field = match ground.field(p) {
        Ok(field) => f64::from(field.value),
        Err(QueryError::NoGround { .. }) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    // Heights are f32.
    let rounding = 1e-3 + 2e-7 * field.abs();
    let ray = Ray {
        origin: [p[0], field + ABOVE, p[1]],
        direction: [0.0, -1.0, 0.0],
        max_distance: 2.0 * ABOVE,
    };
    match ground.raycast_field(&ray, TOLERANCE) {
        Ok(Cast::Hit(hit)) if (hit.position[1] - field).abs() <= TOLERANCE + rounding => {}
        Ok(Cast::Hit(hit)) => wrong("the hit of a ray", hit.position[1], field)?,
        other => return Err(format!("a ray from above {p:?} gives {other:?}")),
    }
    match (ground.surface(p), ground.raycast_surface(&ray)) {
        (Ok(surface), Ok(Cast::Hit(hit))) => {
            let surface = f64::from(surface.value);
            if (hit.position[1] - surface).abs() > rounding {
                wrong("the hit of a ray with triangles", hit.position[1], surface)?;
            }
        }
        // Beside a hole, and on slopes that leave the ray.
        (Err(QueryError::NoGround { .. }), Ok(_)) | (Ok(_), Ok(Cast::Clear { .. })) => {}
        other => return Err(format!("triangles and a ray from above {p:?} give {other:?}")),
    }
    tile(ground, p)?;
    if has_plants { plants(ground, p) } else { Ok(()) }
}

/// The nearest vertex of the collider there.
fn tile(ground: &TerrainGround, p: [f64; 2]) -> Checked {
    let offset = ground.offset();
    let local = [p[0] - offset[0], p[1] - offset[2]];
    let query = ground.query();
    let layout = Layout { cells: Tile::CELLS, ..*query.layout() };
    let key = layout.key_at(0, local);
    let (corner, tile) = (layout.origin(key), Tile::build(query, key));
    let [i, j] = [0, 1].map(|k| ((local[k] - corner[k]) / layout.spacing).floor());
    let vertex = [corner[0] + i * layout.spacing, corner[1] + j * layout.spacing];
    let height = tile.heights[j as usize * Tile::SIDE + i as usize];
    same("the collider", height, query.field(vertex).map(|sample| sample.value), vertex)
}

fn same(what: &str, height: f32, field: Result<f32, QueryError>, vertex: [f64; 2]) -> Checked {
    match field {
        Ok(field) if field.to_bits() == height.to_bits() => Ok(()),
        Err(QueryError::NoGround { .. }) if !height.is_finite() => Ok(()),
        field => Err(format!("at the vertex {vertex:?}, {what} is at {height}, not {field:?}")),
    }
}

/// Plants stand on the ground, and none in a hole.
fn plants(ground: &TerrainGround, p: [f64; 2]) -> Checked {
    let query = ground.query();
    let placement = query.placement();
    let offset = ground.offset();
    let is_large = |kind: &ScatterKind| kind.radius >= 1.0;
    let center = [p[0] - offset[0], p[1] - offset[2]];
    let near = placement.in_circle(center, 30.0, is_large).map_err(|error| error.to_string())?;
    for instance in near.iter().take(8) {
        let standing = placement.standing(instance).value;
        let field = match query.field(instance.position) {
            Ok(field) => field,
            // What was planted and has lost its ground stands nowhere, until it has some again.
            Err(QueryError::NoGround { .. }) if standing.is_nan() => continue,
            Err(error) => return Err(format!("a plant, {instance:?} at {standing}: {error}")),
        };
        if (standing - field.value).abs() > 1e-3 + 2e-7 * standing.abs() {
            return Err(format!("{instance:?} is at {standing}, the ground at {}", field.value));
        }
    }
    Ok(())
}

/// The chunks that are drawn.
#[derive(bevy::ecs::system::SystemParam)]
struct Chunks<'w, 's> {
    drawn: Query<
        'w,
        's,
        (&'static Chunk, &'static Visibility, &'static Mesh3d, &'static GlobalTransform),
    >,
    meshes: Res<'w, Assets<Mesh>>,
}

impl Chunks<'_, '_> {
    fn agree(&self, ground: &TerrainGround, origin: &TerrainOrigin, picks: &[[f64; 2]]) -> Checked {
        let query = ground.query();
        let layout = query.layout();
        // Coarser levels leave out the finest rivers.
        let drawn = self.drawn.iter().filter(|(chunk, visibility, ..)| {
            chunk.key.lod == 0 && **visibility != Visibility::Hidden
        });
        let drawn: Vec<_> = drawn.collect();
        if drawn.is_empty() {
            return Ok(());
        }
        for pick in picks.chunks(VERTICES) {
            let (chunk, _, mesh, transform) = drawn[(pick[0][0] * drawn.len() as f64) as usize];
            let corner = layout.origin(chunk.key);
            let stands = origin.position(transform.translation());
            let [x, _, z] = ground.offset();
            let error = (stands[0] - corner[0] - x).hypot(stands[2] - corner[1] - z);
            if error > 1e-3 {
                return Err(format!("{:?} stands {error} m off", chunk.key));
            }
            let Some(mesh) = self.meshes.get(&mesh.0) else { continue };
            let vertices = mesh.attribute(ATTRIBUTE_VERTEX);
            let Some(VertexAttributeValues::Uint32x4(vertices)) = vertices else { continue };
            for [_, part] in pick {
                let index = (part * vertices.len() as f64) as usize;
                let vertex = ChunkVertex::unpack(vertices[index]);
                let at = vertex.grid_vertex(index as u32);
                let at = [at.i, at.j].map(|i| f64::from(i) * layout.spacing);
                let position = [corner[0] + at[0], corner[1] + at[1]];
                let field = query.field(position).map(|sample| sample.value);
                // No triangle has a vertex in a hole, whatever its height.
                let is_drawn = || mesh.indices().is_some_and(|all| all.iter().any(|i| i == index));
                if matches!(field, Ok(_) | Err(QueryError::NoGround { .. }) if is_drawn()) {
                    same("the chunk", vertex.height, field, position)?;
                }
            }
        }
        Ok(())
    }
}
