//! Entities for instances near viewers.

use std::collections::HashMap;
use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use orogeny::edits::{Area, Disc, Flatten};
use orogeny::scatter::{InstanceId, Model, Placement, Scatter, ScatterKind};

use super::scatter::{app, recipe};
use crate::{
    GroundQuery, ScatterInstance, ScatterSpawner, Terrain, TerrainEdits, TerrainOrigin,
    TerrainViewer,
};

const DISTANCE: f64 = 60.0;

fn lamps() -> Terrain {
    let kind = |model, seed| ScatterKind {
        model,
        seed,
        radius: 6.0,
        grass: 1.0,
        forest: 1.0,
        align: 0.5,
        ..ScatterKind::default()
    };
    let kinds = vec![kind(Model::Custom("lamp".into()), 1), kind(Model::Stone, 2)];
    Terrain::recipe(recipe()).with_scatter(Scatter { kinds, ..Scatter::default() })
}

type Entities = HashMap<InstanceId, (Entity, [f64; 3])>;

/// Runs the app until the entities, by what they stand for, are as expected.
fn until(app: &mut App, is_expected: impl Fn(&Entities) -> bool) -> Entities {
    let mut query = app.world_mut().query::<(Entity, &ScatterInstance, &Transform)>();
    let start = Instant::now();
    loop {
        app.update();
        sleep(Duration::from_millis(2));
        let origin = *app.world().resource::<TerrainOrigin>();
        let all = query.iter(app.world()).map(|(entity, part, place)| {
            assert_eq!(part.model, Model::Custom("lamp".into()));
            (part.instance.id, (entity, origin.position(place.translation)))
        });
        let now: Entities = all.collect();
        if is_expected(&now) {
            return now;
        }
        let patience = Duration::from_secs(60);
        assert!(start.elapsed() < patience, "{} entities: {:?}", now.len(), now.values());
    }
}

fn near(placement: &Placement, center: [f64; 2]) -> Vec<InstanceId> {
    let found = placement.in_circle(center, DISTANCE, |kind| kind.seed == 1).unwrap();
    found.into_iter().map(|instance| instance.id).collect()
}

#[test]
fn what_is_near_viewers_has_entities_where_it_stands() {
    let mut app = app();
    let spawner = ScatterSpawner::custom(DISTANCE);
    let terrain = app.world_mut().spawn((lamps(), spawner)).id();
    let viewer = TerrainViewer { range: 500.0, ..default() };
    let viewer = app.world_mut().spawn((viewer, Transform::from_xyz(0.0, 20.0, 0.0))).id();
    let ground = GroundQuery::of(&lamps()).unwrap();
    let placement = ground.scatter().unwrap();
    let wanted = near(&placement, [0.0; 2]);
    assert!(wanted.len() > 20, "{}", wanted.len());
    let first = until(&mut app, |now| wanted.iter().all(|id| now.contains_key(id)));
    for instance in placement.in_circle([0.0; 2], 3.0 * DISTANCE, |kind| kind.seed == 1).unwrap() {
        let Some(&(_, [x, y, z])) = first.get(&instance.id) else { continue };
        let height = f64::from(placement.standing(&instance).value);
        let [ix, iz] = instance.position;
        assert!((x - ix).abs() + (z - iz).abs() + (y - height).abs() < 1e-3);
    }

    // Felling one takes its entity and no other one.
    let lamp = placement.nearest([5.0, 5.0], 50.0, |kind| kind.seed == 1).unwrap().unwrap();
    let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
    edits.log.add(1, lamp.felling()).unwrap();
    let mut felled = first.clone();
    felled.remove(&lamp.id).unwrap();
    until(&mut app, |now| *now == felled);

    // They do not stand on ground that was flattened.
    let other = placement.nearest([-20.0, 15.0], 50.0, |kind| kind.seed == 1).unwrap().unwrap();
    let disc = Disc { center: other.position, radius: 5.0, ..Disc::default() };
    let flat = Flatten { area: Area::Disc(disc), ..Flatten::default() };
    let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
    edits.log.add(1, flat).unwrap();
    until(&mut app, |now| now.len() < felled.len());

    // They go when the viewer does, and with the spawner.
    app.world_mut().get_mut::<Transform>(viewer).unwrap().translation.x = 1000.0;
    until(&mut app, |now| !now.is_empty() && now.keys().all(|id| !first.contains_key(id)));
    app.world_mut().entity_mut(terrain).remove::<ScatterSpawner>();
    until(&mut app, Entities::is_empty);
}
