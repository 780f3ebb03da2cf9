//! Moving the origin is not visible, and 1e12 m away the ground looks the same as near zero.

use bevy::prelude::*;
use bevy_orogeny::orogeny::Recipe;
use bevy_orogeny::{Ground, ORIGIN_STEP, Terrain, TerrainOrigin, TerrainViewer};

use super::support::*;
use crate::shared::bare::bare;

/// 2^40 m: more than 1e12 m.
const FAR: f64 = 1_099_511_627_776.0;

#[test]
fn the_frame_in_which_the_origin_moves_is_the_same() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 12_000.0, ..default() };
    let (mut app, camera) = app(bare(), viewer, TerrainOrigin::default());
    // At whole metres, which f32 represents exactly before and after.
    let mut transform =
        above(7000.0, -6500.0, 120.0).looking_to(Vec3::new(1.0, -0.3, 0.3), Vec3::Y);
    transform.translation.y = transform.translation.y.round();
    let before = draw(&mut app, camera, transform, true);
    let same = differences(&before, &draw(&mut app, camera, transform, true));
    assert_eq!(same.last(), Some(&0), "pictures from one camera differ by themselves");

    app.world_mut().resource_mut::<TerrainOrigin>().rebase = true;
    let after = draw_again(&mut app, camera);
    assert_eq!(app.world().resource::<TerrainOrigin>().offset(), [ORIGIN_STEP, -ORIGIN_STEP]);
    let moved = app.world().get::<Transform>(camera).unwrap().translation;
    assert_eq!(
        moved,
        transform.translation - Vec3::new(ORIGIN_STEP as f32, 0.0, -ORIGIN_STEP as f32)
    );
    let differences = differences(&before, &after);
    let changed = differences.iter().filter(|&&d| d > 0).count();
    println!(
        "{changed} of {} pixels changed, by at most {:?} of 255",
        differences.len(),
        differences.last()
    );
    // Nearer to zero, f32 is finer. The difference is a rounding of some 0.0005 m that no longer
    // occurs.
    assert!(changed <= differences.len() / 25, "{changed} pixels changed");
    let percentile = differences[differences.len() * 999 / 1000];
    assert!(percentile <= 2, "99.9 % differ by up to {percentile}");
}

#[test]
fn far_from_home_the_ground_looks_the_same() {
    let Some(_turn) = turn() else { return };
    // The levels are measured at other positions there, so they are fixed here.
    let viewer = TerrainViewer { range: 2000.0, uniform: Some(2), ..default() };
    let transform = above(300.0, 200.0, 150.0).looking_to(Vec3::new(1.0, -0.4, 0.3), Vec3::Y);
    let pictures = [0.0, FAR].map(|far| {
        let Ground::Recipe(recipe) = bare().ground else { panic!("the default is a recipe") };
        let field = recipe.field.translate([-far, far]);
        let terrain = Terrain::recipe(Recipe { field, ..recipe });
        let origin = TerrainOrigin::at([far, -far]);
        let (mut app, camera) = app(terrain, viewer, origin);
        // The plugin's own material depends on the measured roughness that normals leave out, which
        // differs there. So use a plain material.
        let plain = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(Color::WHITE);
        let terrain =
            app.world_mut().query_filtered::<Entity, With<Terrain>>().single(app.world()).unwrap();
        app.world_mut().entity_mut(terrain).insert(MeshMaterial3d(plain));
        draw(&mut app, camera, transform, true)
    });
    assert_eq!(differences(&pictures[0], &pictures[1]).last(), Some(&0));
}
