//! Impostors show what the model shows.

use glam::Vec3;
use orogeny_models::{Impostor, ImpostorBounds, ImpostorPart, Model, Pattern, grow, mip_levels};

const FRAMES: usize = 8;
const FRAME: usize = Impostor::SIZE as usize / FRAMES;

/// A texture of one colour.
fn plain(colour: [u8; 4]) -> Vec<u8> {
    mip_levels(4, &colour.repeat(16))
}

/// A box with a side in metres, whose faces have their normals.
fn cube(half: f32, texture: &[u8]) -> ImpostorPart<'_> {
    let mut part = ImpostorPart { texture, size: 4, ..ImpostorPart::default() };
    for axis in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z] {
        let side = axis.any_orthonormal_vector();
        let other = axis.cross(side);
        let first = part.positions.len() as u32;
        for [s, t] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
            let corner = half * (axis + s * side + t * other) + Vec3::Y * 5.0;
            part.positions.push(corner.to_array());
            part.normals.push(axis.to_array());
            part.uvs.push([s, t]);
            part.tones.push(0.6);
        }
        part.indices.extend([0, 1, 2, 0, 2, 3].map(|k| first + k));
    }
    part
}

/// The texel of a layer at a place in a frame, each 0 to 1.
fn texel(layer: &[u8], [i, j]: [usize; 2], [u, v]: [f32; 2]) -> [u8; 4] {
    let place = |k: usize, x: f32| k * FRAME + ((x * FRAME as f32) as usize).min(FRAME - 1);
    let at = 4 * (place(j, v) * Impostor::SIZE as usize + place(i, u));
    layer[at..at + 4].try_into().unwrap()
}

/// The direction of a frame, as documented.
fn direction([i, j]: [usize; 2]) -> Vec3 {
    let [a, b] = [i, j].map(|k| 2.0 * k as f32 / 7.0 - 1.0);
    let [x, z] = [0.5 * (a - b), 0.5 * (a + b)];
    Vec3::new(x, 1.0 - x.abs() - z.abs(), z).normalize()
}

fn linear(byte: u8) -> f32 {
    let x = f32::from(byte) / 255.0;
    if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
}

#[test]
fn a_box_shows_its_sides_from_everywhere() {
    let texture = plain([200, 100, 50, 255]);
    let part = cube(1.0, &texture);
    let impostor = Impostor::bake(std::slice::from_ref(&part));
    let ImpostorBounds { centre, width, height } = impostor.bounds;
    assert!((centre - 5.0).abs() < 0.01, "{centre}");
    assert!((width - 2.0_f32.sqrt()).abs() < 0.01, "{width}");
    assert!((height - 3.0_f32.sqrt()).abs() < 0.01, "{height}");
    for j in 0..FRAMES {
        for i in 0..FRAMES {
            let eye = direction([i, j]);
            let right = Vec3::Y.cross(eye).normalize();
            let up = eye.cross(right);
            for y in 0..FRAME {
                for x in 0..FRAME {
                    let [u, v] = [x, y].map(|k| (k as f32 + 0.5) / FRAME as f32);
                    let [s, t] = [(2.0 * u - 1.0) * width, (1.0 - 2.0 * v) * height];
                    let origin = right * s + up * t + 9.0 * eye;
                    // A ray from the eye against the slabs of the box.
                    let cross = |half: f32| {
                        let rate = -1.0 / eye.abs().max(Vec3::splat(1e-9)) * eye.signum();
                        let near = (-origin - half * rate.signum()) * rate;
                        let far = (-origin + half * rate.signum()) * rate;
                        let (enter, leave) = (near.max_element(), far.min_element());
                        (enter <= leave).then_some((near, enter))
                    };
                    let seen = texel(&impostor.colours, [i, j], [u, v]);
                    // Texels at outlines are covered in part.
                    match (cross(0.93), cross(1.07)) {
                        (Some(_), _) => assert_eq!(seen, [200, 100, 50, 255], "{i} {j} {x} {y}"),
                        (None, None) => assert_eq!(seen[3], 0, "{i} {j} {x} {y}"),
                        _ => continue,
                    }
                    let Some((near, enter)) = cross(1.0) else { continue };
                    let mut sorted = near.to_array();
                    sorted.sort_by(f32::total_cmp);
                    if sorted[2] - sorted[1] < 0.25 {
                        continue;
                    }
                    let face =
                        Vec3::select(near.cmpge(Vec3::splat(enter)), eye.signum(), Vec3::ZERO);
                    let [r, g, b, tone] = texel(&impostor.normals, [i, j], [u, v]);
                    let normal = 2.0 * Vec3::new(linear(r), linear(g), linear(b)) - 1.0;
                    assert!(normal.distance(face) < 0.02, "{i} {j} {x} {y}: {normal} {face}");
                    // Faces that turn away are a little behind what is around them.
                    assert!((80..=153).contains(&tone), "{i} {j} {x} {y}: {tone}");
                }
            }
        }
    }
}

#[test]
fn trees_are_as_dense_as_their_meshes() {
    let baked: Vec<Vec<u8>> = Pattern::ALL.map(|pattern| pattern.bake(128)).into();
    for model in [Model::Spruce, Model::Birch, Model::Broadleaf, Model::Pine] {
        let levels = grow(&model, 1).unwrap();
        let parts: Vec<ImpostorPart> = Pattern::ALL
            .iter()
            .map(|&pattern| ImpostorPart::of(&levels.levels[0], pattern, &baked[pattern as usize]))
            .collect();
        let impostor = Impostor::bake(&parts);
        let top = impostor.bounds.centre + impostor.bounds.height;
        assert!((0.9..1.4).contains(&(top / levels.height)), "{model:?}: {top}");
        let covered = |level: usize, frame: [usize; 2]| {
            let (mut first, mut side) = (0, Impostor::SIZE as usize);
            for _ in 0..level {
                (first, side) = (first + side * side, side / 2);
            }
            let each = side / FRAMES;
            let texels = (0..each * each).map(|k| {
                let [x, y] = [frame[0] * each + k % each, frame[1] * each + k / each];
                impostor.colours[4 * (first + y * side + x) + 3]
            });
            texels.filter(|&alpha| alpha >= 128).count() as f32 / (each * each) as f32
        };
        for frame in [[0, 0], [3, 0], [7, 4], [3, 3]] {
            let full = covered(0, frame);
            assert!((0.03..0.75).contains(&full), "{model:?} {frame:?}: {full}");
            for level in 1..=3 {
                let coarse = covered(level, frame);
                assert!(
                    (coarse - full).abs() < 0.12,
                    "{model:?} {frame:?} {level}: {coarse} {full}"
                );
            }
        }
    }
}

#[test]
fn nothing_is_transparent() {
    let impostor = Impostor::bake(&[]);
    assert!(impostor.colours.iter().skip(3).step_by(4).all(|&alpha| alpha == 0));
    let texture = plain([9; 4]);
    let mut flat = cube(1.0, &texture);
    flat.positions.iter_mut().for_each(|position| *position = [0.0, 1.0, 0.0]);
    let impostor = Impostor::bake(&[flat]);
    assert!(impostor.bounds.width > 0.0 && impostor.normals.len() == impostor.colours.len());
}

/// Work is bounded: after 48,000 triangles that fill all frames, a box in front of them is left
/// out.
#[test]
fn too_many_large_triangles_are_left_out() {
    let [wall, box_] = [[200, 100, 50, 255], [50, 200, 100, 255]].map(plain);
    let [mut wall, last] = [cube(1.0, &wall), cube(1.1, &box_)];
    let few = Impostor::bake(&[wall.clone(), last.clone()]);
    let once = wall.indices.clone();
    (0..4000).for_each(|_| wall.indices.extend(&once));
    let many = Impostor::bake(&[wall, last]);
    for frame in [[0, 0], [3, 0], [7, 7]] {
        let seen = [&few, &many].map(|impostor| texel(&impostor.colours, frame, [0.5, 0.5]));
        assert_eq!(seen, [[50, 200, 100, 255], [200, 100, 50, 255]]);
    }
}

#[test]
fn colours_of_vertices_multiply_the_texture() {
    let texture = plain([200, 100, 50, 255]);
    let bake = |colour: [f32; 4]| {
        let mut part = cube(1.0, &texture);
        part.colours = vec![colour; part.positions.len()];
        texel(&Impostor::bake(&[part]).colours, [3, 4], [0.5, 0.5])
    };
    let [red, green, blue, alpha] = bake([0.5, 0.25, 1.0, 1.0]);
    assert_eq!((blue, alpha), (50, 255));
    assert!((linear(red) - 0.5 * linear(200)).abs() < 0.01, "{red}");
    assert!((linear(green) - 0.25 * linear(100)).abs() < 0.01, "{green}");
    assert_eq!(bake([1.0; 4]), [200, 100, 50, 255]);
    // What is less than half opaque is not there.
    assert_eq!(bake([1.0, 1.0, 1.0, 0.49])[3], 0);
}
