//! What plants and rocks cost the GPU.

use bevy::prelude::*;
use bevy::render::render_resource::WgpuFeatures;
use bevy::render::renderer::RenderDevice;
use bevy_orogeny::TerrainBudget;
use orogeny::Recipe;
use orogeny::scatter::Scatter;

use crate::world::World;
use crate::{Metric, gpu_marks, offscreen, quantile};

/// Where cameras look from, and the names of what is measured there with and without scatter, and
/// their ratio.
const VIEWS: [(View, [&str; 3]); 2] = [
    (
        View { at: [2779.0, 2583.0], above: 1.7, pitch: -0.05 },
        ["gpu_ms_wood", "bare_gpu_ms_wood", "gpu_ratio_wood"],
    ),
    (
        View { at: [3100.0, 2200.0], above: 100.0, pitch: -0.2 },
        ["gpu_ms_air", "bare_gpu_ms_air", "gpu_ratio_air"],
    ),
];
const FRAMES: usize = 9;

#[derive(Clone, Copy)]
struct View {
    at: [f64; 2],
    above: f32,
    /// In radians.
    pitch: f32,
}

/// The time of the GPU for a frame of so many lines, 16:9.
///
/// # Errors
/// A message if the GPU cannot measure its time.
pub fn measure(recipe: &Recipe, lines: u32) -> Result<Vec<Metric>, &'static str> {
    let bare = Recipe { scatter: Scatter::default(), ..recipe.clone() };
    let mut metrics = Vec::new();
    for (view, [name, bare_name, ratio]) in VIEWS {
        let [all, ground] = [time(recipe, view, lines)?, time(&bare, view, lines)?];
        metrics.extend([
            Metric { name, value: all },
            Metric { name: bare_name, value: ground },
            Metric { name: ratio, value: all / ground },
        ]);
    }
    Ok(metrics)
}

/// The median of some frames, in milliseconds: shadows, the ground, and what stands on it.
fn time(recipe: &Recipe, view: View, lines: u32) -> Result<f64, &'static str> {
    let mut world = World::of(app()?, recipe);
    let [x, z] = view.at;
    let eye = Vec3::new(x as f32, world.ground.value(view.at) + view.above, z as f32);
    let place = Transform::from_translation(eye);
    let place = place.looking_to(Vec3::new(-0.64, view.pitch, 0.77), Vec3::Y);
    world.app.world_mut().entity_mut(world.viewer).insert(place);
    // Nothing is drawn while most of it loads.
    world.settle();
    open(&mut world, lines);
    world.settle();
    let mut times = Vec::new();
    for _ in 0..FRAMES {
        world.frame();
        let gpu = gpu_marks::read(&world.app).ok_or("the GPU has measured nothing")?;
        times.push(gpu.shadows + gpu.before_main + gpu.main);
    }
    Ok(quantile(&mut times, 0.5))
}

fn app() -> Result<App, &'static str> {
    let mut app = App::new();
    app.add_plugins(offscreen::plugins());
    crate::world::add_plugins(&mut app);
    let budget = TerrainBudget { scatter_per_frame: usize::MAX, ..default() };
    app.insert_resource(TerrainBudget { applied_per_frame: usize::MAX, ..budget });
    let device = app.world().get_resource::<RenderDevice>();
    let needed = WgpuFeatures::TIMESTAMP_QUERY | WgpuFeatures::TIMESTAMP_QUERY_INSIDE_ENCODERS;
    if !device.is_some_and(|device| device.features().contains(needed)) {
        return Err("--render: there is no GPU driver with timestamp queries");
    }
    gpu_marks::add(&mut app);
    Ok(app)
}

/// Lights the world, and makes its viewer a camera.
fn open(world: &mut World, lines: u32) {
    let camera = offscreen::camera(&mut world.app, lines);
    world.app.world_mut().entity_mut(world.viewer).insert(camera);
    world.app.world_mut().spawn((
        DirectionalLight { shadow_maps_enabled: true, ..default() },
        Transform::default().looking_to(Vec3::new(-0.75, -0.42, -0.52), Vec3::Y),
    ));
}
