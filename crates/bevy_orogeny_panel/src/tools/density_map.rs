//! A map of the density of a kind, drawn on the ground around a viewer.

use bevy::prelude::*;
use bevy_orogeny::{TerrainQuery, TerrainViewer};
use orogeny::limits::OutOfLimits;
use orogeny::scatter::{KindId, Placement};

use super::ToolLines;
use crate::editing::Editing;
use crate::window::PanelMessage;
use crate::worker::PlacementWorker;

/// The distance between two lines of the map, and how far it reaches, in metres.
const SPACING: f64 = 8.0;
const REACH: i64 = 24;
/// The length of a line at density 1, in metres.
const LENGTH: f32 = 6.0;

/// The kind whose density is drawn.
#[derive(Resource, Default)]
pub struct DensityMap {
    pub kind: Option<KindId>,
    worker: PlacementWorker<(KindId, [i64; 2]), Result<Vec<Line>, OutOfLimits>>,
}

/// A position (x, height, z) in metres from the terrain's origin, and the density there.
type Line = ([f64; 3], f32);

/// Draws the map: a line upwards at each place where the kind may stand, longer and brighter where
/// it is denser.
pub fn draw(
    mut map: ResMut<DensityMap>,
    editing: Res<Editing>,
    terrains: TerrainQuery,
    viewers: Query<&GlobalTransform, With<TerrainViewer>>,
    mut message: ResMut<PanelMessage>,
    mut gizmos: Gizmos<ToolLines>,
) {
    let Some(kind) = map.kind else { return };
    let Some(ground) = editing.ground_of(&terrains) else { return };
    let Some(viewer) = viewers.iter().next() else { return };
    let offset = ground.offset();
    let [x, _, z] = ground.position(viewer.translation());
    let center = [x - offset[0], z - offset[2]].map(|x| (x / SPACING).round() as i64);
    map.worker.ask(ground.query().placement(), (kind, center), lines);
    if let Some(Err(error)) = map.worker.fresh() {
        message.say(format!("The density cannot be drawn: {error}"));
    }
    let Some(Ok(lines)) = map.worker.newest() else { return };
    for &([x, height, z], density) in lines {
        let foot = ground.translation([x + offset[0], height + offset[1], z + offset[2]]);
        let color = Color::srgb(density, 0.25 + 0.6 * density, 1.0 - density);
        gizmos.line(foot, foot + Vec3::Y * LENGTH * density, color);
    }
}

fn lines(
    placement: &Placement,
    (kind, center): (KindId, [i64; 2]),
) -> Result<Vec<Line>, OutOfLimits> {
    let axis = || -REACH..=REACH;
    let at = |i, j| [center[0] + i, center[1] + j].map(|i: i64| i as f64 * SPACING);
    let positions: Vec<[f64; 2]> =
        axis().flat_map(|j| axis().map(move |i| (i, j))).map(|(i, j)| at(i, j)).collect();
    let densities = placement.densities(kind, &positions)?;
    let found = positions.into_iter().zip(densities).filter(|(_, density)| *density > 0.0);
    let line = |(p, density): ([f64; 2], f32)| {
        let height = f64::from(placement.field().value(p));
        ([p[0], height, p[1]], density)
    };
    Ok(found.map(line).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use orogeny::cover::{CoverKind, CoverLayer};
    use orogeny::scatter::{Scatter, ScatterKind};
    use orogeny::{Appearance, Cover, Landscape, Node, SharedField};

    use super::*;

    #[test]
    fn lines_stand_on_the_ground_where_the_kind_may() {
        let hills = Node::<2>::noise(4).frequency(1.0 / 300.0).amplitude(30.0).build().unwrap();
        let cover = Cover { layers: vec![CoverLayer::of(CoverKind::Grass)] };
        let field: SharedField<2> = Arc::new(hills.clone());
        let height = ScatterKind::HEIGHT.above(0.0).soft(0.0);
        let kind = ScatterKind { seed: 7, grass: 0.5, height, ..ScatterKind::default() };
        let scatter = Scatter { kinds: vec![kind], ..Scatter::default() };
        let appearance = Appearance { cover, scatter, ..Appearance::default() };
        let ground = Landscape::new(field, &appearance, 1).unwrap();
        let placement = ground.placement();
        let all = lines(placement, (KindId(7), [-300, 80])).unwrap();
        let side = 2 * REACH as usize + 1;
        assert!(all.len() > side && all.len() < side * side - side, "{}", all.len());
        for ([x, height, z], density) in all {
            assert_eq!(height, f64::from(hills.value([x, z])));
            assert!(height > -3.0 && density > 0.0 && density <= 0.5, "{density} at {height} m");
        }
        assert!(lines(placement, (KindId(8), [0, 0])).unwrap().is_empty());
    }
}
