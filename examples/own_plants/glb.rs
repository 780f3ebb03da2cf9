//! Writes models as binary glTF files (GLB).

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// A glTF document, and the one binary buffer that it refers to.
#[derive(Default)]
pub struct Glb {
    /// The lists of the document: `meshes`, `nodes` and so on.
    lists: BTreeMap<&'static str, Vec<Value>>,
    buffer: Vec<u8>,
}

/// A number of a buffer.
pub trait Number: Copy + Into<f64> {
    /// Its `componentType`.
    const TYPE: u32;

    fn append(self, buffer: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($number:ty: $code:literal),*) => {$(
        impl Number for $number {
            const TYPE: u32 = $code;

            fn append(self, buffer: &mut Vec<u8>) {
                buffer.extend(self.to_le_bytes());
            }
        }
    )*};
}

numbers!(u8: 5121, u16: 5123, u32: 5125, f32: 5126);

impl Glb {
    /// Appends to one of the document's lists, and returns the index there.
    pub fn add(&mut self, list: &'static str, value: Value) -> usize {
        let list = self.lists.entry(list).or_default();
        list.push(value);
        list.len() - 1
    }

    /// Adds numbers as elements of a kind, such as `VEC3`, and returns the index of the accessor.
    pub fn accessor<T: Number>(&mut self, kind: &str, numbers: &[T]) -> usize {
        let size = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            _ => panic!("unknown kind of elements: {kind}"),
        };
        let mut bytes = Vec::with_capacity(size_of_val(numbers));
        numbers.iter().for_each(|number| number.append(&mut bytes));
        let mut accessor = json!({
            "bufferView": self.view(&bytes),
            "componentType": T::TYPE,
            "type": kind,
            "count": numbers.len() / size,
        });
        // Positions need their bounds.
        if kind == "VEC3" {
            let fold = |start: f64, f: fn(f64, f64) -> f64| -> Vec<f64> {
                let along = |axis| numbers.iter().skip(axis).step_by(size);
                (0..size).map(|k| along(k).fold(start, |a, &b| f(a, b.into()))).collect()
            };
            accessor["min"] = json!(fold(f64::INFINITY, f64::min));
            accessor["max"] = json!(fold(f64::NEG_INFINITY, f64::max));
        }
        self.add("accessors", accessor)
    }

    /// Adds the bytes of a PNG file, and returns the index of a texture that repeats it.
    pub fn texture(&mut self, name: &str, png: &[u8]) -> usize {
        let view = self.view(png);
        let image = json!({ "name": name, "bufferView": view, "mimeType": "image/png" });
        let source = self.add("images", image);
        self.add("textures", json!({ "source": source }))
    }

    /// Adds a mesh, and a node that shows it, of which it returns the index.
    pub fn mesh(&mut self, name: &str, primitives: &[Value]) -> usize {
        let mesh = self.add("meshes", json!({ "name": name, "primitives": primitives }));
        self.add("nodes", json!({ "name": name, "mesh": mesh }))
    }

    /// The file, with a scene of these nodes.
    pub fn finish(mut self, nodes: &[usize]) -> Vec<u8> {
        self.add("scenes", json!({ "nodes": nodes }));
        if !self.buffer.is_empty() {
            pad(&mut self.buffer, 0);
            self.add("buffers", json!({ "byteLength": self.buffer.len() }));
        }
        let mut document = json!({ "asset": { "version": "2.0" }, "scene": 0 });
        for (list, values) in self.lists {
            document[list] = values.into();
        }
        let mut text = document.to_string().into_bytes();
        pad(&mut text, b' ');
        let mut chunks = Vec::new();
        chunk(&mut chunks, b"JSON", &text);
        if !self.buffer.is_empty() {
            chunk(&mut chunks, b"BIN\0", &self.buffer);
        }
        let length = 12 + chunks.len() as u32;
        [&b"glTF"[..], &2u32.to_le_bytes(), &length.to_le_bytes(), &chunks].concat()
    }

    /// Adds bytes to the buffer, and returns the index of their view.
    fn view(&mut self, bytes: &[u8]) -> usize {
        pad(&mut self.buffer, 0);
        let offset = self.buffer.len();
        self.buffer.extend(bytes);
        let view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() });
        self.add("bufferViews", view)
    }
}

/// Fills up to a multiple of four bytes.
fn pad(bytes: &mut Vec<u8>, with: u8) {
    bytes.resize(bytes.len().next_multiple_of(4), with);
}

fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], bytes: &[u8]) {
    file.extend((bytes.len() as u32).to_le_bytes());
    file.extend(kind);
    file.extend(bytes);
}
