use bevy::prelude::*;
use bevy_orogeny::advanced::{FollowTerrainOrigin, StreamTerrain, TerrainSystems};
use bevy_orogeny::prelude::*;
use big_space::prelude::*;

/// Call it beside `BigSpaceDefaultPlugins` and `TerrainPlugins`.
pub fn terrain_in_big_space(app: &mut App) {
    let follow_now = (CellCoord::recenter_large_transforms, follow_floating_origin).chain();
    // Again, for cameras that move in `PostUpdate`.
    let follow_late = follow_floating_origin
        .after(CellCoord::recenter_large_transforms)
        .before(FollowTerrainOrigin);
    app.add_systems(StreamTerrain, follow_now.before(TerrainSystems::Adopt))
        .add_systems(PostUpdate, follow_late);
}

/// Puts the origin of the terrain into the cell of the floating origin.
fn follow_floating_origin(
    floating_origin: Single<(&CellCoord, &ChildOf), With<FloatingOrigin>>,
    grids: Query<&Grid>,
    mut origin: ResMut<TerrainOrigin>,
    mut terrains: Query<&mut Transform, With<Terrain>>,
) -> Result {
    let (cell, grid) = *floating_origin;
    let [x, y, z] = grids.get(grid.parent())?.cell_to_float(cell).to_array();
    origin.set_if_neq(TerrainOrigin::at([x, z]));
    // Cells have heights, too, and their edges need not be steps of the terrain's origin.
    let rest = -origin.translation([x, y, z]);
    for terrain in &mut terrains {
        terrain.map_unchanged(|transform| &mut transform.translation).set_if_neq(rest);
    }
    Ok(())
}

/// On an entity with a `CellCoord` that stands on the ground.
#[derive(Component)]
pub struct Stands;

/// Moves it up or down to the ground.
pub fn stand(
    terrains: TerrainQuery,
    grids: Query<&Grid>,
    mut bodies: Query<(&CellCoord, &mut Transform, &ChildOf), With<Stands>>,
) -> Result {
    let terrain = terrains.single()?;
    for (cell, mut transform, grid) in &mut bodies {
        let at = grids.get(grid.parent())?.grid_position_double(cell, &transform);
        let height = f64::from(terrain.query().surface([at.x, at.z])?.value);
        transform.translation.y += (height - at.y) as f32;
    }
    Ok(())
}
