//! Water: transparent where it is shallow and dark where it is deep, moving, in every view, the
//! same when the origin moves; with waves that fade without a line, and rings around who swims;
//! behind what is in front of it, and below what is above it; and of one hue for every kind of
//! camera.

use bevy::camera::RenderTarget;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::post_process::motion_blur::MotionBlur;
use bevy::prelude::*;
use bevy_orogeny::advanced::{ChunkWater, ORIGIN_STEP, SeaMaterial, StirsWater};
use bevy_orogeny::orogeny::edits::{Area, Disc, EditLog, Flood};
use bevy_orogeny::orogeny::{Field, Sample};
use bevy_orogeny::{Terrain, TerrainOrigin, TerrainViewer};

use super::support::*;

/// A beach that goes down by one in ten towards smaller x.
struct Beach;

impl Field<2> for Beach {
    fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
        Sample { value: 0.1 * x as f32, gradient: [0.1, 0.0] }
    }
}

#[test]
fn the_sea_is_deep_and_moves() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(Terrain::field(Beach).with_sea(0.0), 2000.0);
    // A view 320 m wide, with the waterline in its middle.
    let transform = Transform::from_xyz(0.0, 240.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let still = draw(&mut app, camera, transform, true);
    let again = draw_again(&mut app, camera);
    assert_eq!(differences(&still, &again).last(), Some(&0), "the sea moves without time");

    time_step(&mut app, 1.0);
    app.update();
    stop_time(&mut app);
    let later = draw_again(&mut app, camera);
    let (width, height) = (WIDTH as usize, HEIGHT as usize);
    let columns = |pixels: &[[u8; 3]], from: usize, to: usize| {
        (0..height)
            .flat_map(|j| pixels[j * width + from..j * width + to].to_vec())
            .collect::<Vec<_>>()
    };
    let part = |from, to| (columns(&still, from, to), columns(&later, from, to));
    let mean = |pixels: &[[u8; 3]], k: usize| {
        pixels.iter().map(|p| f32::from(p[k])).sum::<f32>() / pixels.len() as f32
    };
    let (deep, deep_later) = part(0, width / 5);
    let (shallow, _) = part(width * 9 / 20, width * 19 / 40);
    let (land, land_later) = part(width * 4 / 5, width);
    // Water absorbs red light first.
    for (what, pixels) in [("deep", &deep), ("shallow", &shallow), ("land", &land)] {
        println!("{what}: {:?}", [0, 1, 2].map(|k| mean(pixels, k)));
    }
    assert!(mean(&deep, 2) > mean(&deep, 0) + 8.0, "deep water is not blue");
    assert!(mean(&shallow, 0) > mean(&deep, 0) + 8.0, "shallow water does not show the ground");
    assert_eq!(differences(&land, &land_later).last(), Some(&0), "the land moves");
    let moved = differences(&deep, &deep_later).into_iter().filter(|&d| d > 0).count();
    assert!(moved > deep.len() / 10, "the sea stands still: {moved} of {}", deep.len());
}

#[test]
fn the_sea_is_in_every_view_and_stays_when_the_origin_moves() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(sea(-60.0), 2000.0);
    is_seen_in_every_view(&mut app, camera);
    stays_when_the_origin_moves(&mut app, camera);
}

/// Two cameras far apart, as in a split screen, each see the sea up to their horizon. The second
/// draws the same picture as it does alone.
fn is_seen_in_every_view(app: &mut App, camera: Entity) {
    let viewer = *app.world().get::<TerrainViewer>(camera).unwrap();
    let transform =
        |x| Transform::from_xyz(x, 40.0, 0.0).looking_to(Vec3::new(0.3, -0.5, 1.0), Vec3::Y);
    let alone = draw(app, camera, transform(20_000.0), true);
    // The first camera moves far away, and another one replaces it.
    let target = app.world().get::<RenderTarget>(camera).unwrap().clone();
    let other = picture(app);
    app.world_mut().entity_mut(camera).insert(RenderTarget::Image(other.into()));
    draw(app, camera, transform(0.0), true);
    let place = transform(20_000.0);
    let second = (Camera3d::default(), Msaa::Off, viewer, target.clone(), place);
    let second = app.world_mut().spawn(second).id();
    app.world_mut().get_mut::<Camera>(second).unwrap().order = 1;
    app.update();
    let together = draw(app, second, transform(20_000.0), true);
    assert!(brightness(&alone).1 > 1.0, "no waves to be seen");
    let percentile_98 = differences(&alone, &together)[alone.len() * 98 / 100];
    assert!(percentile_98 <= 4, "98 % differ by up to {percentile_98}");
    app.world_mut().despawn(second);
    app.world_mut().entity_mut(camera).insert(target);
}

/// When the origin moves, the waves stay, up to the rounding of positions in `f32`.
fn stays_when_the_origin_moves(app: &mut App, camera: Entity) {
    let transform =
        Transform::from_xyz(7000.0, 40.0, -6500.0).looking_to(Vec3::new(1.0, -0.5, 0.3), Vec3::Y);
    let before = draw(app, camera, transform, true);
    assert!(brightness(&before).1 > 1.0, "no waves to be seen");
    app.world_mut().resource_mut::<TerrainOrigin>().rebase = true;
    let after = draw_again(app, camera);
    assert_eq!(app.world().resource::<TerrainOrigin>().offset(), [ORIGIN_STEP, -ORIGIN_STEP]);
    let percentile_98 = differences(&before, &after)[before.len() * 98 / 100];
    assert!(percentile_98 <= 4, "98 % differ by up to {percentile_98}");

    // Half a wave farther the picture differs, so the comparison above means something.
    app.world_mut().get_mut::<Transform>(camera).unwrap().translation.x += 16.0;
    let other_position = draw_again(app, camera);
    let median = differences(&before, &other_position)[before.len() / 2];
    println!("98 % within {percentile_98}, median at another position {median}");
    assert!(median > 0, "the sea looks the same everywhere");
}

#[test]
fn waves_at_eye_height_have_no_line_and_no_flat_patches() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(sea(-60.0), 2000.0);
    let transform = Transform::from_xyz(0.0, 2.0, 0.0).looking_to(Vec3::NEG_Z, Vec3::Y);
    let seen = draw(&mut app, camera, transform, true);
    let (width, height) = (WIDTH as usize, HEIGHT as usize);
    let at = |i: usize, j: usize| seen[j * width + i].map(i32::from);
    let apart = |a: [i32; 3], b: [i32; 3]| (0..3).map(|k| (a[k] - b[k]).abs()).sum::<i32>();
    // The contrast of rows, from the nearest water to where it is some 100 m away.
    let horizon = height / 2;
    let contrast = |j: usize| {
        let all = (0..width - 4).map(|i| apart(at(i, j), at(i + 4, j)));
        all.sum::<i32>() as f32 / (width - 4) as f32
    };
    let bands = 8;
    let rows = (height - horizon) / bands;
    let band = |k: usize| {
        let from = height - (k + 1) * rows;
        (from..from + rows).map(contrast).sum::<f32>() / rows as f32
    };
    let contrasts: Vec<f32> = (0..bands - 1).map(band).collect();
    // Flat patches: nothing differs in a square around a pixel.
    let is_flat = |&(i, j): &(usize, usize)| {
        let around = [(i - 6, j), (i + 6, j), (i, j - 3), (i, j + 3), (i - 6, j - 3)];
        around.into_iter().all(|(x, y)| apart(at(x, y), at(i, j)) <= 3)
    };
    let rows = horizon + height / 12..height - 3;
    let near: Vec<_> = rows.flat_map(|j| (6..width - 6).map(move |i| (i, j))).collect();
    let flat = near.iter().filter(|place| is_flat(place)).count() as f32 / near.len() as f32;
    println!("contrasts {contrasts:?}, {flat} is flat");
    for pair in contrasts.windows(2) {
        assert!(pair[1] > 0.5 * pair[0], "a line: {contrasts:?}");
    }
    assert!(contrasts[bands - 2] > 0.6 * contrasts[0], "waves fade too early: {contrasts:?}");
    assert!(flat < 0.005, "{flat} is flat");
}

#[test]
fn few_waves_break_at_any_distance() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(sea(-60.0), 20_000.0);
    draw(&mut app, camera, Transform::from_xyz(0.0, 2.0, 0.0), true);
    change_all(&mut app, |material: &mut SeaMaterial| material.extension.steepness = 2.0);
    for height in [2.0, 20.0, 200.0, 2000.0] {
        let transform = Transform::from_xyz(0.0, height, 0.0).looking_to(Vec3::NEG_Z, Vec3::Y);
        let seen = draw(&mut app, camera, transform, true);
        // From just below the horizon to what is near.
        let (width, horizon) = (WIDTH as usize, HEIGHT as usize / 2);
        for rows in
            [horizon + 3..horizon + 12, horizon + 12..horizon + 40, horizon + 40..2 * horizon]
        {
            let water = &seen[rows.start * width..rows.end * width];
            let white = water.iter().filter(|pixel| pixel.iter().all(|&part| part > 150)).count();
            let part = white as f32 / water.len() as f32;
            println!("{height} m, {rows:?}: {part} is foam");
            assert!(part < 0.06, "{height} m, {rows:?}: {part} is foam");
        }
    }
}

#[test]
fn what_swims_makes_rings_around_it() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(sea(-60.0), 2000.0);
    stop_time(&mut app);
    let transform = Transform::from_xyz(0.0, 6.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let calm = draw(&mut app, camera, transform, true);
    let place = |x, y| (Transform::from_xyz(x, y, 0.0), StirsWater { radius: 0.6, below: 0.5 });
    // One flies, one is too deep.
    let others = [place(-1.5, 3.0), place(1.5, -3.0)].map(|body| app.world_mut().spawn(body).id());
    wait(&mut app, camera, 3);
    let same = draw_again(&mut app, camera);
    assert_eq!(count_changed(&same, &calm), 0, "rings without anybody at the surface");
    others.into_iter().for_each(|body| assert!(app.world_mut().despawn(body)));

    app.world_mut().spawn(place(0.0, 0.4));
    wait(&mut app, camera, 3);
    let stirred = draw_again(&mut app, camera);
    let is_stirred = changed(&stirred, &calm);
    let (width, height) = (WIDTH as usize, HEIGHT as usize);
    let far = |k: usize| {
        let (i, j) = (k % width, k / width);
        i.abs_diff(width / 2).max(j.abs_diff(height / 2)) > height / 3
    };
    let (outside, inside): (Vec<_>, Vec<_>) =
        (0..is_stirred.len()).filter(|&k| is_stirred[k]).partition(|&k| far(k));
    println!("{} pixels of rings, {} of them far away", inside.len(), outside.len());
    assert!(inside.len() > 200 && outside.is_empty());
}

/// Ground below the deep sea is drawn higher than it is, in the previous frame as well. So it has
/// no motion vectors at rest, and motion blur does not change the picture.
#[test]
fn deep_ground_at_rest_does_not_move() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(sea(-600.0), 2000.0);
    let transform =
        Transform::from_xyz(0.0, 40.0, 0.0).looking_to(Vec3::new(1.0, -0.5, 0.3), Vec3::Y);
    // The same passes, but without samples for the blur.
    let blur = |samples| MotionBlur { shutter_angle: 1.0, samples };
    app.world_mut().entity_mut(camera).insert(blur(0));
    let sharp = draw(&mut app, camera, transform, true);
    assert!(brightness(&sharp).1 > 1.0, "no waves to be seen");
    app.world_mut().entity_mut(camera).insert(blur(8));
    app.update();
    let blurred = draw_again(&mut app, camera);
    assert_eq!(differences(&sharp, &blurred).last(), Some(&0), "the deep ground moves");
}

/// A basin 30 m deep behind a wall along z.
struct Basin;

/// The middle of the basin, and of the wall before it, in metres along x.
const BASIN: f64 = 4000.0;
const WALL: f64 = 3900.0;

impl Field<2> for Basin {
    fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
        let bump = |at: f64, height: f64, width: f64, off: f64| {
            let (dx, dz) = ((x - at) / width, off / width);
            let t = (1.0 - dx * dx - dz * dz).max(0.0);
            let slope = -4.0 * height * t / width;
            (height * t * t, slope * dx, slope * dz)
        };
        let (wall, wall_x, _) = bump(WALL, 20.0, 60.0, 0.0);
        let (basin, basin_x, basin_z) = bump(BASIN, -30.0, 80.0, z);
        let gradient = [(wall_x + basin_x) as f32, basin_z as f32];
        Sample { value: (wall + basin) as f32, gradient }
    }
}

/// From a plain, a lake behind a wall is not seen, in perspective or not.
#[test]
fn water_does_not_show_through_crests() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(Terrain::field(Basin), 8000.0);
    let eye = Vec3::new(0.0, 8.0, 0.0);
    let transform = Transform::from_translation(eye).looking_to(Vec3::X, Vec3::Y);
    let perspective = PerspectiveProjection { fov: 4f32.to_radians(), far: 16_000.0, ..default() };
    let orthographic = OrthographicProjection {
        scale: 1.0,
        far: 16_000.0,
        ..OrthographicProjection::default_3d()
    };
    for projection in [Projection::from(perspective), Projection::from(orthographic)] {
        app.world_mut().entity_mut(camera).insert(projection);
        edits(&mut app).log = EditLog::new();
        let dry = draw(&mut app, camera, transform, true);
        let disc = Disc { center: [BASIN, 0.0], radius: 100.0, falloff: 1.0 };
        edit(&mut app, Flood { area: Area::Disc(disc), level: -2.0 });
        let wet = draw(&mut app, camera, transform, true);
        let waters = app.world_mut().query::<&ChunkWater>().iter(app.world()).count();
        assert!(waters > 0, "there is no lake");
        let seen = differences(&dry, &wet).into_iter().filter(|&d| d > 2).count();
        assert_eq!(seen, 0, "the lake is seen on {seen} pixels");
    }
}

/// A pane of glass above the sea looks the same wherever the world's origin is.
#[test]
fn glass_is_drawn_over_the_sea() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(sea(-60.0), 3000.0);
    app.world_mut().entity_mut(camera).insert(Tonemapping::None);
    let pane = add::<Mesh>(&mut app, Cuboid::new(0.1, 6.0, 12.0));
    let base_color = Color::srgba(0.9, 0.1, 0.1, 0.7);
    let glass =
        StandardMaterial { base_color, alpha_mode: AlphaMode::Blend, unlit: true, ..default() };
    let glass = add::<StandardMaterial>(&mut app, glass);
    let pane = app.world_mut().spawn((Mesh3d(pane), MeshMaterial3d(glass))).id();
    let pictures = [-2000.0, 2000.0].map(|x: f32| {
        app.world_mut().entity_mut(pane).insert(Transform::from_xyz(x + 20.0, 4.0, 0.0));
        let transform =
            Transform::from_xyz(x, 6.0, 0.0).looking_to(Vec3::new(1.0, -0.2, 0.0), Vec3::Y);
        draw(&mut app, camera, transform, true);
        // Without waves, which differ from place to place.
        change_all(&mut app, |material: &mut SeaMaterial| material.extension.steepness = 0.0);
        draw(&mut app, camera, transform, true)
    });
    let red = pictures[0].iter().filter(|p| p[0] > p[2].saturating_add(40)).count();
    assert!(red > pictures[0].len() / 20, "there is no glass");
    let off = differences(&pictures[0], &pictures[1]);
    println!("99 % differ by up to {}", off[off.len() * 99 / 100]);
    assert!(off[off.len() * 99 / 100] <= 3);
}

/// By how much red exceeds the larger of the other two colours, at most, from 0 to 255.
fn redness(pixels: &[[u8; 3]]) -> i32 {
    let each = pixels.iter().map(|&[r, g, b]| i32::from(r) - i32::from(g.max(b)));
    each.max().unwrap()
}

/// The part of each colour in the mean.
fn hue(pixels: &[[u8; 3]]) -> [f32; 3] {
    let sums = [0, 1, 2].map(|k| pixels.iter().map(|p| f32::from(p[k])).sum::<f32>());
    sums.map(|sum| sum / sums.iter().sum::<f32>())
}

/// Water takes red first. Whatever maps the tones, a white bed, glitter towards the sun, caustics
/// and a lake have about the hue that they have with `Hdr`, and nothing is red.
#[test]
fn water_has_one_hue_for_every_camera() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(sea(-6.0), 1500.0);
    // Those with which the pipelines of the ground are compiled, for each kind of camera.
    let mut names = app.world_mut().query::<(Entity, &Name)>();
    let unseen = names.iter(app.world()).filter(|(_, name)| name.as_str() == "Unseen chunk");
    let unseen: Vec<Entity> = unseen.map(|(entity, _)| entity).collect();
    unseen.into_iter().for_each(|entity| app.world_mut().entity_mut(entity).despawn());
    // A blue sky, so that reflections are not red either.
    app.insert_resource(ClearColor(Color::srgb(0.5, 0.7, 0.9)));
    let white = StandardMaterial { perceptual_roughness: 1.0, reflectance: 0.0, ..default() };
    let white = add::<StandardMaterial>(&mut app, white);
    let terrain = terrain(&mut app);
    let area = Area::Disc(Disc { center: [0.0, 500.0], radius: 60.0, falloff: 1.0 });
    edit(&mut app, Flood { area, level: 3.0 });
    app.world_mut().entity_mut(terrain).insert(MeshMaterial3d(white));

    let to_sun = Vec3::new(1.0, 0.0, 0.3);
    let all = CameraKind::all();
    let few = [CameraKind::PLAIN, CameraKind { msaa: Msaa::Sample4, ..CameraKind::PLAIN }];
    let views = [
        ("bed and surface from below", vec3(0.0, -3.0, 0.0), to_sun, &all[..]),
        ("bed from above", vec3(0.0, 3.0, 0.0), to_sun - 0.8 * Vec3::Y, &few),
        ("towards the sun", vec3(0.0, 4.0, 0.0), to_sun - 0.2 * Vec3::Y, &few),
        ("lake", vec3(0.0, 6.0, 460.0), vec3(0.2, -0.5, 1.0), &few),
    ];
    for (name, eye, look, kinds) in views {
        let transform = Transform::from_translation(eye).looking_to(look, Vec3::Y);
        for &kind in kinds {
            let [expected, picture] = [CameraKind { has_hdr: true, ..kind }, kind].map(|kind| {
                kind.put_on(&mut app, camera);
                draw(&mut app, camera, transform, true)
            });
            let [expected, found] = [&expected, &picture].map(|picture| hue(picture));
            let redness = redness(&picture);
            println!("{name}: {found:.3?} of {expected:.3?}, {redness} with {kind:?}");
            assert!(redness < 10, "{name} is red by {redness} with {kind:?}");
            // Tones are mapped before they are absorbed, so hues are close but not the same.
            let off = (0..3).map(|k| (found[k] - expected[k]).abs()).fold(0.0, f32::max);
            assert!(
                off < 0.2 && found[0] < expected[0] + 0.05,
                "{name}: {found:?} with {kind:?}, {expected:?} with Hdr"
            );
        }
    }
}
