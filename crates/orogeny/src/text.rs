//! Reads and writes RON and JSON, with errors that name the path.

use alloc::string::String;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::RecipeError;

/// Reads RON. `root` is the name of the whole in errors.
#[cfg(feature = "ron")]
pub(crate) fn from_ron<T: DeserializeOwned>(text: &str, root: &str) -> Result<T, RecipeError> {
    let options = ron_options();
    let mut deserializer = ron::Deserializer::from_str_with_options(content(text), &options)
        .map_err(|e| RecipeError::at(root, e))?;
    let read = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = known(&error.path().to_string(), root);
        RecipeError::at(path, deserializer.span_error(error.into_inner()))
    })?;
    deserializer.end().map_err(|e| RecipeError::at(root, deserializer.span_error(e)))?;
    Ok(read)
}

/// Writes RON that [`from_ron`] reads back unchanged.
#[cfg(feature = "ron")]
pub(crate) fn to_ron<T: Serialize>(value: &T, root: &str) -> Result<String, RecipeError> {
    ron_options()
        .to_string_pretty(value, ron::ser::PrettyConfig::new())
        .map_err(|e| RecipeError::at(root, e))
}

/// Reads JSON. `root` is the name of the whole in errors.
#[cfg(feature = "json")]
pub(crate) fn from_json<T: DeserializeOwned>(text: &str, root: &str) -> Result<T, RecipeError> {
    let mut deserializer = serde_json::Deserializer::from_str(content(text));
    let read = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|e| RecipeError::at(known(&e.path().to_string(), root), e.into_inner()))?;
    deserializer.end().map_err(|e| RecipeError::at(root, e))?;
    Ok(read)
}

/// Writes JSON that [`from_json`] reads back unchanged.
#[cfg(feature = "json")]
pub(crate) fn to_json<T: Serialize>(value: &T, root: &str) -> Result<String, RecipeError> {
    serde_json::to_string_pretty(value).map_err(|e| RecipeError::at(root, e))
}

/// The text of a file without the byte-order mark that some editors write.
pub(crate) fn content(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The path up to its first question mark, which represents a field whose name is hidden by a
/// syntax error. The root has a name, and items of a list begin with it.
fn known(path: &str, root: &str) -> String {
    let end = path.find('?').unwrap_or(path.len());
    match path[..end].trim_end_matches('.') {
        "" => root.into(),
        item if item.starts_with('[') => format!("{root}{item}"),
        known => known.into(),
    }
}

/// Allows `Fractal(octaves: 8)` for `Fractal((octaves: 8))`, and `sea_level: 0` for `sea_level:
/// Some(0)`.
#[cfg(feature = "ron")]
fn ron_options() -> ron::Options {
    ron::Options::default()
        .with_default_extension(ron::extensions::Extensions::UNWRAP_VARIANT_NEWTYPES)
        .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
}
