//! A backend of `bevy_picking`: pointers hit the ground of terrains.

use bevy_app::{App, PreUpdate};
use bevy_camera::visibility::{RenderLayers, Visibility};
use bevy_camera::{Camera, Camera2d};
use bevy_ecs::prelude::*;
use bevy_picking::backend::ray::{RayId, RayMap};
use bevy_picking::backend::{HitData, PointerHits};
use bevy_picking::{Pickable, PickingSystems};
use bevy_platform::collections::HashMap;
use orogeny::ray::{Cast, Hit, Ray};

use crate::chunk::height_field::normal;
use crate::lod::viewer::{TerrainViewer, VIEW_RANGE};
use crate::query::GroundQuery;
use crate::query::terrain_query::TerrainQuery;
use crate::terrain::Terrain;

/// The maximum number of samples and bounds that a ray takes from a field: ten times what 99 of 100
/// rays over mountains take. The cells of a field without bounds are walked one by one: at least
/// 1,900 of them.
const WORK: usize = 4096;

pub(crate) fn build(app: &mut App) {
    app.add_systems(
        PreUpdate,
        hit.in_set(PickingSystems::Backend).run_if(resource_exists::<RayMap>),
    );
}

/// Casts the ray of each pointer and camera at each terrain that the camera sees. The picked entity
/// is the terrain. Cameras in 2D draw no terrain. A ray ends at the range of the camera's viewer,
/// or where its work does. A camera under the ground of a terrain picks none of it.
fn hit(
    rays: Res<RayMap>,
    cameras: Query<(&Camera, Option<&TerrainViewer>, Option<&RenderLayers>), Without<Camera2d>>,
    terrains: TerrainQuery,
    seen: Query<(Option<&Pickable>, Option<&RenderLayers>), With<Terrain>>,
    shown: Query<(&Visibility, Option<&ChildOf>)>,
    mut casts: Local<LastCasts>,
    mut hits: MessageWriter<PointerHits>,
) {
    casts.retain(|(id, terrain), _| rays.map.contains_key(id) && seen.contains(*terrain));
    for (&id, ray) in rays.iter() {
        let Ok((camera, viewer, layers)) = cameras.get(id.camera) else { continue };
        let layers = layers.cloned().unwrap_or_default();
        let range = viewer.map_or(VIEW_RANGE.default, |viewer| viewer.range);
        let mut picks = Vec::new();
        for ground in terrains.shown().iter().flatten() {
            let Ok((pickable, shown_in)) = seen.get(ground.terrain()) else { continue };
            let is_seen = layers.intersects(&shown_in.cloned().unwrap_or_default())
                && is_shown(ground.terrain(), &shown);
            if !is_seen || pickable.is_some_and(|pickable| !pickable.is_hoverable) {
                continue;
            }
            let ray = Ray {
                origin: ground.position(ray.origin),
                direction: ray.direction.to_array().map(f64::from),
                max_distance: range,
            };
            let (key, ray) = ((id, ground.terrain()), ground.local_ray(&ray));
            let Some(hit) = first_hit(&mut casts, key, ray, ground.query()) else { continue };
            let at = Some(ground.translation(ground.world(hit.position)));
            let data = HitData::new(id.camera, hit.distance as f32, at, Some(normal(hit.ground)));
            picks.push((ground.terrain(), data));
        }
        if !picks.is_empty() {
            hits.write(PointerHits::new(id.pointer, picks, camera.order as f32));
        }
    }
}

/// Whether an entity is drawn, by its own `Visibility` or that of a parent.
///
/// `InheritedVisibility` says the same, but a frame late: what was just spawned or hidden would be
/// picked wrongly. In an app that does not propagate visibility it would be hidden for ever.
fn is_shown(entity: Entity, all: &Query<(&Visibility, Option<&ChildOf>)>) -> bool {
    match all.get(entity) {
        Ok((Visibility::Inherited, parent)) => {
            parent.is_none_or(|parent| is_shown(parent.parent(), all))
        }
        Ok((visibility, _)) => *visibility == Visibility::Visible,
        Err(_) => true,
    }
}

/// The last ray of each pointer and camera at each terrain.
type LastCasts = HashMap<(RayId, Entity), LastCast>;

/// A ray in a terrain's own coordinates, and what it has hit of its ground.
struct LastCast {
    ray: Ray,
    ground: GroundQuery,
    hit: Option<Hit>,
}

impl LastCast {
    fn new(ray: Ray, ground: &GroundQuery) -> Self {
        let hit = ground.raycast_surface_within(&ray, WORK).ok().and_then(Cast::hit);
        // A ray that starts under the ground hits it at once. But from there only the backs of its
        // triangles are seen, which are not drawn.
        let hit = hit.filter(|hit| hit.distance > 0.0);
        Self { ray, ground: ground.clone(), hit }
    }
}

/// The first hit of a ray. It is cast only if the ray or the ground has changed since the last
/// frame.
fn first_hit(
    casts: &mut LastCasts,
    key: (RayId, Entity),
    ray: Ray,
    ground: &GroundQuery,
) -> Option<Hit> {
    let last = casts.entry(key).or_insert_with(|| LastCast::new(ray, ground));
    if last.ray != ray || !last.ground.is(ground) {
        *last = LastCast::new(ray, ground);
    }
    last.hit
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use bevy_app::TaskPoolPlugin;
    use bevy_asset::AssetPlugin;
    use bevy_math::{Dir3, Ray3d, Vec3};
    use bevy_picking::pointer::PointerId;
    use bevy_time::TimePlugin;
    use bevy_transform::components::Transform;
    use orogeny::{Field, Sample};

    use super::*;
    use crate::base::origin::TerrainOrigin;
    use crate::chunk::key::Layout;

    /// The hits of a ray down at (3, 4) from the origin, for a camera and a terrain with layers.
    fn hits(origin: TerrainOrigin, camera: impl Bundle, terrain: impl Bundle) -> Vec<PointerHits> {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), TimePlugin, AssetPlugin::default()))
            .add_plugins(crate::advanced::TerrainStreamingPlugin)
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
        assert!(hits(origin, all.clone(), Visibility::Hidden).is_empty());
        assert_eq!(hits(origin, all.clone(), Visibility::Visible).len(), 1);
        // The ray starts under ground that is 20 km high.
        assert!(hits(origin, all, Transform::from_xyz(0.0, 20_000.0, 0.0)).is_empty());
    }

    #[test]
    fn terrain_is_hidden_with_its_parent() {
        let mut world = World::new();
        let hidden = world.spawn(Visibility::Hidden).id();
        let [child, shown] = [Visibility::Inherited, Visibility::Visible]
            .map(|visibility| world.spawn((visibility, ChildOf(hidden))).id());
        let free = world.spawn(Visibility::Inherited).id();
        let mut all = world.query::<(&Visibility, Option<&ChildOf>)>();
        let all = all.query(&world);
        let are_shown = [hidden, child, shown, free].map(|entity| is_shown(entity, &all));
        assert_eq!(are_shown, [false, false, true, true]);
    }

    /// Level ground that tells how often it was sampled, and has no bounds.
    struct Counted(Arc<AtomicUsize>);

    impl Field<2> for Counted {
        fn sample(&self, _: [f64; 2]) -> Sample<2> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Sample::constant(0.0)
        }
    }

    #[test]
    fn a_ray_is_cast_once_and_not_for_ever() {
        let count = Arc::new(AtomicUsize::new(0));
        let samples = || count.swap(0, Ordering::Relaxed);
        let layout = Layout { cells: 32, spacing: 1.0 };
        let [ground, other] =
            [0, 1].map(|_| GroundQuery::new(Arc::new(Counted(count.clone())), layout).unwrap());
        let key = (RayId::new(Entity::PLACEHOLDER, PointerId::Mouse), Entity::PLACEHOLDER);
        let mut casts = LastCasts::default();
        let mut hit = |ray, ground: &GroundQuery| first_hit(&mut casts, key, ray, ground);
        let down =
            Ray { origin: [0.5, 10.0, 0.5], direction: [1.0, -1.0, 0.0], max_distance: 16_000.0 };
        samples();
        let first = hit(down, &ground).unwrap();
        assert!((first.distance - 10.0 * 2f64.sqrt()).abs() < 1e-6, "{first:?}");
        assert!(samples() > 0);
        assert_eq!((hit(down, &ground), samples()), (Some(first), 0));
        // Another ray, or other ground.
        let moved = Ray { origin: [0.6, 10.0, 0.5], ..down };
        assert!(hit(moved, &ground).is_some() && samples() > 0);
        assert!(hit(moved, &other).is_some() && samples() > 0);
        // As far as the work allows.
        let level = Ray { direction: [1.0, 0.0, 0.0], ..down };
        assert_eq!(hit(level, &ground), None);
        assert!((WORK / 2..WORK + 8).contains(&samples()));
        for (fall, is_reached) in [(10.0, true), (9.0, false)] {
            let far = Ray { direction: [1900.0, -fall, 0.0], ..down };
            assert_eq!(hit(far, &ground).is_some(), is_reached);
        }
    }
}
