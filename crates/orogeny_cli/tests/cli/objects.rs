//! Meshes, read by the `gltf` crate, and the table of plants.

use std::path::Path;

use gltf::Gltf;
use orogeny::Region;

use crate::{load, message, names, output_path, succeed};

#[test]
fn levels_are_the_ground_with_its_normals() {
    let (_folder, path) = output_path("land.glb");
    // 22 cells are no multiple of 4.
    let report =
        succeed("export alpine --size 23x17 --origin 1e6,-5000 --spacing 3 --levels 3", &path);
    assert!(report.contains("3 levels with 391, 108, 35 vertices"), "{report}");
    // Validates all of it.
    let Gltf { document, blob } = Gltf::open(&path).unwrap();
    let blob = blob.unwrap();
    let (_, field) = load("alpine");
    let middle = [1e6 + 33.0, -5000.0 + 24.0];
    let extras = document.as_json().asset.extras.as_ref().unwrap().get();
    assert!(extras.contains("\"middle\":[1000033.0,-4976.0]"), "{extras}");

    let names: Vec<&str> = document.nodes().filter_map(|node| node.name()).collect();
    assert_eq!(names, ["terrain_lod0", "terrain_lod1", "terrain_lod2"]);
    assert_eq!(document.default_scene().unwrap().nodes().count(), 3);
    for (level, mesh) in document.meshes().enumerate() {
        let primitive = mesh.primitives().next().unwrap();
        let bounds = primitive.bounding_box();
        let reader = primitive.reader(|_| Some(&blob[..]));
        let positions: Vec<_> = reader.read_positions().unwrap().collect();
        let normals: Vec<_> = reader.read_normals().unwrap().collect();
        let indices: Vec<_> = reader.read_indices().unwrap().into_u32().collect();
        assert_eq!(positions.len(), [391, 108, 35][level]);
        for (p, n) in positions.iter().zip(&normals) {
            let sample = field.sample([middle[0] + f64::from(p[0]), middle[1] + f64::from(p[2])]);
            assert_eq!(p[1], sample.value);
            let [x, z] = sample.gradient;
            let length = (x * x + z * z + 1.0).sqrt();
            for (n, exact) in n.iter().zip([-x / length, 1.0 / length, -z / length]) {
                assert!((n - exact).abs() < 1e-6, "{n} {exact}");
            }
            assert!((0..3).all(|k| bounds.min[k] <= p[k] && p[k] <= bounds.max[k]));
        }
        // All levels reach the same borders.
        assert_eq!([bounds.min[0], bounds.max[0]], [-33.0, 33.0]);
        assert_eq!([bounds.min[2], bounds.max[2]], [-24.0, 24.0]);
        check_triangles(&positions, &indices);
    }
}

/// Checks that triangles face up and cover the region once.
fn check_triangles(positions: &[[f32; 3]], indices: &[u32]) {
    let mut area = 0.0;
    for triangle in indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| positions[triangle[k] as usize]);
        // The component y of the product of two edges.
        let up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
        assert!(up > 0.0);
        area += up / 2.0;
    }
    assert_eq!(area, 66.0 * 48.0);
}

#[test]
fn meshes_of_tiles_meet_and_limits_are_reported() {
    let (folder, path) = output_path("land.glb");
    succeed("export hills --size 5 --tiles 2x1 --levels 1", &path);
    let edge = |x: usize, side: f32| {
        let path = folder.path().join(format!("land_x{x}_y0.glb"));
        let Gltf { document, blob } = Gltf::open(path).unwrap();
        let blob = blob.unwrap();
        let primitive = document.meshes().next().unwrap().primitives().next().unwrap();
        let reader = primitive.reader(|_| Some(&blob[..]));
        let positions = reader.read_positions().unwrap();
        positions.filter(|p| p[0] == side).map(|p| p[1]).collect::<Vec<_>>()
    };
    assert_eq!(edge(0, 2.0), edge(1, -2.0));

    let large = message("export hills --size 4097", "a.glb");
    assert!(large.starts_with("error: --size: ") && large.contains("8388608"), "{large}");
    assert!(message("export hills --size 1x5", "a.glb").contains("--size: plants and meshes need"));
    assert!(message("export hills --levels 9", "a.glb").contains("1 to 8"));
}

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
