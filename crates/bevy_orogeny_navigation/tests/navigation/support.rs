//! Land with rivers and woods, and a check of paths against the exact ground.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_orogeny::orogeny::drainage::{Drainage, RiverReach};
use bevy_orogeny::orogeny::scatter::{Scatter, ScatterKind};
use bevy_orogeny::orogeny::{self, Fractal, GradientNoise, Recipe, Region};
use bevy_orogeny::{GroundQuery, Terrain, TerrainPlugins};
use bevy_orogeny_navigation::advanced::TileKey;
use bevy_orogeny_navigation::{
    NavigationAgent, NavigationChanged, NavigationMesh, NavigationPath, NavigationPlugin,
};

/// The distance between checked points of a path, in metres.
const STEP: f64 = 0.2;

pub const TRUNK: u64 = 1;
pub const ROCK: u64 = 2;

/// An agent that wades little and climbs little, so that land has something to go around.
pub fn agent() -> NavigationAgent {
    let slope_limit = 18f64.to_radians();
    NavigationAgent { slope_limit, wade_depth: 0.4, ..NavigationAgent::default() }
}

/// Trees, and rocks that one walks around.
pub fn woods() -> Vec<ScatterKind> {
    let grows = |seed, radius, solid_radius, solid_height| ScatterKind {
        seed,
        radius,
        solid_radius,
        solid_height,
        stunting: 0.0,
        grass: 0.5,
        forest: 1.0,
        ..ScatterKind::default()
    };
    vec![grows(ROCK, 22.0, 6.0, 4.0), grows(TRUNK, 2.5, 0.35, 8.0)]
}

/// Hills of 300 m with rivers, and with woods on them.
pub fn land(seed: u32) -> Terrain {
    let octaves = 9.0;
    let hills = Fractal {
        frequency: 1e-3,
        octaves,
        ..Fractal::fbm(3.0, GradientNoise::seeded(seed.into()))
    };
    // Bumps with slopes around the limit of 18 degrees, down to 0.75 m.
    let bumps = Fractal { frequency: 1.0 / 12.0, ..Fractal::fbm(4.0, GradientNoise::seeded(9)) };
    let rivers = Drainage {
        seed: seed.into(),
        steepness: 0.6,
        plain: 4.0,
        detail: Some(orogeny::Node::from(bumps) * 1.5),
        ..Drainage::default()
    };
    let scatter = Scatter { kinds: woods(), ..Scatter::default() };
    let recipe = Recipe {
        rivers: Some(rivers),
        sea_level: Some(-250.0),
        ..Recipe::new(seed.into(), 150.0, hills)
    };
    Terrain::recipe(recipe).with_scatter(scatter)
}

pub fn ground(seed: u32) -> GroundQuery {
    GroundQuery::of(&land(seed)).unwrap()
}

/// The largest river around a point.
pub fn river(ground: &GroundQuery, around: [f64; 2]) -> RiverReach {
    let reaches = ground.rivers().unwrap().reaches(Region::around(around, [1e3; 2])).unwrap();
    let rivers = reaches.into_iter().filter(|reach| reach.surface[0] > -240.0);
    rivers.max_by(|a, b| a.discharge.total_cmp(&b.discharge)).expect("a river")
}

/// What lies along a path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Met {
    /// The steepest slope, as an angle in radians.
    pub slope: f64,
    /// The deepest water in metres.
    pub depth: f64,
    /// The smallest distance between an agent's side and a trunk in metres.
    pub gap: f64,
    pub points: usize,
}

/// Looks at the exact ground along a path, without anything of the navigation mesh.
pub fn walk(ground: &GroundQuery, agent: &NavigationAgent, path: &NavigationPath) -> Met {
    let mut met = Met { gap: f64::INFINITY, ..Met::default() };
    let placement = ground.placement();
    for point in path.points(STEP) {
        let sample = ground.field(point).expect("ground");
        let [x, z] = sample.gradient.map(f64::from);
        met.slope = met.slope.max(x.hypot(z).atan());
        met.depth = met.depth.max(ground.water(point).unwrap().map_or(0.0, |water| water.depth));
        let reach = agent.radius + 0.5;
        let look = |tree: bevy_orogeny::orogeny::scatter::Instance| {
            let kind = placement.kind(tree.kind).unwrap();
            let away = (tree.position[0] - point[0]).hypot(tree.position[1] - point[1]);
            let trunk = f64::from(kind.solid_radius * tree.size);
            met.gap = met.gap.min(away - trunk - agent.radius);
        };
        placement.each_solid_near(point, reach, look).unwrap();
        met.points += 1;
    }
    met
}

/// Walks along a path, and fails if it touches anything.
pub fn check(ground: &GroundQuery, agent: &NavigationAgent, path: &NavigationPath) -> Met {
    let met = walk(ground, agent, path);
    assert!(met.slope <= agent.slope_limit, "{met:?}");
    assert!(met.depth <= agent.wade_depth, "{met:?}");
    assert!(met.gap >= 0.0, "{met:?}");
    met
}

/// Gentle hills without water and plants.
pub fn meadow() -> Terrain {
    let hills = Fractal { frequency: 2e-3, ..Fractal::fbm(3.0, GradientNoise::seeded(4)) };
    Terrain::recipe(Recipe::new(1, 15.0, hills))
}

/// An app with a terrain and a mesh of it: their entities.
pub fn app(terrain: Terrain, agent: NavigationAgent) -> (App, Entity, Entity) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), TerrainPlugins, NavigationPlugin));
    let terrain = app.world_mut().spawn(terrain).id();
    let mesh = app.world_mut().spawn(NavigationMesh::new(agent).unwrap()).id();
    (app, terrain, mesh)
}

pub fn mesh(app: &App, entity: Entity) -> &NavigationMesh {
    app.world().get(entity).unwrap()
}

/// Updates until no tile is missing.
pub fn settle(app: &mut App, entity: Entity) {
    let begun = Instant::now();
    app.update();
    while mesh(app, entity).missing() > 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", mesh(app, entity).problem());
        app.update();
    }
}

/// All tiles, in order.
pub fn keys(app: &App, entity: Entity) -> Vec<TileKey> {
    let mut keys: Vec<_> = mesh(app, entity).tiles().iter().map(|tile| tile.key()).collect();
    keys.sort_unstable();
    keys
}

/// The tiles of all events since they were last taken.
#[derive(Resource, Default)]
struct Changed(Vec<TileKey>);

/// Keeps the tiles of events for [`changed`].
pub fn watch(app: &mut App) {
    app.init_resource::<Changed>().add_observer(
        |event: On<NavigationChanged>, mut changed: ResMut<Changed>| {
            changed.0.extend(&event.tiles);
        },
    );
}

/// Takes the tiles of all events since the last call.
pub fn changed(app: &mut App) -> Vec<TileKey> {
    std::mem::take(&mut app.world_mut().resource_mut::<Changed>().0)
}
