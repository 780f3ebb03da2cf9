//! Extensions of glTF that change what is seen, and that are not read: neither by Bevy, nor here.

use bevy_asset::io::AssetSourceId;
use bevy_asset::{AssetPath, AssetServer, AssetServerMode};
use bevy_tasks::futures_lite::AsyncReadExt;
use serde::Deserialize;

/// Extensions that are not read, and what that means for a model.
const NOT_READ: [(&str, &str); 8] = [
    ("MSFT_lod", "its levels of detail are not read: name nodes LOD0, LOD1 and so on"),
    ("EXT_mesh_gpu_instancing", "its instances are not drawn: write them as nodes"),
    ("KHR_node_visibility", "hidden nodes are drawn"),
    ("KHR_materials_pbrSpecularGlossiness", "its colours are not read"),
    ("KHR_materials_unlit", "its materials are lit"),
    ("KHR_texture_basisu", "its images are not read"),
    ("EXT_texture_webp", "its images are not read"),
    ("MSFT_texture_dds", "its images are not read"),
];

/// The most bytes of a document that are read.
const MOST_BYTES: u32 = 1 << 26;

/// What is not read of the file of an asset; nothing if that is no glTF file.
pub(super) async fn not_read(server: &AssetServer, path: &AssetPath<'static>) -> Vec<String> {
    let extension = path.path().extension().and_then(|extension| extension.to_str());
    let is_gltf =
        |extension: &str| ["glb", "gltf"].iter().any(|e| extension.eq_ignore_ascii_case(e));
    if !extension.is_some_and(is_gltf) {
        return Vec::new();
    }
    match document(server, path).await {
        Some(document) => notes(&document),
        None => Vec::new(),
    }
}

/// The JSON of a glTF file, text or binary.
async fn document(server: &AssetServer, path: &AssetPath<'static>) -> Option<Vec<u8>> {
    let source: AssetSourceId = path.source().clone();
    let source = server.get_source(source).ok()?;
    let reader = match server.mode() {
        AssetServerMode::Unprocessed => source.reader(),
        AssetServerMode::Processed => source.processed_reader().ok()?,
    };
    let mut reader = reader.read(path.path()).await.ok()?;
    // A binary file begins with its kind, its version, its length, and the length and the kind of
    // its first part, which is the document.
    let mut head = [0; 20];
    reader.read_exact(&mut head).await.ok()?;
    let [k, l, m, n] = [head[12], head[13], head[14], head[15]];
    let (mut document, length) = if head.starts_with(b"glTF") {
        (Vec::new(), u32::from_le_bytes([k, l, m, n]))
    } else {
        (head.to_vec(), MOST_BYTES)
    };
    reader.take(length.min(MOST_BYTES).into()).read_to_end(&mut document).await.ok()?;
    Some(document)
}

/// What is not read of a document.
fn notes(document: &[u8]) -> Vec<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Document {
        #[serde(default)]
        extensions_used: Vec<String>,
    }
    let Ok(Document { extensions_used }) = serde_json::from_slice(document) else {
        return Vec::new();
    };
    let used = |(name, _): &&(&str, &str)| extensions_used.iter().any(|used| used == name);
    let note = |(name, means): &(&str, &str)| format!("uses the glTF extension {name}: {means}");
    NOT_READ.iter().filter(used).map(note).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_that_are_not_read_are_told_once() {
        let document = br#"{ "extensionsUsed": ["KHR_texture_transform", "MSFT_lod"],
            "nodes": [{ "extensions": { "MSFT_lod": { "ids": [1] } } }] }"#;
        let told = notes(document);
        assert!(told.len() == 1 && told[0].contains("MSFT_lod: its levels"), "{told:?}");
        for none in ["{}", "", "{", r#"{ "extensionsUsed": 3 }"#, r#"{ "extensionsUsed": [] }"#] {
            assert!(notes(none.as_bytes()).is_empty(), "{none}");
        }
    }
}
