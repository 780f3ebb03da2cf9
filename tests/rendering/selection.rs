//! What is drawn equals what stands there, by the core's own queries: from many places, near and
//! far, for two cameras, after an edit and after it is undone.

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{RenderTarget, ScalingMode};
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use bevy_orogeny::advanced::{DrawnPlants, TerrainBudget};
use bevy_orogeny::orogeny::Region;
use bevy_orogeny::orogeny::edits::{Area, Clear, Disc};
use bevy_orogeny::orogeny::scatter::{Model, ScatterKind};
use bevy_orogeny::{GroundQuery, TerrainOrigin, TerrainViewer};

use super::support::*;

/// What a camera sees from above, in metres.
const SEEN: [f32; 2] = [96.0, 60.0];
/// How high above the ground it is. Near enough for all instances to be drawn.
const ABOVE: f32 = 40.0;
/// The frames after which it is known how many were drawn.
const LAG: usize = 5;

/// Looks at the ground from above, along its shadows, so to speak.
fn from_above(center: Vec3) -> (Transform, Projection) {
    let projection = OrthographicProjection {
        scaling_mode: ScalingMode::Fixed { width: SEEN[0], height: SEEN[1] },
        far: 2.0 * ABOVE,
        ..OrthographicProjection::default_3d()
    };
    let place = Transform::from_translation(center + ABOVE * Vec3::Y);
    (place.looking_to(Vec3::NEG_Y, Vec3::NEG_Z), projection.into())
}

/// The number of instances that were drawn for a camera.
fn drawn(app: &mut App, camera: Entity) -> u64 {
    (0..LAG).for_each(|_| app.update());
    let views = app.world().resource::<DrawnPlants>().views();
    views.iter().find(|view| view.view == camera).map_or(0, |view| view.instances)
}

/// The numbers that stand in sight for certain, and at most.
fn expected(ground: &GroundQuery, [x, z]: [f64; 2], reach: f64) -> [u64; 2] {
    let placement = ground.placement();
    [0.0, reach].map(|more| {
        let [width, depth] = SEEN.map(|side| 0.5 * f64::from(side) + more);
        let region = Region { min: [x - width, z - depth], max: [x + width, z + depth] };
        placement.in_region(region, |_| true).unwrap().len() as u64
    })
}

/// It takes some twenty seconds: a wood is grown and drawn around ten places.
#[test]
fn what_is_drawn_stands_there() {
    let Some(_turn) = turn() else { return };
    let mut all = scatter(Model::Spruce, 5.0);
    let first = all.kinds[0].clone();
    let kind = |model, seed, radius| ScatterKind { model, seed, radius, ..first.clone() };
    all.kinds.push(kind(Model::Boulder, 2, 9.0));
    all.kinds.push(kind(Model::Birch, 3, 7.0));
    let far = 1_000_000_000.0;
    for origin in [TerrainOrigin::default(), TerrainOrigin::at([far, -far])] {
        let terrain = plain().with_scatter(all.clone());
        let ground = GroundQuery::of(&terrain).unwrap();
        let viewer = TerrainViewer { range: 150.0, ..default() };
        let (mut app, camera) = app(terrain, viewer, origin);
        stop_time(&mut app);
        app.init_resource::<DrawnPlants>();
        let corner = origin.offset();
        for step in 0..5 {
            let offset = [37.0 * f64::from(step), -91.0 * f64::from(step * step)];
            let at = [corner[0] + offset[0], corner[1] + offset[1]];
            let center = Vec3::new(offset[0] as f32, 0.0, offset[1] as f32);
            let (place, projection) = from_above(center);
            app.world_mut().entity_mut(camera).insert(projection);
            draw(&mut app, camera, place, true);
            let [least, most] = expected(&ground, at, 14.0);
            let seen = drawn(&mut app, camera);
            println!("{seen} drawn around {at:?}, {least} to {most} stand there");
            assert!((least..=most).contains(&seen) && least > 50, "{seen} around {at:?}");
        }

        // Felled ones go, and come back.
        let [x, z] = corner;
        let (place, projection) = from_above(Vec3::ZERO);
        app.world_mut().entity_mut(camera).insert(projection);
        draw(&mut app, camera, place, true);
        let before = drawn(&mut app, camera);
        let disc = Disc { center: [x, z], radius: 25.0, falloff: 1.0 };
        let clear = Clear { area: Area::Disc(disc), kind: None };
        let applied = edits(&mut app).log.add(1, clear).unwrap();
        draw(&mut app, camera, place, true);
        let cleared = ground.with_edits(edits(&mut app).log.edits());
        let [least, most] = expected(&cleared, [x, z], 14.0);
        let fewer = drawn(&mut app, camera);
        println!("{fewer} of {before} are left, {least} to {most} stand there");
        assert!((least..=most).contains(&fewer) && fewer + 25 < before);
        edits(&mut app).log.undo(1, &applied).unwrap();
        draw(&mut app, camera, place, true);
        assert_eq!(drawn(&mut app, camera), before);

        // A second camera sees the same, and its own part from elsewhere.
        let image = Image::new_target_texture(64, 40, TextureFormat::Rgba8UnormSrgb, None);
        let target = add::<Image>(&mut app, image);
        let second = (Camera3d::default(), Msaa::Off, RenderTarget::Image(target.into()));
        let (place, projection) = from_above(Vec3::ZERO);
        let second = app.world_mut().spawn((second, place, projection)).id();
        assert_eq!([camera, second].map(|camera| drawn(&mut app, camera)), [before; 2]);
        let (elsewhere, _) = from_above(Vec3::new(30.0, 0.0, 20.0));
        app.world_mut().entity_mut(second).insert(elsewhere);
        let [least, most] = expected(&ground, [x + 30.0, z + 20.0], 14.0);
        assert!((least..=most).contains(&drawn(&mut app, second)));
        assert_eq!(drawn(&mut app, camera), before);

        // One that sees no terrain costs nothing.
        app.world_mut().entity_mut(second).insert(RenderLayers::layer(3));
        assert_eq!(drawn(&mut app, camera), before);
        let views = app.world().resource::<DrawnPlants>().views();
        assert!(views.iter().all(|view| view.view != second), "{views:?}");
    }
}

/// The instances that are drawn for a camera and in all views, and the bytes that they may take.
fn all_drawn(app: &mut App, camera: Entity) -> [u64; 3] {
    let of_camera = drawn(app, camera);
    let drawn = app.world().resource::<DrawnPlants>();
    [of_camera, drawn.views().iter().map(|view| view.instances).sum(), drawn.bytes()]
}

/// All views share the room for instances, and where it is too small, all have a part of it.
#[test]
fn plants_are_drawn_however_little_room_there_is() {
    let Some(_turn) = turn() else { return };
    let terrain = plain().with_scatter(scatter(Model::Spruce, 6.0));
    let viewer = TerrainViewer { range: 300.0, ..default() };
    let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
    stop_time(&mut app);
    app.init_resource::<DrawnPlants>();
    let eye = Transform::from_xyz(0.0, 12.0, 0.0).looking_to(Vec3::new(0.0, -0.2, -1.0), Vec3::Y);
    draw(&mut app, camera, eye, true);
    let [alone, _, bytes] = all_drawn(&mut app, camera);
    // A lamp has six views. They reserve nothing: they take of what all have.
    let lamp = PointLight { shadow_maps_enabled: true, range: 300.0, ..default() };
    let lamp = app.world_mut().spawn((lamp, Transform::from_xyz(0.0, 30.0, 0.0))).id();
    let [seen, all, with_lamp] = all_drawn(&mut app, camera);
    println!("{seen} of {all} instances are the camera's, in {bytes} and {with_lamp} bytes");
    assert!(seen == alone && all > 2 * seen && with_lamp == bytes, "{all}");

    let mut before = all;
    for part in [2, 5, 40] {
        let room = all / part;
        let bytes = 32 * room;
        app.insert_resource(TerrainBudget { plant_bytes: bytes, ..default() });
        let [of_camera, fewer, used] = all_drawn(&mut app, camera);
        println!("{of_camera} of {fewer} where there is room for {room}");
        assert!((room / 4..=room).contains(&fewer) && fewer < before && used <= bytes);
        assert!(of_camera > 0);
        // The same ones in each frame.
        let picture = draw_again(&mut app, camera);
        assert_eq!(count_changed(&picture, &draw_again(&mut app, camera)), 0);
        before = fewer;
    }
    app.insert_resource(TerrainBudget { plant_bytes: 0, ..default() });
    assert!(all_drawn(&mut app, camera)[1] <= 1);

    // Room that is there again fills within some frames. From above all look alike; a part of them
    // fits all the same.
    app.world_mut().entity_mut(lamp).despawn();
    app.insert_resource(TerrainBudget::default());
    (0..LAG).for_each(|_| app.update());
    assert_eq!(all_drawn(&mut app, camera)[0], alone);
    let (place, projection) = from_above(Vec3::ZERO);
    app.world_mut().entity_mut(camera).insert(projection);
    draw(&mut app, camera, place, true);
    let [wanted, ..] = all_drawn(&mut app, camera);
    app.insert_resource(TerrainBudget { plant_bytes: 16 * wanted, ..default() });
    let [half, ..] = all_drawn(&mut app, camera);
    println!("{half} of {wanted} from above");
    // Of a hundred, chance takes many.
    assert!((wanted / 10..=wanted / 2).contains(&half));
}
