//! Meshes, read by the `gltf` crate.

use gltf::Gltf;

use crate::support::{load, message, output_path, succeed};

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
fn tiles_meet_and_limits_are_reported() {
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
