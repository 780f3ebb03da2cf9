//! Holes are left out.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::Region;
use bevy_orogeny::orogeny::edits::{Area, Disc, EditLog, Hole};
use bevy_orogeny_navigation::{NavigationAgent, NavigationTiles};
use proptest::prelude::*;

use crate::support::meadow;

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
