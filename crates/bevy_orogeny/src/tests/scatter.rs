//! Tiles of scatter around viewers, in an app with materials and without a GPU.

use std::collections::{HashMap, HashSet};
use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::app::PluginGroupBuilder;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::{RenderCreation, WgpuSettings};
use bevy::winit::WinitPlugin;
use orogeny::edits::{Area, Disc, EditLog, Flatten};
use orogeny::scatter::{InstanceId, Model, Placement, Scatter, ScatterKind};
use orogeny::{Fractal, GradientNoise, Recipe, Region};

use crate::advanced::{
    OriginMoved, PlantMaterial, ScatterInstance, ScatterSpawner, ScatterStats, ScatterTile,
    TerrainStats,
};
use crate::plants::store::{DrawNumber, DrawRow, Plants, TileNumber};
use crate::{
    GroundQuery, Terrain, TerrainChanged, TerrainEdits, TerrainOrigin, TerrainPlugins,
    TerrainViewer,
};

type Material = MeshMaterial3d<PlantMaterial>;

pub(super) fn recipe() -> Recipe {
    let noise = Fractal { frequency: 0.002, ..Fractal::fbm(4.0, GradientNoise::seeded(0)) };
    let kind = |model, seed, radius| ScatterKind {
        model,
        seed,
        radius,
        grass: 1.0,
        forest: 1.0,
        ..ScatterKind::default()
    };
    let kinds = vec![kind(Model::Spruce, 1, 8.0), kind(Model::Stone, 2, 5.0)];
    let scatter = Scatter { kinds, ..Scatter::default() };
    Recipe { scatter, ..Recipe::new(3, 60.0, noise) }
}

pub(super) fn app() -> App {
    app_of(TerrainPlugins.build())
}

/// An app with these parts of the plugin.
pub(super) fn app_of(parts: PluginGroupBuilder) -> App {
    let backends = WgpuSettings { backends: None, ..default() };
    let render_creation = RenderCreation::Automatic(Box::new(backends));
    let render = RenderPlugin { render_creation, ..default() };
    let mut app = App::new();
    app.add_plugins((DefaultPlugins.set(render).disable::<WinitPlugin>(), parts));
    app.finish();
    app.cleanup();
    app
}

pub(super) fn settle(app: &mut App) {
    (0..3).for_each(|_| app.update());
    let is_ready = |app: &App| {
        app.world().resource::<TerrainStats>().missing == 0
            && app.world().resource::<ScatterStats>().missing == 0
    };
    while !is_ready(app) {
        app.update();
        sleep(Duration::from_millis(1));
    }
    app.update();
}

/// The tiles, all of whose shapes can be drawn, with their corners in the world rounded to
/// decimetres.
pub(super) fn tiles(app: &mut App) -> HashMap<Entity, [i64; 3]> {
    let mut tiles = app.world_mut().query::<(Entity, &ScatterTile, &TileNumber, &Transform)>();
    let mut draws = app.world_mut().query_filtered::<&DrawNumber, (With<Mesh3d>, With<Material>)>();
    let origin = *app.world().resource::<TerrainOrigin>();
    let plants = app.world().resource::<Plants>();
    let all = tiles.iter(app.world()).map(|(entity, tile, &TileNumber(number), place)| {
        assert!(tile.instances > 0);
        assert_eq!(plants.tiles.get(number).unwrap().count, tile.instances);
        for shape in plants.shapes_of(number) {
            let is_of = |draw: &&DrawRow| draw.shape == shape;
            let entities: Vec<Entity> = plants
                .draws
                .iter()
                .map(|(_, draw)| draw)
                .filter(is_of)
                .map(|draw| draw.entity)
                .collect();
            assert!(!entities.is_empty());
            entities.iter().for_each(|&draw| assert!(draws.get(app.world(), draw).is_ok()));
        }
        let corner = origin.position(place.translation).map(|x| (x * 10.0).round() as i64);
        (entity, corner)
    });
    all.collect()
}

pub(super) fn viewer(x: f32) -> (TerrainViewer, Transform) {
    let viewer = TerrainViewer { range: 500.0, ..default() };
    (viewer, Transform::from_xyz(x, 20.0, 0.0))
}

#[test]
fn tiles_follow_the_viewers() {
    let mut app = app();
    app.world_mut().spawn(Terrain::recipe(recipe()));
    let near = app.world_mut().spawn(viewer(0.0)).id();
    settle(&mut app);
    let first = tiles(&mut app);
    let stats = *app.world().resource::<ScatterStats>();
    assert!(first.len() > 80 && stats.tiles == first.len(), "{}", first.len());
    assert!(stats.instances > 3_000 && stats.bytes > 1_000_000, "{stats:?}");
    // A second viewer, as on a split screen, has its own.
    let far = app.world_mut().spawn(viewer(20_000.0)).id();
    settle(&mut app);
    let both = tiles(&mut app);
    assert!(both.len() > first.len() * 3 / 2);
    assert!(first.iter().all(|(tile, corner)| both.get(tile) == Some(corner)), "they stay");
    app.world_mut().despawn(near);
    app.update();
    app.world_mut().get_mut::<Transform>(far).unwrap().translation.x += 10.0;
    settle(&mut app);
    let corners = |tiles: &HashMap<_, [i64; 3]>| tiles.values().map(|corner| corner[0]).min();
    assert!(corners(&tiles(&mut app)) > Some(100_000), "tiles of the other viewer are gone");
    // Density 0 leaves nothing.
    let mut terrains = app.world_mut().query::<&mut Terrain>();
    let mut terrain = terrains.single_mut(app.world_mut()).unwrap();
    *terrain = terrain.clone().with_scatter(Scatter::default());
    settle(&mut app);
    assert!(tiles(&mut app).is_empty());
}

#[test]
fn a_felled_tree_changes_only_its_tiles() {
    #[derive(Resource, Default)]
    struct Changes(usize);
    let mut app = app();
    app.init_resource::<Changes>()
        .add_observer(|_: On<TerrainChanged>, mut changes: ResMut<Changes>| changes.0 += 1);
    let changes = |app: &App| app.world().resource::<Changes>().0;
    let terrain = app.world_mut().spawn(Terrain::recipe(recipe())).id();
    app.world_mut().spawn(viewer(0.0));
    settle(&mut app);
    let (before, changed) = (tiles(&mut app), changes(&app));
    let ground = GroundQuery::of(&Terrain::recipe(recipe())).unwrap();
    let placement = ground.placement();
    let tree = placement.nearest([40.0, 30.0], 50.0, |kind| kind.seed == 1).unwrap().unwrap();
    let fell = tree.felling();
    let chunks = app.world().resource::<TerrainStats>().built;
    let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
    edits.log.add(1, fell).unwrap();
    settle(&mut app);
    let after = tiles(&mut app);
    let new = after.keys().filter(|tile| !before.contains_key(*tile)).count();
    assert!((1..40).contains(&new), "{new} of {}", after.len());
    assert_eq!(app.world().resource::<TerrainStats>().built, chunks, "no chunk is built again");
    assert_eq!(changes(&app), changed + 1, "it is announced");
    // Ground that is flattened takes along what stands on it.
    let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
    edits.log.add(1, Flatten::default()).unwrap();
    settle(&mut app);
    assert!(app.world().resource::<TerrainStats>().built > chunks);
    assert_eq!(changes(&app), changed + 2, "plants and ground are announced together");
}

#[test]
fn tiles_stay_in_place_when_the_origin_moves() {
    let mut app = app();
    app.world_mut().spawn(Terrain::recipe(recipe()));
    // The origin follows at three quarters of a step.
    app.world_mut().spawn(viewer(6130.0));
    settle(&mut app);
    let before = tiles(&mut app);
    #[derive(Resource, Default)]
    struct Moves(u32);
    app.init_resource::<Moves>();
    app.add_observer(|_: On<OriginMoved>, mut moves: ResMut<Moves>| moves.0 += 1);
    app.world_mut().resource_mut::<TerrainOrigin>().rebase = true;
    let mut viewers = app.world_mut().query_filtered::<&mut Transform, With<TerrainViewer>>();
    viewers.single_mut(app.world_mut()).unwrap().translation.x += 30.0;
    settle(&mut app);
    assert_eq!(app.world().resource::<Moves>().0, 1);
    let after = tiles(&mut app);
    let both: Vec<Entity> =
        before.keys().copied().filter(|tile| after.contains_key(tile)).collect();
    assert!(both.len() > before.len() / 2, "{} of {}", both.len(), before.len());
    assert!(both.iter().all(|tile| before[tile] == after[tile]), "they are in other places");
}

#[test]
fn what_edits_change_is_in_the_regions_of_differences() {
    let old = GroundQuery::of(&Terrain::recipe(recipe())).unwrap();
    let all = |ground: &GroundQuery| {
        let region = Region { min: [-150.0; 2], max: [150.0; 2] };
        let found = ground.placement().in_region(region, |_| true).unwrap();
        found.into_iter().map(|instance| (instance.id, instance)).collect::<HashMap<_, _>>()
    };
    let before = all(&old);
    let mut log = EditLog::new();
    for center in [[0.0, 0.0], [-60.0, 45.0], [70.0, -80.0]] {
        let disc = Disc { center, radius: 9.0, falloff: 2.0 };
        log.add(1, Flatten { area: Area::Disc(disc), ..Flatten::default() }).unwrap();
    }
    let new = old.with_edits(log.edits());
    let after = all(&new);
    let regions = new.scatter_since(&old).unwrap();
    let edited = log.edits().all_differences(old.edits());
    let ids: HashSet<_> = before.keys().chain(after.keys()).collect();
    let changed: Vec<_> = ids.into_iter().filter(|id| before.get(id) != after.get(id)).collect();
    let place = |id: &InstanceId| before.get(id).or_else(|| after.get(id)).unwrap().position;
    assert!(changed.iter().all(|id| regions.iter().any(|region| region.contains(place(id)))));
    let beside = |id: &InstanceId| !edited.iter().any(|region| region.contains(place(id)));
    assert!(changed.iter().any(|id| beside(id)), "some are beside the edits");
    assert!(changed.len() > 8 && changed.len() < before.len() / 2);
}

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
    let placement = ground.placement();
    let wanted = near(placement, [0.0; 2]);
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

/// Without plants there is no canopy that would vanish up close, and without the sea no bed of it.
#[cfg(feature = "water")]
#[test]
fn the_ground_knows_what_is_drawn_beside_it() {
    use crate::advanced::{TerrainMaterial, TerrainPlantsPlugin, TerrainWaterPlugin};
    use crate::render::DrawnParts;
    let all = || TerrainPlugins.build();
    let [dry, bare] =
        [all().disable::<TerrainWaterPlugin>(), all().disable::<TerrainPlantsPlugin>()];
    for (parts, water, plants) in [(all(), true, true), (dry, false, true), (bare, true, false)] {
        let mut app = app_of(parts);
        let ground = Terrain::recipe(recipe()).with_sea(3.0);
        let terrain = app.world_mut().spawn(ground.clone()).id();
        app.world_mut().spawn(viewer(0.0));
        (0..3).for_each(|_| app.update());
        let material = app.world().get::<MeshMaterial3d<TerrainMaterial>>(terrain).unwrap();
        let materials = app.world().resource::<Assets<TerrainMaterial>>();
        let extension = &materials.get(&material.0).unwrap().extension;
        assert_eq!(extension.drawn, DrawnParts { water, plants });
        assert_eq!(extension.appearance, ground.appearance());
    }
}
