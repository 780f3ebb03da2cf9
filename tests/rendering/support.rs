//! Apps that draw terrain into an image, and what is seen in it.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bevy::app::Plugins;
use bevy::camera::visibility::RenderLayers;
use bevy::camera::{Hdr, RenderTarget};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::{
    CachedPipelineState, PipelineCache, TextureFormat, TextureUsages,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::settings::{Backends, RenderCreation, WgpuFeatures, WgpuSettings};
use bevy::render::texture::GpuImage;
use bevy::render::{RenderApp, RenderPlugin};
use bevy::tasks::block_on;
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_orogeny::advanced::{ScatterStats, TerrainStats};
use bevy_orogeny::orogeny::cover::{CoverKind, CoverLayer};
use bevy_orogeny::orogeny::edits::Edit;
use bevy_orogeny::orogeny::scatter::{Model, Scatter, ScatterKind};
use bevy_orogeny::orogeny::{Cover, Field, Node, Recipe, Sample};
use bevy_orogeny::{Terrain, TerrainEdits, TerrainOrigin, TerrainPlugins, TerrainViewer};

pub const WIDTH: u32 = 320;
pub const HEIGHT: u32 = 200;
pub const BACKGROUND: [u8; 3] = [255, 0, 255];
/// Set if a GPU driver is required, as in CI. Then tests fail without one instead of being skipped.
const DRIVER_REQUIRED: &str = "OROGENY_DRIVER_REQUIRED";

fn driver() -> Option<String> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = Backends::PRIMARY;
    let instance = wgpu::Instance::new(descriptor);
    let adapter =
        block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).ok()?;
    Some(adapter.get_info().name)
}

/// An app that draws a terrain into an image, with its camera.
pub fn app(terrain: Terrain, viewer: TerrainViewer, origin: TerrainOrigin) -> (App, Entity) {
    app_that(true, WgpuFeatures::empty(), (), terrain, viewer, origin)
}

/// The same with a viewer that sees so many metres, for which time stands still.
pub fn still(terrain: Terrain, range: f64) -> (App, Entity) {
    let viewer = TerrainViewer { range, ..default() };
    let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
    stop_time(&mut app);
    (app, camera)
}

/// The same with additional plugins, on a device that lacks some features, and with pipelines that
/// are compiled at once, as in nearly all tests, or meanwhile.
pub fn app_that<M>(
    compiles_at_once: bool,
    missing: WgpuFeatures,
    plugins: impl Plugins<M>,
    terrain: Terrain,
    viewer: TerrainViewer,
    origin: TerrainOrigin,
) -> (App, Entity) {
    let no_window =
        WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
    let render = RenderPlugin {
        render_creation: RenderCreation::Automatic(Box::new(WgpuSettings {
            backends: Some(Backends::PRIMARY),
            disabled_features: Some(missing),
            ..default()
        })),
        synchronous_pipeline_compilation: compiles_at_once,
        ..default()
    };
    let [r, g, b] = BACKGROUND;
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins
            .set(no_window)
            .set(render)
            .disable::<WinitPlugin>()
            .disable::<LogPlugin>()
            // So that tests can inspect the renderer.
            .disable::<PipelinedRenderingPlugin>(),
        TerrainPlugins,
    ))
    .add_plugins(plugins)
    .insert_resource(origin)
    // The same on every machine, since streaming looks ahead by the frame time.
    .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)))
    .insert_resource(ClearColor(Color::srgb_u8(r, g, b)))
    .insert_resource(GlobalAmbientLight { brightness: 400.0, ..default() });
    app.finish();
    app.cleanup();

    let target = picture(&mut app);
    app.world_mut().spawn((
        DirectionalLight::default(),
        Transform::default().looking_to(Vec3::new(-1.0, -0.8, -0.3), Vec3::Y),
    ));
    let camera = app
        .world_mut()
        .spawn((Camera3d::default(), Msaa::Off, viewer, RenderTarget::Image(target.into())))
        .id();
    // In its first frames the renderer draws nothing, not even the background.
    (0..3).for_each(|_| app.update());
    app.world_mut().spawn(terrain);
    (app, camera)
}

/// What a camera may have that changes how materials are drawn. Without `Hdr`, they map tones
/// themselves.
#[derive(Clone, Copy, Debug)]
pub struct CameraKind {
    pub has_hdr: bool,
    pub msaa: Msaa,
    pub tonemapping: Tonemapping,
}

impl CameraKind {
    /// The camera of a minimal example.
    pub const PLAIN: Self =
        Self { has_hdr: false, msaa: Msaa::Off, tonemapping: Tonemapping::TonyMcMapface };
    pub const HDR: Self = Self { has_hdr: true, ..Self::PLAIN };

    /// Plain ones with each tone mapping, one with `Hdr`, and both with several samples.
    pub fn all() -> Vec<Self> {
        let mapped = [
            Tonemapping::None,
            Tonemapping::Reinhard,
            Tonemapping::ReinhardLuminance,
            Tonemapping::AcesFitted,
            Tonemapping::AgX,
            Tonemapping::SomewhatBoringDisplayTransform,
            Tonemapping::BlenderFilmic,
            Tonemapping::KhronosPbrNeutral,
        ];
        let mapped = mapped.map(|tonemapping| Self { tonemapping, ..Self::PLAIN });
        let sampled = [Self::PLAIN, Self::HDR].map(|kind| Self { msaa: Msaa::Sample4, ..kind });
        [&[Self::HDR, Self::PLAIN][..], &sampled, &mapped].concat()
    }

    /// Gives it to a camera.
    pub fn put_on(self, app: &mut App, camera: Entity) {
        let mut camera = app.world_mut().entity_mut(camera);
        camera.insert((self.msaa, self.tonemapping));
        if self.has_hdr {
            camera.insert(Hdr)
        } else {
            camera.remove::<Hdr>()
        };
    }
}

/// Stops time for all following frames.
pub fn stop_time(app: &mut App) {
    time_step(app, 0.0);
}

/// All following frames take so many seconds.
pub fn time_step(app: &mut App, seconds: f64) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(seconds)));
}

/// The only terrain.
pub fn terrain(app: &mut App) -> Entity {
    app.world_mut().query_filtered::<Entity, With<Terrain>>().single(app.world()).unwrap()
}

/// The only directional light.
pub fn sun(app: &mut App) -> Entity {
    let mut suns = app.world_mut().query_filtered::<Entity, With<DirectionalLight>>();
    suns.single(app.world()).unwrap()
}

/// The edits of the only terrain.
pub fn edits(app: &mut App) -> Mut<'_, TerrainEdits> {
    let terrain = terrain(app);
    app.world_mut().get_mut(terrain).unwrap()
}

pub fn edit(app: &mut App, edit: impl Into<Edit>) {
    edits(app).log.add(1, edit).unwrap();
}

/// Adds an asset.
pub fn add<A: Asset>(app: &mut App, asset: impl Into<A>) -> Handle<A> {
    app.world_mut().resource_mut::<Assets<A>>().add(asset)
}

/// Changes all assets of a type.
pub fn change_all<A: Asset>(app: &mut App, change: impl Fn(&mut A)) {
    let mut assets = app.world_mut().resource_mut::<Assets<A>>();
    let ids: Vec<_> = assets.ids().collect();
    ids.into_iter().for_each(|id| change(&mut assets.get_mut(id).unwrap()));
}

/// How far a camera that is a viewer sees, in metres.
pub fn set_range(app: &mut App, camera: Entity, range: f64) {
    app.world_mut().get_mut::<TerrainViewer>(camera).unwrap().range = range;
}

/// Runs frames while a condition holds, in which the camera sees nothing: they take a fraction of
/// the time of those that draw. With shadows it sees, since in Bevy 0.19 what comes into view again
/// casts none.
pub fn wait_while(app: &mut App, camera: Entity, mut condition: impl FnMut(&App) -> bool) {
    let layers = app.world().get::<RenderLayers>(camera).cloned();
    let mut lights = app.world_mut().query::<&DirectionalLight>();
    if !lights.iter(app.world()).any(|light| light.shadow_maps_enabled) {
        app.world_mut().entity_mut(camera).insert(RenderLayers::none());
    }
    while condition(app) {
        app.update();
    }
    let mut camera = app.world_mut().entity_mut(camera);
    match layers {
        Some(layers) => camera.insert(layers),
        None => camera.remove::<RenderLayers>(),
    };
}

/// Runs so many frames in which the camera sees nothing.
pub fn wait(app: &mut App, camera: Entity, frames: usize) {
    let mut left = frames;
    wait_while(app, camera, |_| {
        let goes_on = left > 0;
        left = left.saturating_sub(1);
        goes_on
    });
}

/// Moves the camera and draws, either once all terrain is ready or immediately.
pub fn draw(app: &mut App, camera: Entity, transform: Transform, complete: bool) -> Vec<[u8; 3]> {
    app.world_mut().entity_mut(camera).insert(transform);
    app.update();
    let missing = |app: &App| {
        let plants = app.world().resource::<ScatterStats>().missing;
        app.world().resource::<TerrainStats>().missing + plants
    };
    wait_while(app, camera, |app| complete && missing(app) > 0);
    let picture = draw_again(app, camera);
    if complete {
        check_pipelines(app);
    }
    picture
}

/// Checks that all requested pipelines could be created, and returns their number. What one draws
/// would be left out, without a word if an import of its shader does not exist.
#[track_caller]
pub fn check_pipelines(app: &App) -> usize {
    let cache = app.sub_app(RenderApp).world().resource::<PipelineCache>();
    for pipeline in cache.pipelines() {
        if let CachedPipelineState::Err(error) = &pipeline.state {
            panic!("{error}");
        }
    }
    cache.pipelines().count()
}

/// An image for a camera to draw into.
pub fn picture(app: &mut App) -> Handle<Image> {
    let mut image = Image::new_target_texture(WIDTH, HEIGHT, TextureFormat::Rgba8UnormSrgb, None);
    image.texture_descriptor.usage |= TextureUsages::COPY_SRC;
    add(app, image)
}

/// Draws the next frame, and no other: a screenshot comes back some frames later.
pub fn draw_again(app: &mut App, camera: Entity) -> Vec<[u8; 3]> {
    app.update();
    let target = app.world().get::<RenderTarget>(camera).unwrap();
    let id = target.as_image().unwrap().id();
    let world = app.sub_app(RenderApp).world();
    let device = world.resource::<RenderDevice>().wgpu_device();
    let image = world.resource::<RenderAssets<GpuImage>>().get(id).unwrap();
    let bytes_per_row = 4 * WIDTH;
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(bytes_per_row * HEIGHT),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut commands = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(bytes_per_row),
        rows_per_image: None,
    };
    commands.copy_texture_to_buffer(
        image.texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
        image.texture.size(),
    );
    world.resource::<RenderQueue>().submit([commands.finish()]);
    buffer.map_async(wgpu::MapMode::Read, .., |mapped| mapped.unwrap());
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let pixels = buffer.get_mapped_range(..);
    pixels.chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect()
}

/// The pixel in the middle of a picture.
pub fn middle(picture: &[[u8; 3]]) -> [u8; 3] {
    picture[(HEIGHT / 2 * WIDTH + WIDTH / 2) as usize]
}

/// The number of pixels that show the background.
pub fn background(picture: &[[u8; 3]]) -> usize {
    picture.iter().filter(|&&pixel| pixel == BACKGROUND).count()
}

pub fn brightness(pixels: &[[u8; 3]]) -> (f32, f32) {
    let each = || pixels.iter().map(|p| p.iter().map(|&c| f32::from(c)).sum::<f32>() / 3.0);
    let mean = each().sum::<f32>() / pixels.len() as f32;
    let variance = each().map(|x| (x - mean).powi(2)).sum::<f32>() / pixels.len() as f32;
    (mean, variance.sqrt())
}

/// Lets two tests draw at a time: each keeps about one core busy, and has pictures and meshes of
/// its own. `None` without a GPU driver, unless one is required.
pub fn turn() -> Option<MutexGuard<'static, ()>> {
    static PLACES: [Mutex<()>; 2] = [const { Mutex::new(()) }; 2];
    static WAITING: AtomicUsize = AtomicUsize::new(0);
    let Some(name) = driver() else {
        assert!(std::env::var_os(DRIVER_REQUIRED).is_none(), "there is no GPU driver");
        // Written directly, since the test harness captures the output of macros.
        let reason = b"rendering test skipped: there is no GPU driver\n";
        std::io::stderr().write_all(reason).unwrap();
        return None;
    };
    println!("drawing with {name}");
    // A failed test does not affect the next one.
    PLACES.iter().for_each(Mutex::clear_poison);
    let free = PLACES.iter().find_map(|place| place.try_lock().ok());
    let wait = || {
        let place = &PLACES[WAITING.fetch_add(1, Ordering::Relaxed) % PLACES.len()];
        place.lock().unwrap_or_else(PoisonError::into_inner)
    };
    Some(free.unwrap_or_else(wait))
}

/// A level bed of this height, below a sea at 0 m.
pub fn sea(bed: f32) -> Terrain {
    Terrain::recipe(Recipe { sea_level: Some(0.0), ..Recipe::new(0, 1.0, Node::Constant(bed)) })
}

/// A level plain.
struct Plain;

impl Field<2> for Plain {
    fn sample(&self, _: [f64; 2]) -> Sample<2> {
        Sample { value: 0.0, gradient: [0.0; 2] }
    }
}

/// A level plain of snow.
pub fn plain() -> Terrain {
    plain_of(CoverLayer { detail: 0.0, ..CoverLayer::of(CoverKind::Snow) })
}

/// A level plain of one layer.
pub fn plain_of(layer: CoverLayer) -> Terrain {
    Terrain::field(Plain).covered(Cover { layers: vec![layer] })
}

/// One kind of plants, on snow.
pub fn scatter(model: Model, radius: f64) -> Scatter {
    let kind =
        ScatterKind { model, seed: 1, radius, snow: 1.0, tint: 0.0, ..ScatterKind::default() };
    Scatter { kinds: vec![kind], ..Scatter::default() }
}

/// Which pixels differ between two pictures.
pub fn changed(a: &[[u8; 3]], b: &[[u8; 3]]) -> Vec<bool> {
    let differs = |(a, b): (&[u8; 3], &[u8; 3])| (0..3).any(|k| a[k].abs_diff(b[k]) > 8);
    a.iter().zip(b).map(differs).collect()
}

/// The number of pixels that differ between two pictures.
pub fn count_changed(a: &[[u8; 3]], b: &[[u8; 3]]) -> usize {
    changed(a, b).into_iter().filter(|&is_changed| is_changed).count()
}

pub fn set_scatter(app: &mut App, scatter: Scatter) {
    let terrain = terrain(app);
    let mut settings = app.world_mut().get_mut::<Terrain>(terrain).unwrap();
    *settings = settings.clone().with_scatter(scatter);
    app.update();
}

/// The transform of a camera above the default terrain.
pub fn above(x: f32, z: f32, height: f32) -> Transform {
    let ground = Terrain::default().height([x.into(), z.into()]).unwrap().value;
    Transform::from_xyz(x, ground + height, z)
}

/// For each pixel, the largest difference of any channel, sorted.
pub fn differences(a: &[[u8; 3]], b: &[[u8; 3]]) -> Vec<u8> {
    let each = a.iter().zip(b).map(|(a, b)| (0..3).map(|k| a[k].abs_diff(b[k])).max().unwrap());
    let mut differences: Vec<u8> = each.collect();
    differences.sort_unstable();
    differences
}
