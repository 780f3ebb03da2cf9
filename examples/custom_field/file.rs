//! Reads heightmaps: pictures of any kind, and what `orogeny export` writes, at its scale.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use image::ImageReader;

/// The distance between neighbouring pixels in metres, of a picture that does not tell its own.
const SPACING: f64 = 24.0;
/// The heights of black and of white in metres, likewise.
const BLACK: f64 = -120.0;
const WHITE: f64 = 1280.0;

/// The heights of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Heights {
    /// In metres, by rows.
    pub heights: Vec<f32>,
    /// Columns and rows.
    pub size: [usize; 2],
    /// Metres between neighbouring pixels.
    pub spacing: f64,
}

/// What `orogeny export` tells about a file: keys such as orogeny:spacing, and their values.
type About = HashMap<String, String>;

impl Heights {
    /// Reads a file: a picture, or raw heights with the text file that `orogeny export` writes
    /// beside them.
    ///
    /// # Errors
    /// A message for the user that names the file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let named = |error: String| format!("{}: {error}", path.display());
        let is_raw =
            ["r16", "raw", "f32", "r32"].iter().any(|raw| path.extension() == Some(raw.as_ref()));
        let sidecar = sidecar(path);
        if is_raw || sidecar.exists() {
            let text = fs::read_to_string(&sidecar).map_err(|error| {
                format!(
                    "{}: {error}. Raw heights need the file that orogeny export writes beside \
                     them.",
                    sidecar.display()
                )
            })?;
            let pairs = text.lines().filter_map(|line| line.split_once(" = "));
            let about = pairs.map(|(key, value)| (key.into(), value.into())).collect();
            let bytes = fs::read(path).map_err(|error| named(error.to_string()))?;
            return Self::raw(&bytes, &about).map_err(named);
        }
        Self::picture(path).map_err(named)
    }

    fn picture(path: &Path) -> Result<Self, String> {
        let reader = ImageReader::open(path).map_err(|error| error.to_string())?;
        let picture = reader.with_guessed_format().map_err(|error| error.to_string())?;
        let picture = picture.decode().map_err(|error| error.to_string())?.into_luma16();
        let size = [picture.width(), picture.height()].map(|side| side as usize);
        let about = texts(path).unwrap_or_default();
        of_kind(&about, "png16")?;
        let height = grey(&about)?;
        let heights = picture.iter().map(|&grey| height(grey)).collect();
        Ok(Self { heights, size, spacing: spacing(&about)? })
    }

    fn raw(bytes: &[u8], about: &About) -> Result<Self, String> {
        let size = about.get("orogeny:size").and_then(|size| size.split_once('x'));
        let size = size.and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
        let size: [usize; 2] = size.ok_or("orogeny:size must be WxH")?;
        let count = size[0].checked_mul(size[1]).filter(|&count| count > 0);
        let width = if about.get("orogeny:kind").is_some_and(|kind| kind == "f32") { 4 } else { 2 };
        if count.and_then(|count| count.checked_mul(width)) != Some(bytes.len()) {
            let [w, h] = size;
            return Err(format!("{} bytes are not {w} x {h} heights", bytes.len()));
        }
        let heights = if width == 4 {
            let (heights, _) = bytes.as_chunks();
            heights.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
        } else {
            of_kind(about, "r16")?;
            let (height, (greys, _)) = (grey(about)?, bytes.as_chunks());
            greys.iter().map(|&bytes| height(u16::from_le_bytes(bytes))).collect()
        };
        Ok(Self { heights, size, spacing: spacing(about)? })
    }
}

/// FILE.txt of FILE.
fn sidecar(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".txt");
    name.into()
}

/// The text chunks of a PNG file. Another file has none.
fn texts(path: &Path) -> Option<About> {
    let file = std::io::BufReader::new(fs::File::open(path).ok()?);
    let reader = png::Decoder::new(file).read_info().ok()?;
    let texts = reader.info().utf8_text.iter();
    Some(texts.filter_map(|text| Some((text.keyword.clone(), text.get_text().ok()?))).collect())
}

/// Refuses pictures of something else than heights.
fn of_kind(about: &About, wanted: &str) -> Result<(), String> {
    match about.get("orogeny:kind") {
        Some(kind) if kind != wanted => Err(format!("this is of the kind {kind}, not heights")),
        _ => Ok(()),
    }
}

/// The height of a grey.
fn grey(about: &About) -> Result<impl Fn(u16) -> f32 + use<>, String> {
    let [min, max] = [number(about, "orogeny:min", BLACK)?, number(about, "orogeny:max", WHITE)?];
    Ok(move |grey| (min + (max - min) * f64::from(grey) / 65535.0) as f32)
}

fn spacing(about: &About) -> Result<f64, String> {
    let spacing = number(about, "orogeny:spacing", SPACING)?;
    if spacing > 0.0 { Ok(spacing) } else { Err("orogeny:spacing must be above 0".into()) }
}

fn number(about: &About, key: &str, default: f64) -> Result<f64, String> {
    let Some(text) = about.get(key) else { return Ok(default) };
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("{key} must be a number, not {text}"))
}
