//! Fells the plant under the pointer, and plants others by hand.

use bevy::prelude::*;
use bevy_orogeny::{TerrainEditor, TerrainGround, TerrainOrigin, TerrainQuery};
use orogeny::edits::Plant;
use orogeny::limits::OutOfLimits;
use orogeny::ray::Ray;
use orogeny::scatter::{Instance, KindId, Placement, Scatter, ScatterKind};

use super::cursor::{Cursor, Pointer};
use super::{Tool, Tools};
use crate::editing::Editing;
use crate::recipe::labels::told_by;
use crate::tools::lines::ToolLines;
use crate::window::message::PanelMessage;

/// How far away a plant can be hit itself, rather than the ground below it, in metres.
const REACH: f64 = 300.0;
/// The length of the lines that show a new plant, in metres at size 1.
const LENGTH: f32 = 2.0;

/// The kind to plant: the chosen one, or the first one of all.
pub fn planted(scatter: &Scatter, plant: &Plant) -> Option<KindId> {
    let chosen = scatter.kinds.iter().find(|kind| kind.id() == plant.kind);
    chosen.or(scatter.kinds.first()).map(ScatterKind::id)
}

/// Clears the plant under the pointer at each click.
pub fn fell(
    buttons: Res<ButtonInput<MouseButton>>,
    cursor: Res<Cursor>,
    pointer: Pointer,
    editing: Res<Editing>,
    tools: Res<Tools>,
    terrains: TerrainQuery,
    mut editor: TerrainEditor,
    mut message: ResMut<PanelMessage>,
) {
    if tools.tool != Some(Tool::Fell) || !buttons.just_pressed(MouseButton::Left) {
        return;
    }
    let (Some(place), Some(terrain)) = (cursor.0, editing.terrain()) else { return };
    let mut fell = || -> Result<bool> {
        let ground = terrains.get(terrain)?;
        let Some(placement) = ground.query().scatter() else { return Ok(false) };
        let ray = pointer.ray();
        let found = find(&ground, &placement, &tools, ray, place)?;
        let Some(found) = found else { return Ok(false) };
        editor.get(terrain)?.add(found.felling())?;
        Ok(true)
    };
    match fell() {
        Ok(true) => {}
        Ok(false) => message.say("There is nothing to fell here"),
        Err(error) => message.say(format!("Nothing was felled. {}", told_by(&error))),
    }
}

/// What a ray to a place on the ground hits, or what stands nearest to that place.
pub fn find(
    ground: &TerrainGround,
    placement: &Placement,
    tools: &Tools,
    ray: Option<Ray>,
    place: [f64; 3],
) -> Result<Option<Instance>, OutOfLimits> {
    let is_wanted = |id: KindId| tools.kind.is_none_or(|kind| kind == id);
    let offset = ground.offset();
    let local = |place: [f64; 3]| [0, 1, 2].map(|k| place[k] - offset[k]);
    if let Some(ray) = ray {
        let [x, y, z] = [0, 1, 2].map(|k| place[k] - ray.origin[k]);
        let max_distance = x.hypot(y).hypot(z).min(REACH);
        let hit = placement.raycast(&Ray { origin: local(ray.origin), max_distance, ..ray });
        // A ray may be too much work for kinds that are not wanted.
        if let Some(hit) = hit.ok().flatten().filter(|hit| is_wanted(hit.instance.kind)) {
            return Ok(Some(hit.instance));
        }
    }
    let [x, _, z] = local(place);
    placement.nearest([x, z], tools.radius, |kind| is_wanted(kind.id()))
}

/// Plants one at each click.
pub fn plant(
    buttons: Res<ButtonInput<MouseButton>>,
    cursor: Res<Cursor>,
    editing: Res<Editing>,
    tools: Res<Tools>,
    terrains: TerrainQuery,
    mut editor: TerrainEditor,
    mut message: ResMut<PanelMessage>,
) {
    if tools.tool != Some(Tool::Plant) || !buttons.just_pressed(MouseButton::Left) {
        return;
    }
    let (Some([x, _, z]), Some(terrain)) = (cursor.0, editing.terrain()) else { return };
    let mut plant = || -> Result<bool> {
        let kinds = terrains.get(terrain)?;
        let kind = planted(&kinds.query().appearance().scatter, &tools.plant);
        let Some(kind) = kind else { return Ok(false) };
        let mut ground = editor.get(terrain)?;
        let center = ground.local([x, z]);
        ground.add(Plant { center, kind, ..tools.plant })?;
        Ok(true)
    };
    match plant() {
        Ok(true) => {}
        Ok(false) => message.say("There is no kind to plant. Add one in the Plants tab"),
        Err(error) => message.say(format!("Nothing was planted. {}", told_by(&error))),
    }
}

/// Draws where the next one is planted: a line as tall as it is large, and which way it is turned.
pub fn draw(
    cursor: Res<Cursor>,
    tools: Res<Tools>,
    origin: Res<TerrainOrigin>,
    mut gizmos: Gizmos<ToolLines>,
) {
    let (Some(Tool::Plant), Some(place)) = (tools.tool, cursor.0) else { return };
    let foot = origin.translation(place);
    let length = LENGTH * tools.plant.size;
    let (sin, cos) = tools.plant.turn.to_radians().sin_cos();
    let color = Color::srgb(1.0, 0.85, 0.2);
    gizmos.line(foot, foot + Vec3::Y * length, color);
    gizmos.arrow(foot, foot + Vec3::new(cos, 0.0, sin) * length, color);
}
