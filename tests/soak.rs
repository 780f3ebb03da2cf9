//! Twenty thousand frames of flights, teleports and edits. Memory does not grow, and no entities
//! are left over.

use bevy::prelude::*;
use bevy_orogeny::advanced::{Chunk, TerrainStats};
use bevy_orogeny::orogeny::{Fractal, GradientNoise, Recipe};
use bevy_orogeny::{Ground, Terrain, TerrainPlugins, TerrainViewer};

const FRAMES: u32 = 20_000;

/// The memory of this process in MB, if the system reports it.
fn memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

fn recipe(seed: u64) -> Ground {
    let fbm = Fractal::fbm(2.0, GradientNoise::seeded(0));
    Ground::Recipe(Recipe::new(seed, 60.0, Fractal { frequency: 0.004, ..fbm }))
}

#[test]
fn memory_stays_flat() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), TerrainPlugins));
    let small = |ground| Terrain { cells: 8, ..Terrain { ground, ..Terrain::default() } };
    let ground = app.world_mut().spawn(small(recipe(0))).id();
    let viewer = TerrainViewer { range: 200.0, ..default() };
    let viewer = app.world_mut().spawn((viewer, Transform::default())).id();
    let mut state = 7u64;
    let mut random = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u32 << 24) as f32
    };
    let mut velocity = Vec3::ZERO;
    let mut samples = Vec::new();
    for frame in 0..FRAMES {
        match (random() * 2000.0) as u32 {
            0..=4 => {
                let position = Vec3::new(random() - 0.5, 0.0, random() - 0.5) * 2e5;
                app.world_mut().get_mut::<Transform>(viewer).unwrap().translation = position;
            }
            5..=9 => {
                let ground_now = recipe((random() * 1e6) as u64);
                app.world_mut().get_mut::<Terrain>(ground).unwrap().ground = ground_now;
            }
            10..=40 => velocity = Vec3::new(random() - 0.5, 0.0, random() - 0.5) * 16.0,
            41..=120 => velocity = Vec3::ZERO,
            _ => {}
        }
        app.world_mut().get_mut::<Transform>(viewer).unwrap().translation += velocity;
        app.update();
        if frame % (FRAMES / 20) == FRAMES / 20 - 1 {
            samples.extend(memory());
        }
    }
    let stats = app.world().resource::<TerrainStats>();
    println!(
        "{} chunks built, {} tasks cancelled; MB: {samples:.1?}",
        stats.built, stats.cancelled
    );
    assert!(stats.built > u64::from(FRAMES) / 5, "{stats:?}");
    if let [.., last] = *samples {
        let early =
            samples[samples.len() / 4..samples.len() / 2].iter().fold(0.0, |a: f64, b| a.max(*b));
        assert!(last < early + 8.0, "memory grows: {samples:.1?} MB");
    }

    app.world_mut().despawn(ground);
    for _ in 0..1000 {
        app.update();
        std::thread::sleep(std::time::Duration::from_millis(1));
        if app.world().resource::<TerrainStats>().tasks_in_flight == 0 {
            break;
        }
    }
    assert_eq!(app.world_mut().query::<&Chunk>().iter(app.world()).len(), 0);
    assert_eq!(app.world().resource::<Assets<Mesh>>().len(), 0);
    let stats = app.world().resource::<TerrainStats>();
    assert_eq!((stats.chunks, stats.displayed, stats.tasks_in_flight, stats.missing), (0, 0, 0, 0));
}
