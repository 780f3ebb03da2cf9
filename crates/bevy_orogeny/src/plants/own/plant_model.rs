//! What a game gives to have its own models drawn.

use bevy_asset::Handle;
use bevy_ecs::resource::Resource;
use bevy_mesh::Mesh;
use bevy_pbr::StandardMaterial;
use bevy_platform::collections::HashMap;
use bevy_world_serialization::WorldAsset;
use orogeny::limits::{Limit, OutOfLimits};

/// A model that a game provides for a kind of scatter: a tree, a bush, a rock, a hut.
///
/// It is drawn as the plugin's own models: selected on the graphics device, with levels of detail,
/// shadows and wind, at any number. Materials may be opaque or masked; what is blended counts as
/// masked. Of a material the base colour with its texture, the roughness and the reflectance are
/// drawn. Of a mesh its triangles are drawn, a list or a strip, with their normals, the texture
/// coordinates that the material asks for, and vertex colours, 0 to 1, which multiply the
/// material's. Skins and animations are not drawn. Load meshes and images with the asset usage
/// `MAIN_WORLD`, as is the default. Images may have any size, and 8, 16 or 32 bits a channel, or a
/// compressed format: BC1 to 5, BC7, ETC2, or ASTC without HDR. Those of at most 64 pixels along
/// each side are taken for palettes, and are not smoothed.
///
/// The model follows its files and assets: they may come late, change in place, be removed or
/// broken, and mended. What was drawn before stays meanwhile.
///
/// The height decides how far it is seen: models of 3 m and more as trees, up to 3 km; lower ones
/// as bushes, up to 350 m; and those below 0.7 m as grass, up to 150 m and without shadows. From
/// 200 m on, models of 3 m and more are impostors, baked of the finest level: of the levels that a
/// game gives, the first three are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantModel {
    /// Where its meshes come from.
    pub source: PlantSource,
    /// The height in metres of the highest vertex above the origin, at size 1: 0.01 to 1000. The
    /// model is scaled to it. `None` for metres, as glTF has.
    pub height: Option<f32>,
    /// How wind moves it.
    pub sway: PlantSway,
    /// Whether the normals of what is masked point out of the crown instead of out of its cards,
    /// so that the crown is shaded as a soft volume.
    pub soft_leaves: bool,
    /// The part of light that shines through what is masked, 0 to 1.
    pub transmission: f32,
}

/// Where the meshes of a [`PlantModel`] come from.
#[derive(Clone, Debug, PartialEq)]
pub enum PlantSource {
    /// All visible meshes of a scene, such as `tree.glb#Scene0`.
    ///
    /// Those of nodes that have `LOD0`, `LOD1` and so on in their names are one level of detail
    /// each, as exporters name them: `oak_LOD1`, `oak_LOD1.002`, `oak_LOD1_leaves`, `LOD1_oak`,
    /// `oak.lod1`. Meshes without a level are in level 0. Names that cannot be told apart are
    /// listed as [`PlantModelNote`](crate::advanced::TerrainProblem::PlantModelNote).
    ///
    /// Colliders are not drawn: nodes named as in Unreal (`UCX_oak`, `UBX_`, `USP_`, `UCP_`) or in
    /// Godot (`oak-colonly`, `-convcolonly`; also `-navmesh`, `-occonly` and `-noimp`), and
    /// `oak_collider`, `oak_collision` and `oak_phys`. An `oak-col` is drawn.
    Scene(Handle<WorldAsset>),
    /// The parts of each level of detail, the finest first.
    Levels(Vec<Vec<PlantPart>>),
}

/// A mesh with its material.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantPart {
    /// The mesh, with the origin where the model stands, and y upwards.
    pub mesh: Handle<Mesh>,
    /// Its material.
    pub material: Handle<StandardMaterial>,
}

/// How wind moves a [`PlantModel`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlantSway {
    /// The more, the higher a vertex is, and what is masked more than trunks.
    #[default]
    Height,
    /// By the red channel of vertex colours, which are not drawn then: 0 for not at all, 1 for
    /// tips. Without colours, by height.
    VertexColor,
    /// Not at all, as a rock.
    Still,
}

/// The limits of numbers.
pub(super) const HEIGHT: Limit = limit("height", "m", 0.01, 1000.0);
pub(super) const RADIUS: Limit = limit("radius", "m", 0.0, 1000.0);
const TRANSMISSION: Limit = limit("transmission", "", 0.0, 1.0);

const fn limit(name: &'static str, unit: &'static str, min: f64, max: f64) -> Limit {
    Limit { name, unit, min, max, default: 1.0, help: "" }
}

impl PlantModel {
    /// A model whose meshes are those of a scene.
    pub fn scene(scene: Handle<WorldAsset>) -> Self {
        Self::from_source(PlantSource::Scene(scene))
    }

    /// A model of meshes: the parts of each level of detail, the finest first.
    pub fn levels(levels: Vec<Vec<PlantPart>>) -> Self {
        Self::from_source(PlantSource::Levels(levels))
    }

    fn from_source(source: PlantSource) -> Self {
        let sway = PlantSway::Height;
        Self { source, height: None, sway, soft_leaves: true, transmission: 0.3 }
    }

    /// The same scaled to a height in metres.
    pub fn with_height(self, height: f32) -> Self {
        Self { height: Some(height), ..self }
    }

    /// The same moved by wind in another way.
    pub fn with_sway(self, sway: PlantSway) -> Self {
        Self { sway, ..self }
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// The first number outside its limits.
    pub fn check(&self) -> Result<(), OutOfLimits> {
        if let Some(height) = self.height {
            HEIGHT.check(f64::from(height))?;
        }
        TRANSMISSION.check(f64::from(self.transmission))
    }
}

/// The models that a game provides, by the names that kinds have in
/// [`Model::Custom`](orogeny::scatter::Model::Custom).
///
/// What is wrong with one is listed in [`TerrainProblems`](crate::TerrainProblems); then the model
/// that it had before stays, or nothing is drawn for its kind.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::orogeny::scatter::{Model, Scatter, ScatterKind};
/// use bevy_orogeny::{PlantModel, PlantModels, Terrain};
///
/// fn plant(mut commands: Commands, assets: Res<AssetServer>, mut models: ResMut<PlantModels>) {
///     let oak = PlantModel::scene(assets.load("oak.glb#Scene0")).with_height(14.0);
///     models.insert("oak", oak);
///     let model = Model::Custom("oak".into());
///     let oaks = ScatterKind { model, radius: 8.0, grass: 0.4, ..ScatterKind::default() };
///     let scatter = Scatter { kinds: vec![oaks], ..Scatter::default() };
///     commands.spawn(Terrain::default().with_scatter(scatter));
/// }
/// ```
#[derive(Resource, Clone, Debug, Default)]
pub struct PlantModels {
    pub(super) models: HashMap<String, PlantModel>,
    pub(super) states: HashMap<String, PlantModelState>,
}

/// How far a model of [`PlantModels`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlantModelState {
    /// Its assets are being loaded, or it is being prepared.
    Loading,
    /// It is drawn.
    Ready,
    /// It cannot be used, until its assets or files change.
    Refused,
}

impl PlantModels {
    /// Adds a model, or replaces the one of that name.
    pub fn insert(&mut self, name: impl Into<String>, model: PlantModel) {
        let name = name.into();
        self.states.insert(name.clone(), PlantModelState::Loading);
        self.models.insert(name, model);
    }

    /// Removes a model.
    pub fn remove(&mut self, name: &str) -> Option<PlantModel> {
        self.states.remove(name);
        self.models.remove(name)
    }

    /// A model.
    pub fn get(&self, name: &str) -> Option<&PlantModel> {
        self.models.get(name)
    }

    /// Whether some model is being loaded or prepared.
    pub fn is_loading(&self) -> bool {
        self.states.values().any(|state| *state == PlantModelState::Loading)
    }

    /// How far a model is; `None` if there is no such model.
    pub fn state(&self, name: &str) -> Option<PlantModelState> {
        self.states.get(name).copied()
    }
}
