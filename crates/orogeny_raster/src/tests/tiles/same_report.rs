//! The report of a file that is read in tiles is that of the same file read whole.

use tiff::encoder::Compression;
use tiff::encoder::colortype::{Gray32Float, GrayI16};

use super::unbounded;
use crate::tests::random;
use crate::tests::write::{Folder, HandTiff, Tags, tif};
use crate::{ByteOrder, RasterTiles, Reading, Report, Tiling, Warning, inspect, read};

/// Two tiles, and hills.
const SIZE: [usize; 2] = [300, 70];

fn heights() -> Vec<f32> {
    let height = |index: usize| {
        let [i, j] = [index % SIZE[0], index / SIZE[0]].map(|x| x as f64);
        let noise = 3.0 * random(1, index as u64);
        (500.0 + 200.0 * (i / 40.0).sin() * (j / 30.0).cos() + noise) as f32
    };
    (0..SIZE[0] * SIZE[1]).map(height).collect()
}

fn reading() -> Reading {
    Reading { size: Some(SIZE), ..super::reading() }
}

/// The report, the same of all ways to read a file.
fn report(folder: &Folder, name: &str, bytes: &[u8], reading: &Reading) -> Report {
    let path = folder.file(name, bytes);
    let (_, tiles) = RasterTiles::open(&path, reading, &Tiling::default()).unwrap();
    let (_, whole) = read(&path, reading).unwrap();
    assert_eq!(tiles, whole, "{name}");
    assert_eq!(inspect(&path, reading).unwrap(), whole, "{name}");
    whole
}

/// Undeclared markers, few values, normalised or impossible heights, and steep ground.
#[test]
fn what_looks_wrong() {
    let folder = Folder::new();
    let marked = |value: f32| {
        let mut all = heights();
        (0..800).for_each(|k| all[k * 26] = value);
        all
    };
    let size = SIZE.map(|side| side as u32);
    let tags = Tags::projected().with_key(4099, 9001);
    let undeclared = |value| Warning::UndeclaredNoData { value, count: 800 };
    let all: Vec<f32> = heights();
    for (name, heights, wanted) in [
        ("a.tif", marked(-9999.0), undeclared(-9999.0)),
        ("b.tif", marked(-32768.0), undeclared(-32768.0)),
        ("c.tif", marked(9800.0), Warning::BeyondEarth { height: 9800.0, count: 800 }),
        (
            "d.tif",
            all.iter().map(|h| (h / 9.0).round()).collect(),
            Warning::FewDistinctValues { count: 46 },
        ),
        ("e.tif", all.iter().map(|h| h / 1000.0).collect(), Warning::Normalised),
        ("f.tif", vec![3.5; SIZE[0] * SIZE[1]], Warning::AllEqual { value: 3.5 }),
    ] {
        let bytes = tif::<Gray32Float>(size, &heights, &tags, Compression::Uncompressed);
        let found = report(&folder, name, &bytes, &Reading::default());
        let few = |w: &Warning| matches!(w, Warning::FewDistinctValues { .. });
        let is_wanted = |w: &Warning| *w == wanted || (few(w) && few(&wanted));
        assert!(found.warnings.iter().any(is_wanted), "{name}: {found}");
        let bytes: Vec<u8> = heights.iter().flat_map(|h| h.to_le_bytes()).collect();
        let raw = report(&folder, "a.r32", &bytes, &reading());
        assert!(raw.warnings.iter().any(is_wanted), "{raw}");
    }
    let steep = Reading { height_scale: Some(100.0), ..Reading::default() };
    let integers: Vec<i16> = all.iter().map(|&h| h as i16).collect();
    let bytes = tif::<GrayI16>(size, &integers, &tags, Compression::Lzw);
    let found = report(&folder, "steep.tif", &bytes, &steep);
    assert!(found.warnings.iter().any(|w| matches!(w, Warning::Steep { .. })), "{found}");
}

#[test]
fn a_wrong_byte_order_and_mirrored_rows() {
    let folder = Folder::new();
    let numbers: Vec<u16> = heights().iter().map(|h| (h * 10.0) as u16).collect();
    let bytes: Vec<u8> = numbers.iter().flat_map(|h| h.to_be_bytes()).collect();
    let reading = Reading { height_scale: Some(0.1), ..reading() };
    let found = report(&folder, "a.r16", &bytes, &reading);
    assert!(found.warnings.contains(&Warning::ByteOrder), "{found}");
    for (south_first, east_first) in [(true, false), (false, true), (true, true)] {
        let reading = Reading {
            byte_order: Some(ByteOrder::BigEndian),
            south_first,
            east_first,
            ..reading.clone()
        };
        report(&folder, "a.r16", &bytes, &reading);
    }
}

#[test]
fn given_bounds_say_that_nothing_was_looked_at() {
    let folder = Folder::new();
    let path = super::r32(&folder, &heights());
    let (_, report) = RasterTiles::open(path, &reading(), &unbounded()).unwrap();
    assert_eq!(report.warnings.last(), Some(&Warning::NotSurveyed));
    assert_eq!((report.values, report.no_data_count), (None, None));
}

/// One tile of 64 is there, so the file is far smaller than its samples could be packed.
#[test]
fn a_very_sparse_file_is_read() {
    let folder = Folder::new();
    let mut file = HandTiff::new(false, [2000, 2000], Some(256));
    file.set(259, 32773);
    file.chunks = vec![Vec::new(); 64];
    // PackBits: 128 bytes of 7 each.
    file.chunks[9] = [0x81, 7].repeat(256 * 256 * 2 / 128);
    let bytes = file.bytes();
    assert!(bytes.len() < 2000 * 2000 * 2 / 1500);
    let reading = Reading { spacing: Some([10.0; 2]), ..Reading::default() };
    let found = report(&folder, "a.tif", &bytes, &reading);
    assert!(found.to_string().contains("63 strips or tiles are left out"), "{found}");
    assert_eq!((found.no_data_count, found.values), (Some(0), Some([0.0, 1799.0])));
    // Where the caller says that 0 marks missing data, they have none.
    let found = report(&folder, "a.tif", &bytes, &Reading { no_data: Some(0.0), ..reading });
    assert_eq!(found.no_data_count, Some(2000 * 2000 - 256 * 256));
}
