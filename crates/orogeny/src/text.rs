//! Reads and writes RON and JSON, with errors that name the path.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::DataError;

/// Reads RON. `root` is the name of the whole in errors.
#[cfg(feature = "ron")]
pub(crate) fn from_ron<T: DeserializeOwned>(text: &str, root: &str) -> Result<T, DataError> {
    let options = ron_options();
    let mut deserializer = ron::Deserializer::from_str_with_options(content(text), &options)
        .map_err(|e| DataError::at(root, e))?;
    let read = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = known(&error.path().to_string(), root);
        let error = deserializer.span_error(error.into_inner());
        DataError::at(path, suggest(error.to_string()))
    })?;
    deserializer.end().map_err(|e| DataError::at(root, deserializer.span_error(e)))?;
    Ok(read)
}

/// Writes RON that [`from_ron`] reads back unchanged.
#[cfg(feature = "ron")]
pub(crate) fn to_ron<T: Serialize>(value: &T, root: &str) -> Result<String, DataError> {
    ron_options()
        .to_string_pretty(value, ron::ser::PrettyConfig::new())
        .map_err(|e| DataError::at(root, e))
}

/// Reads JSON. `root` is the name of the whole in errors.
#[cfg(feature = "json")]
pub(crate) fn from_json<T: DeserializeOwned>(text: &str, root: &str) -> Result<T, DataError> {
    let mut deserializer = serde_json::Deserializer::from_str(content(text));
    let read = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = known(&error.path().to_string(), root);
        DataError::at(path, suggest(error.into_inner().to_string()))
    })?;
    deserializer.end().map_err(|e| DataError::at(root, e))?;
    Ok(read)
}

/// Writes JSON that [`from_json`] reads back unchanged.
#[cfg(feature = "json")]
pub(crate) fn to_json<T: Serialize>(value: &T, root: &str) -> Result<String, DataError> {
    serde_json::to_string_pretty(value).map_err(|e| DataError::at(root, e))
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

/// An error about an unknown field or variant, with the name that was probably meant instead of
/// all names. Other errors stay as they are.
#[cfg(any(feature = "ron", feature = "json"))]
fn suggest(error: String) -> String {
    // "Unexpected field named `a` in `B`, expected one of `c`, `d`, or `e` instead", and in JSON
    // "unknown field `a`, expected one of `c`, `d`, `e` at line 1 column 2".
    let suggested = error.split_once(", expected ").and_then(|(unknown, names)| {
        let is_name = unknown.contains("field") || unknown.contains("variant");
        let found = unknown.split('`').nth(1).filter(|_| is_name)?;
        let meant = names.split('`').skip(1).step_by(2).min_by_key(|name| distance(found, name))?;
        let place = names.rsplit('`').next()?.trim_start_matches(" instead");
        let is_similar = distance(found, meant) <= 1 + found.len() / 4;
        is_similar.then(|| format!("{unknown}{place}: did you mean `{meant}`?"))
    });
    suggested.unwrap_or(error)
}

/// The number of letters to insert, delete or replace to make one word of another, whatever their
/// case. (Vladimir Levenshtein, 1965.)
#[cfg(any(feature = "ron", feature = "json"))]
fn distance(a: &str, b: &str) -> usize {
    // The distances of all beginnings of `b` from the beginning of `a` so far.
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(!x.eq_ignore_ascii_case(&y));
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(all(test, feature = "ron", feature = "json"))]
mod tests {
    use super::*;
    use crate::Recipe;

    #[test]
    fn unknown_names_get_a_suggestion() {
        let recipe = Recipe::new(1, 1.0, crate::Node::Constant(1.0));
        let ron = to_ron(&recipe, "recipe").unwrap();
        let json = to_json(&recipe, "recipe").unwrap();
        for (right, wrong) in [("height", "hieght"), ("cover", "Covers"), ("Constant", "Konstant")]
        {
            for error in [
                from_ron::<Recipe>(&ron.replacen(right, wrong, 1), "recipe").unwrap_err(),
                from_json::<Recipe>(&json.replacen(right, wrong, 1), "recipe").unwrap_err(),
            ] {
                let suggestion = format!("did you mean `{right}`?");
                assert!(error.problem.contains(&suggestion), "{error}");
                assert!(!error.problem.contains(", expected"), "{error}");
            }
        }
        // The place stays, and so do all names if none is similar.
        let error = from_ron::<Recipe>("(\n  hieght: 1.0)", "recipe").unwrap_err().problem;
        assert!(error.starts_with("2:"), "{error}");
        let error = from_json::<Recipe>("{\n  \"hieght\": 1.0}", "recipe").unwrap_err().problem;
        assert!(error.contains("line 2"), "{error}");
        let error = from_ron::<Recipe>("(unheard_of: 1.0)", "recipe").unwrap_err().problem;
        assert!(error.contains("`height`") && !error.contains("did you mean"), "{error}");
    }

    #[test]
    fn a_plant_kind_has_forty_names() {
        let text = "(height: 1.0, field: Constant(1.0), scatter: (kinds: [(forrest: 1.0)]))";
        let error = from_ron::<Recipe>(text, "recipe").unwrap_err();
        assert!(error.to_string().ends_with("did you mean `forest`?"), "{error}");
        assert!(error.to_string().starts_with("scatter.kinds[0]"), "{error}");
        assert!(error.to_string().len() < 120, "{error}");
    }

    #[test]
    fn distances_count_letters() {
        let all =
            [("forrest", "forest", 1), ("", "ab", 2), ("kitten", "Sitting", 3), ("a", "a", 0)];
        for (a, b, expected) in all {
            assert_eq!((distance(a, b), distance(b, a)), (expected, expected));
        }
    }
}
