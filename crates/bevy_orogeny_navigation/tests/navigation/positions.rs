//! Positions at borders of tiles, and at edges of the mesh.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::Region;
use bevy_orogeny::orogeny::edits::{Area, Disc, EditLog, Hole};
use bevy_orogeny_navigation::{
    NavigationAgent, NavigationTile, NavigationTiles, TileError, TileKey,
};

use crate::support::meadow;

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
