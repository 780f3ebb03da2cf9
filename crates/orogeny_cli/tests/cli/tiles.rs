//! Tiles: their names, borders and range, and that all of them appear or none.

use std::fs;

use crate::support::{Picture, message, names, output_path, run, succeed};

const AREA: &str = "export alpine --size 33x17 --tiles 3x2 --origin -4000,256 --spacing 7.5";

#[test]
fn tiles_are_parts_of_the_whole_and_share_their_borders() {
    let (folder, path) = output_path("map.png");
    let report = succeed(AREA, &path);
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
    let output = run(AREA, &path);
    let failure = String::from_utf8(output.stderr).unwrap();
    assert!(failure.contains("map_x2_y1.png: exists; --force"), "{failure}");
    assert_eq!(names(&folder), ["map_x2_y1.png"]);
    assert_eq!(fs::read(&precious).unwrap(), b"precious");
    succeed(&format!("{AREA} --force"), &path);
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
