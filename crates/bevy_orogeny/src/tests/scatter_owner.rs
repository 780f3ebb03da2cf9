//! Plants belong to their terrain: they change, move and go with its ground.

use std::collections::HashSet;
use std::thread::sleep;
use std::time::Duration;

use bevy::camera::visibility::RenderLayers;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;
use orogeny::Region;
use orogeny::edits::{Area, Disc, Edit, Flatten, Raise};
use orogeny::scatter::Model;

use super::scatter::{app, recipe, settle, tiles, viewer};
use crate::advanced::{
    Chunk, ChunkKey, Layout, PlantMaterial, PlantModelState, PlantPart, ScatterInstance,
    ScatterSpawner, ScatterStats, ScatterTile, SpawnedKinds, TerrainBudget, TerrainStats,
};
use crate::plants::tiles::tile::TileOf;
use crate::render::DrawnParts;
use crate::streaming::components::ChunkSets;
use crate::{
    PlantModel, PlantModels, Terrain, TerrainEdits, TerrainOrigin, TerrainProblems, TerrainViewer,
};

fn stats(app: &App) -> ScatterStats {
    *app.world().resource::<ScatterStats>()
}

#[test]
fn plants_go_with_their_terrain_and_come_back() {
    let mut app = app();
    let spawner = ScatterSpawner { distance: 50.0, kinds: SpawnedKinds::All };
    let terrain = app.world_mut().spawn((Terrain::recipe(recipe()), spawner)).id();
    app.world_mut().spawn(viewer(0.0));
    settle(&mut app);
    let before: HashSet<[i64; 3]> = tiles(&mut app).into_values().collect();
    let instances =
        |app: &mut App| app.world_mut().query::<&ScatterInstance>().iter(app.world()).count();
    assert!(before.len() > 100 && instances(&mut app) > 10);

    // Rotated ground is hidden, and its plants are.
    let mut transform = app.world_mut().get_mut::<Transform>(terrain).unwrap();
    transform.rotation = Quat::from_rotation_y(0.4);
    (0..3).for_each(|_| app.update());
    assert_eq!((tiles(&mut app).len(), instances(&mut app)), (0, 0));
    app.world_mut().get_mut::<Transform>(terrain).unwrap().rotation = Quat::IDENTITY;
    settle(&mut app);
    assert_eq!(before, tiles(&mut app).into_values().collect());

    // Tiles that others despawn or detach are built again.
    app.world_mut().entity_mut(terrain).despawn_children();
    assert!(tiles(&mut app).is_empty());
    settle(&mut app);
    assert_eq!(before, tiles(&mut app).into_values().collect());
    app.world_mut().entity_mut(terrain).detach_all_children();
    app.update();
    settle(&mut app);
    assert_eq!(before, tiles(&mut app).into_values().collect());

    // Nothing is left without the component, and all is back with it.
    app.world_mut().entity_mut(terrain).remove::<Terrain>();
    (0..3).for_each(|_| app.update());
    assert_eq!((tiles(&mut app).len(), instances(&mut app)), (0, 0));
    let stats = *app.world().resource::<ScatterStats>();
    assert_eq!((stats.tiles, stats.instances, stats.missing), (0, 0, 0));
    app.world_mut().entity_mut(terrain).insert(Terrain::recipe(recipe()));
    settle(&mut app);
    assert_eq!(before, tiles(&mut app).into_values().collect());
}

#[test]
fn plants_follow_an_origin_that_is_inserted() {
    let mut app = app();
    let spawner = ScatterSpawner { distance: 50.0, kinds: SpawnedKinds::All };
    app.world_mut().spawn((Terrain::recipe(recipe()), spawner));
    let camera = app.world_mut().spawn(viewer(0.0)).id();
    settle(&mut app);
    let before = tiles(&mut app);
    let places = |app: &mut App| {
        let origin = *app.world().resource::<TerrainOrigin>();
        let mut all = app.world_mut().query::<(&ScatterInstance, &Transform)>();
        let off = all.iter(app.world()).map(|(part, place)| {
            let [x, _, z] = origin.position(place.translation);
            (x - part.instance.position[0]).abs() + (z - part.instance.position[1]).abs()
        });
        off.fold(0.0, f64::max)
    };
    for at in [[8192.0, 0.0], [819_200.0, -8192.0], [0.0, 0.0]] {
        let origin = TerrainOrigin::at(at);
        app.insert_resource(origin);
        let mut transform = app.world_mut().get_mut::<Transform>(camera).unwrap();
        transform.translation = origin.translation([0.0, 20.0, 0.0]);
        app.update();
        let after = tiles(&mut app);
        for (tile, corner) in &before {
            assert_eq!(after.get(tile), Some(corner), "{at:?}");
        }
        assert!(places(&mut app) < 0.2, "{at:?}: {}", places(&mut app));
    }
}

#[test]
fn plants_inherit_render_layers_and_shadow_flags() {
    let mut app = app();
    let layers = RenderLayers::layer(3);
    let terrain = (Terrain::recipe(recipe()), layers.clone(), NotShadowReceiver);
    let terrain = app.world_mut().spawn(terrain).id();
    app.world_mut().spawn(viewer(0.0));
    settle(&mut app);
    type Flags = (Option<&'static RenderLayers>, Has<NotShadowCaster>, Has<NotShadowReceiver>);
    let mut tiles = app.world_mut().query_filtered::<Has<NotShadowReceiver>, With<ScatterTile>>();
    assert!(tiles.iter(app.world()).all(|is_not_receiver| is_not_receiver));
    let mut draws = app.world_mut().query_filtered::<Flags, With<MeshMaterial3d<PlantMaterial>>>();
    let mut casters = 0;
    for (own, not_caster, not_receiver) in draws.iter(app.world()) {
        assert!(own == Some(&layers) && not_receiver);
        casters += usize::from(!not_caster);
    }
    assert!(casters > 0);
    // Far plants cast no shadows, whatever their terrain does.
    app.world_mut().entity_mut(terrain).insert(NotShadowCaster);
    app.update();
    assert!(draws.iter(app.world()).all(|(_, not_caster, ..)| not_caster));
    app.world_mut().entity_mut(terrain).remove::<(NotShadowCaster, RenderLayers)>();
    app.update();
    let again = draws.iter(app.world()).filter(|(own, not_caster, ..)| {
        assert!(own.is_none());
        !not_caster
    });
    assert_eq!(again.count(), casters);
}

/// The visible entities of tiles and chunks that contain the origin.
fn shown(app: &mut App) -> [HashSet<Entity>; 2] {
    let mut tiles =
        app.world_mut().query_filtered::<(Entity, &Transform, &Visibility), With<ScatterTile>>();
    let around = |place: &Transform| {
        let (corner, width) = (place.translation, place.scale.x);
        (corner.x..=corner.x + width).contains(&0.0) && (corner.z..=corner.z + width).contains(&0.0)
    };
    let tiles = tiles
        .iter(app.world())
        .filter(|(_, place, visibility)| around(place) && **visibility != Visibility::Hidden);
    let tiles = tiles.map(|(entity, ..)| entity).collect();
    let mut chunks = app.world_mut().query::<(Entity, &Chunk, &Visibility)>();
    let layout = Layout { cells: 64, spacing: 1.0 };
    let has_origin = |key: ChunkKey| layout.distance(key, [0.0; 2]) == 0.0;
    let chunks = chunks.iter(app.world()).filter(|(_, chunk, visibility)| {
        has_origin(chunk.key) && **visibility != Visibility::Hidden
    });
    [tiles, chunks.map(|(entity, ..)| entity).collect()]
}

/// Under a wood the ground rises, then its recipe changes: the plants there and the ground change
/// in the same frame.
#[test]
fn plants_and_ground_change_in_one_frame() {
    let mut app = app();
    let terrain = app.world_mut().spawn(Terrain::recipe(recipe())).id();
    app.world_mut().spawn(viewer(0.0));
    settle(&mut app);
    for change in 0..3 {
        let before = shown(&mut app);
        assert!(before.iter().all(|shown| !shown.is_empty()));
        if change < 2 {
            let disc = Disc { radius: 100.0, falloff: 20.0, ..Disc::default() };
            let area = Area::Disc(disc);
            let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
            let edit: Edit = match change {
                0 => Raise { area, height: 30.0 }.into(),
                _ => Flatten { area, height: -5.0, ..Flatten::default() }.into(),
            };
            edits.log.add(1, edit).unwrap();
        } else {
            let mut terrain = app.world_mut().get_mut::<Terrain>(terrain).unwrap();
            *terrain = Terrain::recipe(orogeny::Recipe { height: 90.0, ..recipe() });
        }
        let mut frames = 0;
        let after = loop {
            app.update();
            frames += 1;
            let now = shown(&mut app);
            let kept = [0, 1].map(|i| now[i].intersection(&before[i]).count());
            if kept == [before[0].len(), before[1].len()] {
                assert!(frames < 10_000, "nothing changes");
                sleep(Duration::from_millis(2));
                continue;
            }
            assert_eq!(kept, [0, 0], "change {change}: old and new are mixed");
            break now;
        };
        assert!(after.iter().all(|shown| !shown.is_empty()), "change {change}");
        println!("change {change} is shown in frame {frames}");
        settle(&mut app);
    }
}

/// After a teleport, what is near comes first.
#[test]
fn the_nearest_plants_come_first() {
    let mut app = app();
    app.world_mut().resource_mut::<TerrainBudget>().per_frame = 8;
    app.world_mut().spawn(Terrain::recipe(recipe()));
    let camera = app.world_mut().spawn(viewer(0.0)).id();
    settle(&mut app);
    app.world_mut().get_mut::<Transform>(camera).unwrap().translation.x = 20_000.0;
    app.update();
    let mut near_after = None;
    for frame in 1.. {
        app.update();
        let stats = *app.world().resource::<ScatterStats>();
        if stats.missing_near == 0 && near_after.is_none() {
            near_after = Some((frame, stats));
        }
        if stats.missing == 0 {
            let (near, at_near) = near_after.unwrap();
            println!("near plants in frame {near}, all {} tiles in frame {frame}", stats.tiles);
            // Some far ones are empty, or were finished before others that are nearer.
            assert!(at_near.missing > stats.tiles / 4, "{at_near:?} and then {stats:?}");
            return;
        }
        sleep(Duration::from_millis(2));
    }
}

/// One terrain does not wait for all the plants of another.
#[test]
fn terrains_share_the_budget_of_plants() {
    let mut app = app();
    let mut budget = app.world_mut().resource_mut::<TerrainBudget>();
    (budget.tasks, budget.per_frame) = (128, 4);
    let terrains = [0; 2].map(|_| app.world_mut().spawn(Terrain::recipe(recipe())).id());
    app.world_mut().spawn(viewer(0.0));
    let count = |app: &mut App| {
        let mut tiles = app.world_mut().query::<(&ScatterTile, &ChildOf)>();
        let all: Vec<Entity> = tiles.iter(app.world()).map(|(_, parent)| parent.parent()).collect();
        terrains.map(|terrain| all.iter().filter(|owner| **owner == terrain).count())
    };
    let counts = loop {
        app.update();
        let counts = count(&mut app);
        if counts.iter().sum::<usize>() >= 30 {
            break counts;
        }
        // More are finished than are taken.
        sleep(Duration::from_millis(50));
    };
    assert!(counts.iter().all(|count| *count > 5), "{counts:?}");
}

/// A game that waits until nothing is missing does not begin without its own models.
#[test]
fn models_are_missing_until_they_can_be_drawn() {
    let mut app = app();
    let mut recipe = recipe();
    recipe.scatter.kinds[0].model = Model::Custom("hut".into());
    app.world_mut().spawn(Terrain::recipe(recipe));
    app.world_mut().spawn(viewer(0.0));
    settle(&mut app);
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(Cuboid::new(1.0, 2.0, 1.0));
    let material =
        app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(Color::srgb(0.5, 0.4, 0.3));
    for name in ["hut", "of no kind"] {
        let model = PlantModel::levels(vec![vec![PlantPart {
            mesh: mesh.clone(),
            material: material.clone(),
        }]]);
        app.world_mut().resource_mut::<PlantModels>().insert(name, model);
        app.update();
        let state = app.world().resource::<PlantModels>().state(name);
        assert_eq!(state, Some(PlantModelState::Loading));
        assert_eq!(stats(&app).missing, usize::from(name == "hut"));
        settle(&mut app);
        while app.world().resource::<PlantModels>().is_loading() {
            assert_ne!(name, "hut");
            app.update();
        }
    }
}

/// At the start, trees do not stand above ground that is still coarse.
#[test]
fn plants_wait_for_the_ground() {
    let mut app = app();
    let mut budget = app.world_mut().resource_mut::<TerrainBudget>();
    (budget.tasks, budget.per_frame) = (1, 1);
    let terrain = app.world_mut().spawn(Terrain::recipe(recipe())).id();
    app.world_mut().spawn(viewer(0.0));
    let mut waited = 0;
    loop {
        app.update();
        let mut tiles = app.world_mut().query::<(&TileOf, &Visibility)>();
        let tiles: Vec<_> = tiles.iter(app.world()).collect();
        let ground = app.world().get::<ChunkSets>(terrain).unwrap();
        for (tile, visibility) in &tiles {
            let Region { min: [x0, z0], max: [x1, z1] } = tile.key.square();
            let is_coarse = ground.is_coarse_at([0.5 * (x0 + x1), 0.5 * (z0 + z1)]);
            assert!(!is_coarse || **visibility == Visibility::Hidden, "{tile:?}");
            waited += usize::from(is_coarse);
        }
        let shown = tiles.iter().filter(|(_, visibility)| **visibility != Visibility::Hidden);
        let [ground, plants] =
            [app.world().resource::<TerrainStats>().missing, stats(&app).missing];
        if ground == 0 && plants == 0 && shown.count() > 80 {
            break;
        }
        sleep(Duration::from_millis(1));
    }
    assert!(waited > 0);
}

/// Bark without its bumps is no riddle.
#[test]
fn what_is_not_drawn_of_a_model_is_noted() {
    let mut app = app();
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(Cuboid::new(1.0, 2.0, 1.0));
    let bumps = Some(app.world_mut().resource_mut::<Assets<Image>>().add(Image::default()));
    let mut materials = app.world_mut().resource_mut::<Assets<StandardMaterial>>();
    let [plain, bumpy] = [None, bumps].map(|normal_map_texture| {
        materials.add(StandardMaterial { normal_map_texture, ..default() })
    });
    for (material, noted) in [(plain, 0), (bumpy, 1)] {
        let part = PlantPart { mesh: mesh.clone(), material };
        // Two parts with one material are noted once.
        let model = PlantModel::levels(vec![vec![part.clone(), part]]);
        app.world_mut().resource_mut::<PlantModels>().insert("hut", model);
        while app.world().resource::<PlantModels>().is_loading() {
            app.update();
        }
        let problems = app.world().resource::<TerrainProblems>().iter();
        let notes: Vec<String> = problems.map(|(_, problem)| problem.to_string()).collect();
        let count: usize = notes.iter().map(|note| note.matches("normal maps").count()).sum();
        assert_eq!(count, noted, "{notes:?}");
    }
}

#[test]
fn telescopes_show_plants_farther_away() {
    let mut app = app();
    app.world_mut().spawn(Terrain::recipe(recipe()));
    let viewer = TerrainViewer { range: 3000.0, ..default() };
    let place = Transform::from_xyz(0.0, 60.0, 0.0).looking_to(Vec3::X, Vec3::Y);
    let camera = app.world_mut().spawn((Camera3d::default(), viewer, place)).id();
    settle(&mut app);
    let shrubs = |app: &mut App| {
        let mut all = app.world_mut().query_filtered::<&Transform, With<ScatterTile>>();
        let widths = all.iter(app.world()).filter(|place| place.scale.x == 64.0);
        widths.map(|place| place.translation.x).fold(0.0, f32::max)
    };
    assert!(shrubs(&mut app) < 500.0);
    let fov = 5f32.to_radians();
    let telescope = Projection::from(PerspectiveProjection { fov, ..default() });
    app.world_mut().entity_mut(camera).insert(telescope);
    settle(&mut app);
    assert!(shrubs(&mut app) > 2000.0, "{}", shrubs(&mut app));
}

/// Without plants the ground is drawn, and follows edits.
#[test]
fn devices_that_cannot_draw_plants_draw_the_ground() {
    let mut app = app();
    app.world_mut().resource_mut::<DrawnParts>().plants = false;
    let terrain = app.world_mut().spawn(Terrain::recipe(recipe())).id();
    app.world_mut().spawn(viewer(0.0));
    settle(&mut app);
    let built = app.world().resource::<TerrainStats>().built;
    let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
    edits.log.add(1, Raise::default()).unwrap();
    settle(&mut app);
    assert!(app.world().resource::<TerrainStats>().built > built);
    assert!(tiles(&mut app).is_empty());
    // A device that can, as after a lost one.
    app.world_mut().resource_mut::<DrawnParts>().plants = true;
    settle(&mut app);
    assert!(!tiles(&mut app).is_empty());
}
