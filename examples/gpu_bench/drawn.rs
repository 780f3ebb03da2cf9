//! What is drawn: meshes after culling, and their triangles.

use std::any::TypeId;

use bevy::camera::visibility::{CascadesVisibleEntities, VisibleEntities};
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::mesh::{RenderMesh, RenderMeshBufferInfo};
use bevy::render::render_asset::RenderAssets;

use bevy_orogeny::{DrawnPlants, PlantMaterial};

use crate::stage::Stage;

/// The frames after which it is known how many plants were drawn.
const LAG: usize = 4;

/// Meshes, and their triangles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Drawn {
    pub draws: usize,
    pub triangles: usize,
}

/// What the camera sees, and what all shadow maps of the sun see.
pub fn count(stage: &mut Stage) -> [Drawn; 2] {
    let camera = stage.camera;
    let world = stage.app.world_mut();
    let seen = world.get::<VisibleEntities>(camera);
    let seen = seen.map_or(Vec::new(), |seen| seen.get(TypeId::of::<Mesh3d>()).to_vec());
    let mut suns = world.query::<&CascadesVisibleEntities>();
    let cascades = suns.iter(world).flat_map(|sun| sun.entities.values().flatten());
    let shaded: Vec<Entity> = cascades.flat_map(|cascade| cascade.entities.clone()).collect();
    let mut drawn = [seen, shaded].map(|entities| sum(&stage.app, &entities));
    stage.app.init_resource::<DrawnPlants>();
    (0..LAG).for_each(|_| _ = stage.frame());
    for view in stage.app.world().resource::<DrawnPlants>().views() {
        let sum = &mut drawn[usize::from(view.is_shadow)];
        sum.draws += view.draws as usize;
        sum.triangles += view.triangles as usize;
    }
    stage.app.world_mut().remove_resource::<DrawnPlants>();
    drawn
}

/// The sum of all but plants, of which the device decides how many it draws.
fn sum(app: &App, entities: &[Entity]) -> Drawn {
    let Some(render) = app.get_sub_app(RenderApp) else { return Drawn::default() };
    let meshes = render.world().resource::<RenderAssets<RenderMesh>>();
    let is_plants =
        |&entity: &Entity| app.world().get::<MeshMaterial3d<PlantMaterial>>(entity).is_some();
    let entities: Vec<Entity> = entities.iter().copied().filter(|e| !is_plants(e)).collect();
    let triangles = entities.iter().filter_map(|&entity| {
        let mesh = meshes.get(app.world().get::<Mesh3d>(entity)?.id())?;
        Some(match mesh.buffer_info {
            RenderMeshBufferInfo::Indexed { count, .. } => count as usize / 3,
            RenderMeshBufferInfo::NonIndexed => mesh.vertex_count as usize / 3,
        })
    });
    Drawn { draws: entities.len(), triangles: triangles.sum() }
}
