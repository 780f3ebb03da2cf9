//! Bad files: each gives an error that says what is wrong, and none reserves much memory.

use png::{BitDepth, ColorType};

use crate::tests::write::{Folder, HandTiff, huge_png, png};
use crate::{ByteOrder, Format, Reading, inspect, read};

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

/// A TIFF of 6 x 5 samples in one strip, with one change.
fn tiff(change: impl FnOnce(&mut HandTiff)) -> Vec<u8> {
    let mut file = HandTiff::new(false, [6, 5], None);
    file.chunks.push((0..30).flat_map(|i: i16| i.to_le_bytes()).collect());
    change(&mut file);
    file.bytes()
}

fn cases() -> Vec<Case> {
    let floats = |x: f32| [x; 9].iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    vec![
        case("empty.tif", [], "empty"),
        case("empty.png", [], "empty"),
        case("empty.hgt", [], "2884802"),
        case("empty.r16", [], "each side"),
        case("text.tif", *b"ncols 3\nnrows 4\n1 2 3", "looks like text"),
        case("text.png", *b"hello, world", "looks like text"),
        case("noise.tif", [0, 200, 3, 4, 5, 6, 7, 8, 9], "does not start like one"),
        case("really.tif", png([2, 2], ColorType::Grayscale, BitDepth::Sixteen, &[0; 8]), "a PNG"),
        case("really.png", tiff(|_| {}), "a TIFF"),
        case("really.r16", tiff(|_| {}), "a TIFF"),
        case("noname", [0; 8], "Reading::format"),
        case("dem.asc", [0; 8], "Reading::format"),
        case("short.tif", *b"II*\0", "damaged"),
        case("nowhere.tif", *b"II*\0\xff\xff\xff\x7f", "damaged"),
        case(
            "zero.tif",
            tiff(|file| {
                file.set(256, 0);
            }),
            "dimensions",
        ),
        case(
            "thin.tif",
            tiff(|file| {
                file.set(257, 1);
            }),
            "each side",
        ),
        case(
            "wide.tif",
            tiff(|file| {
                file.set(256, 4_000_000_000);
            }),
            "each side",
        ),
        case(
            "huge.tif",
            tiff(|file| {
                file.set(256, 16_384).set(257, 16_384).set(278, 16_384);
            }),
            "in memory",
        ),
        case(
            "big.tif",
            tiff(|file| {
                file.set(256, 9_000).set(257, 9_000).set(278, 9_000);
            }),
            "cannot hold",
        ),
        case(
            "packed.tif",
            tiff(|file| {
                file.set(256, 9_000).set(257, 9_000).set(278, 9_000).set(259, 8);
            }),
            "cannot hold",
        ),
        case(
            "beyond.tif",
            tiff(|file| {
                file.set(273, 100_000);
            }),
            "damaged",
        ),
        case(
            "long.tif",
            tiff(|file| {
                file.set(257, 500).set(278, 500);
            }),
            "damaged",
        ),
        case(
            "strip.tif",
            tiff(|file| {
                file.set(278, 0);
            }),
            "size",
        ),
        case(
            "many.tif",
            tiff(|file| {
                file.set(257, 10);
            }),
            "damaged",
        ),
        case(
            "palette.tif",
            tiff(|file| {
                file.set(262, 3);
            }),
            "alette",
        ),
        case(
            "white.tif",
            tiff(|file| {
                file.set(262, 0);
            }),
            "black is zero",
        ),
        case(
            "bits.tif",
            tiff(|file| {
                file.set(258, 12);
            }),
            "12 bits",
        ),
        case(
            "jpeg.tif",
            tiff(|file| {
                file.set(259, 7);
            }),
            "ompression",
        ),
        case(
            "zstd.tif",
            tiff(|file| {
                file.set(259, 50_000);
            }),
            "ompression",
        ),
        case(
            "compression.tif",
            tiff(|file| {
                file.set(259, 777);
            }),
            "ompression",
        ),
        case(
            "zip.tif",
            tiff(|file| {
                file.set(259, 8);
            }),
            "damaged",
        ),
        case("header.png", *b"\x89PNG\r\n\x1a\n\0\0", "end of file"),
        case("huge.png", huge_png([16_000, 16_000]), "in memory"),
        case("big.png", huge_png([10_000, 10_000]), "cannot hold"),
        case("wide.png", huge_png([2_000_000_000, 3]), "each side"),
        case("zero.png", huge_png([0, 0]), "dimensions"),
        case(
            "crc.png",
            {
                let mut b = huge_png([2, 2]);
                b[30] ^= 1;
                b
            },
            "CRC",
        ),
        case("colour.png", png([2, 2], ColorType::Rgb, BitDepth::Eight, &[0; 12]), "Terrarium"),
        case("bit.png", png([8, 2], ColorType::Grayscale, BitDepth::One, &[0; 2]), "1 bits"),
        case("header.exr", *b"\x76\x2f\x31\x01\x02\0\0\0", "damaged"),
        case("text.exr", *b"hello, world", "looks like text"),
        case("thin.exr", super::exr::by_hand([1, 9], 2, 0), "each side"),
        case("huge.exr", super::exr::by_hand([16_000, 16_000], 2, 0), "in memory"),
        case("big.exr", super::exr::by_hand([10_000, 10_000], 2, 0), "cannot hold"),
        case("N45E006.hgt", [0; 20_000], "3601 x 3601"),
        case("odd.r16", [0; 31], "Reading::size"),
        case("oblong.r16", [0; 24], "Reading::size"),
        case("short.r16", [0; 20], "need 24 bytes").with(|r| r.size = Some([4, 3])),
        case("long.r16", [0; 26], "need 24 bytes").with(|r| r.size = Some([4, 3])),
        case("size.r16", [0; 26], "Reading::size").with(|r| r.size = Some([1 << 40, 3])),
        case("nan.r32", floats(f32::NAN), "no sample"),
        case("infinite.r32", floats(f32::INFINITY), "Reading::no_data"),
        case("absurd.r32", floats(3e30), "Reading::no_data"),
        case("void.r32", floats(-9999.0), "no sample").with(|r| r.no_data = Some(-9999.0)),
        case("a.r32", floats(1.0), "degrees").with(|r| r.spacing = Some([1.0 / 3600.0; 2])),
        case("b.r32", floats(1.0), "spacing").with(|r| r.spacing = Some([f64::NAN; 2])),
        case("c.r32", floats(1.0), "height_scale").with(|r| r.height_scale = Some(0.0)),
        case("d.r32", floats(1.0), "height_scale").with(|r| r.height_scale = Some(f64::NAN)),
        case("e.r32", floats(1.0), "latitude").with(|r| r.latitude = Some(90.0)),
        case("f.r32", floats(1.0), "byte_order").with(|r| r.byte_order = None),
        case("g.r32", floats(1.0), "height_scale").with(|r| r.height_scale = None),
        case("h.r32", floats(1.0), "Reading::size").with(|r| r.format = Some(Format::Raw16)),
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
