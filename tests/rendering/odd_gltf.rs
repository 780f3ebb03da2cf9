//! glTF files with odd contents. Unless size or place is what is odd, they show a box that is 1 m
//! wide and 3 m tall and stands on the origin.

use serde_json::{Value, json};

use self::glb::{Glb, Number};

#[path = "../../examples/own_plants/glb.rs"]
pub mod glb;

const WIDTH: f32 = 1.0;
const HEIGHT: f32 = 3.0;
/// The mode of primitives that are lines.
const LINES: u32 = 1;
/// The mode of primitives that are strips.
const STRIP: u32 = 5;

/// What a game that uses such a file sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Drawn,
    Refused,
}

/// All files, with their names.
pub fn all() -> Vec<(&'static str, Vec<u8>, Expected)> {
    use Expected::{Drawn, Refused};
    let cuboid = Shape::cuboid(WIDTH, HEIGHT);
    let mut truncated = cuboid.file(&cuboid.small_indices::<u16>());
    truncated.truncate(truncated.len() * 3 / 4);
    vec![
        ("bare", bare(&cuboid), Drawn),
        ("u8_indices", cuboid.file(&cuboid.small_indices::<u8>()), Drawn),
        ("u16_indices", cuboid.file(&cuboid.small_indices::<u16>()), Drawn),
        ("u32_indices", many_vertices(), Drawn),
        ("no_indices", no_indices(&cuboid), Drawn),
        ("skinned", skinned(&cuboid), Drawn),
        ("empty_scene", Glb::default().finish(&[]), Refused),
        ("no_triangles", cuboid.file(&[0u16, 1]), Refused),
        ("nan", not_a_number(), Refused),
        ("tall", tall(), Drawn),
        ("truncated", truncated, Refused),
        ("not_an_image", not_an_image(&cuboid), Refused),
        ("nested_transforms", nested_transforms(), Drawn),
        ("only_a_colour", only_a_colour(&cuboid), Drawn),
        ("lines", lines(&cuboid), Refused),
        ("million_triangles", many_triangles(&cuboid), Refused),
        ("strip", strip(&cuboid), Drawn),
        ("colliders", colliders(&cuboid), Drawn),
    ]
}

#[derive(Default)]
struct Shape {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    indices: Vec<u32>,
}

impl Shape {
    fn cuboid(width: f32, height: f32) -> Shape {
        let mut shape = Shape::default();
        shape.side([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
        shape.side([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]]);
        shape.side([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]);
        shape.side([[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]);
        shape.side([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        shape.side([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        for [x, y, z] in &mut shape.positions {
            [*x, *y, *z] = [0.5 * width * *x, height * (0.5 + 0.5 * *y), 0.5 * width * *z];
        }
        shape
    }

    /// Adds a side of the cube from -1 to 1, by its normal, its right and its up.
    fn side(&mut self, [normal, right, up]: [[f32; 3]; 3]) {
        let first = self.positions.len() as u32;
        for [u, v] in [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]] {
            let [s, t] = [2.0 * u - 1.0, 1.0 - 2.0 * v];
            let place = |k: usize| normal[k] + s * right[k] + t * up[k];
            self.positions.push([0, 1, 2].map(place));
            self.normals.push(normal);
            self.uvs.push([u, v]);
        }
        self.indices.extend([0, 1, 2, 0, 2, 3].map(|i| first + i));
    }

    fn small_indices<T: TryFrom<u32>>(&self) -> Vec<T> {
        self.indices.iter().filter_map(|&index| index.try_into().ok()).collect()
    }

    fn attributes(&self, glb: &mut Glb) -> Value {
        json!({
            "POSITION": glb.accessor("VEC3", self.positions.as_flattened()),
            "NORMAL": glb.accessor("VEC3", self.normals.as_flattened()),
            "TEXCOORD_0": glb.accessor("VEC2", self.uvs.as_flattened()),
        })
    }

    fn primitive<T: Number>(&self, glb: &mut Glb, indices: &[T]) -> Value {
        let attributes = self.attributes(glb);
        json!({ "attributes": attributes, "indices": glb.accessor("SCALAR", indices) })
    }

    /// A file with these indices and nothing that is odd.
    fn file<T: Number>(&self, indices: &[T]) -> Vec<u8> {
        let mut glb = Glb::default();
        let primitive = self.primitive(&mut glb, indices);
        finish(glb, primitive)
    }

    fn file_with_material(&self, mut glb: Glb, material: Value) -> Vec<u8> {
        let mut primitive = self.primitive(&mut glb, &self.indices);
        primitive["material"] = glb.add("materials", material).into();
        finish(glb, primitive)
    }
}

fn finish(mut glb: Glb, primitive: Value) -> Vec<u8> {
    let node = glb.mesh("odd", &[primitive]);
    glb.finish(&[node])
}

/// Neither normals nor texture coordinates nor a material.
fn bare(shape: &Shape) -> Vec<u8> {
    let mut glb = Glb::default();
    let positions = glb.accessor("VEC3", shape.positions.as_flattened());
    let indices = glb.accessor("SCALAR", &shape.indices);
    finish(glb, json!({ "attributes": { "POSITION": positions }, "indices": indices }))
}

/// 70,000 vertices, of 17,500 squares that are 100 around a cylinder and 175 up.
fn many_vertices() -> Vec<u8> {
    let [around, up] = [100, 175];
    let mut shape = Shape::default();
    for square in 0..around * up {
        let first = shape.positions.len() as u32;
        for [i, j] in [[1, 0], [0, 0], [0, 1], [1, 1]] {
            let u = (square % around + i) as f32 / around as f32;
            let v = (square / around + j) as f32 / up as f32;
            let (sin, cos) = (u * std::f32::consts::TAU).sin_cos();
            shape.positions.push([0.5 * WIDTH * cos, HEIGHT * v, 0.5 * WIDTH * sin]);
            shape.normals.push([cos, 0.0, sin]);
            shape.uvs.push([u, 1.0 - v]);
        }
        shape.indices.extend([0, 1, 2, 0, 2, 3].map(|i| first + i));
    }
    shape.file(&shape.indices)
}

/// Three vertices for each triangle.
fn no_indices(shape: &Shape) -> Vec<u8> {
    let mut single = Shape::default();
    for i in shape.indices.iter().map(|&i| i as usize) {
        single.positions.push(shape.positions[i]);
        single.normals.push(shape.normals[i]);
        single.uvs.push(shape.uvs[i]);
    }
    let mut glb = Glb::default();
    let attributes = single.attributes(&mut glb);
    finish(glb, json!({ "attributes": attributes }))
}

/// A bone at the foot and one at half the height, which leave the shape as it is.
fn skinned(shape: &Shape) -> Vec<u8> {
    let mut glb = Glb::default();
    let mut primitive = shape.primitive(&mut glb, &shape.indices);
    let bones = shape.positions.iter().map(|p| u8::from(p[1] > 0.5 * HEIGHT));
    let joints = bones.flat_map(|bone| [bone, 0, 0, 0]).collect::<Vec<_>>();
    let weights = [1.0f32, 0.0, 0.0, 0.0].repeat(shape.positions.len());
    primitive["attributes"]["JOINTS_0"] = glb.accessor("VEC4", &joints).into();
    primitive["attributes"]["WEIGHTS_0"] = glb.accessor("VEC4", &weights).into();
    let mesh = glb.add("meshes", json!({ "primitives": [primitive] }));
    let shown = glb.add("nodes", json!({ "mesh": mesh, "skin": 0 }));
    let upper = glb.add("nodes", json!({ "translation": [0.0, 0.5 * HEIGHT, 0.0] }));
    let lower = glb.add("nodes", json!({ "children": [upper] }));
    // Bones that are moved up by this; the matrices move back.
    let matrices = [0.0, 0.5 * HEIGHT].map(|y| {
        std::array::from_fn::<f32, 16, _>(|k| match k {
            0 | 5 | 10 | 15 => 1.0,
            13 => -y,
            _ => 0.0,
        })
    });
    let matrices = glb.accessor("MAT4", matrices.as_flattened());
    glb.add("skins", json!({ "joints": [lower, upper], "inverseBindMatrices": matrices }));
    glb.finish(&[shown, lower])
}

/// One coordinate of one vertex is NaN.
fn not_a_number() -> Vec<u8> {
    let mut shape = Shape::cuboid(WIDTH, HEIGHT);
    shape.positions[9][1] = f32::NAN;
    shape.file(&shape.indices)
}

fn tall() -> Vec<u8> {
    let shape = Shape::cuboid(5000.0 * WIDTH / HEIGHT, 5000.0);
    shape.file(&shape.indices)
}

/// The image of the material is text.
fn not_an_image(shape: &Shape) -> Vec<u8> {
    let mut glb = Glb::default();
    let texture = glb.texture("text", b"This is not an image.");
    let pbr = json!({ "baseColorTexture": { "index": texture } });
    shape.file_with_material(glb, json!({ "pbrMetallicRoughness": pbr }))
}

/// Two nodes show one mesh: the lower half, and the upper half that is turned to and fro, moved and
/// mirrored along x.
fn nested_transforms() -> Vec<u8> {
    let shape = Shape::cuboid(0.5 * WIDTH, 0.25 * HEIGHT);
    let mut glb = Glb::default();
    let primitive = shape.primitive(&mut glb, &shape.indices);
    let mesh = glb.add("meshes", json!({ "primitives": [primitive] }));
    let lower = json!({ "mesh": mesh, "scale": [2, 2, 2], "translation": [0, -1, 0] });
    let lower = glb.add("nodes", lower);
    let mirrored = glb.add("nodes", json!({ "mesh": mesh, "scale": [-2, 2, 2] }));
    // A quarter turn about z, and one back, which makes the translation one along y.
    let turned = json!({
        "children": [mirrored],
        "translation": [-0.5 * HEIGHT, 0.0, 0.0],
        "rotation": [0.0, 0.0, 0.5f32.sqrt(), 0.5f32.sqrt()],
    });
    let turned = glb.add("nodes", turned);
    let matrix = json!([0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1]);
    let back = glb.add("nodes", json!({ "children": [turned], "matrix": matrix }));
    let root = json!({ "children": [back, lower], "translation": [0, 1, 0] });
    let root = glb.add("nodes", root);
    glb.finish(&[root])
}

/// A material of a colour only.
fn only_a_colour(shape: &Shape) -> Vec<u8> {
    let pbr = json!({ "baseColorFactor": [0.8, 0.1, 0.1, 1.0] });
    shape.file_with_material(Glb::default(), json!({ "pbrMetallicRoughness": pbr }))
}

/// The edges of the triangles.
fn lines(shape: &Shape) -> Vec<u8> {
    let corners = shape.indices.chunks(3);
    let edges = corners.flat_map(|t| [t[0], t[1], t[1], t[2], t[2], t[0]]).collect::<Vec<_>>();
    let mut glb = Glb::default();
    let mut primitive = shape.primitive(&mut glb, &edges);
    primitive["mode"] = LINES.into();
    finish(glb, primitive)
}

/// The sides as one strip, with triangles without an area in between.
fn strip(shape: &Shape) -> Vec<u8> {
    let sides = (0..shape.positions.len() as u32).step_by(4);
    let indices: Vec<u32> = sides.flat_map(|k| [k, k, k + 1, k + 3, k + 2, k + 2]).collect();
    let mut glb = Glb::default();
    let mut primitive = shape.primitive(&mut glb, &indices);
    primitive["mode"] = STRIP.into();
    finish(glb, primitive)
}

/// Beside the box, wider ones that are not drawn, by the names that engines give them.
fn colliders(shape: &Shape) -> Vec<u8> {
    let wide = Shape::cuboid(4.0 * WIDTH, HEIGHT);
    let mut glb = Glb::default();
    let mut nodes = Vec::new();
    for name in ["odd-col", "UCX_odd", "odd-colonly.001"] {
        let shape = if nodes.is_empty() { shape } else { &wide };
        let primitive = shape.primitive(&mut glb, &shape.indices);
        nodes.push(glb.mesh(name, &[primitive]));
    }
    glb.finish(&nodes)
}

/// A box whose image is a file beside it.
pub fn with_image_beside(image: &str) -> Vec<u8> {
    let mut glb = Glb::default();
    let source = glb.add("images", json!({ "uri": image }));
    let texture = glb.add("textures", json!({ "source": source }));
    let pbr = json!({ "baseColorTexture": { "index": texture } });
    Shape::cuboid(WIDTH, HEIGHT).file_with_material(glb, json!({ "pbrMetallicRoughness": pbr }))
}

/// A white box with vertices of a linear colour.
pub fn with_vertex_colours(colour: [f32; 4]) -> Vec<u8> {
    let shape = Shape::cuboid(WIDTH, HEIGHT);
    let mut glb = Glb::default();
    let mut primitive = shape.primitive(&mut glb, &shape.indices);
    let colours = colour.repeat(shape.positions.len());
    primitive["attributes"]["COLOR_0"] = glb.accessor("VEC4", &colours).into();
    finish(glb, primitive)
}

/// A box with a palette of two pixels, of which its second texture coordinates show the right one.
pub fn with_second_coordinates(palette: &[u8]) -> Vec<u8> {
    let shape = Shape::cuboid(WIDTH, HEIGHT);
    let mut glb = Glb::default();
    let texture = glb.texture("palette", palette);
    let base = json!({ "index": texture, "texCoord": 1 });
    let material = json!({ "pbrMetallicRoughness": { "baseColorTexture": base } });
    let mut primitive = shape.primitive(&mut glb, &shape.indices);
    primitive["material"] = glb.add("materials", material).into();
    let count = shape.positions.len();
    let [left, right] = [0.25f32, 0.75].map(|u| [u, 0.5].repeat(count));
    primitive["attributes"]["TEXCOORD_0"] = glb.accessor("VEC2", &left).into();
    primitive["attributes"]["TEXCOORD_1"] = glb.accessor("VEC2", &right).into();
    finish(glb, primitive)
}

/// A small file: the triangles of the shape again and again, without changes.
fn many_triangles(shape: &Shape) -> Vec<u8> {
    shape.file(&shape.small_indices::<u8>().repeat(1_000_000 / 12 + 1))
}
