//! The mesh of a region: a level of detail of a grid.

use orogeny::{Grid, Samples};

/// A level of detail: some of the columns and rows of a grid, among them the first and last ones.
pub struct Level {
    columns: Vec<usize>,
    rows: Vec<usize>,
}

/// The vertices of a level, as the bytes of 32-bit floats, and its triangles.
pub struct Mesh {
    /// x, y, z in metres, x and z relative to the middle of the grid.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals from the gradient of the field.
    pub normals: Vec<[f32; 3]>,
    /// Where a picture of the grid has the pixel of the vertex.
    pub uvs: Vec<[f32; 2]>,
    /// Three vertices for each triangle, counter-clockwise seen from above.
    pub indices: Vec<u32>,
}

impl Level {
    /// Every `step`th column and row of a grid. Where the last one is left over, the cells before
    /// it are narrower.
    pub fn new(size: [usize; 2], step: usize) -> Self {
        let every = |side: usize| {
            let last = side - 1;
            (0..last).step_by(step).chain([last]).collect()
        };
        Self { columns: every(size[0]), rows: every(size[1]) }
    }

    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.columns.len() * self.rows.len()
    }

    /// Builds the mesh from the samples of the whole grid.
    pub fn mesh(&self, grid: &Grid<2>, samples: &Samples<2>) -> Mesh {
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
                mesh.normals.push(normal(sample.gradient));
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
pub fn middle(grid: &Grid<2>) -> [f64; 2] {
    [0, 1].map(|k| (grid.coordinate(k, 0) + grid.coordinate(k, grid.size[k] - 1)) / 2.0)
}

fn normal(gradient: [f32; 2]) -> [f32; 3] {
    let [x, z] = gradient.map(f64::from);
    let length = (x * x + z * z + 1.0).sqrt();
    [-x / length, 1.0 / length, -z / length].map(|part| part as f32)
}
