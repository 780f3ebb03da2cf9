//! Triangle meshes, the attributes of their vertices, and the levels of detail of a model.

use glam::Vec3;

use crate::Pattern;

/// A vertex with everything that the fragment shader needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Position in metres. The y axis points up, and the base of the stem is the origin.
    pub position: [f32; 3],
    /// Unit normal. Foliage has normals bent outwards from the crown's centre, so that crowns shade
    /// as soft volumes.
    pub normal: [f32; 3],
    /// Position in the pattern, within 0..=1. That of bark repeats along v.
    pub uv: [f32; 2],
    /// What the fragment shader draws. It is the same for all vertices of a triangle.
    pub pattern: Pattern,
    /// Ambient occlusion, within 0..=1: dark inside crowns and at the base, 1 outside.
    pub tone: f32,
    /// How far wind moves the vertex, within 0..=1: 0 at the base, 1 at tips.
    pub sway: f32,
}

/// Triangles, counter-clockwise from outside. Cards of foliage have one side only, so draw them
/// without culling.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// Three indices of vertices for each triangle.
    pub indices: Vec<u32>,
}

impl Mesh {
    /// The number of triangles.
    pub fn triangles(&self) -> usize {
        self.indices.len() / 3
    }

    /// Adds a vertex and returns its index.
    pub(crate) fn push(
        &mut self,
        position: Vec3,
        uv: [f32; 2],
        pattern: Pattern,
        shade: Shade,
    ) -> u32 {
        self.vertices.push(Vertex {
            position: position.to_array(),
            normal: shade.normal.normalize_or(Vec3::Y).to_array(),
            uv: if pattern == Pattern::Bark { uv } else { uv.map(|u| u.clamp(0.0, 1.0)) },
            pattern,
            tone: shade.tone.clamp(0.0, 1.0),
            sway: shade.sway.clamp(0.0, 1.0),
        });
        self.vertices.len() as u32 - 1
    }

    /// Adds a triangle.
    pub(crate) fn triangle(&mut self, a: u32, b: u32, c: u32) {
        self.indices.extend([a, b, c]);
    }

    /// The greatest height of a vertex.
    pub(crate) fn top(&self) -> f32 {
        self.vertices.iter().map(|vertex| vertex.position[1]).fold(0.0, f32::max)
    }

    /// The greatest height at which the pattern covers a triangle. The corners of cards stand out
    /// above their patterns, those of large cards most.
    fn visible_top(&self) -> f32 {
        // Few triangles are large ones.
        let steps = if self.triangles() > 100 { 16 } else { 64 };
        let mut top = 0.0_f32;
        for corners in self.indices.chunks_exact(3) {
            let [a, b, c] = [corners[0], corners[1], corners[2]].map(|i| self.vertices[i as usize]);
            if a.position[1].max(b.position[1]).max(c.position[1]) <= top {
                continue;
            }
            for i in 0..=steps {
                for j in 0..=steps - i {
                    let [u, v] = [i, j].map(|k| k as f32 / steps as f32);
                    let mix = |a: f32, b: f32, c: f32| a + (b - a) * u + (c - a) * v;
                    let y = mix(a.position[1], b.position[1], c.position[1]);
                    let uv = [0, 1].map(|k| mix(a.uv[k], b.uv[k], c.uv[k]));
                    if y > top && a.pattern.at(uv, 0.5).1 >= 0.5 {
                        top = y;
                    }
                }
            }
        }
        top
    }
}

/// The levels of detail of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    /// The meshes, finest first.
    pub levels: Vec<Mesh>,
    /// Height of the finest mesh above the origin, in metres.
    pub height: f32,
    /// Greatest horizontal distance of the finest mesh from the origin, in metres.
    pub radius: f32,
}

impl Levels {
    /// Stretches the coarser meshes to the visible height of the finest.
    pub(crate) fn new(mut levels: Vec<Mesh>) -> Levels {
        let height = levels[0].top();
        let visible = levels[0].visible_top();
        for mesh in &mut levels[1..] {
            let stretch = visible / mesh.visible_top();
            for vertex in &mut mesh.vertices {
                vertex.position[1] *= stretch;
            }
        }
        let radius = levels[0]
            .vertices
            .iter()
            .map(|vertex| vertex.position[0].hypot(vertex.position[2]))
            .fold(0.0, f32::max);
        Levels { levels, height, radius }
    }
}

/// Normal, tone and sway of a vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shade {
    pub(crate) normal: Vec3,
    pub(crate) tone: f32,
    pub(crate) sway: f32,
}

/// The horizontal unit vector at an azimuth in radians.
pub(crate) fn horizontal(azimuth: f32) -> Vec3 {
    let (sin, cos) = azimuth.sin_cos();
    Vec3::new(cos, 0.0, sin)
}

/// Hermite interpolation from 0 at `from` to 1 at `to`.
pub(crate) fn smoothstep(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The angle between neighbours of a spiral that never repeats, in radians.
pub(crate) const GOLDEN_ANGLE: f32 = 2.399_963_2;
