//! The edit that is selected in the list.

use bevy::prelude::*;
use bevy_orogeny::{TerrainEdits, TerrainOrigin, TerrainQuery};
use orogeny::Region;
use orogeny::edits::{EditId, EditLog};

use crate::editing::Editing;
use crate::tools::lines::ToolLines;

/// The number of points along each side of a region that is drawn.
const POINTS: u32 = 32;
/// How far the outline is above the ground, in metres.
const ABOVE: f64 = 0.5;

/// The edit that is selected in the list.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selected(pub Option<EditId>);

/// The region of an edit, shown or hidden.
pub fn region(log: &EditLog, id: EditId) -> Option<Region> {
    log.region(id).or_else(|| log.get(id)?.edit()?.region().ok())
}

/// Draws the region of the selected edit on the ground.
pub fn draw(
    selected: Res<Selected>,
    editing: Res<Editing>,
    edits: Query<&TerrainEdits>,
    terrains: TerrainQuery,
    origin: Res<TerrainOrigin>,
    mut gizmos: Gizmos<ToolLines>,
) {
    let outline = || {
        let terrain = editing.terrain()?;
        let log = &edits.get(terrain).ok()?.log;
        let region = region(log, selected.0?)?;
        let ground = terrains.get(terrain).ok()?;
        // Regions are relative to the terrain's origin.
        let [ox, oy, oz] = ground.offset();
        let point = |[x, z]: [f64; 2]| {
            let at = [x + ox, z + oz];
            let height = ground.field(at).map_or(oy, |sample| sample.value.into());
            origin.translation([at[0], height + ABOVE, at[1]])
        };
        Some(border(&region).map(point).collect::<Vec<_>>())
    };
    if let Some(outline) = outline() {
        gizmos.linestrip(outline, Color::srgb(0.3, 0.8, 1.0));
    }
}

/// Points around a region. The last one is the first one again.
fn border(region: &Region) -> impl Iterator<Item = [f64; 2]> {
    let Region { min: [x0, z0], max: [x1, z1] } = *region;
    let corners = [[x0, z0], [x1, z0], [x1, z1], [x0, z1], [x0, z0]];
    (0..=4 * POINTS).map(move |i| {
        let (side, part) = ((i / POINTS).min(3), f64::from(i) / f64::from(POINTS));
        let part = part - f64::from(side);
        let (a, b) = (corners[side as usize], corners[side as usize + 1]);
        [0, 1].map(|k| a[k] + part * (b[k] - a[k]))
    })
}
