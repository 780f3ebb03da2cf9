//! The metadata that GDAL writes into a TIFF: XML with the scale, offset and unit of a band.

use crate::read::number::{Number, parse};
use crate::warning::Warning;

/// What the metadata says of the first band.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Band {
    pub scale: Option<f64>,
    pub offset: Option<f64>,
    pub unit: Option<String>,
}

impl Band {
    /// Reads `<Item name=".." sample="0" role="scale">0.1</Item>`. Like GDAL, it ignores items of
    /// other bands and those that name no band.
    pub fn read(metadata: &str, warnings: &mut Vec<Warning>) -> Self {
        let mut band = Self::default();
        for item in metadata.split("<Item").skip(1) {
            let Some((tag, rest)) = item.split_once('>') else { continue };
            let text = if tag.ends_with('/') { "" } else { rest.split('<').next().unwrap_or("") };
            let text = plain(text.trim());
            if attribute(tag, "sample").is_none_or(|sample| sample.trim() != "0") {
                continue;
            }
            let mut number = |role: &str, is_fine: fn(f64) -> bool| match parse(&text) {
                Some(Number::Whole(number)) if number.is_finite() && is_fine(number) => {
                    Some(number)
                }
                _ => {
                    warnings.push(Warning::Assumed(format!(
                        "its {role} of heights is {text:?}, which cannot be, and is not used"
                    )));
                    None
                }
            };
            match attribute(tag, "role") {
                Some("scale") => band.scale = number("scale", |scale| scale != 0.0),
                Some("offset") => band.offset = number("offset", |_| true),
                Some("unittype") if !text.is_empty() => band.unit = Some(text),
                _ => {}
            }
        }
        band
    }
}

/// The value of an attribute of a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = tag;
    loop {
        let (before, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, next) = after[1..].split_once(quote)?;
        if before.trim() == name {
            return Some(value);
        }
        rest = next;
    }
}

/// A text without the entities of XML.
fn plain(text: &str) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
        .iter()
        .fold(text.to_owned(), |text, (entity, character)| text.replace(entity, character))
}
