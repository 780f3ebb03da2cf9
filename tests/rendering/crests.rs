//! Ground seen nearly edge-on, and bumps in a low sun: neither darkens sunlit ground.

use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy_orogeny::orogeny::cover::{CoverKind, CoverLayer};
use bevy_orogeny::orogeny::{Cover, Field, Sample};
use bevy_orogeny::{Terrain, TerrainOrigin, TerrainViewer};

use super::ground_textures::{image_of, texture, unlit};
use super::support::*;

/// A plane that slopes away from the sun, by about one in three.
struct Slope;

impl Field<2> for Slope {
    fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
        Sample { value: 0.35 * x as f32, gradient: [0.35, 0.0] }
    }
}

/// The sun is 19 degrees above this slope. However bumps tilt its normals, no pixel is darker than
/// a third of the mean.
#[test]
fn sunlit_ground_is_never_black() {
    let Some(_turn) = turn() else { return };
    for kind in [CoverKind::Grass, CoverKind::Forest] {
        let cover = Cover { layers: vec![CoverLayer::of(kind.clone())] };
        let viewer = TerrainViewer { range: 600.0, ..default() };
        let terrain = Terrain::field(Slope).covered(cover);
        let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
        app.insert_resource(GlobalAmbientLight { brightness: 60.0, ..default() });
        app.world_mut().entity_mut(camera).insert(Tonemapping::None);
        for height in [1.7, 12.0] {
            let transform = Transform::from_xyz(0.0, height, 0.0)
                .looking_to(Vec3::new(0.2, -0.5, -1.0), Vec3::Y);
            let mut pixels = draw(&mut app, camera, transform, true);
            pixels.retain(|&pixel| pixel != BACKGROUND);
            let (mean, _) = brightness(&pixels);
            let each = pixels.iter().map(|&pixel| brightness(&[pixel]).0);
            let darkest = each.fold(f32::MAX, f32::min);
            println!("{kind:?} from {height} m: mean {mean:.1}, darkest {darkest:.1}");
            assert!(darkest > mean / 3.0, "{kind:?} from {height} m: {darkest} of {mean}");
        }
    }
}

/// Hills no steeper than 0.5.
struct Hills;

impl Field<2> for Hills {
    fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
        let ((sx, cx), (sz, cz)) = ((x / 40.0).sin_cos(), (z / 40.0).sin_cos());
        Sample {
            value: (10.0 * (sx + sz)) as f32,
            gradient: [0.25 * cx, 0.25 * cz].map(|g| g as f32),
        }
    }
}

/// A layer for slopes that these hills do not have is not drawn. Crests are included, where
/// triangles are seen edge-on and a pixel's footprint on their plane is unbounded.
#[test]
fn crests_keep_their_cover() {
    let Some(_turn) = turn() else { return };
    let layer = |kind, colour| CoverLayer { colour: Some(colour), ..CoverLayer::of(kind) };
    let cover = Cover {
        layers: vec![
            layer(CoverKind::Grass, [1.0, 0.0, 0.0]),
            CoverLayer {
                slope: CoverLayer::SLOPE.above(0.9).soft(0.1),
                edge_noise: 0.0,
                ..layer(CoverKind::Rock, [0.0, 0.0, 1.0])
            },
        ],
    };
    let viewer = TerrainViewer { range: 3000.0, ..default() };
    let terrain = Terrain::field(Hills).covered(cover);
    let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
    app.world_mut().entity_mut(camera).insert(Tonemapping::None);
    // Of one colour, so that pixels show the weights of the layers.
    texture(&mut app, [CoverKind::Grass, CoverKind::Rock].map(|kind| (kind, image_of(&[255; 4]))));
    unlit(&mut app);
    let mut wrong = 0;
    for turn in 0..4 {
        let (sin, cos) = (0.7 + turn as f32).sin_cos();
        let transform =
            Transform::from_xyz(0.0, 21.0, 0.0).looking_to(Vec3::new(cos, -0.1, sin), Vec3::Y);
        let pixels = draw(&mut app, camera, transform, true);
        let ground = pixels.into_iter().filter(|&pixel| pixel != BACKGROUND);
        wrong += ground.filter(|&[_, _, blue]| blue > 40).count();
    }
    println!("{wrong} pixels have the wrong cover");
    assert_eq!(wrong, 0);
}
