//! Trunks and rocks stop bodies until they are felled.

use bevy::prelude::*;
use bevy_orogeny::advanced::ColliderSolids;
use bevy_orogeny::orogeny::Region;
use bevy_orogeny::orogeny::edits::Plant;
use bevy_orogeny::orogeny::ray::Ray;
use bevy_orogeny::orogeny::scatter::{Instance, KindId, Placement, Scatter, ScatterKind};
use bevy_orogeny::{GroundQuery, Terrain, TerrainColliderSource, TerrainEdits, TerrainOrigin};

use crate::support::{Engine, Shape, app, height_above, meadow, with_each_engine};

const TRUNK: u64 = 1;
const ROCK: u64 = 2;
/// The radius of the balls in metres.
const BALL: f32 = 0.3;

/// A meadow with trees, and with rocks that are wider than the margin of sources.
fn forest(seed: u64, density: f32) -> Terrain {
    let kind = |seed, radius, solid_radius, solid_height| ScatterKind {
        seed,
        radius,
        solid_radius,
        solid_height,
        stunting: 0.0,
        grass: 1.0,
        forest: 1.0,
        ..ScatterKind::default()
    };
    let kinds = vec![kind(ROCK, 24.0, 5.0, 4.0), kind(TRUNK, 16.0, 0.3, 8.0)];
    meadow(seed).with_scatter(Scatter { kinds, density })
}

/// Some trunks and some rocks.
fn targets(placement: &Placement, center: [f64; 2]) -> Vec<Instance> {
    let region = Region::around(center, [200.0; 2]);
    let some = |seed| {
        let all = placement.in_region(region, |kind| kind.seed == seed).unwrap();
        assert!(all.len() >= 12);
        all.into_iter().take(12)
    };
    some(TRUNK).chain(some(ROCK)).collect()
}

/// A line along a contour to an instance: its start, `gap` metres from the surface and clear of the
/// ground, and its direction. Both from the terrain's origin.
fn lane(ground: &GroundQuery, target: &Instance, gap: f64) -> ([f64; 3], [f64; 2]) {
    let placement = ground.placement();
    let [gx, gz] = ground.field(target.position).unwrap().gradient.map(f64::from);
    let along = [-gz / gx.hypot(gz), gx / gx.hypot(gz)];
    let way =
        f64::from(placement.kind(target.kind).unwrap().solid_radius * target.size + BALL) + gap;
    let at = |way: f64| [0, 1].map(|k| target.position[k] - way * along[k]);
    let below = (-4..=20).map(|k| ground.surface(at(way * f64::from(k) / 20.0)).unwrap().value);
    let height = f64::from(below.fold(f32::NEG_INFINITY, f32::max) + BALL + 0.3);
    let [x, z] = at(way);
    ([x, height, z], along)
}

/// Shoots a ball at each target at 60 m/s, from farther away than it gets in its first step, in
/// which engines miss contacts. Returns how far each gets, in metres beyond the axis of its target.
fn shoot<E: Engine>(app: &mut App, ground: &GroundQuery, targets: &[Instance]) -> Vec<f64> {
    let balls: Vec<_> = targets
        .iter()
        .enumerate()
        .map(|(k, target)| {
            let ([x, y, z], [dx, dz]) = lane(ground, target, 1.2 + 0.2 * k as f64 % 2.4);
            let velocity = 60.0 * Vec3::new(dx as f32, 0.0, dz as f32);
            let place = Transform::from_xyz(x as f32, y as f32, z as f32);
            let body = (E::body(Shape::Ball, BALL, velocity), E::slippery());
            app.world_mut().spawn((body, TerrainColliderSource::new(BALL), place)).id()
        })
        .collect();
    let mut farthest = vec![f64::NEG_INFINITY; balls.len()];
    for _ in 0..14 {
        app.update();
        for ((ball, target), farthest) in balls.iter().zip(targets).zip(&mut farthest) {
            let Vec3 { x, z, .. } = app.world().get::<Transform>(*ball).unwrap().translation;
            let (_, along) = lane(ground, target, 0.0);
            let [ox, oz] = [f64::from(x) - target.position[0], f64::from(z) - target.position[1]];
            *farthest = farthest.max(ox * along[0] + oz * along[1]);
        }
    }
    for ball in balls {
        app.world_mut().despawn(ball);
    }
    farthest
}

fn fell(app: &mut App, terrain: Entity, targets: &[Instance]) {
    let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
    for target in targets {
        edits.log.add(1, target.felling()).unwrap();
    }
    app.update();
}

fn stops<E: Engine>() {
    let mut app = app::<E>();
    let ground = GroundQuery::of(&forest(1, 1.0)).unwrap();
    let terrain = app.world_mut().spawn(forest(1, 1.0)).id();
    let placement = ground.placement();
    let targets = targets(placement, [0.0; 2]);
    let from_surface = |(target, farthest): (&Instance, f64)| {
        farthest + f64::from(placement.kind(target.kind).unwrap().solid_radius * target.size + BALL)
    };
    let shots = shoot::<E>(&mut app, &ground, &targets);
    let beyond: Vec<f64> = targets.iter().zip(shots).map(from_surface).collect();
    assert!(beyond.iter().all(|beyond| (-0.25..0.15).contains(beyond)), "{beyond:.2?} m");
    fell(&mut app, terrain, &targets);
    for farthest in shoot::<E>(&mut app, &ground, &targets) {
        assert!(farthest > 1.5, "{farthest} m");
    }
}

#[test]
fn fast_balls_stop_at_trunks_and_rocks_until_they_are_felled() {
    with_each_engine!(E => stops::<E>());
}

/// Balls that rest, and into which a tree is planted, are pushed out sideways. None gets faster
/// than `limit` in m/s.
fn pushed_out<E: Engine>(limit: f32) {
    let mut app = app::<E>();
    let ground = GroundQuery::of(&forest(1, 0.0)).unwrap();
    let terrain = app.world_mut().spawn(forest(1, 0.0)).id();
    let balls: Vec<_> = (0..24)
        .map(|k| {
            let [x, z] = [40.0 * k as f32, -20.0];
            let y = ground.surface([x.into(), z.into()]).unwrap().value + 0.6;
            let body = (E::body(Shape::Ball, 0.5, Vec3::ZERO), E::sticky());
            let place = Transform::from_xyz(x, y, z);
            app.world_mut().spawn((body, TerrainColliderSource::new(0.5), place)).id()
        })
        .collect();
    for _ in 0..100 {
        app.update();
    }
    let mut planted = Vec::new();
    for (k, &ball) in balls.iter().enumerate() {
        let Vec3 { x, z, .. } = app.world().get::<Transform>(ball).unwrap().translation;
        let center = [f64::from(x) + 0.02 * k as f64, z.into()];
        let plant = Plant { center, kind: KindId(TRUNK), ..Plant::default() };
        let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
        edits.log.add(1, plant).unwrap();
        planted.push(plant.center);
    }
    let beyond = |app: &App, k: usize| {
        let Vec3 { x, z, .. } = app.world().get::<Transform>(balls[k]).unwrap().translation;
        let [cx, cz] = planted[k];
        (f64::from(x) - cx).hypot(f64::from(z) - cz) - 0.3
    };
    let (mut fastest, mut frames) = (0f32, 0);
    while !(0..balls.len()).all(|k| beyond(&app, k) > 0.4) {
        let all: Vec<_> = (0..balls.len()).map(|k| beyond(&app, k)).collect();
        frames += 1;
        assert!(frames < 600, "{all:.2?} m");
        app.update();
        for &ball in &balls {
            fastest =
                fastest.max(E::linear(app.world().get::<E::Velocity>(ball).unwrap()).length());
            assert!(height_above(&app, &ground, ball) > 0.3);
        }
    }
    assert!(fastest < limit, "{fastest} m/s");
}

#[test]
fn planting_into_a_body_pushes_it_out() {
    with_each_engine!(E => pushed_out::<E>(20.0));
}

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
    let expected = ground.placement().raycast(&ray).unwrap().map(|hit| hit.distance);
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
    let targets = [0, 1].map(|k| targets(terrains[k].1.placement(), center));
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
