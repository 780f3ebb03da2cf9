//! `export`: its output, its errors, the files that it leaves behind, and tiles.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use orogeny::Sample;
use orogeny::drainage::WaterKind;

use crate::{
    Picture, fail, load, message, names, orogeny, output_path, positions, printed, run, succeed,
};

/// A spacing that is not exact in binary, a size larger than a tile, and an origin far away. A grid
/// with an origin of its own would not have the positions of the whole grid.
const AWKWARD: Area = Area { size: [530, 37], origin: [-1e9 + 0.3, 1234.7], spacing: 0.1 };
const PLAIN: Area = Area { size: [1100, 40], origin: [-4000.0, 256.0], spacing: 2.5 };

#[derive(Clone, Copy)]
struct Area {
    size: [usize; 2],
    origin: [f64; 2],
    spacing: f64,
}

impl Area {
    fn arguments(&self) -> Vec<String> {
        let Self { size: [w, h], origin: [x, z], spacing } = self;
        vec![format!("--size={w}x{h}"), format!("--origin={x},{z}"), format!("--spacing={spacing}")]
    }

    /// The field's samples at all pixels, point by point.
    fn samples(&self) -> Vec<Sample<2>> {
        let (_, field) = load("alpine");
        let positions = positions(self.size, self.origin, self.spacing);
        positions.into_iter().map(|p| field.sample(p)).collect()
    }

    fn range(&self) -> [f32; 2] {
        let heights = self.samples().into_iter().map(|sample| sample.value);
        heights.fold([f32::MAX, f32::MIN], |[lo, hi], h| [lo.min(h), hi.max(h)])
    }
}

fn export(arguments: &[&str], area: Option<Area>, out: &Path) -> Output {
    let mut command = orogeny();
    command.arg("export").args(arguments).args(area.iter().flat_map(Area::arguments));
    command.arg("--out").arg(out).output().unwrap()
}

#[track_caller]
fn export_area(arguments: &[&str], area: Area, out: &Path) -> String {
    printed(export(arguments, Some(area), out))
}

#[test]
fn a_png_holds_the_heights_and_tells_its_range() {
    for area in [PLAIN, AWKWARD] {
        let (_folder, file) = output_path("terrain.png");
        let output = export_area(&["alpine"], area, &file);
        assert!(output.contains("terrain.png") && output.contains("2 passes"), "{output}");

        let picture = Picture::read(&file);
        assert_eq!([picture.info.width, picture.info.height], area.size.map(|side| side as u32));
        assert_eq!(picture.info.bit_depth, png::BitDepth::Sixteen);
        assert_eq!(picture.info.color_type, png::ColorType::Grayscale);
        assert_eq!(picture.text("orogeny:preset"), "alpine");
        assert_eq!(picture.text("orogeny:spacing"), area.spacing.to_string());
        let [x, z] = area.origin;
        assert_eq!(picture.text("orogeny:origin"), format!("{x},{z}"));
        assert!(picture.text("orogeny:formula").contains("min + pixel * (max - min) / 65535"));

        let number = |key: &str| -> f64 { picture.text(key).parse().unwrap() };
        let [lo, hi] = ["orogeny:min", "orogeny:max"].map(number);
        assert_eq!([lo, hi], area.range().map(f64::from));
        let pixels = picture.pixels16();
        assert!(pixels.contains(&0) && pixels.contains(&65535));
        let step = (hi - lo) / 65535.0;
        let samples = area.samples();
        assert_eq!(pixels.len(), samples.len());
        for (pixel, sample) in pixels.iter().zip(samples) {
            let read = lo + f64::from(*pixel) * step;
            assert!((read - f64::from(sample.value)).abs() <= 0.5001 * step, "{read} {sample:?}");
        }
    }
}

#[test]
fn a_range_clamps_and_counts() {
    let (_folder, file) = output_path("terrain.png");
    let [lo, hi] = PLAIN.range();
    let [lo, hi] = [lo + 0.25 * (hi - lo), lo + 0.75 * (hi - lo)];
    let range = format!("--range={lo},{hi}");
    let output = export_area(&["alpine", &range], PLAIN, &file);
    let heights = PLAIN.samples().into_iter().map(|sample| sample.value);
    let outside = heights.filter(|h| !(lo..=hi).contains(h)).count();
    assert!(outside > 100);
    assert!(output.contains(&format!("{outside} of 44000 heights")), "{output}");
    assert!(output.contains("1 pass,"), "{output}");
    let picture = Picture::read(&file);
    assert_eq!(picture.text("orogeny:min").parse(), Ok(lo));
    assert_eq!(picture.text("orogeny:max").parse(), Ok(hi));
}

#[test]
fn raw_heights_are_those_of_the_field_bit_for_bit() {
    for area in [PLAIN, AWKWARD] {
        let (folder, file) = output_path("terrain.f32");
        export_area(&["alpine"], area, &file);
        let found = fs::read(&file).unwrap();
        let expected: Vec<u8> =
            area.samples().iter().flat_map(|sample| sample.value.to_le_bytes()).collect();
        assert!(found == expected);
        let about = fs::read_to_string(folder.path().join("terrain.f32.txt")).unwrap();
        let [lo, hi] = area.range().map(f64::from);
        for line in [format!("orogeny:min = {lo}\n"), format!("orogeny:max = {hi}\n")] {
            assert!(about.contains(&line), "{about}");
        }
        assert!(about.contains("orogeny:kind = f32\n"), "{about}");
    }
}

#[test]
fn raw_steps_are_the_nearest_little_endian() {
    let (folder, file) = output_path("terrain.raw");
    let output = export_area(&["alpine", "--range", "-1500,3500"], AWKWARD, &file);
    assert!(!output.contains("warning"), "{output}");
    let found = fs::read(&file).unwrap();
    let steps = AWKWARD.samples().into_iter().map(|sample| {
        let part = (f64::from(sample.value) + 1500.0) / 5000.0;
        (part * 65535.0).round() as u16
    });
    let expected: Vec<u8> = steps.flat_map(u16::to_le_bytes).collect();
    assert!(found == expected);
    let about = fs::read_to_string(folder.path().join("terrain.raw.txt")).unwrap();
    assert!(about.contains("orogeny:min = -1500\n") && about.contains("size = 530x37"), "{about}");
    assert_eq!(names(&folder), ["terrain.raw", "terrain.raw.txt"]);
}

#[test]
fn normals_and_shades_come_from_the_gradient() {
    let (_folder, file) = output_path("terrain.png");
    export_area(&["alpine", "--kind=normal"], PLAIN, &file);
    let normals = Picture::read(&file);
    assert_eq!(normals.info.color_type, png::ColorType::Rgb);
    assert!(normals.text("orogeny:formula").contains("green to the top (-z)"));
    export_area(&["alpine", "--kind=hillshade", "--force"], PLAIN, &file);
    let shades = Picture::read(&file);
    assert_eq!(shades.info.bit_depth, png::BitDepth::Eight);
    assert_eq!(shades.bytes.len(), PLAIN.samples().len());

    for (index, sample) in PLAIN.samples().into_iter().enumerate() {
        let [x, z] = sample.gradient.map(f64::from);
        let length = x.hypot(z).hypot(1.0);
        // Right, towards the top of the picture, up.
        let normal = [-x / length, z / length, 1.0 / length];
        for (k, component) in normal.into_iter().enumerate() {
            let read = f64::from(normals.bytes[3 * index + k]) / 255.0 * 2.0 - 1.0;
            assert!((read - component).abs() <= 1.001 / 255.0, "{read} {normal:?}");
        }
        let light = [-0.5, 0.5, 0.5f64.sqrt()];
        let lit: f64 = normal.iter().zip(light).map(|(n, l)| n * l).sum();
        let read = f64::from(shades.bytes[index]);
        assert!((read - 255.0 * lit.max(0.0)).abs() <= 0.5001, "{read} {lit}");
    }
}

#[test]
fn water_is_written_as_the_landscape_knows_it() {
    let area = Area { size: [160, 90], origin: [-12000.0, -14000.0], spacing: 40.0 };
    let (_, land) = load("lowlands");
    let positions = positions(area.size, area.origin, area.spacing);
    let waters: Vec<_> = positions.into_iter().map(|p| land.water(p)).collect();

    let (_folder, file) = output_path("water.png");
    let mut pictures = ["water", "flow", "discharge"].map(|kind| {
        export_area(&["lowlands", "--force", &format!("--kind={kind}")], area, &file);
        Picture::read(&file)
    });
    let amounts = pictures[2].pixels16();
    let [mask, flow, _] = &mut pictures;
    assert!(flow.text("orogeny:formula").contains("8 * (pixel - 128) / 127"));
    let mut kinds = std::collections::HashSet::new();
    for (i, water) in waters.iter().enumerate() {
        let kind = match water.map(|water| water.kind) {
            None => 0,
            Some(WaterKind::Sea) => 85,
            Some(WaterKind::Lake) => 170,
            Some(WaterKind::River) => 255,
        };
        kinds.insert(kind);
        assert_eq!(mask.bytes[i], kind);
        let [x, z] = water.map_or([0.0; 2], |water| water.flow);
        for (k, speed) in [x, -z].into_iter().enumerate() {
            let read = 8.0 * (f64::from(flow.bytes[3 * i + k]) - 128.0) / 127.0;
            assert!((read - speed).abs() < 0.51 * 8.0 / 127.0, "{read} {speed}");
        }
        assert_eq!(flow.bytes[3 * i + 2] > 0, water.is_some());
        let discharge = water.map_or(0.0, |water| water.discharge);
        let read = (f64::from(amounts[i]) / 1000.0).powi(2);
        assert!((read - discharge).abs() < 0.002 * (discharge.sqrt() + 0.01), "{read} {discharge}");
    }
    assert!(kinds.len() >= 3, "{kinds:?}");
}

#[test]
fn flat_ground_and_recipes_by_path() {
    let (folder, file) = output_path("flat.png");
    let area = Area { size: [1, 3], ..PLAIN };
    let ron = folder.path().join("flat.ron");
    fs::write(&ron, "(field: Constant(2.5))").unwrap();
    export_area(&[ron.to_str().unwrap()], area, &file);
    let json = folder.path().join("flat.json");
    fs::write(&json, r#"{"field": {"Constant": 2.5}}"#).unwrap();
    let picture = Picture::read(&file);
    assert_eq!(picture.pixels16(), [0, 0, 0]);
    assert_eq!(picture.text("orogeny:min"), "2.5");
    assert_eq!(picture.text("orogeny:max"), "2.5");
    let raw = folder.path().join("flat.r32");
    export_area(&[json.to_str().unwrap()], area, &raw);
    assert_eq!(fs::read(raw).unwrap(), [2.5f32.to_le_bytes(); 3].concat());
}

#[test]
fn a_file_is_replaced_only_by_force() {
    for (name, existing) in [
        ("terrain.png", "terrain.png"),
        ("terrain.r16", "terrain.r16"),
        ("terrain.r16", "terrain.r16.txt"),
    ] {
        let (folder, file) = output_path(name);
        let existing = folder.path().join(existing);
        fs::write(&existing, "precious").unwrap();
        let area = Area { size: [8, 8], ..PLAIN };
        fail(&export(&["alpine"], Some(area), &file), 1, &["exists", "--force"]);
        assert_eq!(fs::read_to_string(&existing).unwrap(), "precious");
        assert_eq!(names(&folder).len(), 1);
        export_area(&["alpine", "--force"], area, &file);
        assert_ne!(fs::read(&existing).unwrap(), b"precious");
        let count = if name.ends_with("png") { 1 } else { 2 };
        assert_eq!(names(&folder).len(), count, "{:?}", names(&folder));
    }
}

#[test]
fn what_is_not_possible_is_refused_with_its_limit() {
    let (folder, file) = output_path("terrain.png");
    let refused = |arguments: &[&str], expected: &[&str]| {
        fail(&export(arguments, None, &file), 2, expected);
    };
    refused(&["alpine", "--size=0"], &["--size", "1 to 65536"]);
    refused(&["alpine", "--size=65537x4"], &["--size", "1 to 65536"]);
    refused(&["alpine", "--size=4x4x4"], &["--size", "1 to 65536"]);
    refused(&["alpine", "--size=-4"], &["--size", "1 to 65536"]);
    refused(&["alpine", "--spacing=nan"], &["--spacing", "finite", "above 0"]);
    refused(&["alpine", "--spacing=inf"], &["--spacing", "finite", "above 0"]);
    refused(&["alpine", "--spacing", "-1"], &["--spacing", "finite", "above 0"]);
    refused(&["alpine", "--origin", "-1,nan"], &["--origin", "finite"]);
    refused(&["alpine", "--origin=1"], &["--origin", "two finite numbers"]);
    refused(&["alpine", "--origin=1e300,0"], &["--origin", "no height", "1e300"]);
    refused(&["alpine", "--spacing=1e308"], &["--spacing", "no height", "inf"]);
    refused(&["alpine", "--range=5,5"], &["--range", "LO below HI"]);
    refused(&["alpine", "--range=0,1e7"], &["--range", "-1e6 to 1e6"]);
    refused(&["alpine", "--range=0,9", "--kind=f32"], &["--range", "png16, r16, tiff16"]);
    refused(&["alpine", "--fit", "--kind=normal"], &["--fit", "png16, r16, tiff16"]);
    refused(&["nowhere"], &["nowhere", "alpine, ", "hills"]);
    refused(&["nowhere.ron"], &["nowhere.ron"]);
    assert!(names(&folder).is_empty());
    fail(&export(&["alpine", "--range=0,9", "--fit"], None, &file), 2, &["--range", "--fit"]);

    let other = folder.path().join("terrain.bmp");
    let kinds = ["terrain.bmp", "png16", "r16", "f32", "exr", "normal", "hillshade", "plants"];
    fail(&export(&["alpine"], None, &other), 2, &kinds);

    let faulty = folder.path().join("faulty.ron");
    fs::write(&faulty, "(field: Add([Constant(1), Fractal(octaves: 77)]))").unwrap();
    let expected = ["faulty.ron", "field.Add[1].Fractal.octaves", "77", "24"];
    fail(&export(&[faulty.to_str().unwrap()], None, &file), 2, &expected);
    assert_eq!(names(&folder), ["faulty.ron"]);
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_of_its_own() {
    let (folder, file) = output_path("missing/terrain.png");
    fail(&export(&["alpine", "--size=8"], None, &file), 1, &["missing", "terrain.png"]);
    let directory = folder.path().join("directory.png");
    fs::create_dir(&directory).unwrap();
    fail(&export(&["alpine", "--size=8", "--force"], None, &directory), 1, &["not a plain file"]);
    assert_eq!(names(&folder), ["directory.png"]);
}

/// A limit on file sizes simulates a full disk: writing fails in the middle.
#[cfg(unix)]
#[test]
fn a_write_that_fails_half_way_leaves_nothing() {
    for name in ["terrain.png", "terrain.f32", "terrain.tif", "terrain.exr", "terrain.glb"] {
        let (folder, file) = output_path(name);
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 16; exec \"$@\"", "sh"]);
        shell
            .arg(env!("CARGO_BIN_EXE_orogeny"))
            .args(["export", "alpine", "--size=256", "--out"])
            .arg(&file);
        fail(&shell.output().unwrap(), 1, &[name, "too large"]);
        assert!(names(&folder).is_empty(), "{:?}", names(&folder));
    }
}

/// Takes 10 s on a busy machine: a run ends between bands, and cover is slow.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing() {
    for arguments in [
        ["--size=65536", "--fit"],
        ["--size=65536", "--range=-9,9"],
        ["--size=2048x65536", "--kind=cover"],
        // Some tiles are complete by then.
        ["--size=129", "--tiles=256"],
    ] {
        let (folder, file) = output_path("terrain.png");
        let mut command = orogeny();
        command.args(["export", "alpine"]).args(arguments).arg("--out").arg(&file);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        while names(&folder).is_empty() {
            assert!(Instant::now() < deadline, "no temporary file");
            sleep(Duration::from_millis(5));
        }
        // Let it write a part of the file.
        sleep(Duration::from_millis(300));
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        while child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "still running");
            sleep(Duration::from_millis(5));
        }
        let output = child.wait_with_output().unwrap();
        fail(&output, 130, &["interrupted"]);
        assert!(names(&folder).is_empty(), "{:?}", names(&folder));
    }
}

#[test]
fn options_that_do_not_apply_are_refused() {
    for (arguments, name, expected) in [
        ("export hills --range 0,9", "a.f32", "--range: only png16, r16, tiff16"),
        ("export hills --range 0,9", "a.tif", "--range: only png16, r16, tiff16"),
        ("export hills --range 0,9 --kind depth", "a.exr", "--range: only png16, r16, tiff16"),
        ("export hills --range 0,9 --kind moisture", "a.tif", "--range: only png16, r16, tiff16"),
        ("export hills --fit", "a.glb", "--fit: only png16, r16, tiff16"),
        ("export hills --levels 2", "a.png", "--levels: only glb"),
        ("export hills --plants pine", "a.png", "--plants: it applies only to plants"),
        ("export hills --max-plants 5", "a.glb", "--max-plants: it applies only to plants"),
        ("export hills --tiles 0", "a.png", "1 to 256"),
        ("export hills --tiles 257x1", "a.png", "1 to 256"),
        ("export hills --tiles 2x2x2", "a.png", "1 to 256"),
        ("export hills --tiles 2 --size 1x9", "a.png", "--size: tiles share their borders"),
        ("export hills --levels 0", "a.glb", "1 to 8"),
        ("export hills --spacing 1e5", "a.glb", "--size, --spacing: a side is 1.023e8 m"),
        ("export hills --spacing 1e5", "a.csv", "at most 1e7 m"),
        ("export hills --max-plants 0", "a.csv", "1 to 100000000"),
        ("export hills", "a.bmp", ".exr is exr"),
        ("export hills --tiles 256 --size 65536 --spacing 1e300", "a.png", "--origin, --spacing"),
    ] {
        let message = message(arguments, name);
        assert!(message.contains(expected), "{arguments} {name}: {message}");
    }
}

const TILES: &str = "export alpine --size 33x17 --tiles 3x2 --origin -4000,256 --spacing 7.5";

#[test]
fn tiles_are_parts_of_the_whole_and_share_their_borders() {
    let (folder, path) = output_path("map.png");
    let report = succeed(TILES, &path);
    assert!(report.contains("map_x0_y0.png to ") && report.contains("(6 files)"), "{report}");
    let names = names(&folder);
    assert_eq!(names[..3], ["map_x0_y0.png", "map_x0_y1.png", "map_x1_y0.png"]);
    assert_eq!(names.len(), 6);

    let whole = folder.path().join("whole.png");
    succeed("export alpine --size 97x33 --origin -4000,256 --spacing 7.5", &whole);
    let whole = Picture::read(&whole);
    let pixels = whole.pixels16();
    for y in 0..2 {
        for x in 0..3 {
            let tile = Picture::read(&folder.path().join(format!("map_x{x}_y{y}.png")));
            assert_eq!(tile.size(), [33, 17]);
            // One range for all.
            for key in ["orogeny:min", "orogeny:max"] {
                assert_eq!(tile.text(key), whole.text(key));
            }
            let origin = format!("{},{}", -4000.0 + 7.5 * 32.0 * f64::from(x), 256 + 120 * y);
            assert_eq!(tile.text("orogeny:origin"), origin);
            let first = 32 * x as usize + 97 * 16 * y as usize;
            for (row, greys) in tile.pixels16().chunks_exact(33).enumerate() {
                let start = first + 97 * row;
                assert_eq!(greys, &pixels[start..start + 33], "x{x} y{y}, row {row}");
            }
        }
    }
}

#[test]
fn a_pattern_names_tiles() {
    let (folder, path) = output_path("a_{y}_{x}.r16");
    succeed("export alpine --size 3 --tiles 2x1", &path);
    let expected = ["a_0_0.r16", "a_0_0.r16.txt", "a_0_1.r16", "a_0_1.r16.txt"];
    assert_eq!(names(&folder), expected);
    let text = fs::read_to_string(folder.path().join("a_0_1.r16.txt")).unwrap();
    assert!(text.contains("orogeny:tile = x1 y0 of 2x1\n"), "{text}");
    assert!(text.contains("orogeny:origin = 2,0\n"), "{text}");
    let message = message("export alpine --size 3 --tiles 2", "a_{x}.r16");
    assert!(message.contains("need {x} and {y}"), "{message}");
}

#[test]
fn rows_are_counted_from_the_bottom_if_wanted() {
    let (folder, path) = output_path("a_{x}_{yup}.f32");
    succeed("export alpine --size 3 --tiles 1x3", &path);
    let text = fs::read_to_string(folder.path().join("a_0_2.f32.txt")).unwrap();
    assert!(text.contains("orogeny:tile = x0 y0 of 1x3\n"), "{text}");
}

#[test]
fn one_existing_tile_stops_all() {
    let (folder, path) = output_path("map.png");
    let precious = folder.path().join("map_x2_y1.png");
    fs::write(&precious, "precious").unwrap();
    let output = run(TILES, &path);
    let failure = String::from_utf8(output.stderr).unwrap();
    assert!(failure.contains("map_x2_y1.png: exists; --force"), "{failure}");
    assert_eq!(names(&folder), ["map_x2_y1.png"]);
    assert_eq!(fs::read(&precious).unwrap(), b"precious");
    succeed(&format!("{TILES} --force"), &path);
    assert_ne!(fs::read(&precious).unwrap(), b"precious");
    assert_eq!(names(&folder).len(), 6);
}

#[test]
fn sizes_for_engines_are_allowed() {
    for size in [65, 1009] {
        let (folder, path) = output_path("map.f32");
        succeed(&format!("export hills --size {size}x9 --tiles 2x1 --spacing 4"), &path);
        for x in 0..2 {
            let tile = fs::read(folder.path().join(format!("map_x{x}_y0.f32"))).unwrap();
            assert_eq!(tile.len(), 4 * 9 * size);
        }
    }
}
