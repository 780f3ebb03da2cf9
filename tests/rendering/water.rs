//! Water: behind what is in front of it, and below what is above it.

use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy_orogeny::orogeny::edits::{Area, Disc, EditLog, Flood};
use bevy_orogeny::orogeny::{Field, Node, Recipe, Sample};
use bevy_orogeny::{ChunkWater, SeaMaterial, Terrain, TerrainEdits, TerrainOrigin, TerrainViewer};

use super::support::*;

/// A basin 30 m deep behind a wall along z.
struct Basin;

/// The middle of the basin, and of the wall before it, in metres along x.
const BASIN: f64 = 4000.0;
const WALL: f64 = 3900.0;

impl Field<2> for Basin {
    fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
        let bump = |at: f64, height: f64, width: f64, off: f64| {
            let (dx, dz) = ((x - at) / width, off / width);
            let t = (1.0 - dx * dx - dz * dz).max(0.0);
            let slope = -4.0 * height * t / width;
            (height * t * t, slope * dx, slope * dz)
        };
        let (wall, wall_x, _) = bump(WALL, 20.0, 60.0, 0.0);
        let (basin, basin_x, basin_z) = bump(BASIN, -30.0, 80.0, z);
        let gradient = [(wall_x + basin_x) as f32, basin_z as f32];
        Sample { value: (wall + basin) as f32, gradient }
    }
}

/// From a plain, a lake behind a wall is not seen, in perspective or not.
#[test]
fn water_does_not_show_through_crests() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 8000.0, ..default() };
    let (mut app, camera) = app(Terrain::field(Basin), viewer, TerrainOrigin::default());
    stop_time(&mut app);
    let eye = Vec3::new(0.0, 8.0, 0.0);
    let transform = Transform::from_translation(eye).looking_to(Vec3::X, Vec3::Y);
    let perspective = PerspectiveProjection { fov: 4f32.to_radians(), far: 16_000.0, ..default() };
    let orthographic = OrthographicProjection {
        scale: 1.0,
        far: 16_000.0,
        ..OrthographicProjection::default_3d()
    };
    for projection in [Projection::from(perspective), Projection::from(orthographic)] {
        app.world_mut().entity_mut(camera).insert(projection);
        let mut log = EditLog::new();
        let set = |app: &mut App, log: &EditLog| {
            let mut terrains = app.world_mut().query::<&mut TerrainEdits>();
            terrains.single_mut(app.world_mut()).unwrap().log = log.clone();
        };
        set(&mut app, &log);
        let dry = draw(&mut app, camera, transform, true);
        let disc = Disc { center: [BASIN, 0.0], radius: 100.0, falloff: 1.0 };
        log.add(1, Flood { area: Area::Disc(disc), level: -2.0 }).unwrap();
        set(&mut app, &log);
        let wet = draw(&mut app, camera, transform, true);
        let waters = app.world_mut().query::<&ChunkWater>().iter(app.world()).count();
        assert!(waters > 0, "there is no lake");
        let seen = differences(&dry, &wet).into_iter().filter(|&d| d > 2).count();
        assert_eq!(seen, 0, "the lake is seen on {seen} pixels");
    }
}

/// A pane of glass above the sea looks the same wherever the world's origin is.
#[test]
fn glass_is_drawn_over_the_sea() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 3000.0, ..default() };
    let recipe = Recipe { sea_level: Some(0.0), ..Recipe::new(0, 1.0, Node::Constant(-60.0)) };
    let pictures = [-2000.0, 2000.0].map(|x: f32| {
        let terrain = Terrain::recipe(recipe.clone());
        let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
        stop_time(&mut app);
        app.world_mut().entity_mut(camera).insert(Tonemapping::None);
        let pane = app.world_mut().resource_mut::<Assets<Mesh>>().add(Cuboid::new(0.1, 6.0, 12.0));
        let base_color = Color::srgba(0.9, 0.1, 0.1, 0.7);
        let glass =
            StandardMaterial { base_color, alpha_mode: AlphaMode::Blend, unlit: true, ..default() };
        let glass = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(glass);
        let place = Transform::from_xyz(x + 20.0, 4.0, 0.0);
        app.world_mut().spawn((Mesh3d(pane), MeshMaterial3d(glass), place));
        let transform =
            Transform::from_xyz(x, 6.0, 0.0).looking_to(Vec3::new(1.0, -0.2, 0.0), Vec3::Y);
        draw(&mut app, camera, transform, true);
        // Without waves, which differ from place to place.
        let mut materials = app.world_mut().resource_mut::<Assets<SeaMaterial>>();
        let ids: Vec<_> = materials.ids().collect();
        ids.into_iter().for_each(|id| materials.get_mut(id).unwrap().extension.steepness = 0.0);
        draw(&mut app, camera, transform, true)
    });
    let red = pictures[0].iter().filter(|p| p[0] > p[2].saturating_add(40)).count();
    assert!(red > pictures[0].len() / 20, "there is no glass");
    let off = differences(&pictures[0], &pictures[1]);
    println!("99 % differ by up to {}", off[off.len() * 99 / 100]);
    assert!(off[off.len() * 99 / 100] <= 3);
}
