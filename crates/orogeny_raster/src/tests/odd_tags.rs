//! Tags that contradict each other or make no sense: an error or a warning, never silence.

use tiff::encoder::Compression;
use tiff::encoder::colortype::Gray32Float;

use crate::tests::write::{Folder, HandTiff, Tags, tif};
use crate::{Reading, inspect, read};

fn bytes(tags: &Tags) -> Vec<u8> {
    let heights: Vec<f32> = (0..24).map(|i| 100.0 + i as f32).collect();
    tif::<Gray32Float>([6, 4], &heights, tags, Compression::Uncompressed)
}

/// What is said of a file, as an error or as a report.
fn said(folder: &Folder, name: &str, bytes: &[u8], reading: &Reading) -> String {
    let path = folder.file(name, bytes);
    match (read(&path, reading), inspect(&path, reading)) {
        (Ok((_, report)), _) => report.to_string(),
        // What is missing, and why.
        (Err(error), Ok(report)) => format!("{error}\n{report}"),
        (Err(error), Err(_)) => error.to_string(),
    }
}

#[test]
fn nothing_odd_is_taken_in_silence() {
    let folder = Folder::new();
    let metre = || Tags::projected().with_key(4099, 9001);
    let with = |change: &dyn Fn(&mut Tags)| {
        let mut tags = metre();
        change(&mut tags);
        bytes(&tags)
    };
    let metadata = |text: &'static str| with(&|tags| tags.metadata = Some(text));
    let no_data = |text: &'static str| with(&|tags| tags.no_data = Some(text));
    for (bytes, wanted) in [
        (with(&|tags| tags.scale[0] = f64::NAN), "absurd"),
        (with(&|tags| tags.scale[0] = 0.0), "absurd"),
        (with(&|tags| tags.tie[3] = f64::INFINITY), "absurd"),
        (with(&|tags| tags.tie.truncate(3)), "ModelTiepoint"),
        (with(&|tags| tags.scale.truncate(1)), "ModelPixelScale"),
        (with(&|tags| tags.matrix = vec![1.0; 5]), "warning"),
        (bytes(&metre().with_key(3076, 32767)), "its size is not said"),
        (bytes(&metre().with_key(3072, 1500).with_key(3076, 9001)), "EPSG:1500 is not known"),
        (bytes(&metre().with_key(1024, 3)), "model type 3"),
        (bytes(&metre().with_key(4099, 9102)), "EPSG:9102"),
        (metadata("<Item sample='0' role='scale'>nan</Item>"), "scale of heights"),
        (metadata("<Item sample='0' role='offset'/>"), "offset of heights"),
        (metadata("<Item sample='0' role='unittype'>parsec</Item>"), "parsec"),
        (no_data("--"), "no number"),
        (no_data("0x10"), "taken for 0"),
        (no_data("1e"), "taken for 1"),
    ] {
        let text = said(&folder, "a.tif", &bytes, &Reading::default());
        let is_said = text.contains(wanted) || wanted == "warning" && !text.contains("error");
        assert!(is_said, "{wanted}: {text}");
    }
}

/// A mask of another size, of other bits, two masks, a list of images that bites its tail.
#[test]
fn odd_images_behind_the_first() {
    let folder = Folder::new();
    let image = |mask: Option<[u32; 4]>, next: u32| {
        let mut file = HandTiff::new(false, [6, 4], None);
        file.chunks.push((100..124).flat_map(|i: i16| i.to_le_bytes()).collect());
        let mut bytes = file.bytes();
        let at = |bytes: &[u8]| u32::from_le_bytes(bytes[4..8].try_into().unwrap());
        let first = at(&bytes);
        let link = bytes.len() - 4;
        let Some([columns, rows, bits, photometric]) = mask else {
            bytes[link..].copy_from_slice(&next.to_le_bytes());
            return bytes;
        };
        let mut second = HandTiff::new(false, [columns, rows], None);
        second.set(254, 4).set(258, bits).set(262, photometric).set(339, 1);
        second.set(273, 8).set(279, 4 * rows);
        let second = second.bytes();
        // The directory has no values elsewhere, so it can be moved.
        let start = bytes.len() as u32;
        bytes[link..].copy_from_slice(&start.to_le_bytes());
        bytes.extend(&second[at(&second) as usize..]);
        let end = bytes.len() - 4;
        bytes[end..].copy_from_slice(&if next == 1 { first } else { 0 }.to_le_bytes());
        bytes
    };
    let reading = Reading { spacing: Some([1.0; 2]), ..Reading::default() };
    for (name, bytes, wanted) in [
        ("loop.tif", image(Some([6, 4, 8, 1]), 1), "by a mask"),
        ("size.tif", image(Some([7, 4, 8, 1]), 0), "another size than the image"),
        ("bits.tif", image(Some([6, 4, 16, 1]), 0), "its mask is not read"),
        ("bit.tif", image(Some([6, 4, 1, 4]), 0), "by a mask"),
        ("beyond.tif", image(None, 1 << 30), "damaged"),
        ("within.tif", image(None, 9), ""),
        ("itself.tif", image(None, 8), ""),
    ] {
        let text = said(&folder, name, &bytes, &reading);
        assert!(text.contains(wanted), "{name}: {text}");
    }
}

#[test]
fn odd_world_files() {
    let folder = Folder::new();
    let mut file = HandTiff::new(false, [6, 4], None);
    file.chunks.push((100..124).flat_map(|i: i16| i.to_le_bytes()).collect());
    let bytes = file.bytes();
    for (text, wanted) in [
        ("", "six numbers"),
        ("1 0 0 -1 5", "six numbers"),
        ("1 0 0 -1 5 six", "six numbers"),
        ("nan 0 0 -1 5 6", "six numbers"),
        ("0 0 0 -1 5 6", "steps of 0"),
        ("1 0.1 0 -1 5 6", "rotated"),
        ("1e-4 0 0 -1e-4 5 60", "taken for degrees"),
        ("1e-4 0 0 -1e-4 500 60", "degrees"),
        ("1e9 0 0 -1e9 5 6", "not within"),
        ("\u{feff}\0\0", "six numbers"),
    ] {
        folder.file("a.tfw", text.as_bytes());
        let text = said(&folder, "a.tif", &bytes, &Reading::default());
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
}
