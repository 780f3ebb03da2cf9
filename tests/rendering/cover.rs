//! The drawn cover, compared with the cover that a query returns.

use bevy::camera::ScalingMode;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy_orogeny::orogeny::cover::{CoverKind, CoverLayer};
use bevy_orogeny::orogeny::edits::{Area, Disc, EditLog, Paint};
use bevy_orogeny::orogeny::ray::{Cast, Ray};
use bevy_orogeny::orogeny::{Climate, Cover, Fractal, GradientNoise, Recipe};
use bevy_orogeny::{GroundQuery, Terrain, TerrainOrigin, TerrainViewer};

use super::ground_textures::{image_of, texture, unlit};
use super::support::*;

/// The numbers of the layers that are seen.
const SEEN: [usize; 3] = [0, 9, 15];

/// Red ground with green on slopes and blue in hollows, or where it is cold, in patches, among as
/// many other layers as there may be, which are higher up.
fn cover(in_climate: bool) -> Cover {
    let plain = |kind, colour| CoverLayer { colour: Some(colour), ..CoverLayer::of(kind) };
    let high =
        CoverLayer { height: CoverLayer::HEIGHT.above(1e5), ..plain(CoverKind::Sand, [1.0; 3]) };
    let mut layers = vec![high; Cover::MAX_LAYERS];
    layers[SEEN[0]] = plain(CoverKind::Grass, [1.0, 0.0, 0.0]);
    layers[SEEN[1]] = CoverLayer {
        slope: CoverLayer::SLOPE.above(0.25).soft(0.2),
        edge_noise: 0.5,
        ..plain(CoverKind::Rock, [0.0, 1.0, 0.0])
    };
    let blue =
        CoverLayer { coverage: 0.7, edge_noise: 0.3, ..plain(CoverKind::Snow, [0.0, 0.0, 1.0]) };
    layers[SEEN[2]] = if in_climate {
        CoverLayer {
            temperature: CoverLayer::TEMPERATURE.below(4.0),
            moisture: CoverLayer::MOISTURE.above(0.35).soft(0.2),
            ..blue
        }
    } else {
        CoverLayer { curvature: CoverLayer::CURVATURE.above(0.004).soft(0.02), ..blue }
    };
    Cover { layers }
}

/// A climate that changes within some metres, in autumn.
fn climate() -> Climate {
    Climate {
        temperature: 6.0,
        lapse_rate: 50.0,
        sunny_side: 4.0,
        warm_patches: 4.0,
        moist_patches: 0.5,
        patch_size: 90.0,
        season: -0.2,
        ..Climate::default()
    }
}

/// A log with paint of two layers around a place.
fn painted([x, z]: [f64; 2]) -> EditLog {
    let mut log = EditLog::new();
    for (dx, dz, seen) in [(-30.0, 10.0, 0), (-20.0, -10.0, 2), (300.0, 0.0, 1)] {
        let layer = SEEN[seen] as u32;
        let area = Area::Disc(Disc { center: [x + dx, z + dz], radius: 8.0, falloff: 20.0 });
        log.add(1, Paint { area, layer, strength: 0.9 }).unwrap();
    }
    log
}

/// Seen from above and unlit, pixels have the colours of the layers, mixed by the weights that a
/// query returns at their positions, paint included. Also far from the origin, and on raised
/// terrain.
#[test]
fn pixels_are_mixed_by_the_weights_of_queries() {
    let Some(_turn) = turn() else { return };
    for (at, in_climate) in [([0.0, 0.0], false), ([0.0, 0.0], true), ([3.0e9, -7.0e9], true)] {
        // Smooth between vertices, so that the slopes of triangles are those of the field.
        let fbm = Fractal { frequency: 0.004, ..Fractal::fbm(5.0, GradientNoise::seeded(3)) };
        let climate = if in_climate { climate() } else { Climate::default() };
        let recipe = Recipe { climate, ..Recipe::new(1, 90.0, fbm) };
        let terrain = Terrain::recipe(recipe).covered(cover(in_climate));
        let log = painted(at);
        let query = GroundQuery::of(&terrain).unwrap().with_edits(log.edits());
        let ground = f64::from(query.field(at).unwrap().value);
        let origin = TerrainOrigin::at(at);
        let viewer = TerrainViewer { range: 800.0, uniform: Some(0), ..default() };
        let (mut app, camera) = app(terrain, viewer, origin);
        app.world_mut().entity_mut(camera).insert(Tonemapping::None);
        edits(&mut app).log = log;
        let kinds = [CoverKind::Grass, CoverKind::Rock, CoverKind::Snow];
        texture(&mut app, kinds.map(|kind| (kind, image_of(&[255; 4]))));
        unlit(&mut app);
        let eye = [at[0], ground + 120.0, at[1]];
        let transform = Transform::from_translation(origin.translation(eye))
            .looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
        let pixels = draw(&mut app, camera, transform, true);

        let mut differences = Vec::new();
        let mut largest = [0f32; 3];
        // Bevy's field of view: 45 degrees.
        let scale = (std::f64::consts::FRAC_PI_8).tan() / (f64::from(HEIGHT) / 2.0);
        for (j, i) in
            (1..HEIGHT - 1).step_by(7).flat_map(|j| (1..WIDTH - 1).step_by(7).map(move |i| (j, i)))
        {
            let across = (f64::from(i) + 0.5 - f64::from(WIDTH) / 2.0) * scale;
            let down = (f64::from(j) + 0.5 - f64::from(HEIGHT) / 2.0) * scale;
            let ray = Ray { origin: eye, direction: [across, -1.0, down], max_distance: 1000.0 };
            let Ok(Cast::Hit(hit)) = query.raycast_field(&ray, 0.01) else { panic!("no ground") };
            let [x, _, z] = hit.position;
            let weights = query.cover([x, z]).unwrap();
            let weights = SEEN.map(|layer| weights[layer]);
            let pixel = pixels[(j * WIDTH + i) as usize];
            let linear = LinearRgba::from(Srgba::rgb_u8(pixel[0], pixel[1], pixel[2]));
            let drawn = [linear.red, linear.green, linear.blue];
            // Tints change all colours by the same factor.
            let whole: f32 = drawn.iter().sum();
            for k in 0..3 {
                differences.push((drawn[k] / whole - weights[k]).abs());
                largest[k] = largest[k].max(weights[k]);
            }
        }
        // Within a cell of 8 m the chunk's curvature is interpolated, and a pixel is half a metre
        // wide.
        differences.sort_unstable_by(f32::total_cmp);
        let mean = differences.iter().sum::<f32>() / differences.len() as f32;
        let percentile_90 = differences[differences.len() * 9 / 10];
        println!(
            "{at:?}: difference {mean:.4}, 90 % below {percentile_90:.3}, weights up to {largest:?}"
        );
        assert!(mean < 0.03 && percentile_90 < 0.1, "{mean} {percentile_90}");
        assert!(largest.iter().all(|&weight| weight > 0.6), "{largest:?}");
    }
}

/// Brightness without its mean, of length 1.
fn pattern(pixels: &[[u8; 3]]) -> Vec<f64> {
    let grey: Vec<f64> =
        pixels.iter().map(|pixel| pixel.iter().copied().map(f64::from).sum()).collect();
    let mean = grey.iter().sum::<f64>() / grey.len() as f64;
    let length = grey.iter().map(|x| (x - mean).powi(2)).sum::<f64>().sqrt().max(1e-9);
    grey.into_iter().map(|x| (x - mean) / length).collect()
}

/// What is seen from afar is not what is seen close by, enlarged, and no tile of it comes again.
#[test]
fn each_scale_has_forms_of_its_own() {
    let Some(_turn) = turn() else { return };
    for kind in CoverKind::ALL {
        let width = kind.texture().width;
        let (mut app, camera) = still(plain_of(CoverLayer::of(kind.clone())), 4000.0);
        let mut look = |width: f32| {
            let scaling_mode = ScalingMode::FixedHorizontal { viewport_width: width };
            let projection =
                OrthographicProjection { scaling_mode, ..OrthographicProjection::default_3d() };
            app.world_mut().entity_mut(camera).insert(Projection::from(projection));
            let above = Transform::from_xyz(0.0, 500.0, 0.0);
            draw(&mut app, camera, above.looking_to(Vec3::NEG_Y, Vec3::NEG_Z), true)
        };
        let close = pattern(&look(2.0 * width));
        for times in [8.0_f64, 64.0] {
            let far = pattern(&look(2.0 * width * times as f32));
            let like = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let same = like(&close, &far);
            println!("{kind:?}: {same:.2} at {times} times the width");
            assert!(same.abs() < 0.5, "{kind:?} at {times}: {same}");
            // As far aside as eight tiles are wide, and around it.
            let eight = f64::from(WIDTH) * 4.0 / times;
            let [before, at, after] = [0.8, 1.0, 1.25].map(|part| {
                let aside = (part * eight).round() as usize;
                let columns = |from: usize, to: usize| {
                    let rows = far.chunks_exact(WIDTH as usize);
                    rows.flat_map(|row| row[from..to].iter().copied()).collect::<Vec<f64>>()
                };
                let whole = WIDTH as usize;
                let [left, right] = [columns(0, whole - aside), columns(aside, whole)];
                like(&left, &right) / (like(&left, &left) * like(&right, &right)).sqrt()
            });
            println!("{kind:?}: {before:.2} {at:.2} {after:.2} around eight tiles aside");
            assert!(at < before.max(after) + 0.2, "{kind:?} comes again after eight tiles");
        }
    }
}
