//! A backend of `bevy_picking`: pointers hit the ground of terrains.

use bevy_app::{App, PreUpdate};
use bevy_camera::visibility::RenderLayers;
use bevy_camera::{Camera, Camera2d};
use bevy_ecs::prelude::*;
use bevy_picking::backend::ray::RayMap;
use bevy_picking::backend::{HitData, PointerHits};
use bevy_picking::{Pickable, PickingSystems};
use orogeny::ray::Ray;

use crate::chunk::height_field::normal;
use crate::lod::viewer::{TerrainViewer, VIEW_RANGE};
use crate::query::terrain_query::TerrainQuery;

pub(crate) fn build(app: &mut App) {
    app.add_systems(
        PreUpdate,
        hit.in_set(PickingSystems::Backend).run_if(resource_exists::<RayMap>),
    );
}

/// Casts the ray of each pointer and camera at each terrain that the camera sees. The picked entity
/// is the terrain. Cameras in 2D draw no terrain. A ray ends at the range of the camera's viewer.
fn hit(
    rays: Res<RayMap>,
    cameras: Query<(&Camera, Option<&TerrainViewer>, Option<&RenderLayers>), Without<Camera2d>>,
    terrains: TerrainQuery,
    seen: Query<(Option<&Pickable>, Option<&RenderLayers>)>,
    mut hits: MessageWriter<PointerHits>,
) {
    for (id, ray) in rays.iter() {
        let Ok((camera, viewer, layers)) = cameras.get(id.camera) else { continue };
        let layers = layers.cloned().unwrap_or_default();
        let range = viewer.map_or(VIEW_RANGE.default, |viewer| viewer.range);
        let mut picks = Vec::new();
        for ground in terrains.iter().flatten() {
            let Ok((pickable, shown_in)) = seen.get(ground.terrain()) else { continue };
            let is_seen = layers.intersects(&shown_in.cloned().unwrap_or_default());
            if !is_seen || pickable.is_some_and(|pickable| !pickable.is_hoverable) {
                continue;
            }
            let ray = Ray {
                origin: ground.position(ray.origin),
                direction: ray.direction.to_array().map(f64::from),
                max_distance: range,
            };
            let Some(hit) = ground.raycast_surface(&ray).ok().and_then(|cast| cast.hit()) else {
                continue;
            };
            let at = Some(ground.translation(hit.position));
            let data = HitData::new(id.camera, hit.distance as f32, at, Some(normal(hit.ground)));
            picks.push((ground.terrain(), data));
        }
        if !picks.is_empty() {
            hits.write(PointerHits::new(id.pointer, picks, camera.order as f32));
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy_app::TaskPoolPlugin;
    use bevy_asset::AssetPlugin;
    use bevy_math::{Dir3, Ray3d, Vec3};
    use bevy_picking::backend::ray::RayId;
    use bevy_picking::pointer::PointerId;
    use bevy_time::TimePlugin;

    use super::*;
    use crate::streaming::origin::TerrainOrigin;
    use crate::terrain::Terrain;

    /// The hits of a ray down at (3, 4) from the origin, for a camera and a terrain with layers.
    fn hits(origin: TerrainOrigin, camera: impl Bundle, terrain: impl Bundle) -> Vec<PointerHits> {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), TimePlugin, AssetPlugin::default()))
            .add_plugins(crate::TerrainStreamingPlugin)
            .add_message::<PointerHits>()
            .init_resource::<RayMap>();
        build(&mut app);
        app.insert_resource(origin);
        app.world_mut().spawn((Terrain::default(), terrain));
        let camera = app.world_mut().spawn((Camera::default(), camera)).id();
        app.update();
        let ray = Ray3d::new(Vec3::new(3.0, 5000.0, 4.0), Dir3::NEG_Y);
        let id = RayId::new(camera, PointerId::Mouse);
        app.world_mut().resource_mut::<RayMap>().map.insert(id, ray);
        app.update();
        app.world_mut().resource_mut::<Messages<PointerHits>>().drain().collect()
    }

    #[test]
    fn pointers_hit_the_drawn_ground_near_and_far() {
        for origin in [TerrainOrigin::default(), TerrainOrigin::at([1e9, -1e9])] {
            let found = hits(origin, RenderLayers::default(), ());
            let [x, z] = origin.offset();
            let ground = crate::GroundQuery::of(&Terrain::default()).unwrap();
            let height = ground.surface([x + 3.0, z + 4.0]).unwrap().value;
            let (_, data) = &found[0].picks[0];
            let at = data.position.unwrap();
            assert_eq!([at.x, at.z], [3.0, 4.0]);
            assert!((at.y - height).abs() < 1e-3, "{at} {height}");
            assert!((data.depth - (5000.0 - height)).abs() < 1e-2);
        }
    }

    #[test]
    fn pointers_pass_what_cannot_be_picked_or_seen() {
        let (all, origin) = (RenderLayers::default(), TerrainOrigin::default());
        assert!(hits(origin, all.clone(), Pickable::IGNORE).is_empty());
        assert!(hits(origin, all.clone(), RenderLayers::layer(3)).is_empty());
        assert!(hits(origin, (all.clone(), Camera2d), ()).is_empty());
        assert_eq!(hits(origin, RenderLayers::layer(3), RenderLayers::layer(3)).len(), 1);
    }
}
