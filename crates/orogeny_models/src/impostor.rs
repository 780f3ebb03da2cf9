//! Impostors: pictures of a model from many directions, for instances that are far away.

mod raster;

use std::future::ready;

use glam::{Vec2, Vec3, Vec4};

use crate::mips::{encode_levels, encode_values};
use crate::pattern::at_once;
use crate::{Mesh, Pattern};
use raster::{FRAME, Raster};

/// Frames along a side of a layer.
const FRAMES: usize = 8;

/// Triangles with one texture, of which an impostor is baked.
#[derive(Clone, Debug, Default)]
pub struct ImpostorPart<'a> {
    /// Positions in metres. The y axis points up, and the model stands at the origin.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates, which repeat beyond 0..=1.
    pub uvs: Vec<[f32; 2]>,
    /// Ambient occlusion, within 0..=1.
    pub tones: Vec<f32>,
    /// Linear colours that multiply the texture's, with the opacity as alpha; empty for white.
    pub colours: Vec<[f32; 4]>,
    /// Three indices of vertices for each triangle, each below the number of positions.
    pub indices: Vec<u32>,
    /// A layer with all mip levels, as [`Pattern::bake`](crate::Pattern::bake) gives it.
    pub texture: &'a [u8],
    /// Texels along a side of its level 0.
    pub size: u32,
}

/// What the frames of an impostor show: a rectangle around a point above the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpostorBounds {
    /// Height of the point in metres.
    pub centre: f32,
    /// Half the width in metres: the largest horizontal distance of the model from the origin.
    pub width: f32,
    /// Half the height in metres: the radius of the smallest ball around the point that contains
    /// the model.
    pub height: f32,
}

impl ImpostorBounds {
    /// The bounds of a model with vertices at all of these positions.
    pub fn new(positions: impl Iterator<Item = [f32; 3]> + Clone) -> Self {
        let far = |offset: fn(Vec3, f32) -> Vec3, centre: f32| {
            let offsets = positions.clone().map(|p| offset(p.into(), centre));
            offsets.map(Vec3::length_squared).fold(0.0, f32::max).sqrt()
        };
        let radius = |centre| far(|p, centre| p - Vec3::Y * centre, centre);
        let heights = positions.clone().map(|position| position[1]);
        let [mut low, mut high] =
            heights.fold([0.0_f32; 2], |[low, high], y| [low.min(y), high.max(y)]);
        // The radius is convex in the height.
        for _ in 0..24 {
            let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
            if radius(a) < radius(b) { high = b } else { low = a }
        }
        let centre = 0.5 * (low + high);
        let width = far(|p, _| p.with_y(0.0), 0.0);
        Self { centre, width: width.max(1e-3), height: radius(centre).max(1e-3) }
    }
}

/// Pictures of a model from 64 directions of the upper half of the sphere, on a grid of 8 x 8
/// frames. See Brucks, "Octahedral impostors", 2018.
///
/// Frame (i, j), with i along u, is seen from the direction whose hemi-octahedral coordinates are
/// (2 i / 7 - 1, 2 j / 7 - 1): the direction d = (x, y, z) is at (p + q, q - p) where
/// (p, q) = (x, z) / (|x| + |y| + |z|). Its right side is (0, 1, 0) x d, its upper side d x right,
/// and it shows the model orthographically, within `bounds`.
#[derive(Clone, Debug, PartialEq)]
pub struct Impostor {
    /// What frames show.
    pub bounds: ImpostorBounds,
    /// The colours, encoded as sRGB, with the coverage as alpha, as
    /// [`Pattern::bake`](crate::Pattern::bake) encodes a layer of 512 x 512.
    pub colours: Vec<u8>,
    /// The normals of the model as 0.5 n + 0.5, encoded as if they were colours in sRGB, with the
    /// ambient occlusion as alpha.
    pub normals: Vec<u8>,
}

impl Impostor {
    /// Texels along a side of the layers.
    pub const SIZE: u32 = (FRAMES * FRAME) as u32;

    /// Bakes an impostor of a model. Without a triangle, all of it is transparent. Of models with
    /// thousands of triangles as large as themselves, the last ones may be missing.
    pub fn bake(parts: &[ImpostorPart]) -> Self {
        at_once(Self::bake_in_turns(parts, || ready(())))
    }

    /// The same, awaiting a turn after each part of the work, for tasks that share a thread.
    pub async fn bake_in_turns<T: Future>(
        parts: &[ImpostorPart<'_>],
        turn: impl Fn() -> T,
    ) -> Self {
        let positions = parts.iter().flat_map(|part| part.positions.iter().copied());
        let bounds = ImpostorBounds::new(positions);
        let size = FRAMES * FRAME;
        let mut colours = vec![Vec4::ZERO; size * size];
        let mut normals = vec![Vec4::ZERO; size * size];
        let mut tones = vec![Vec4::ZERO; size * size];
        let mut raster = Raster::default();
        for j in 0..FRAMES {
            for i in 0..FRAMES {
                turn().await;
                raster.draw(parts, direction([i, j]), bounds);
                for y in 0..FRAME {
                    for x in 0..FRAME {
                        let at = (j * FRAME + y) * size + i * FRAME + x;
                        [colours[at], normals[at], tones[at]] = raster.texel([x, y]);
                    }
                }
            }
        }
        turn().await;
        let normals = encode_values(size, normals, tones, &turn).await;
        turn().await;
        let colours = encode_levels(size, colours, &turn).await;
        Self { bounds, colours, normals }
    }
}

impl<'a> ImpostorPart<'a> {
    /// The triangles of a mesh with a pattern, whose layer [`Pattern::bake`] has baked.
    pub fn of(mesh: &Mesh, pattern: Pattern, texture: &'a [u8]) -> Self {
        let mut part = Self { texture, size: side(texture.len()), ..Self::default() };
        for corners in mesh.indices.chunks_exact(3) {
            for &index in corners {
                let vertex = &mesh.vertices[index as usize];
                if vertex.pattern == pattern {
                    part.indices.push(part.positions.len() as u32);
                    part.positions.push(vertex.position);
                    part.normals.push(vertex.normal);
                    part.uvs.push(vertex.uv);
                    part.tones.push(vertex.tone);
                }
            }
        }
        part
    }

    /// The three corners of a triangle.
    fn corners(&self, indices: &[u32]) -> [Corner; 3] {
        [indices[0], indices[1], indices[2]].map(|index| {
            let index = index as usize;
            Corner {
                position: self.positions[index].into(),
                normal: self.normals[index].into(),
                uv: self.uvs[index].into(),
                tone: self.tones[index],
                colour: self.colours.get(index).map_or(Vec4::ONE, |colour| Vec4::from(*colour)),
            }
        })
    }
}

/// Texels along a side of level 0 of a layer with so many bytes.
fn side(bytes: usize) -> u32 {
    let mut size = 1;
    // All other levels have a third of the texels of level 0 together.
    while 16 * size * size <= bytes {
        size *= 2;
    }
    size as u32
}

/// A corner of a triangle.
struct Corner {
    position: Vec3,
    normal: Vec3,
    uv: Vec2,
    tone: f32,
    colour: Vec4,
}

/// The direction from the model to the eye in a frame.
fn direction([i, j]: [usize; 2]) -> Vec3 {
    unfold(Vec2::new(i as f32, j as f32) * 2.0 / (FRAMES - 1) as f32 - 1.0)
}

/// The direction at hemi-octahedral coordinates, each -1 to 1.
fn unfold(e: Vec2) -> Vec3 {
    let [x, z] = [0.5 * (e.x - e.y), 0.5 * (e.x + e.y)];
    Vec3::new(x, 1.0 - x.abs() - z.abs(), z).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As it is documented.
    fn fold(d: Vec3) -> Vec2 {
        let p = Vec2::new(d.x, d.z) / (d.x.abs() + d.y.abs() + d.z.abs());
        Vec2::new(p.x + p.y, p.y - p.x)
    }

    #[test]
    fn directions_are_where_they_are_documented() {
        for j in 0..FRAMES {
            for i in 0..FRAMES {
                let d = direction([i, j]);
                let is_rim = [i, j].iter().any(|&k| k == 0 || k == FRAMES - 1);
                assert!(d.y > -1e-6 && (d.y < 1e-6) == is_rim, "{i} {j}: {d}");
                let back = (fold(d) + 1.0) * 0.5 * (FRAMES - 1) as f32;
                assert!(back.distance(Vec2::new(i as f32, j as f32)) < 1e-5, "{i} {j}: {back}");
            }
        }
    }
}
