//! A tree looks about the same from all distances, whichever level it is drawn with.

use bevy::camera::ScalingMode;
use bevy::light::CascadeShadowConfigBuilder;
use bevy::prelude::*;
use bevy_orogeny::orogeny::scatter::Model;
use bevy_orogeny::{GroundQuery, TerrainOrigin, TerrainViewer};

use super::support::*;
use super::woods::{plain, scatter};

/// How large a tree is in a picture, as a part of it, and its mean colour.
fn seen(picture: &[[u8; 3]]) -> (f32, [f32; 3]) {
    let tree: Vec<&[u8; 3]> = picture.iter().filter(|&&pixel| pixel != BACKGROUND).collect();
    let mean = |k: usize| {
        tree.iter().map(|pixel| f32::from(pixel[k])).sum::<f32>() / tree.len().max(1) as f32
    };
    (tree.len() as f32 / picture.len() as f32, [0, 1, 2].map(mean))
}

/// To a camera without perspective a tree is as large from everywhere, but its levels follow the
/// distance: all are seen from 20 to 330 m. It takes half a minute: four models from seven
/// distances.
#[test]
fn trees_look_the_same_with_all_levels() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 600.0, ..default() };
    let (mut app, camera) = app(plain(), viewer, TerrainOrigin::default());
    stop_time(&mut app);
    let projection = OrthographicProjection {
        scaling_mode: ScalingMode::FixedVertical { viewport_height: 22.0 },
        far: 1000.0,
        ..OrthographicProjection::default_3d()
    };
    app.world_mut().entity_mut(camera).insert(Projection::from(projection));
    let mut suns = app.world_mut().query_filtered::<Entity, With<DirectionalLight>>();
    let sun = suns.single(app.world()).unwrap();
    let cascades = CascadeShadowConfigBuilder { maximum_distance: 500.0, ..default() };
    let low = Transform::default().looking_to(Vec3::new(-1.0, -0.6, -0.5), Vec3::Y);
    app.world_mut().entity_mut(sun).insert((cascades.build(), low));
    for model in [Model::Spruce, Model::Pine, Model::Broadleaf, Model::Birch] {
        let terrain = plain().with_scatter(scatter(model.clone(), 1000.0));
        let ground = GroundQuery::of(&terrain).unwrap();
        let tree = ground.scatter().unwrap().nearest([0.0; 2], 5000.0, |_| true).unwrap().unwrap();
        let [x, z] = tree.position.map(|x| x as f32);
        super::woods::set_scatter(&mut app, scatter(model.clone(), 1000.0));
        let mut all = Vec::new();
        for distance in [20.0, 50.0, 80.0, 140.0, 180.0, 250.0, 330.0] {
            // The ground is below the picture.
            let middle = Vec3::new(x, 12.2, z);
            let transform = Transform::from_translation(middle + Vec3::Z * distance)
                .looking_at(middle, Vec3::Y);
            all.push(seen(&draw(&mut app, camera, transform, true)));
        }
        println!("{model:?}: {all:.3?}");
        for pair in all.windows(2) {
            let ([(before, old), (after, new)], first) = ([pair[0], pair[1]], all[0].0);
            assert!(first > 0.01, "{model:?}: {all:?}");
            assert!((before - after).abs() < 0.3 * first, "{model:?}: {before} {after}");
            let difference = [0, 1, 2].map(|k| (old[k] - new[k]).abs());
            assert!(difference.iter().all(|&x| x < 15.0), "{model:?}: {old:?} {new:?}");
        }
    }
}
