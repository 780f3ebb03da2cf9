//! Paths over land with rivers and woods, around holes, and at borders of tiles.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::Region;
use bevy_orogeny::orogeny::drainage::RiverReach;
use bevy_orogeny::orogeny::edits::{Area, Disc, EditLog, Hole};
use bevy_orogeny_navigation::advanced::{NavigationTile, TileError, TileKey};
use bevy_orogeny_navigation::{NavigationAgent, NavigationError, NavigationPath, NavigationTiles};
use proptest::prelude::*;

use crate::support::{agent, check, ground, meadow, river, walk};

/// The ground of a seed, and the middle of the square in which paths are searched: beside the
/// largest river, where enough of the ground is dry and not too steep.
fn place(seed: u32) -> (GroundQuery, [f64; 2]) {
    let ground = ground(seed);
    let river = river(&ground, [0.0; 2]);
    let ([x, z], [dx, dz]) = (river.ends[0], river.directions[0]);
    let flat = agent().slope_limit.tan();
    let is_good = |point: &[f64; 2]| {
        let [x, z] = ground.field(*point).unwrap().gradient.map(f64::from);
        x.hypot(z) < flat && ground.water(*point).unwrap().is_none()
    };
    let middle = |[i, j]: [i32; 2]| {
        let [across, along] = [i, j].map(|k| 40.0 * f64::from(k));
        [x - across * dz + along * dx, z + across * dx + along * dz]
    };
    let count = |at: [i32; 2]| points(middle(at)).take(60).filter(is_good).count().min(35);
    let all = (-16..=16).flat_map(|j| (-16..=16).map(move |i| [i, j]));
    let best = all.max_by_key(|&[i, j]| (count([i, j]), -i * i - j * j));
    let middle = middle(best.expect("some"));
    (ground, middle)
}

/// Points of a square, 2 by 70 m wide, by additive recurrence.
fn points(middle: [f64; 2]) -> impl Iterator<Item = [f64; 2]> {
    let part = |i: u32, step: f64| (f64::from(i) * step).fract();
    (1..).map(move |i| {
        let parts = [part(i, 0.754_877_666), part(i, 0.569_840_290)];
        [0, 1].map(|k| middle[k] + 140.0 * (parts[k] - 0.5))
    })
}

/// Paths of ten seeds, checked against the exact field, its water and its trunks at points that are
/// 0.2 m apart. Takes half a minute, because it builds a thousand tiles.
#[test]
fn paths_touch_neither_trunks_nor_deep_water_nor_steep_slopes() {
    let agent = agent();
    let (mut found, mut detours, mut points_checked) = (0, 0, 0);
    for seed in 1..=10 {
        let (ground, middle) = place(seed);
        let mut tiles = NavigationTiles::new(agent).unwrap();
        tiles.build(&ground, Region::around(middle, [72.0; 2]));
        let stands: Vec<_> =
            points(middle).take(400).filter(|point| tiles.contains(*point)).take(40).collect();
        let mut here = 0;
        for pair in stands.windows(2) {
            match tiles.path(pair[0], pair[1]) {
                Ok(path) => {
                    points_checked += check(&ground, &agent, &path).points;
                    here += 1;
                    let ends = [path.corners()[0], *path.corners().last().unwrap()];
                    assert_eq!(ends, [pair[0], pair[1]]);
                    let straight = NavigationPath::straight(pair[0], pair[1]).length();
                    assert!(path.length() > straight * (1.0 - 1e-9));
                    detours += usize::from(path.length() > 1.02 * straight);
                }
                Err(NavigationError::NoPath { nearest, .. }) => {
                    assert!(tiles.path(pair[0], nearest).is_ok());
                }
                Err(other) => panic!("{other}"),
            }
        }
        println!("seed {seed}: {here} paths between {} points", stands.len());
        assert!(here > 3, "seed {seed}");
        found += here;
    }
    println!("{found} paths, {detours} of them detours, {points_checked} points");
    assert!(found > 100 && detours > 20 && points_checked > 20_000);
}

/// The check is worth something: straight lines do touch all of these.
#[test]
fn straight_lines_touch_what_paths_avoid() {
    let agent = agent();
    let mut touched = [0; 3];
    for seed in 1..=10 {
        let (ground, middle) = place(seed);
        let ends: Vec<_> = points(middle).take(2).collect();
        let met = walk(&ground, &agent, &NavigationPath::straight(ends[0], ends[1]));
        touched[0] += usize::from(met.slope > agent.slope_limit);
        touched[1] += usize::from(met.depth > agent.wade_depth);
        touched[2] += usize::from(met.gap < 0.0);
    }
    println!("{touched:?} of 10 lines touch slopes, water and trunks");
    assert!(touched.iter().all(|count| *count >= 3), "{touched:?}");
}

/// The depth of a river is tested between the points of the grid, too.
#[test]
fn rivers_between_the_points_of_the_grid_are_in_the_way() {
    // One that climbs anything, so that only the water stops it.
    let agent = NavigationAgent {
        radius: 0.1,
        height: 1.8,
        step_height: 64.0,
        slope_limit: 1.48,
        wade_depth: 0.1,
        cell_size: 4.0,
        snap: 0.0,
    };
    let mut rivers = 0;
    for seed in 1..=4 {
        let ground = ground(seed);
        let reaches = ground.rivers().unwrap().reaches(Region::around([0.0; 2], [2e3; 2])).unwrap();
        let is_narrow = |reach: &&RiverReach| (1.5..3.95).contains(&reach.width[0]);
        for reach in reaches.iter().filter(is_narrow).take(24) {
            let at = reach.ends[0];
            let depth = ground.water(at).unwrap().map_or(0.0, |water| water.depth);
            if depth <= agent.wade_depth {
                continue;
            }
            rivers += 1;
            let mut tiles = NavigationTiles::new(agent).unwrap();
            let key = TileKey::at(at, agent.cell_size);
            tiles.insert(NavigationTile::build(&ground, &agent, key));
            assert!(!tiles.contains(at), "{depth} m of water at {at:?}");
        }
    }
    println!("{rivers} rivers");
    assert!(rivers > 20, "{rivers} rivers");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    /// Paths keep the agent's radius from the rim of a hole.
    #[test]
    fn paths_go_around_holes(
        center in [-6.0..6.0, -6.0..6.0], hole in 1.0..6.0, agent_radius in 0.2..1.2,
        cell in prop::sample::select(vec![0.125, 0.25, 0.5]),
    ) {
        let radius: f64 = agent_radius;
        let cell_size: f64 = cell;
        let other = NavigationAgent::default();
        let agent = NavigationAgent { radius, slope_limit: 1.2, cell_size, ..other };
        let mut log = EditLog::new();
        let area = Area::Disc(Disc { center, radius: hole, falloff: 0.01 });
        log.add(1, Hole { area }).unwrap();
        let ground = GroundQuery::of(&meadow()).unwrap().with_edits(log.edits());
        let mut tiles = NavigationTiles::new(agent).unwrap();
        tiles.build(&ground, Region::around([0.0; 2], [20.0; 2]));
        for turn in 0..8 {
            let (sin, cos) = (f64::from(turn) * 0.8).sin_cos();
            let end = |by: f64| [center[0] + by * cos, center[1] + by * sin];
            let path = tiles.path(end(-13.0), end(13.0)).unwrap();
            prop_assert!(path.length() > 26.0 && path.length() < 26.0 + 2.0 * (hole + radius));
            for [x, z] in path.points(0.1) {
                let gap = (x - center[0]).hypot(z - center[1]) - hole - radius;
                prop_assert!(gap > -1e-3, "{} m into the hole's margin", -gap);
            }
        }
        let inside = tiles.path(center, [15.0, 0.0]);
        prop_assert!(inside.is_err() || hole + radius < agent.snap + 1.0);
        prop_assert!(!tiles.contains(center));
    }
}

/// The border of a tile belongs to it on all sides, also where there is no other tile.
#[test]
fn borders_belong_to_both_tiles() {
    let ground = GroundQuery::of(&meadow()).unwrap();
    let agent = NavigationAgent::default();
    let mut tiles = NavigationTiles::new(agent).unwrap();
    tiles.insert(NavigationTile::build(&ground, &agent, TileKey { x: 0, z: 0 }));
    for at in [[0.0, 8.0], [16.0, 8.0], [8.0, 0.0], [8.0, 16.0], [16.0, 16.0]] {
        assert!(tiles.contains(at), "{at:?}");
        assert_eq!(tiles.nearest(at), Some(at));
        assert_eq!(tiles.slide(at, at), Some(at));
    }
    assert!(!tiles.contains([16.1, 8.0]));
}

/// An agent on the edge of the mesh is still on it when an `f32` has rounded its position, although
/// it snaps to nothing.
#[test]
fn rounded_positions_stay_on_the_mesh() {
    let mut log = EditLog::new();
    let center = [1_000.3, -400.7];
    let area = Area::Disc(Disc { center, radius: 5.0, falloff: 0.1 });
    log.add(1, Hole { area }).unwrap();
    let ground = GroundQuery::of(&meadow()).unwrap().with_edits(log.edits());
    let agent = NavigationAgent { snap: 0.0, ..NavigationAgent::default() };
    let mut tiles = NavigationTiles::new(agent).unwrap();
    tiles.build(&ground, Region::around(center, [20.0; 2]));
    let mut at = [center[0] - 12.0, center[1]];
    let mut outside = 0;
    for step in 0..400 {
        // Around the hole, along its edge.
        let (sin, cos) = (0.05 * f64::from(step)).sin_cos();
        let to = [center[0] - 4.0 * cos, center[1] + 4.0 * sin];
        let next = tiles.slide(at, to).expect("a place on the mesh");
        at = next.map(|x| f64::from(x as f32));
        outside += u32::from(!tiles.contains(at));
        assert!(tiles.path(at, [center[0] + 15.0, center[1]]).is_ok(), "{at:?}");
    }
    assert!(outside > 5, "{outside} positions were rounded off the mesh");
    assert!(tiles.nearest(center).is_none());
}

/// Numbers of an agent that are outside their limits are an error of the tile.
#[test]
fn tiles_check_their_agents() {
    let ground = GroundQuery::of(&meadow()).unwrap();
    let good = NavigationAgent::default();
    for agent in [
        NavigationAgent { radius: f64::INFINITY, ..good },
        NavigationAgent { cell_size: 0.0, ..good },
        NavigationAgent { cell_size: f64::NAN, ..good },
    ] {
        let tile = NavigationTile::build(&ground, &agent, TileKey { x: 0, z: 0 });
        assert!(matches!(tile.error(), Some(TileError::Agent(_))), "{:?}", tile.error());
        assert_eq!(tile.polygon_count(), 0);
    }
}
