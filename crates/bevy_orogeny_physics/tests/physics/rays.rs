//! Rays of the engines hit trunks and rocks.

use bevy::prelude::*;
use bevy_orogeny::orogeny::edits::Plant;
use bevy_orogeny::orogeny::ray::Ray;
use bevy_orogeny::orogeny::scatter::Instance;
use bevy_orogeny::{
    ColliderSolids, GroundQuery, TerrainColliderSource, TerrainEdits, TerrainOrigin,
};

use crate::solids::{fell, forest, lane, targets};
use crate::support::{Engine, app, with_each_engine};

/// The distance in metres at which a ray of the engine along the lane of a target hits a solid, and
/// that at which it must.
fn ray<E: Engine>(
    app: &mut App,
    ground: &GroundQuery,
    target: &Instance,
    offset: [f64; 3],
) -> [Option<f64>; 2] {
    let (start, [dx, dz]) = lane(ground, target, 2.0);
    let (direction, range) = ([dx, 0.0, dz], 10.0);
    let ray = Ray { origin: start, direction, max_distance: range };
    let expected = ground.scatter().unwrap().raycast(&ray).unwrap().map(|hit| hit.distance);
    let from = [0, 1, 2].map(|k| start[k] + offset[k]);
    let from = app.world().resource::<TerrainOrigin>().translation(from);
    let toward = Dir3::new(Vec3::from(direction.map(|x| x as f32))).unwrap();
    let hit = E::ray(app.world_mut(), from, toward, range as f32);
    let is_solid = |entity| app.world().get::<ColliderSolids>(entity).is_some();
    let hit = hit.filter(|(entity, _)| is_solid(*entity)).map(|(_, distance)| distance.into());
    [hit, expected]
}

/// Rays hit what stands on two terrains at 1e12 m, also after the origin has moved; not what is
/// felled; and what is planted again.
fn hit<E: Engine>() {
    let mut app = app::<E>();
    let mut center = [1e12, -1e12];
    app.insert_resource(TerrainOrigin::at(center));
    let offsets = [[0.0, 0.0, 0.0], [24.0, 400.0, -8.0]];
    let terrains = [0, 1].map(|k| {
        let [x, y, z] = offsets[k].map(|x| x as f32);
        let terrain =
            app.world_mut().spawn((forest(k as u64 + 1, 1.0), Transform::from_xyz(x, y, z)));
        (terrain.id(), GroundQuery::of(&forest(k as u64 + 1, 1.0)).unwrap())
    });
    let targets = [0, 1].map(|k| targets(&terrains[k].1.scatter().unwrap(), center));
    let mut sources = Vec::new();
    for (target, offset) in (0..2).flat_map(|k| targets[k].iter().map(move |t| (t, offsets[k]))) {
        let at = [target.position[0] + offset[0], 2e3, target.position[1] + offset[2]];
        let place = app.world().resource::<TerrainOrigin>().translation(at);
        let source = (TerrainColliderSource::new(8.0), Transform::from_translation(place));
        sources.push(app.world_mut().spawn(source).id());
    }
    let check = |app: &mut App, stands: bool| {
        (0..3).for_each(|_| app.update());
        for k in 0..2 {
            for target in &targets[k] {
                let [hit, expected] = ray::<E>(app, &terrains[k].1, target, offsets[k]);
                let expected = expected.filter(|_| stands);
                let same = match (hit, expected) {
                    // Rapier's faces are up to 13 mm inside the largest rocks.
                    (Some(hit), Some(expected)) => (-2e-3..15e-3).contains(&(hit - expected)),
                    (hit, expected) => hit == expected,
                };
                assert!(same, "{hit:?} instead of {expected:?}");
                assert_eq!(hit.is_some(), stands);
            }
        }
    };
    check(&mut app, true);
    center[0] += 8192.0;
    app.insert_resource(TerrainOrigin::at(center));
    for source in sources {
        app.world_mut().get_mut::<Transform>(source).unwrap().translation.x -= 8192.0;
    }
    check(&mut app, true);
    for k in 0..2 {
        fell(&mut app, terrains[k].0, &targets[k]);
    }
    check(&mut app, false);
    for k in 0..2 {
        let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrains[k].0).unwrap();
        for target in &targets[k] {
            let (center, kind) = (target.position, target.kind);
            let plant = Plant { center, kind, size: target.size, ..Plant::default() };
            edits.log.add(1, plant).unwrap();
        }
    }
    check(&mut app, true);
}

#[test]
fn rays_hit_what_stands() {
    with_each_engine!(E => hit::<E>());
}
