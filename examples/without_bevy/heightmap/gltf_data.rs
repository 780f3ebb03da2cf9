//! The binary data of a glTF file: one buffer, with a view and an accessor for each array.

use gltf::json::accessor::{ComponentType, GenericComponentType, Type};
use gltf::json::buffer::{Buffer, Target, View};
use gltf::json::validation::{Checked::Valid, USize64};
use gltf::json::{Accessor, Index, Root};

/// A buffer that grows.
pub struct Data {
    buffer: Index<Buffer>,
    bytes: Vec<u8>,
}

impl Data {
    /// Adds an empty buffer to a file.
    pub fn new(root: &mut Root) -> Self {
        let buffer = Buffer {
            byte_length: USize64(0),
            extensions: None,
            extras: None,
            name: None,
            uri: None,
        };
        Self { buffer: root.push(buffer), bytes: Vec::new() }
    }

    /// The bytes of the buffer, whose length is then known.
    pub fn finish(self, root: &mut Root) -> Vec<u8> {
        root.buffers[self.buffer.value()].byte_length = USize64(self.bytes.len() as u64);
        self.bytes
    }

    /// Adds vectors of floats, with their bounds if wanted.
    pub fn floats<const N: usize>(
        &mut self,
        root: &mut Root,
        kind: Type,
        vectors: &[[f32; N]],
        has_bounds: bool,
    ) -> Index<Accessor> {
        let bytes = vectors.iter().flatten().flat_map(|part| part.to_le_bytes());
        let view = self.view(root, bytes, Target::ArrayBuffer);
        let mut accessor = accessor(view, vectors.len(), ComponentType::F32, kind);
        if has_bounds {
            let fold = |start: f32, pick: fn(f32, f32) -> f32| {
                let bound = |k: usize| vectors.iter().map(|it| it[k]).fold(start, pick);
                Some(std::array::from_fn::<f32, N, _>(bound).to_vec().into())
            };
            accessor.min = fold(f32::INFINITY, f32::min);
            accessor.max = fold(f32::NEG_INFINITY, f32::max);
        }
        root.push(accessor)
    }

    /// Adds the vertices of triangles.
    pub fn indices(&mut self, root: &mut Root, indices: &[u32]) -> Index<Accessor> {
        let bytes = indices.iter().flat_map(|index| index.to_le_bytes());
        let view = self.view(root, bytes, Target::ElementArrayBuffer);
        root.push(accessor(view, indices.len(), ComponentType::U32, Type::Scalar))
    }

    fn view(
        &mut self,
        root: &mut Root,
        bytes: impl Iterator<Item = u8>,
        target: Target,
    ) -> Index<View> {
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        root.push(View {
            buffer: self.buffer,
            byte_length: USize64::from(self.bytes.len() - offset),
            byte_offset: Some(USize64::from(offset)),
            byte_stride: None,
            extensions: None,
            extras: None,
            name: None,
            target: Some(Valid(target)),
        })
    }
}

fn accessor(view: Index<View>, count: usize, component: ComponentType, kind: Type) -> Accessor {
    Accessor {
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
    }
}
