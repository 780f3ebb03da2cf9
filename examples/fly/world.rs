//! The terrain and the camera.

use bevy::anti_alias::smaa::Smaa;
use bevy::camera::Exposure;
use bevy::camera_controller::free_camera::FreeCamera;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::light::AtmosphereEnvironmentMapLight;
use bevy::pbr::AtmosphereSettings;
use bevy::post_process::bloom::Bloom;
use bevy::prelude::*;
use bevy_orogeny::orogeny::Recipe;
use bevy_orogeny::{
    Terrain, TerrainEdits, TerrainOrigin, TerrainPreset, TerrainQuery, TerrainViewer, TerrainWalker,
};
use bevy_orogeny_world::SavedTerrain;

use super::place::Place;
use super::presets;

/// Minimum height of a flying camera above the ground, in metres. It may dive below water.
const CLEARANCE: f32 = 2.0;
/// Height of the camera above the ground at the start, in metres.
const START_HEIGHT: f32 = 220.0;

/// How the sky is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sky {
    /// Bevy's atmosphere.
    Atmosphere,
    /// A uniform colour and distance fog, for GPU drivers that crash with the atmosphere.
    #[cfg_attr(target_family = "wasm", expect(dead_code, reason = "no driver of a browser does"))]
    Plain,
}

/// The settings of the world, from the command line and the GPU driver.
#[derive(Resource, Clone, Debug)]
pub struct WorldSettings {
    pub sky: Sky,
    pub preset: String,
    /// The ground of an open world, instead of the preset's.
    pub recipe: Option<Recipe>,
    pub viewer: TerrainViewer,
    pub edits: TerrainEdits,
    /// Multiplies the density of plants and rocks, 0 to 1.
    pub scatter_density: f32,
    /// Where the camera starts.
    pub place: Option<Place>,
}

/// Spawns the terrain and keeps cameras above it.
pub struct WorldPlugin(pub WorldSettings);

/// The height of the ground or the sea at (x, z), whichever is higher, in metres. `None` without
/// either.
pub fn height(terrains: &TerrainQuery, position: [f64; 2]) -> Option<f32> {
    let ground = terrains.single().ok()?;
    let sea = ground.sea_level().map(|level| level as f32);
    let field = ground.field(position).ok().map(|ground| ground.value);
    field.into_iter().chain(sea).reduce(f32::max)
}

impl Plugin for WorldPlugin {
    fn build(&self, app: &mut App) {
        // The numbers of transforms stay small where the camera starts.
        let start = self.0.place.map_or([0.0; 2], |place| place.position);
        app.insert_resource(TerrainOrigin::at(start))
            .insert_resource(self.0.clone())
            .add_systems(Startup, spawn_terrain)
            .add_systems(Update, (stay_above_ground, fit_air));
    }
}

fn spawn_terrain(mut commands: Commands, settings: Res<WorldSettings>, assets: Res<AssetServer>) {
    let scatter_density = settings.scatter_density;
    if let Some(recipe) = &settings.recipe {
        let terrain = Terrain { scatter_density, ..Terrain::recipe(recipe.clone()) };
        commands.spawn((SavedTerrain, terrain, settings.edits.clone()));
        return;
    }
    // Read the preset here as well, so that the first frame has terrain. The asset server reports
    // a faulty file.
    let recipe = presets::read(&settings.preset);
    let terrain = recipe.map_or_else(|_| Terrain::default(), Terrain::recipe);
    let preset = TerrainPreset(assets.load(presets::asset_path(&settings.preset)));
    let terrain = Terrain { scatter_density, ..terrain };
    commands.spawn((SavedTerrain, terrain, preset, settings.edits.clone()));
}

/// The camera's position (x, height, z) and rotation at a place.
pub fn camera_at(place: &Place, terrains: &TerrainQuery) -> ([f64; 3], Quat) {
    let [x, z] = place.position;
    let up = f64::from(height(terrains, [x, z]).unwrap_or_default()) + f64::from(place.above);
    ([x, up, z], place.rotation())
}

/// The camera's position (x, height, z) and rotation at the start.
pub fn start(settings: &WorldSettings, terrains: &TerrainQuery) -> ([f64; 3], Quat) {
    if let Some(place) = &settings.place {
        return camera_at(place, terrains);
    }
    let up = f64::from(height(terrains, [0.0; 2]).unwrap_or_default() + START_HEIGHT);
    let ahead = Transform::default().looking_to(Vec3::new(-1.0, -0.15, -0.3), Vec3::Y);
    ([0.0, up, 0.0], ahead.rotation)
}

/// Spawns the camera, for a window or for the scripted flight.
pub fn spawn_camera<'a>(
    commands: &'a mut Commands,
    settings: &WorldSettings,
    transform: Transform,
) -> EntityCommands<'a> {
    let viewer = settings.viewer;
    let mut camera = commands.spawn((
        Camera3d::default(),
        transform,
        viewer,
        Tonemapping::AcesFitted,
        Bloom::NATURAL,
        // The atmosphere is blended per pixel, so MSAA would not smooth the skyline.
        Msaa::Off,
        Smaa::default(),
    ));
    match settings.sky {
        Sky::Atmosphere => camera.insert((
            AtmosphereSettings::default(),
            AtmosphereEnvironmentMapLight { size: UVec2::splat(128), ..default() },
            Exposure::default(),
        )),
        Sky::Plain => {
            camera.insert(DistanceFog { color: Color::srgb(0.62, 0.74, 0.87), ..default() })
        }
    };
    camera
}

/// Fits the range of aerial perspective and fog to the view range of the terrain.
fn fit_air(
    mut cameras: Query<
        (&TerrainViewer, Option<&mut AtmosphereSettings>, Option<&mut DistanceFog>),
        Changed<TerrainViewer>,
    >,
) {
    for (viewer, atmosphere, fog) in &mut cameras {
        let range = viewer.range as f32;
        if let Some(mut atmosphere) = atmosphere {
            atmosphere.aerial_view_lut_max_distance = range;
        }
        if let Some(mut fog) = fog {
            fog.falloff = FogFalloff::from_visibility(1.5 * range);
        }
    }
}

fn stay_above_ground(
    terrains: TerrainQuery,
    origin: Res<TerrainOrigin>,
    mut cameras: Query<&mut Transform, (With<FreeCamera>, Without<TerrainWalker>)>,
) {
    for mut transform in &mut cameras {
        let [x, _, z] = origin.position(transform.translation);
        // Over a hole there is nothing to stay above.
        let ground = terrains.shown().single().and_then(|ground| ground.field([x, z]));
        let Ok(ground) = ground else { continue };
        transform.translation.y = transform.translation.y.max(ground.value + CLEARANCE);
    }
}
