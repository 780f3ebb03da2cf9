//! Edits of the ground appear, all at once, and only where they are.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::mesh::VertexAttributeValues;
use bevy::prelude::*;
use bevy_orogeny::advanced::{ATTRIBUTE_VERTEX, Chunk, ChunkBuilder, ChunkKey, Seams};
use bevy_orogeny::orogeny::edits::{Area, Crater, Disc, Edit, EditedField, Edits, Flatten, Raise};
use bevy_orogeny::orogeny::{Field, Fractal, GradientNoise, Node, Recipe};
use bevy_orogeny::{Ground, GroundEdited, Terrain, TerrainEdits, TerrainQuery};

use super::support::*;

/// Terrain with meshes that tests can read, and without edits.
fn spawn_ground(app: &mut App, ground: Ground) -> Entity {
    let terrain = Terrain { keep_meshes: true, ..terrain(ground) };
    app.world_mut().spawn((terrain, TerrainEdits::default())).id()
}

fn add(app: &mut App, ground: Entity, edit: impl Into<Edit>) {
    set(app, ground, |edits: &mut TerrainEdits| {
        edits.log.add(1, edit).unwrap();
    });
}

fn entities(app: &mut App) -> HashMap<ChunkKey, Entity> {
    let mut chunks = app.world_mut().query::<(Entity, &Chunk, &Mesh3d)>();
    chunks.iter(app.world()).map(|(entity, chunk, _)| (chunk.key, entity)).collect()
}

/// Whether every vertex of every drawn chunk has the height of a field.
fn shows(app: &mut App, field: &dyn Field<2>) -> bool {
    let mut chunks = app.world_mut().query::<(&Chunk, &Visibility, &Mesh3d)>();
    let meshes = app.world().resource::<Assets<Mesh>>();
    let mut drawn = chunks.iter(app.world()).filter(|chunk| *chunk.1 == Visibility::Inherited);
    drawn.all(|(chunk, _, mesh)| {
        let mesh = meshes.get(mesh).unwrap();
        let Some(VertexAttributeValues::Float32x3(vertices)) =
            mesh.attribute(Mesh::ATTRIBUTE_POSITION)
        else {
            panic!("no positions")
        };
        let [ox, oz] = LAYOUT.origin(chunk.key);
        // Every third one: no edit of these tests is smaller.
        vertices
            .iter()
            .step_by(3)
            .all(|&[x, y, z]| field.value([ox + f64::from(x), oz + f64::from(z)]) == y)
    })
}

#[test]
fn only_touched_chunks_are_built_again() {
    let mut app = app();
    let ground = spawn_ground(&mut app, Ground::Recipe(recipe(1)));
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let (before, built) = (entities(&mut app), stats(&app).built);
    let crater = Crater { center: [40.0, -25.0], radius: 12.0, ..Crater::default() };
    add(&mut app, ground, crater);
    settle(&mut app);
    let after = entities(&mut app);
    let region = Edit::from(crater).region().unwrap();
    let (mut kept, mut replaced) = (0, 0);
    for (key, entity) in &after {
        let [min, _, _, max] = LAYOUT.corners(*key);
        let touched = (0..2).all(|k| min[k] <= region.max[k] && region.min[k] <= max[k]);
        // The crater is rougher than the ground, so there are also finer chunks around it.
        let is_kept = before.get(key).map_or(!touched && key.lod == 0, |old| old == entity);
        assert_eq!(is_kept, !touched, "{key:?}");
        *if before.get(key) == Some(entity) { &mut kept } else { &mut replaced } += 1;
    }
    println!("{replaced} chunks replaced or new, {kept} kept");
    assert!(replaced > 3 && kept > 30);
    assert_eq!(stats(&app).built - built, replaced);
    assert_eq!(chunk_entities(&mut app), stats(&app).chunks);
    assert_eq!(meshes(&app), chunk_entities(&mut app));
    let edits = app.world().get::<TerrainEdits>(ground).unwrap().log.edits();
    assert!(shows(&mut app, &EditedField::new(recipe(1).build().unwrap(), edits)));
}

/// Far levels that geomorph move vertices by what lies beyond their borders. After an edit just
/// beyond one, and after its undo, all chunks are those that would be built now.
#[test]
fn chunks_beside_an_edit_are_built_again() {
    let mut app = app();
    let ground = spawn_ground(&mut app, Ground::Recipe(recipe(1)));
    app.world_mut().entity_mut(ground).insert(Seams::Morph);
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let [_, _, _, corner] = LAYOUT.corners(LAYOUT.key_at(3, [150.0, 40.0]));
    let center = [corner[0] + 10.0, corner[1] - 0.5 * LAYOUT.size(3)];
    let area = Area::Disc(Disc { center, radius: 6.0, falloff: 3.0 });
    let raise: Edit = Raise { area, height: 40.0 }.into();
    let region = raise.region().unwrap();
    assert!(region.min[0] > corner[0]);
    let bare = recipe(1).build().unwrap();
    let mut applied = None;
    for _ in 0..2 {
        let before = entities(&mut app);
        set(&mut app, ground, |edits: &mut TerrainEdits| match applied.take() {
            None => applied = Some(edits.log.add(1, raise.clone()).unwrap()),
            Some(applied) => _ = edits.log.undo(1, &applied).unwrap(),
        });
        settle(&mut app);
        let edits = app.world().get::<TerrainEdits>(ground).unwrap().log.edits();
        let builder = ChunkBuilder::new(bare.with_edits(edits), LAYOUT, Seams::Morph, true);
        let mut chunks = app.world_mut().query::<(Entity, &Chunk, &Mesh3d)>();
        let meshes = app.world().resource::<Assets<Mesh>>();
        let mut beside = 0;
        for (entity, chunk, mesh) in chunks.iter(app.world()) {
            let [shown, built] =
                [meshes.get(mesh).unwrap(), &builder.build(chunk.key).unwrap().mesh].map(|mesh| {
                    match mesh.attribute(ATTRIBUTE_VERTEX) {
                        Some(VertexAttributeValues::Uint32x4(vertices)) => vertices.clone(),
                        other => panic!("{other:?}"),
                    }
                });
            assert!(shown == built, "{:?}", chunk.key);
            let [min, _, _, max] = LAYOUT.corners(chunk.key);
            let touched = (0..2).all(|k| min[k] <= region.max[k] && region.min[k] <= max[k]);
            let replaced = before.get(&chunk.key).is_some_and(|old| *old != entity);
            beside += usize::from(replaced && !touched);
        }
        assert!(beside > 0);
    }
}

#[derive(Resource, Default)]
struct Heard(Vec<GroundEdited>);

#[test]
fn queries_and_observers_follow_in_the_same_frame() {
    let mut app = app();
    app.init_resource::<Heard>().add_observer(
        |event: On<GroundEdited>, mut heard: ResMut<Heard>| {
            heard.0.push(event.event().clone());
        },
    );
    let ground = spawn_ground(&mut app, Ground::Recipe(recipe(1)));
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    assert!(app.world().resource::<Heard>().0.is_empty());
    let area = Area::Disc(Disc { center: [5.0, 7.0], radius: 3.0, falloff: 2.0 });
    add(&mut app, ground, Flatten { area, height: 12.5, ..Flatten::default() });
    app.update();
    let height = |app: &mut App| {
        let found = app.world_mut().run_system_cached(|terrains: TerrainQuery| {
            terrains.single().unwrap().field([5.0, 7.0]).unwrap().value
        });
        found.unwrap()
    };
    assert_eq!(height(&mut app), 12.5);
    let heard = &app.world().resource::<Heard>().0;
    assert_eq!((heard.len(), heard[0].terrain), (1, ground));
    assert_eq!(heard[0].regions.len(), 1);
    // A new recipe keeps the edits, and losing them returns the ground.
    set(&mut app, ground, |t: &mut Terrain| t.ground = Ground::Recipe(recipe(2)));
    app.update();
    assert_eq!(height(&mut app), 12.5);
    app.world_mut().entity_mut(ground).remove::<TerrainEdits>();
    settle(&mut app);
    let bare = recipe(2).build().unwrap();
    assert_eq!(height(&mut app), bare.value([5.0, 7.0]));
    assert!(shows(&mut app, &bare));
}

/// Edits, undo and changes of the recipe in a flight with teleports, with results arriving in any
/// order: every frame shows one state of the log, and never an older one than the frame before.
#[test]
fn every_frame_shows_one_state_of_the_log() {
    let mut random = random(7);
    let mut app = app();
    let field = dawdling(3);
    let ground = spawn_ground(&mut app, Ground::field(field.clone()));
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let mut states: Vec<Edits> = vec![app.world().get::<TerrainEdits>(ground).unwrap().log.edits()];
    let (mut applied, mut shown, mut seen) = (Vec::new(), 0, 0);
    let begun = Instant::now();
    for frame in 0.. {
        if frame >= 500 && seen > 20 {
            break;
        }
        assert!(begun.elapsed() < LONG, "{seen} of {} states were seen", states.len());
        let p = app.world().get::<Transform>(viewer).unwrap().translation;
        if random(3) == 0 {
            let near = [p.x, p.z].map(|x| f64::from(x) + random(300) as f64 - 150.0);
            let area = Area::Disc(Disc { center: near, radius: 6.0, falloff: 9.0 });
            set(&mut app, ground, |edits: &mut TerrainEdits| {
                applied.push(match random(4) {
                    0 => edits.log.add(1, Flatten { area, ..Flatten::default() }).unwrap(),
                    1 => edits.log.add(1, Raise { area, height: 5.0 }).unwrap(),
                    2 if !applied.is_empty() => {
                        let some = random(applied.len() as u64) as usize;
                        edits.log.undo(1, &applied[some]).unwrap()
                    }
                    _ => {
                        let crater = Crater { center: near, radius: 15.0, ..Crater::default() };
                        edits.log.add(1, crater).unwrap()
                    }
                });
                states.push(edits.log.edits());
            });
        }
        let jump = random(200) == 0;
        set(&mut app, viewer, |t: &mut Transform| {
            t.translation += if jump { Vec3::new(9e3, 0.0, 4e3) } else { Vec3::new(2.0, 0.0, 1.0) };
        });
        app.update();
        let p = app.world().get::<Transform>(viewer).unwrap().translation;
        check_cover(&mut app, ground, [p.x.into(), p.z.into()], RANGE);
        let found = (shown..states.len())
            .find(|&i| shows(&mut app, &EditedField::new(field.clone(), states[i].clone())));
        let found = found.unwrap_or_else(|| panic!("frame {frame} mixes edits, after {shown}"));
        seen += usize::from(found != shown);
        shown = found;
        sleep(Duration::from_micros(random(3000)));
    }
    println!("{} states of the log, {seen} were seen", states.len());
    settle(&mut app);
    let newest = EditedField::new(field, states.pop().unwrap());
    assert!(shows(&mut app, &newest));
    // Streaming looks ahead for some time, and leaves chunks behind until it no longer does.
    let begun = Instant::now();
    while meshes(&app) != chunk_entities(&mut app) && begun.elapsed() < LONG {
        app.update();
    }
    assert_eq!(chunk_entities(&mut app), stats(&app).chunks);
    assert_eq!(meshes(&app), chunk_entities(&mut app));
}

/// A brush that is dragged changes the log in every frame.
#[test]
fn terrain_follows_a_brush_in_every_frame() {
    let mut app = app();
    let recipe: Recipe = recipe(0);
    let ground = spawn_ground(&mut app, Ground::Recipe(recipe.clone()));
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let base = Arc::new(recipe.build().unwrap());
    let (mut shown, mut states) = (0, Vec::new());
    let begun = Instant::now();
    for frame in 0.. {
        assert!(begun.elapsed() < LONG, "strokes are not seen");
        let center = [0.3 * f64::from(frame), 10.0];
        let area = Area::Disc(Disc { center, radius: 4.0, falloff: 6.0 });
        add(&mut app, ground, Raise { area, height: 0.5 });
        states.push(app.world().get::<TerrainEdits>(ground).unwrap().log.edits());
        app.update();
        let newer = (shown + 1..states.len())
            .find(|&i| shows(&mut app, &EditedField::new(base.clone(), states[i].clone())));
        shown = newer.unwrap_or(shown);
        if shown > 10 && frame > 30 {
            println!("stroke {shown} is drawn in frame {frame}");
            return;
        }
        sleep(Duration::from_millis(2));
    }
}

/// Smooth ground has coarse levels in the distance. A tower on it is still drawn, once its chunks
/// are fine enough, and they become coarse again without it.
#[test]
fn sharp_edits_in_the_distance_have_fine_chunks() {
    let mut app = app();
    let smooth = Fractal {
        frequency: 0.0005,
        amplitude: 20.0,
        ..Fractal::fbm(1.0, GradientNoise::seeded(4))
    };
    let field = Arc::new(Node::<2>::from(smooth).build().unwrap());
    let ground = spawn_ground(&mut app, Ground::field(field.clone()));
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let tower = [0.6 * RANGE, 0.3 * RANGE];
    let level = |app: &mut App| {
        let chunks = drawn(app, ground);
        let at = |lod: u8| LAYOUT.key_at(lod, tower);
        chunks.iter().map(|chunk| chunk.key).find(|key| at(key.lod) == *key).unwrap().lod
    };
    let before = level(&mut app);
    let area = Area::Disc(Disc { center: tower, radius: 2.0, falloff: 1.0 });
    let mut tower = None;
    set(&mut app, ground, |edits: &mut TerrainEdits| {
        tower = Some(edits.log.add(1, Raise { area, height: 9.0 }).unwrap());
    });
    settle(&mut app);
    assert!(before >= 2 && level(&mut app) == 0, "from {before} to {}", level(&mut app));
    let edits = app.world().get::<TerrainEdits>(ground).unwrap().log.edits();
    assert!(shows(&mut app, &EditedField::new(field.clone(), edits)));
    set(&mut app, ground, |edits: &mut TerrainEdits| {
        edits.log.undo(1, &tower.take().unwrap()).unwrap();
    });
    settle(&mut app);
    assert_eq!(level(&mut app), before);
    assert!(shows(&mut app, &field));
}
