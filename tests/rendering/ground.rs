//! The ground: light and shade, no holes but those of edits, and nothing to be seen of changes of
//! levels, of a moving origin, and of how vertices are kept.

use std::collections::HashSet;

use bevy::prelude::*;
use bevy_orogeny::advanced::{
    Chunk, ChunkKey, ORIGIN_STEP, TerrainStats, VoidAppearance, VoidMaterial,
};
use bevy_orogeny::orogeny::edits::{Area, Disc, Hole};
use bevy_orogeny::orogeny::{Node, Recipe};
use bevy_orogeny::{Ground, Terrain, TerrainOrigin, TerrainViewer};

use super::support::{self, *};
use crate::shared::bare;

/// 2^40 m: more than 1e12 m.
const FAR: f64 = 1_099_511_627_776.0;

#[test]
fn terrain_is_lit_without_holes_and_stays_when_the_origin_moves() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 12_000.0, ..default() };
    let (mut app, camera) = app(bare(), viewer, TerrainOrigin::default());
    is_lit_and_without_holes(&mut app, camera);
    stays_when_the_origin_moves(&mut app, camera);
}

fn is_lit_and_without_holes(app: &mut App, camera: Entity) {
    // Towards the horizon, from low and from high. The first one is drawn before most chunks are
    // ready.
    for (transform, direction, complete) in [
        (above(0.0, 0.0, 150.0), Vec3::new(1.0, -0.1, 0.3), false),
        (above(0.0, 0.0, 150.0), Vec3::new(1.0, -0.1, 0.3), true),
        (above(-4000.0, 2500.0, 1500.0), Vec3::new(-0.4, -0.4, 1.0), true),
        (above(70_000.0, -90_000.0, 400.0), Vec3::new(0.0, -0.25, -1.0), false),
    ] {
        let pixels = draw(app, camera, transform.looking_to(direction, Vec3::Y), complete);
        let sky = background(&pixels);
        assert!(pixels[..WIDTH as usize].contains(&BACKGROUND), "no sky in the first row");
        assert!(sky < pixels.len() * 3 / 4, "{sky} pixels of sky");
        // In each column, all pixels below the first ground pixel are ground.
        for x in 0..WIDTH as usize {
            let column: Vec<_> = pixels.iter().skip(x).step_by(WIDTH as usize).copied().collect();
            let horizon = column.iter().position(|&pixel| pixel != BACKGROUND).unwrap();
            let holes = background(&column[horizon..]);
            assert_eq!(holes, 0, "column {x} from {transform:?}, complete: {complete}");
        }
        let ground: Vec<_> = pixels.into_iter().filter(|&pixel| pixel != BACKGROUND).collect();
        let (mean, deviation) = brightness(&ground);
        assert!((30.0..230.0).contains(&mean), "mean brightness {mean}");
        assert!(deviation > 8.0, "no light and shade: deviation {deviation}");
    }

    // With light from the other side, lit ground is in shade, and vice versa.
    // The camera looks across the light.
    let transform = above(0.0, 0.0, 150.0).looking_to(Vec3::new(0.3, -0.3, -1.0), Vec3::Y);
    let morning = draw(app, camera, transform, true);
    let sun = sun(app);
    let from_west = Transform::default().looking_to(Vec3::new(1.0, -0.8, 0.3), Vec3::Y);
    app.world_mut().entity_mut(sun).insert(from_west);
    let evening = draw(app, camera, transform, true);
    let changed = |by: f32| {
        let pairs = morning.iter().zip(&evening);
        pairs.filter(|&(&a, &b)| by * (brightness(&[b]).0 - brightness(&[a]).0) > 15.0).count()
    };
    let (brighter, darker) = (changed(1.0), changed(-1.0));
    let several = morning.len() / 50;
    assert!(brighter > several && darker > several, "{brighter} brighter, {darker} darker");

    // Straight down from high above, over the borders of many levels.
    for height in [300.0, 3000.0] {
        let transform = above(1000.0, 1000.0, height).looking_to(Vec3::NEG_Y, Vec3::X);
        let pixels = draw(app, camera, transform, true);
        assert_eq!(background(&pixels), 0, "from {height} m");
    }
}

/// The frame in which the origin moves is the same.
fn stays_when_the_origin_moves(app: &mut App, camera: Entity) {
    // At whole metres, which f32 represents exactly before and after.
    let mut transform =
        above(7000.0, -6500.0, 120.0).looking_to(Vec3::new(1.0, -0.3, 0.3), Vec3::Y);
    transform.translation.y = transform.translation.y.round();
    let before = draw(app, camera, transform, true);
    let same = differences(&before, &draw(app, camera, transform, true));
    assert_eq!(same.last(), Some(&0), "pictures from one camera differ by themselves");

    app.world_mut().resource_mut::<TerrainOrigin>().rebase = true;
    let after = draw_again(app, camera);
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

/// At 1e12 m the ground looks the same as near zero.
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
        let plain = add::<StandardMaterial>(&mut app, Color::WHITE);
        let terrain = support::terrain(&mut app);
        app.world_mut().entity_mut(terrain).insert(MeshMaterial3d(plain));
        draw(&mut app, camera, transform, true)
    });
    assert_eq!(differences(&pictures[0], &pictures[1]).last(), Some(&0));
}

/// Moves the viewer, and waits until nothing changes any more, without drawing.
fn go(app: &mut App, camera: Entity, viewer: Entity, x: f32) -> HashSet<ChunkKey> {
    app.world_mut().get_mut::<Camera>(camera).unwrap().is_active = false;
    app.world_mut().get_mut::<Transform>(viewer).unwrap().translation.x = x;
    // Until streaming no longer looks ahead.
    (0..5).for_each(|_| app.update());
    while app.world().resource::<TerrainStats>().missing > 0 {
        app.update();
    }
    app.world_mut().get_mut::<Camera>(camera).unwrap().is_active = true;
    let mut chunks = app.world_mut().query::<(&Chunk, &Visibility)>();
    let drawn = chunks.iter(app.world()).filter(|(_, v)| **v == Visibility::Inherited);
    drawn.map(|(chunk, _)| chunk.key).collect()
}

/// While levels change, two pictures from the same camera differ by no more than while they morph.
#[test]
fn levels_do_not_pop() {
    let Some(_turn) = turn() else { return };
    // The viewer that decides the levels is not the camera. Without a camera it counts as 1080
    // pixels high: 2 pixels of this picture are 11 of those.
    let pixel_error = 2.0 * 1080.0 / f64::from(HEIGHT);
    let settings = TerrainViewer { range: 6_000.0, pixel_error, ..default() };
    let (mut app, camera) = app(bare(), settings, TerrainOrigin::default());
    app.world_mut().entity_mut(camera).remove::<TerrainViewer>();
    let viewer = app.world_mut().spawn((settings, above(1000.0, 1000.0, 2.0))).id();
    let transform = above(1000.0, 1000.0, 90.0).looking_to(Vec3::new(1.0, -0.35, 0.4), Vec3::Y);
    app.world_mut().entity_mut(camera).insert(transform);

    time_step(&mut app, 0.1);

    // The largest differences of all but a thousandth of the pixels: while the same chunks are
    // drawn, and when others replace them.
    let [mut morphing, mut changing] = [const { Vec::new() }; 2];
    let mut drawn = go(&mut app, camera, viewer, 1000.0);
    let mut before = draw_again(&mut app, camera);
    for step in 1..120 {
        let now = go(&mut app, camera, viewer, 1000.0 + 0.5 * step as f32);
        let after = draw_again(&mut app, camera);
        let differences = differences(&before, &after);
        let kind = if now == drawn { &mut morphing } else { &mut changing };
        kind.push(differences[differences.len() * 999 / 1000]);
        (drawn, before) = (now, after);
    }
    let [most, popping] = [&morphing, &changing].map(|kind| kind.iter().max().unwrap_or(&0));
    println!(
        "99.9 % of all pixels differ by at most {most} of 255 in {} steps, and by {popping} in {} \
         steps to other chunks",
        morphing.len(),
        changing.len()
    );
    assert!(changing.len() > 2, "levels do not change");
    assert!(popping <= most, "levels pop");
}

/// Vertices of kept meshes have another size, and lie in other buffers. They look the same.
#[test]
fn kept_meshes_look_the_same() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 6_000.0, ..default() };
    let pictures = [false, true].map(|keep_meshes| {
        let terrain = Terrain { keep_meshes, ..default() };
        let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
        let transform = above(0.0, 0.0, 90.0).looking_to(Vec3::new(-0.3, -0.3, -1.0), Vec3::Y);
        stop_time(&mut app);
        draw(&mut app, camera, transform, true)
    });
    let [lean, kept] = pictures;
    assert!(brightness(&lean).1 > 5.0, "the picture is empty");
    assert_eq!(differences(&lean, &kept).last(), Some(&0));
}

/// From above and from afar, no sky is seen in a hole, with any kind of camera. Beside a hole
/// nothing changes, and a box in the hole is seen.
#[test]
fn holes_are_dark() {
    let Some(_turn) = turn() else { return };
    let flat = Recipe::new(0, 1.0, Node::Constant(0.0));
    let (mut app, camera) = still(Terrain::recipe(flat), 1000.0);
    let white = add::<StandardMaterial>(&mut app, Color::WHITE);
    let terrain = support::terrain(&mut app);
    app.world_mut().entity_mut(terrain).insert(MeshMaterial3d(white.clone()));
    let near = Transform::from_xyz(0.0, 12.0, 0.0).looking_to(vec3(0.0, -0.5, -1.0), Vec3::Y);
    let whole = draw(&mut app, camera, near, true);

    let area = Area::Disc(Disc { center: [0.0, -24.0], radius: 6.0, falloff: 1.0 });
    edit(&mut app, Hole { area });
    let is_dark = |p: &&[u8; 3]| p.iter().all(|&c| c < 20);
    let place = |height: f32, away: f32| {
        Transform::from_xyz(0.0, height, away - 24.0).looking_at(vec3(0.0, 0.0, -24.0), Vec3::Y)
    };
    let flat = place(1.5, 12.0);
    for kind in [CameraKind::HDR, CameraKind { msaa: Msaa::Sample4, ..CameraKind::PLAIN }] {
        kind.put_on(&mut app, camera);
        for eye in [near, place(30.0, 1.0), place(60.0, 120.0)] {
            let picture = draw(&mut app, camera, eye, true);
            assert!(picture.iter().filter(is_dark).count() > 50, "no hole from {eye:?}");
            assert_eq!(background(&picture), 0, "sky from {eye:?} with {kind:?}");
        }
    }
    CameraKind::PLAIN.put_on(&mut app, camera);
    let dark = draw(&mut app, camera, near, true);
    let same = whole.iter().zip(&dark).filter(|(a, b)| a == b).count();
    let hole = dark.iter().filter(is_dark).count();
    assert!(same + hole + hole / 4 > whole.len(), "the ground beside the hole differs");
    // Above the horizon is the sky, whatever is below it.
    let picture = draw(&mut app, camera, flat, true);
    assert!(background(&picture) > picture.len() / 3);

    let mesh = add::<Mesh>(&mut app, Cuboid::from_length(3.0));
    let place = Transform::from_xyz(0.0, -70.0, -24.0);
    let board = (Mesh3d(mesh), MeshMaterial3d(white), place.with_scale(Vec3::splat(4.0)));
    app.world_mut().spawn(board);
    let above = Transform::from_xyz(0.0, 20.0, -24.0).looking_to(Vec3::NEG_Y, Vec3::Z);
    let middle = middle(&draw(&mut app, camera, above, true));
    assert!(middle.iter().all(|&c| c > 30), "the void hides a box below its floor: {middle:?}");

    let holes = app.world().resource::<VoidAppearance>().0.clone();
    let mut materials = app.world_mut().resource_mut::<Assets<VoidMaterial>>();
    materials.get_mut(&holes).unwrap().color = LinearRgba::NONE;
    let open = draw(&mut app, camera, near, true);
    assert!(background(&open) > hole / 2, "the void cannot be left out");
}
