//! Terrain under a `BigSpace`: chunks are where the floating origin sees them, in every frame.

mod recipe;

use bevy::ecs::system::SystemState;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_orogeny::advanced::{Chunk, ORIGIN_STEP, OriginMoved};
use bevy_orogeny::{TerrainOrigin, TerrainQuery, TerrainViewer};
use big_space::plugin::BigSpaceMinimalPlugins;
use big_space::prelude::*;

use super::support::*;
use recipe::{Stands, stand, terrain_in_big_space};

/// How far the camera moves in the next frame.
#[derive(Resource, Default)]
struct Step(Vec3);

struct Game {
    app: App,
    grid: Grid,
    space: Entity,
    terrain: Entity,
    camera: Entity,
    /// The position of the camera in the world, in `f64`.
    at: DVec3,
}

impl Game {
    /// Cells have `edge` metres. The camera moves in `Update`, or `late`, in `PostUpdate`.
    fn new(edge: f32, at: DVec3, late: bool) -> Self {
        let mut app = app();
        app.add_plugins((BigSpaceMinimalPlugins, terrain_in_big_space));
        app.init_resource::<Step>().add_observer(|_: On<OriginMoved>| panic!("moved twice"));
        let fly = |mut step: ResMut<Step>,
                   mut cameras: Query<&mut Transform, With<FloatingOrigin>>| {
            let step = core::mem::take(&mut step.0);
            cameras.iter_mut().for_each(|mut camera| camera.translation += step);
        };
        if late {
            app.add_systems(PostUpdate, fly.before(CellCoord::recenter_large_transforms));
        } else {
            app.add_systems(Update, fly);
        }
        let grid = Grid::new(edge, 100.0);
        let root = BigSpaceRootBundle { grid: grid.clone(), ..default() };
        let space = app.world_mut().spawn(root).id();
        let terrain = app.world_mut().spawn(hills(1)).id();
        let (cell, translation) = grid.translation_to_grid(at);
        let place = (cell, Transform::from_translation(translation), ChildOf(space));
        let viewer = TerrainViewer { range: RANGE, ..default() };
        let camera = app.world_mut().spawn((place, viewer, FloatingOrigin)).id();
        Self { app, grid, space, terrain, camera, at }
    }

    fn fly(&mut self, by: Vec3) {
        self.at += by.as_dvec3();
        self.app.world_mut().resource_mut::<Step>().0 = by;
        self.app.update();
    }

    fn teleport(&mut self, to: DVec3) {
        let (cell, translation) = self.grid.translation_to_grid(to);
        let place = (cell, Transform::from_translation(translation));
        self.app.world_mut().entity_mut(self.camera).insert(place);
        self.at = to;
        self.app.update();
    }

    fn cell(&self, entity: Entity) -> CellCoord {
        *self.app.world().get(entity).unwrap()
    }

    fn global(&self, entity: Entity) -> Vec3 {
        self.app.world().get::<GlobalTransform>(entity).unwrap().translation()
    }

    /// Checks that all chunks are exactly where the camera should see them, that they cover its
    /// view, and that queries at the camera agree.
    fn check(&mut self) {
        let cell = self.cell(self.camera);
        let corner = self.grid.cell_to_float(&cell);
        // The camera is where `big_space` has it.
        assert_eq!(self.global(self.camera).as_dvec3(), self.at - corner);
        let mut chunks = self.app.world_mut().query::<(&Chunk, &GlobalTransform)>();
        for (chunk, global) in chunks.iter(self.app.world()) {
            let [x, z] = LAYOUT.origin(chunk.key);
            let seen = DVec3::new(x, 0.0, z) - corner;
            assert_eq!(global.translation(), seen.as_vec3(), "{:?} in {cell:?}", chunk.key);
        }
        check_cover(&mut self.app, self.terrain, [self.at.x, self.at.z], RANGE);
        self.check_queries();
    }

    /// The height of the camera above the ground, by coordinates of the grid and by those of
    /// `GlobalTransform`s.
    fn check_queries(&mut self) {
        let (at, seen) = (self.at, self.global(self.camera));
        let mut state =
            SystemState::<(TerrainQuery, Res<TerrainOrigin>)>::new(self.app.world_mut());
        let (terrains, origin) = state.get(self.app.world()).unwrap();
        let terrain = terrains.single().unwrap();
        let height = at.y - f64::from(terrain.query().field([at.x, at.z]).unwrap().value);
        let [x, y, z] = origin.position(seen);
        let by_world = y - f64::from(terrain.field([x, z]).unwrap().value);
        // Heights of the ground are `f32`, also in the world, where they may be 2^14 m.
        assert!((height - by_world).abs() <= 1e-3, "{height} {by_world}");
    }
}

/// Near the origin and far from it, with cells that are steps of the terrain's origin and cells
/// that are not, the camera crosses cells in each frame, also downwards, and goes elsewhere.
#[test]
fn chunks_are_where_the_camera_sees_them() {
    for edge in [ORIGIN_STEP as f32, 2000.0] {
        for start in [DVec3::new(17.25, 200.0, -3.5), DVec3::new(1e9 + 17.25, 200.0, -1e9)] {
            for late in [false, true] {
                let mut game = Game::new(edge, start, late);
                game.fly(Vec3::ZERO);
                game.check();
                for by in [Vec3::X, -Vec3::Z, Vec3::Y, -Vec3::ONE, Vec3::new(2.0, 1.0, 0.0)] {
                    let cell = game.cell(game.camera);
                    game.fly(by * (edge + 64.25));
                    assert_ne!(game.cell(game.camera), cell);
                    game.check();
                }
                // A walk across a border of cells.
                let into_cell = game.at - game.grid.cell_to_float(&game.cell(game.camera));
                let to_border = edge / 2.0 + 80.0 - into_cell.x as f32;
                game.fly(Vec3::X * (to_border * 64.0).round() / 64.0);
                let cell = game.cell(game.camera);
                for _ in 0..20 {
                    game.fly(Vec3::X * 3.25);
                    game.check();
                }
                assert_eq!(game.cell(game.camera), cell + IVec3::X);
                for to in [DVec3::new(-1e9, 5000.0, 1e9 + 0.5), DVec3::new(0.25, 10.0, 0.0)] {
                    game.teleport(to);
                    game.check();
                }
            }
        }
    }
}

/// The camera may be a child of the floating origin.
#[test]
fn viewers_may_be_children_of_the_floating_origin() {
    let mut game = Game::new(ORIGIN_STEP as f32, DVec3::new(1e9, 0.0, 0.0), false);
    let (ship, range) = (game.camera, RANGE);
    game.app.world_mut().entity_mut(ship).remove::<TerrainViewer>();
    let viewer = (TerrainViewer { range, ..default() }, Transform::from_xyz(0.0, 20.0, 500.0));
    game.app.world_mut().spawn((viewer, ChildOf(ship)));
    for _ in 0..5 {
        game.fly(Vec3::X * 8200.0);
        check_cover(&mut game.app, game.terrain, [game.at.x, game.at.z + 500.0], RANGE);
    }
}

/// A body stays on the ground in its own cell, and the camera sees it there, while the camera
/// changes cells.
#[test]
fn bodies_stand_on_the_ground() {
    for far in [0.0, 1e9] {
        let mut game = Game::new(ORIGIN_STEP as f32, DVec3::new(far, 300.0, -far), false);
        game.app.add_systems(Update, stand);
        let at = DVec3::new(far + 1234.5, 5000.0, 99.75 - far);
        let (cell, translation) = game.grid.translation_to_grid(at);
        let place = (cell, Transform::from_translation(translation), ChildOf(game.space));
        let body = game.app.world_mut().spawn((place, Stands)).id();
        for by in [Vec3::ZERO, Vec3::X, Vec3::Y, -Vec3::X, -Vec3::Z, -Vec3::Y] {
            game.fly(by * 4300.0);
            let seen = game.global(body);
            let world = game.app.world_mut();
            let mut state = SystemState::<(TerrainQuery, Res<TerrainOrigin>)>::new(world);
            let (terrains, origin) = state.get(game.app.world()).unwrap();
            let [x, y, z] = origin.position(seen);
            let ground = terrains.single().unwrap().surface([x, z]).unwrap().value;
            // Two millimetres: the camera is up to 10 km away.
            assert!((y - f64::from(ground)).abs() <= 2e-3, "{y} {ground} m");
            let [dx, dz] = [x - at.x, z - at.z];
            assert!(dx.abs().max(dz.abs()) <= 1e-3, "{dx} {dz} m");
        }
    }
}

/// The page shows the code that is tested here.
#[test]
fn the_page_shows_the_recipe() {
    let page = include_str!("../../crates/bevy_orogeny/docs/floating_origin.md");
    let recipe = include_str!("big_space/recipe.rs");
    assert!(page.contains(recipe.trim()), "copy recipe.rs into floating_origin.md");
}
