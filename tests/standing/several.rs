//! Several terrains: the highest counts, unless a terrain is named.

use bevy::ecs::system::SystemState;
use bevy::prelude::*;
use bevy_orogeny::advanced::{QueryError, SpawnOnGroundError};
use bevy_orogeny::prelude::*;

use super::{Step, height, plain};

const WEST: [f64; 2] = [-100.0, 7.0];
const EAST: [f64; 2] = [100.0, 7.0];

/// Flat ground, and an island above the east of it.
fn two_terrains() -> (App, Entity, Entity) {
    let mut app = plain();
    app.add_systems(Update, walk);
    let flat = app.world_mut().spawn(Terrain::field(Step(10.0, 10.0))).id();
    let island = app.world_mut().spawn(Terrain::field(Step(-50.0, 50.0))).id();
    (app, flat, island)
}

fn ask<T>(app: &mut App, question: impl FnOnce(&TerrainQuery) -> T) -> T {
    let mut state = SystemState::<TerrainQuery>::new(app.world_mut());
    question(&state.get(app.world()).unwrap())
}

fn highest(app: &mut App, position: [f64; 2]) -> Result<(Entity, f32), QueryError> {
    ask(app, |terrains| {
        let ground = terrains.highest(position)?;
        Ok((ground.terrain(), ground.surface(position)?.value))
    })
}

#[test]
fn queries_take_the_highest_or_the_one_that_is_named() {
    let (mut app, flat, island) = two_terrains();
    assert_eq!(highest(&mut app, WEST), Ok((flat, 10.0)));
    assert_eq!(highest(&mut app, EAST), Ok((island, 50.0)));
    let named = |terrain| move |q: &TerrainQuery| q.get(terrain).unwrap().surface(EAST).unwrap();
    assert_eq!(ask(&mut app, named(flat)).value, 10.0);
    assert_eq!(ask(&mut app, named(island)).value, 50.0);
    assert_eq!(ask(&mut app, |terrains| terrains.iter().count()), 2);
    assert_eq!(ask(&mut app, |terrains| terrains.single().err()), Some(QueryError::Several));

    // Terrains without an answer do not count: one without ground, and one that is scaled.
    app.world_mut().spawn(Terrain::loading());
    app.world_mut().get_mut::<Transform>(island).unwrap().scale = Vec3::splat(2.0);
    app.update();
    assert_eq!(highest(&mut app, EAST), Ok((flat, 10.0)));
    assert!(matches!(highest(&mut app, [f64::NAN, 0.0]), Err(QueryError::OutOfLimits(_))));
    app.world_mut().despawn(flat);
    app.world_mut().despawn(island);
    assert_eq!(highest(&mut app, EAST), Err(QueryError::Loading));
}

#[test]
fn things_are_spawned_on_the_highest_or_the_one_that_is_named() {
    let (mut app, flat, _) = two_terrains();
    let spawn = |app: &mut App, position, terrain| {
        let flag = SpawnOnGround { terrain, ..SpawnOnGround::at(position) };
        app.world_mut().spawn(flag).id()
    };
    for (position, terrain, expected) in
        [(WEST, None, 10.0), (EAST, None, 50.0), (EAST, Some(flat), 10.0)]
    {
        let flag = spawn(&mut app, position, terrain);
        assert_eq!(height(&app, flag), expected, "{position:?} {terrain:?}");
    }
    // An entity waits for the terrain that it names.
    let later = app.world_mut().spawn_empty().id();
    let flag = spawn(&mut app, EAST, Some(later));
    let problem = TerrainProblem::SpawnOnGround(SpawnOnGroundError::Query(QueryError::NoTerrain));
    let problems: Vec<_> = app.world().resource::<TerrainProblems>().iter().collect();
    assert_eq!(problems, [(Some(flag), &problem)]);
    app.world_mut().entity_mut(later).insert(Terrain::field(Step(0.0, 20.0)));
    app.update();
    assert_eq!(height(&app, flag), 20.0);
}

#[test]
fn walkers_stay_on_the_highest_or_on_the_one_that_is_named() {
    let (mut app, flat, _) = two_terrains();
    let walker = |app: &mut App, terrain| {
        let [x, z] = EAST.map(|at| at as f32);
        let walker = TerrainWalker { terrain, height: 1.0, ..default() };
        app.world_mut().spawn((walker, Transform::from_xyz(x, 0.0, z))).id()
    };
    let (above, below) = (walker(&mut app, None), walker(&mut app, Some(flat)));
    app.update();
    assert_eq!((height(&app, above), height(&app, below)), (51.0, 11.0));
}
