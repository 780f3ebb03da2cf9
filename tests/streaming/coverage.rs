//! Every point of a view is in exactly one drawn chunk in every frame, and changes appear.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::Duration;

use bevy::prelude::*;
use bevy_orogeny::advanced::TerrainBudget;
use bevy_orogeny::{Ground, Terrain};

use super::support::*;

/// Random walks, teleports and edits, with results arriving in any order and a changing budget.
#[test]
fn every_view_is_covered_once_in_every_frame() {
    let mut random = random(1);
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::field(dawdling(0)))).id();
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    let (mut teleports, mut edits, mut built) = (0, 0, 0);
    for frame in 0..600 {
        match random(100) {
            0 | 1 => {
                let position = [0, 1].map(|_| random(2_000_000) as f32 - 1e6);
                set(&mut app, viewer, |t: &mut Transform| {
                    t.translation = Vec3::new(position[0], 50.0, position[1]);
                });
                teleports += 1;
            }
            2..=5 => {
                let ground_kind = if random(2) == 0 {
                    Ground::field(dawdling(frame))
                } else {
                    Ground::Recipe(recipe(frame))
                };
                set(&mut app, ground, |t: &mut Terrain| t.ground = ground_kind);
                edits += 1;
            }
            _ => set(&mut app, viewer, |t: &mut Transform| {
                t.translation += Vec3::new(7.0, 0.1, 3.0);
            }),
        }
        let budget = TerrainBudget {
            chunks: 100 + random(2000) as usize,
            tasks: random(40) as usize,
            per_frame: random(6) as usize,
            io_threads: random(2) == 1,
            ..default()
        };
        app.insert_resource(budget);
        let before = stats(&app).clone();
        app.update();
        let after = stats(&app).clone();
        // Tasks started under a larger budget may still be running, and one task is always allowed.
        // Nine roots are not counted.
        assert!(after.tasks_in_flight <= before.tasks_in_flight.max(budget.tasks).max(1));
        assert!(after.built - before.built <= budget.per_frame.max(1) as u64 + 9);
        assert!(before.chunks.saturating_sub(after.chunks) <= budget.per_frame.max(1));
        let p = app.world().get::<Transform>(viewer).unwrap().translation;
        check_cover(&mut app, ground, [p.x.into(), p.z.into()], RANGE);
        built = stats(&app).built;
        sleep(Duration::from_micros(random(3000)));
    }
    app.insert_resource(TerrainBudget::default());
    settle(&mut app);
    println!("600 frames, {teleports} teleports, {edits} edits, {built} chunks built: all covered");

    // At rest, the drawn chunks are the wanted ones, and only their ancestors are kept in addition.
    let p = app.world().get::<Transform>(viewer).unwrap().translation;
    let keys: HashSet<_> = drawn(&mut app, ground).iter().map(|chunk| chunk.key).collect();
    assert_eq!(stats(&app).displayed, keys.len());
    assert_eq!(chunk_entities(&mut app), stats(&app).chunks);
    assert_eq!(meshes(&app), chunk_entities(&mut app));
    // The viewer is some hundred metres above almost flat ground.
    let here = |lod| LAYOUT.key_at(lod, [p.x.into(), p.z.into()]);
    assert!((0..4).any(|lod| keys.contains(&here(lod))), "the ground below is coarse");
}

#[test]
fn the_first_frame_is_covered() {
    let mut app = app();
    let ground = app.world_mut().spawn(hills(1)).id();
    spawn_viewer(&mut app, Vec3::new(1e5, 0.0, -3e5));
    app.update();
    check_cover(&mut app, ground, [1e5, -3e5], RANGE);
}

#[test]
fn two_terrains_stream_side_by_side() {
    let mut app = app();
    let one = app.world_mut().spawn(hills(1)).id();
    let other = app.world_mut().spawn(hills(2)).id();
    set(&mut app, other, |t: &mut Transform| t.translation = Vec3::new(0.0, 500.0, 300.0));
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    check_cover(&mut app, one, [0.0, 0.0], RANGE);
    check_cover(&mut app, other, [0.0, -300.0], RANGE);
    app.world_mut().despawn(one);
    app.update();
    check_cover(&mut app, other, [0.0, -300.0], RANGE);
    assert!(problems(&app).is_empty());
}

#[test]
fn two_viewers_are_both_covered() {
    let (mut app, ground, _) = scene();
    spawn_viewer(&mut app, Vec3::new(5000.0, 0.0, 100.0));
    for _ in 0..20 {
        app.update();
        check_cover(&mut app, ground, [0.0, 0.0], RANGE);
        check_cover(&mut app, ground, [5000.0, 100.0], RANGE);
    }
}

#[test]
fn a_touched_but_equal_terrain_is_not_built_again() {
    let (mut app, ground, _) = settled();
    let built = stats(&app).built;
    for _ in 0..5 {
        set(&mut app, ground, |t: &mut Terrain| t.cells = CELLS);
        app.update();
    }
    assert_eq!(stats(&app).built, built);
}

/// A viewer so fast that chunks are missing in every frame still gets a change, long before it
/// needs new roots, which would show the change anyway.
#[test]
fn terrain_follows_a_change_in_fast_flight() {
    const START: f64 = -600.0;
    const SPEED: f64 = 20.0;
    // Roots are 1024 m wide; the next ones are needed at 1024 - RANGE.
    let frames = ((1024.0 - RANGE - START) / SPEED) as i32;
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::field(dawdling(0)))).id();
    let viewer = spawn_viewer(&mut app, Vec3::new(START as f32, 0.0, 300.0));
    settle(&mut app);
    let field = dawdling(1);
    let changed = Ground::field(field.clone());
    set(&mut app, ground, |t: &mut Terrain| t.ground = changed);
    for frame in 1..frames {
        let x = START + SPEED * f64::from(frame);
        set(&mut app, viewer, |t: &mut Transform| t.translation.x = x as f32);
        app.update();
        check_cover(&mut app, ground, [x, 300.0], RANGE);
        if drawn(&mut app, ground)[0].revision == 2 {
            println!("seen after {frame} of {frames} frames");
            return;
        }
        // Allow even a slow machine to finish some chunks between frames.
        let enough = field.filled.load(Ordering::Relaxed) + 16;
        for _ in 0..1000 {
            if field.filled.load(Ordering::Relaxed) >= enough {
                break;
            }
            sleep(Duration::from_millis(1));
        }
    }
    panic!("the change is not seen within {frames} frames");
}

/// A dragged slider changes the terrain in every frame. The changes must still appear.
#[test]
fn terrain_follows_changes_in_every_frame() {
    let mut app = app();
    let ground = app.world_mut().spawn(hills(0)).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let mut seen = HashSet::new();
    for frame in 1..=20_000 {
        set(&mut app, ground, |t: &mut Terrain| t.ground = Ground::Recipe(recipe(frame)));
        app.update();
        check_cover(&mut app, ground, [0.0, 0.0], RANGE);
        seen.insert(drawn(&mut app, ground)[0].revision);
        if seen.len() > 3 {
            println!("three changes were seen in {frame} frames");
            return;
        }
        sleep(Duration::from_millis(1));
    }
    panic!("changes are not seen: {seen:?}");
}
