//! Far from the origin, and while the origin moves.

use bevy::prelude::*;
use bevy_orogeny::orogeny::Region;
use bevy_orogeny::orogeny::scatter::Scatter;
use bevy_orogeny::{GroundQuery, TerrainOrigin, WorldPosition};
use bevy_orogeny_navigation::advanced::TileKey;
use bevy_orogeny_navigation::{NavigationAgent, NavigationSource, NavigationTiles};

use crate::support::{agent, app, check, land, meadow, mesh, settle, woods};

#[test]
fn paths_are_as_good_at_1e9_m() {
    let mut agent = agent();
    agent.slope_limit = 0.6;
    let scatter = Scatter { kinds: woods(), ..Scatter::default() };
    for terrain in [meadow().with_scatter(scatter), land(5)] {
        let ground = GroundQuery::of(&terrain).unwrap();
        for middle in [[1e9, -1e9], [-3.7e9, 12.5]] {
            let mut tiles = NavigationTiles::new(agent).unwrap();
            tiles.build(&ground, Region::around(middle, [40.0; 2]));
            let mut found = 0;
            for k in 0..20 {
                let (sin, cos) = f64::from(k).sin_cos();
                let from = [middle[0] + 35.0 * cos, middle[1] + 35.0 * sin];
                let to = [middle[0] - 35.0 * cos, middle[1] - 30.0 * sin];
                if let Ok(path) = tiles.path(from, to) {
                    check(&ground, &agent, &path);
                    found += 1;
                }
            }
            println!("{found} paths at {middle:?}");
            assert!(found > 5, "{found} paths at {middle:?}");
        }
    }
}

/// Tiles at a distance have the same polygons as the same ground nearby has.
#[test]
fn tiles_are_found_by_their_keys() {
    for position in [[0.0, 0.0], [-0.1, 15.9], [1e9, -1e9], [-4.3e12, 8.0]] {
        let key = TileKey::at(position, 0.25);
        assert!(key.square(0.25).contains(position));
        assert_eq!(TileKey::at(key.corner(0.25), 0.25), key);
    }
}

#[test]
fn tiles_stay_while_the_origin_moves() {
    let (mut app, _, entity) = app(meadow(), NavigationAgent::default());
    let origin = TerrainOrigin::at([1e9, -1e9]);
    app.insert_resource(origin);
    let at = [1e9 + 5.0, 0.0, -1e9 + 3.0];
    let source = NavigationSource { mesh: entity, range: 20.0 };
    let place = Transform::from_translation(origin.translation(at));
    app.world_mut().spawn((source, WorldPosition::default(), place));
    settle(&mut app, entity);
    let (from, to) = ([1e9 - 10.0, -1e9], [1e9 + 15.0, -1e9 + 12.0]);
    let before = mesh(&app, entity).path(from, to).unwrap();
    assert!((before.length() - 25f64.hypot(12.0)).abs() < 0.1);
    let tiles: Vec<_> = mesh(&app, entity).tiles().iter().cloned().collect();
    app.insert_resource(TerrainOrigin::at([1e9 + 9000.0, -1e9 - 9000.0]));
    for _ in 0..5 {
        app.update();
    }
    let after = mesh(&app, entity);
    assert_eq!(after.path(from, to).unwrap(), before);
    assert!(
        tiles
            .iter()
            .all(|tile| { after.tiles().iter().any(|other| std::sync::Arc::ptr_eq(tile, other)) })
    );
}
