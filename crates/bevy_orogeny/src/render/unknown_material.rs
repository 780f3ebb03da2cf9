//! Reports terrains with a material that their chunks cannot use, because no
//! `TerrainMaterialPlugin` was added for its type.

use bevy_ecs::archetype::{Archetype, ArchetypeId};
use bevy_ecs::component::{ComponentId, Components};
use bevy_ecs::prelude::*;
use bevy_platform::collections::HashMap;
use bevy_reflect::TypeRegistry;

use crate::base::problems::{TerrainProblem, TerrainProblems};
use crate::render::material_plugin::MaterialKinds;
use crate::terrain::Terrain;

/// Checks the components of a terrain whenever one is added or removed.
pub(super) fn report(
    terrains: Query<(Entity, &Archetype), With<Terrain>>,
    components: &Components,
    kinds: Res<MaterialKinds>,
    registry: Res<AppTypeRegistry>,
    mut problems: ResMut<TerrainProblems>,
    mut seen: Local<HashMap<Entity, ArchetypeId>>,
) {
    seen.retain(|&terrain, _| terrains.contains(terrain));
    for (terrain, archetype) in &terrains {
        if seen.insert(terrain, archetype.id()) == Some(archetype.id()) {
            continue;
        }
        let known = |id: &ComponentId| kinds.0.iter().any(|(kind, _)| kind == id);
        let registry = registry.read();
        let mut others = archetype.iter_components().filter(|id| !known(id));
        match others.find_map(|id| material(id, components, &registry)) {
            Some(material) => {
                problems.report(Some(terrain), TerrainProblem::UnknownMaterial { material });
            }
            None => problems
                .clear(Some(terrain), |p| matches!(p, TerrainProblem::UnknownMaterial { .. })),
        }
    }
}

/// The short type name of a component, if it is a `MeshMaterial3d`. Bevy's `MaterialPlugin`
/// registers these types.
fn material(id: ComponentId, components: &Components, registry: &TypeRegistry) -> Option<String> {
    let info = registry.get_type_info(components.get_info(id)?.type_id()?)?;
    let path = info.type_path_table();
    let is_material =
        path.crate_name() == Some("bevy_pbr") && path.ident() == Some("MeshMaterial3d");
    is_material.then(|| path.short_path().into())
}
