//! The table of plants.

use std::path::Path;

use orogeny::Region;

use crate::support::{load, message, names, output_path, succeed};

const COLUMNS: [&str; 11] =
    ["kind", "model", "x", "height", "z", "yaw", "qx", "qy", "qz", "qw", "scale"];

type Row = (String, String, [f64; 9]);

fn read(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    assert_eq!(reader.headers().unwrap(), COLUMNS.to_vec());
    reader.deserialize().map(Result::unwrap).collect()
}

#[test]
fn the_table_has_what_stands_there() {
    let (_folder, path) = output_path("plants.csv");
    // Wider than a block.
    let area = "export alpine --size 901x400 --spacing 2 --origin 2000,3000";
    succeed(&format!("{area} --plants pine,boulder"), &path);
    let rows = read(&path);

    let (_, field) = load("alpine");
    let placement = field.placement();
    let region = Region { min: [2000.0, 3000.0], max: [3800.0, 3798.0] };
    let is_wanted = |name: &str| ["Pine", "Boulder"].contains(&name);
    let mut expected = placement.in_region(region, |kind| is_wanted(&kind.name)).unwrap();
    assert_eq!(rows.len(), expected.len());
    assert!(rows.len() > 1000, "{}", rows.len());
    let key = |[x, z]: [f64; 2]| [x, z].map(|part| (part * 1000.0).round() as i64);
    expected.sort_by_key(|it| key(it.position));
    let mut rows = rows;
    rows.sort_by_key(|(_, _, row)| key([row[0], row[2]]));
    for ((name, model, row), instance) in rows.iter().zip(&expected) {
        let kind = placement.kind(instance.kind).unwrap();
        assert_eq!((name, model), (&kind.name, &format!("{:?}", kind.model)));
        let [x, height, z, yaw, qx, qy, qz, qw, scale] = *row;
        let close = |a: f64, b: f64, by: f64| assert!((a - b).abs() <= by, "{a} {b} {row:?}");
        close(x, instance.position[0], 6e-4);
        close(z, instance.position[1], 6e-4);
        close(height, f64::from(field.sample(instance.position).value), 6e-4);
        close(yaw, 360.0 * f64::from(instance.turn), 6e-4);
        close(scale, f64::from(instance.size), 6e-5);
        close(qx * qx + qy * qy + qz * qz + qw * qw, 1.0, 1e-5);
        if kind.align == 0.0 && instance.lean == [0.0; 2] {
            close(qx.abs() + qz.abs(), 0.0, 1e-6);
        }
    }
    assert!(rows.iter().any(|(_, _, row)| row[4].abs() > 0.01), "none is tilted");
}

#[test]
fn tiles_share_no_plant() {
    let (folder, path) = output_path("plants.csv");
    let area = "--plants spruce,pine --spacing 4 --origin 2000,3000";
    succeed(&format!("export alpine --size 101 --tiles 2 {area}"), &path);
    let mut of_tiles: Vec<Row> = Vec::new();
    for name in names(&folder) {
        of_tiles.extend(read(&folder.path().join(name)));
    }
    let whole = folder.path().join("whole.csv");
    succeed(&format!("export alpine --size 201 {area}"), &whole);
    let mut whole = read(&whole);
    let key = |(_, _, row): &Row| [row[0], row[2]].map(|part| (part * 1000.0).round() as i64);
    of_tiles.sort_by_key(key);
    whole.sort_by_key(key);
    assert!(of_tiles == whole && whole.len() > 100);
}

#[test]
fn limits_and_unknown_names_are_reported() {
    let area = "--size 800 --origin 2000,3000 --plants spruce,pine";
    let many = message(&format!("export alpine {area} --max-plants 100"), "plants.csv");
    assert!(many.contains("--max-plants: there are more than 100 plants"), "{many}");
    let unknown = message("export alpine --plants oak", "plants.csv");
    assert!(unknown.contains("--plants oak") && unknown.contains("Spruce, Pine"), "{unknown}");
    let small = message("export alpine --size 1", "plants.csv");
    assert!(small.contains("--size"), "{small}");
}
