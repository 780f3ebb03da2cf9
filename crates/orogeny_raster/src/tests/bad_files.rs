//! Bad files: each gives an error that says what is wrong, and none reserves much memory. Files
//! that are cut, or of which a byte is changed, give an error or a raster, never a panic. Tags that
//! contradict each other or make no sense are an error or a warning, never silence.

use exr::prelude::Compression as ExrCompression;
use orogeny::Field;
use png::{BitDepth, ColorType};
use tiff::encoder::colortype::{Gray32Float, GrayI16, RGB8};
use tiff::encoder::{Compression, DeflateLevel};

use crate::tests::random;
use crate::tests::write::{
    Folder, HandTiff, Tags, exr_by_hand, floats, huge_png, packed_exr, png, raw, tif,
};
use crate::{ByteOrder, Format, RasterField, RasterTiles, Reading, inspect, read, read_weights};

/// What is wrong with a file, under a name, and words of the error.
struct Case {
    name: &'static str,
    bytes: Vec<u8>,
    reading: Reading,
    wanted: &'static str,
}

fn case(name: &'static str, bytes: impl Into<Vec<u8>>, wanted: &'static str) -> Case {
    let reading = Reading {
        spacing: Some([10.0, 10.0]),
        height_scale: Some(0.1),
        byte_order: Some(ByteOrder::LittleEndian),
        ..Reading::default()
    };
    Case { name, bytes: bytes.into(), reading, wanted }
}

impl Case {
    fn with(mut self, change: impl FnOnce(&mut Reading)) -> Self {
        change(&mut self.reading);
        self
    }
}

/// A TIFF of 6 x 5 samples in one strip, with other tags.
fn tiff<const N: usize>(tags: [(u16, u32); N]) -> Vec<u8> {
    let mut file = HandTiff::of(false, [6, 5], None, |i, j| (6 * j + i) as i16);
    for (tag, value) in tags {
        file.set(tag, value);
    }
    file.bytes()
}

fn cases() -> Vec<Case> {
    let nine = |x: f32| raw(&[x; 9]);
    let mut crc = huge_png([2, 2]);
    crc[30] ^= 1;
    vec![
        case("empty.tif", [], "empty"),
        case("empty.png", [], "empty"),
        case("empty.hgt", [], "2884802"),
        case("empty.r16", [], "each side"),
        case("text.tif", *b"ncols 3\nnrows 4\n1 2 3", "looks like text"),
        case("text.png", *b"hello, world", "looks like text"),
        case("noise.tif", [0, 200, 3, 4, 5, 6, 7, 8, 9], "does not start like one"),
        case("really.tif", png([2, 2], ColorType::Grayscale, BitDepth::Sixteen, &[0; 8]), "a PNG"),
        case("really.png", tiff([]), "a TIFF"),
        case("really.r16", tiff([]), "a TIFF"),
        case("noname", [0; 8], "Reading::format"),
        case("dem.asc", [0; 8], "Reading::format"),
        case("short.tif", *b"II*\0", "damaged"),
        case("nowhere.tif", *b"II*\0\xff\xff\xff\x7f", "damaged"),
        case("zero.tif", tiff([(256, 0)]), "dimensions"),
        case("thin.tif", tiff([(257, 1)]), "each side"),
        case("wide.tif", tiff([(256, 4_000_000_000)]), "each side"),
        case("huge.tif", tiff([(256, 16_384), (257, 16_384), (278, 16_384)]), "in memory"),
        case("big.tif", tiff([(256, 9_000), (257, 9_000), (278, 9_000)]), "cannot hold"),
        case(
            "packed.tif",
            tiff([(256, 9_000), (257, 9_000), (278, 9_000), (259, 8)]),
            "cannot hold",
        ),
        case("beyond.tif", tiff([(273, 100_000)]), "damaged"),
        case("long.tif", tiff([(257, 500), (278, 500)]), "damaged"),
        case("strip.tif", tiff([(278, 0)]), "size"),
        case("many.tif", tiff([(257, 10)]), "damaged"),
        case("palette.tif", tiff([(262, 3)]), "alette"),
        case("white.tif", tiff([(262, 0)]), "black is zero"),
        case("bits.tif", tiff([(258, 12)]), "12 bits"),
        case("jpeg.tif", tiff([(259, 7)]), "ompression"),
        case("zstd.tif", tiff([(259, 50_000)]), "ompression"),
        case("compression.tif", tiff([(259, 777)]), "ompression"),
        case("zip.tif", tiff([(259, 8)]), "damaged"),
        case("header.png", *b"\x89PNG\r\n\x1a\n\0\0", "end of file"),
        case("huge.png", huge_png([16_000, 16_000]), "in memory"),
        case("big.png", huge_png([10_000, 10_000]), "cannot hold"),
        case("wide.png", huge_png([2_000_000_000, 3]), "each side"),
        case("zero.png", huge_png([0, 0]), "dimensions"),
        case("crc.png", crc, "CRC"),
        case("colour.png", png([2, 2], ColorType::Rgb, BitDepth::Eight, &[0; 12]), "Terrarium"),
        case("bit.png", png([8, 2], ColorType::Grayscale, BitDepth::One, &[0; 2]), "1 bits"),
        case("header.exr", *b"\x76\x2f\x31\x01\x02\0\0\0", "damaged"),
        case("text.exr", *b"hello, world", "looks like text"),
        case("thin.exr", exr_by_hand([1, 9], 2, 0), "each side"),
        case("huge.exr", exr_by_hand([16_000, 16_000], 2, 0), "in memory"),
        case("big.exr", exr_by_hand([10_000, 10_000], 2, 0), "cannot hold"),
        case("N45E006.hgt", [0; 20_000], "3601 x 3601"),
        case("odd.r16", [0; 31], "Reading::size"),
        case("oblong.r16", [0; 24], "Reading::size"),
        case("short.r16", [0; 20], "need 24 bytes").with(|r| r.size = Some([4, 3])),
        case("long.r16", [0; 26], "need 24 bytes").with(|r| r.size = Some([4, 3])),
        case("size.r16", [0; 26], "Reading::size").with(|r| r.size = Some([1 << 40, 3])),
        case("nan.r32", nine(f32::NAN), "no sample"),
        case("infinite.r32", nine(f32::INFINITY), "Reading::no_data"),
        case("absurd.r32", nine(3e30), "Reading::no_data"),
        case("void.r32", nine(-9999.0), "no sample").with(|r| r.no_data = Some(-9999.0)),
        case("a.r32", nine(1.0), "degrees").with(|r| r.spacing = Some([1.0 / 3600.0; 2])),
        case("b.r32", nine(1.0), "spacing").with(|r| r.spacing = Some([f64::NAN; 2])),
        case("c.r32", nine(1.0), "height_scale").with(|r| r.height_scale = Some(0.0)),
        case("d.r32", nine(1.0), "height_scale").with(|r| r.height_scale = Some(f64::NAN)),
        case("e.r32", nine(1.0), "latitude").with(|r| r.latitude = Some(90.0)),
        case("f.r32", nine(1.0), "byte_order").with(|r| r.byte_order = None),
        case("g.r32", nine(1.0), "height_scale").with(|r| r.height_scale = None),
        case("h.r32", nine(1.0), "Reading::size").with(|r| r.format = Some(Format::Raw16)),
    ]
}

#[test]
fn each_says_what_is_wrong() {
    let folder = Folder::new();
    for Case { name, bytes, reading, wanted } in cases() {
        let path = folder.file(name, &bytes);
        let mut message = String::new();
        let memory = allocation_counter::measure(|| {
            message = match read(&path, &reading) {
                Ok((_, report)) => panic!("{name} was read:\n{report}"),
                Err(error) => error.to_string(),
            };
        });
        println!("{message}");
        let shown = message.replace(&*folder.path().to_string_lossy(), "");
        assert!(shown.contains(name) && shown.contains(wanted), "{wanted}: {shown}");
        assert!(memory.bytes_max < 1 << 20, "{name} takes {} bytes", memory.bytes_max);
        // Something may be missing or beyond the limits, but it does not panic either.
        let _ = inspect(&path, &reading).map(|report| report.to_string());
    }
}

#[test]
fn what_is_no_file_is_an_error() {
    let folder = Folder::new();
    let reading = Reading { format: Some(Format::GeoTiff), ..Reading::default() };
    assert!(read(folder.path(), &reading).is_err());
    let error = read(folder.path().join("none.tif"), &reading).unwrap_err();
    assert!(error.to_string().contains("none.tif"), "{error}");
    assert!(matches!(error.problem(), crate::RasterError::Io(_)));
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    let tags = Tags {
        no_data: Some("-9999"),
        metadata: Some("<Item role=\"scale\">0.5</Item>"),
        ..Tags::projected()
    };
    let size = [12, 9];
    let heights: Vec<f32> = (0..108).map(|i| (i * 7 % 50) as f32).collect();
    let integers: Vec<i16> = (0..108).map(|i| i * 7 % 50).collect();
    let deflate = Compression::Deflate(DeflateLevel::Balanced);
    let tiled = HandTiff::of(true, [20, 20], Some(16), |i, j| (i % 16 + j % 16 * 16) as i16);
    let data: Vec<u8> = (0..200).map(|i| i as u8).collect();
    vec![
        ("plain.tif", floats([12, 9], &heights, &tags)),
        ("deflate.tif", tif::<Gray32Float>(size, &heights, &tags, deflate)),
        ("lzw.tif", tif::<GrayI16>(size, &integers, &Tags::degrees(), Compression::Lzw)),
        ("packbits.tif", tif::<GrayI16>(size, &integers, &tags, Compression::Packbits)),
        ("tiled.tif", tiled.bytes()),
        ("gdal.tif", include_bytes!("files/lzw_tiles.tif").to_vec()),
        ("gdal64.tif", include_bytes!("files/predictor3_bigtiff.tif").to_vec()),
        ("mask.tif", include_bytes!("odd_files/mask_tiles.tif").to_vec()),
        ("mask64.tif", include_bytes!("odd_files/mask_big.tif").to_vec()),
        ("items.tif", include_bytes!("odd_files/items.tif").to_vec()),
        ("plain.exr", exr_by_hand([12, 9], 2, 0)),
        ("zip.exr", packed_exr(ExrCompression::ZIP16)),
        ("piz.exr", packed_exr(ExrCompression::PIZ)),
        ("rgb.tif", tif::<RGB8>([12, 9], &[70; 324], &tags, Compression::Lzw)),
        ("rgb.png", png([8, 8], ColorType::Rgb, BitDepth::Eight, &data[..192])),
        ("grey.png", png([10, 10], ColorType::Grayscale, BitDepth::Sixteen, &data)),
    ]
}

/// Reads the bytes under a name and uses what was read.
fn attempt(folder: &Folder, name: &str, bytes: &[u8]) -> bool {
    let reading = Reading {
        height_scale: Some(1.0),
        spacing: Some([10.0, 10.0]),
        allow_8_bit: true,
        ..Reading::default()
    };
    // A new file: ext4 writes one that is truncated to the disk at once.
    drop(std::fs::remove_file(folder.path().join(name)));
    let path = folder.file(name, bytes);
    let mut is_read = false;
    let memory = allocation_counter::measure(|| {
        is_read |= name.starts_with("rgb") && read_weights(&path, &reading).is_ok();
        if let Ok((raster, report)) = read(&path, &reading) {
            is_read = true;
            drop(report.to_string());
            // Larger ones take long without optimisation.
            if raster.heights().len() < 10_000 {
                drop(RasterField::new(&raster));
            }
        }
        let tiling = super::tiles::unbounded();
        if let Ok((tiles, _)) = RasterTiles::open(&path, &reading, &tiling) {
            let [first, last] = tiles.corners();
            for p in [first, last, [1.0, 2.0]] {
                tiles.value(p);
            }
            drop(tiles.take_errors());
        }
        // Without what the caller adds, the place must come from the file.
        drop(read(&path, &Reading::default()));
    });
    let most = (bytes.len() as u64 + 4096) * 1500 * 4;
    assert!(memory.bytes_max < most, "{name} takes {} bytes", memory.bytes_max);
    is_read
}

#[test]
fn cut_files_are_errors() {
    let folder = Folder::new();
    for (name, bytes) in files() {
        assert!(attempt(&folder, name, &bytes), "{name}");
        let mut read = 0;
        // All cuts of the header and of the directory, and some of the data between.
        let cuts =
            (0..bytes.len()).filter(|len| *len < 300 || bytes.len() - len < 300 || len % 5 == 0);
        for len in cuts {
            read += usize::from(attempt(&folder, name, &bytes[..len]));
        }
        // The last bytes of a PNG are those of its end.
        let most = if name.ends_with("png") { 16 } else { 4 };
        assert!(read <= most, "{name}: {read} cut files are read");
    }
}

#[test]
fn changed_bytes_do_not_panic() {
    let folder = Folder::new();
    for (name, bytes) in files() {
        for k in 0..300 {
            let mut changed = bytes.clone();
            for i in 0..1 + k % 3 {
                let index = ((random(k, 2 * i) * 0.5 + 0.5) * bytes.len() as f64) as usize;
                let value = match k % 4 {
                    0 => 0xFF,
                    1 => 0,
                    _ => (random(k, 2 * i + 1) * 128.0 + 128.0) as u8,
                };
                changed[index.min(bytes.len() - 1)] = value;
            }
            attempt(&folder, name, &changed);
        }
    }
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
    let heights: Vec<f32> = (0..24).map(|i| 100.0 + i as f32).collect();
    let metre = || Tags::projected().with_key(4099, 9001);
    let with = |change: &dyn Fn(&mut Tags)| {
        let mut tags = metre();
        change(&mut tags);
        floats([6, 4], &heights, &tags)
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
        (floats([6, 4], &heights, &metre().with_key(3076, 32767)), "its size is not said"),
        (
            floats([6, 4], &heights, &metre().with_key(3072, 1500).with_key(3076, 9001)),
            "EPSG:1500 is not known",
        ),
        (floats([6, 4], &heights, &metre().with_key(1024, 3)), "model type 3"),
        (floats([6, 4], &heights, &metre().with_key(4099, 9102)), "EPSG:9102"),
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

/// A TIFF of 6 x 4 samples that says nothing else.
fn small() -> Vec<u8> {
    HandTiff::of(false, [6, 4], None, |i, j| (100 + 6 * j + i) as i16).bytes()
}

/// A mask of another size, of other bits, two masks, a list of images that bites its tail.
#[test]
fn odd_images_behind_the_first() {
    let folder = Folder::new();
    let image = |mask: Option<[u32; 4]>, next: u32| {
        let mut bytes = small();
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
        let text = said(&folder, "a.tif", &small(), &Reading::default());
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
}
