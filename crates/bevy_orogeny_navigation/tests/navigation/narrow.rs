//! Rivers that are narrower than the cells of a mesh.

use bevy_orogeny::orogeny::Region;
use bevy_orogeny::orogeny::drainage::RiverReach;
use bevy_orogeny_navigation::{NavigationAgent, NavigationTile, NavigationTiles, TileKey};

use crate::support::ground;

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
