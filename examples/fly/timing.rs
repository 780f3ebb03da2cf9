//! Frame times of a steady flight: straight on, a sixtieth of a second each frame.

use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::WorldPosition;
use bevy_orogeny::advanced::{ScatterStats, TerrainStats};
use core::time::Duration;

/// In metres per second.
const SPEED: f64 = 80.0;
const FRAME: Duration = Duration::from_micros(16_667);
/// Frames at the start of the flight that do not count: pipelines are compiled in them.
const WARM_UP: u32 = 30;

/// Flies straight on for so many frames once there is ground, and says how long they took.
pub struct TimingPlugin(pub u32);

/// The flight: the frames that are left, and the times so far.
#[derive(Resource)]
struct Timing {
    left: u32,
    /// The frames that do not count yet.
    warm_up: u32,
    is_flying: bool,
    begun: Option<Instant>,
    /// The time on the main thread, without the renderer, and between frames.
    main: Vec<Duration>,
    whole: Vec<Duration>,
    /// What tasks took between frames, in a browser.
    tasks: Vec<Duration>,
}

impl Plugin for TimingPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME))
            .insert_resource(Timing {
                left: self.0,
                warm_up: WARM_UP,
                is_flying: false,
                begun: None,
                main: Vec::new(),
                whole: Vec::new(),
                tasks: Vec::new(),
            })
            .add_systems(First, begin)
            .add_systems(Update, fly)
            .add_systems(Last, end);
    }
}

fn begin(mut timing: ResMut<Timing>) {
    let now = Instant::now();
    if let Some(before) = timing.begun.replace(now)
        && timing.is_flying
    {
        timing.whole.push(now - before);
    }
}

fn fly(
    mut timing: ResMut<Timing>,
    (mut stats, scatter): (ResMut<TerrainStats>, Res<ScatterStats>),
    mut cameras: Query<(&Transform, &mut WorldPosition), With<Camera3d>>,
) {
    if !timing.is_flying {
        timing.is_flying = stats.chunks > 0 && stats.missing == 0 && scatter.missing == 0;
        // That of the flight.
        stats.longest_slice = Duration::ZERO;
        return;
    }
    for (transform, mut position) in &mut cameras {
        let ahead = (transform.rotation * Vec3::NEG_Z).xz().normalize_or_zero().as_dvec2();
        let Some([x, y, z]) = position.get() else { continue };
        let step = SPEED * FRAME.as_secs_f64();
        position.set([x + ahead.x * step, y, z + ahead.y * step]);
    }
}

fn end(mut timing: ResMut<Timing>, stats: Res<TerrainStats>, mut exit: MessageWriter<AppExit>) {
    let Some(begun) = timing.begun else { return };
    if !timing.is_flying || timing.left == 0 {
        return;
    }
    timing.main.push(begun.elapsed());
    timing.tasks.push(stats.task_time);
    if timing.warm_up > 0 {
        timing.warm_up -= 1;
        let Timing { main, whole, tasks, .. } = &mut *timing;
        [main, whole, tasks].into_iter().for_each(Vec::clear);
        return;
    }
    timing.left -= 1;
    if timing.left == 0 {
        let Timing { main, whole, tasks, .. } = &mut *timing;
        say("main world", main);
        say("frame", whole);
        say("tasks", tasks);
        let [slice, build] = [stats.longest_slice, stats.build_time].map(milliseconds);
        let (built, missing) = (stats.built, stats.missing);
        info!("longest slice {slice:.2} ms; {built} chunks, {build:.2} ms each; {missing} pending");
        exit.write(AppExit::Success);
    }
}

fn milliseconds(time: Duration) -> f64 {
    1e3 * time.as_secs_f64()
}

fn say(name: &str, times: &mut [Duration]) {
    times.sort();
    let at = |part: f64| {
        let index = ((times.len().max(1) - 1) as f64 * part) as usize;
        times.get(index).copied().map_or(0.0, milliseconds)
    };
    let [half, most, all] = [0.5, 0.99, 1.0].map(at);
    info!("{name}: median {half:.2} ms, 99th percentile {most:.2} ms, maximum {all:.2} ms");
}
