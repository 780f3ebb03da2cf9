//! What lies over a map: rivers as lines, and edits as boxes.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::Region;
use bevy_orogeny::orogeny::edits::Edits;

use super::view::View;

/// Rivers and edits on a map, in metres.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// The ends of straight parts of rivers, and their width.
    pub rivers: Vec<([[f64; 2]; 2], f32)>,
    /// The regions of edits.
    pub edits: Vec<Region>,
    /// Whether the map shows too much ground for its rivers.
    pub leaves_out_rivers: bool,
}

/// The widest map with rivers, in metres. Each river takes some microseconds, and a line.
const WIDEST: f64 = 60_000.0;
/// The maximum number of edits on a map.
const MAX_EDITS: usize = 2000;

impl Overlay {
    /// What lies over a view.
    pub fn find(ground: &GroundQuery, view: &View) -> Self {
        let region = view.region();
        let mut overlay = Self::default();
        if let Some(rivers) = ground.rivers() {
            let side = (region.max[0] - region.min[0]).max(region.max[1] - region.min[1]);
            overlay.leaves_out_rivers = side > WIDEST;
            // Far away there are none.
            if !overlay.leaves_out_rivers
                && let Ok(reaches) = rivers.reaches(region)
            {
                let wet = reaches.iter().filter(|reach| reach.width[1] > 0.0);
                overlay.rivers = wet.map(|reach| (reach.ends, reach.width[1] as f32)).collect();
            }
        }
        let all = ground.edits().all_differences(&Edits::new());
        let seen = all.into_iter().filter(|edit| edit.meets(&region));
        overlay.edits = seen.take(MAX_EDITS).collect();
        overlay
    }
}
