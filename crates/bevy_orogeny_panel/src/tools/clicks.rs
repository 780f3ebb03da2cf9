//! What a click does: stamps the user's own image onto the ground, fells the plant under the
//! pointer, or plants one.

use std::path::Path;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_orogeny::{GroundEditor, TerrainEditor, TerrainGround, TerrainOrigin, TerrainQuery};
use image::imageops::FilterType;
use orogeny::edits::{Blend, Plant, Raster};
use orogeny::limits::OutOfLimits;
use orogeny::ray::Ray;
use orogeny::scatter::{Instance, KindId, Placement, Scatter, ScatterKind};

use super::cursor::{Cursor, Pointer};
use super::{COLOR, Tool, ToolLines, Tools, on_ground};
use crate::editing::Editing;
use crate::window::PanelMessage;

/// The maximum side of a raster, in samples. Larger images are made smaller.
const SIDE: u32 = 4097;
/// How far the outline of a stamp is above the ground, in metres.
const ABOVE: f64 = 0.5;
/// How far away a plant can be hit itself, rather than the ground below it, in metres.
const REACH: f64 = 300.0;
/// The length of the lines that show a new plant, in metres at size 1.
const LENGTH: f32 = 2.0;

/// Clicks on the ground, and what answers them.
#[derive(SystemParam)]
pub struct Clicks<'w, 's> {
    buttons: Res<'w, ButtonInput<MouseButton>>,
    cursor: Res<'w, Cursor>,
    tools: Res<'w, Tools>,
    editing: Res<'w, Editing>,
    editor: TerrainEditor<'w, 's>,
    message: ResMut<'w, PanelMessage>,
}

/// A click of a tool on the ground.
pub struct Click<'a> {
    /// The edited terrain, and its editor.
    pub terrain: Entity,
    pub ground: GroundEditor<'a>,
    /// In the coordinates of the world.
    pub place: [f64; 3],
    pub tools: &'a Tools,
}

impl Clicks<'_, '_> {
    /// Edits the ground if a tool has just been clicked on it. `edit` may return why there is
    /// nothing to do; the message about an error begins with `failed`.
    pub fn edit(
        &mut self,
        tool: Tool,
        failed: &str,
        edit: impl FnOnce(Click<'_>) -> Result<Option<&'static str>>,
    ) {
        let tools = &*self.tools;
        if tools.tool != Some(tool) || !self.buttons.just_pressed(MouseButton::Left) {
            return;
        }
        let (Some(place), Some(terrain)) = (self.cursor.0, self.editing.terrain()) else { return };
        let ground = self.editor.get(terrain).map_err(BevyError::from);
        match ground.and_then(|ground| edit(Click { terrain, ground, place, tools })) {
            Ok(None) => {}
            Ok(Some(nothing)) => self.message.say(nothing),
            Err(error) => self.message.failed(failed, &error),
        }
    }
}

/// The raster of an image file, black 0 and white 1, and what there is to say about it.
///
/// # Errors
/// A message with the file's name: it cannot be read, or is no image, or too small.
pub fn read(file: &Path) -> Result<(Raster, String), String> {
    let wrong = |problem: String| format!("{}: {problem}", file.display());
    let image = image::open(file).map_err(|error| wrong(error.to_string()))?;
    let size = [image.width(), image.height()];
    let is_large = size.iter().any(|side| *side > SIDE);
    let image =
        if is_large { image.resize(SIDE, SIDE, FilterType::Triangle) } else { image }.to_luma16();
    let raster = Raster::from_gray(image.width(), &image).map_err(|e| wrong(e.to_string()))?;
    let [width, height] = size;
    let now = format!("resized to {} x {}", image.width(), image.height());
    let scaled = if is_large { now } else { "one sample per pixel".into() };
    Ok((raster, format!("{}: {width} x {height} pixels, {scaled}", file.display())))
}

/// Stamps the ground at each click.
pub fn stamp(mut clicks: Clicks) {
    clicks.edit(Tool::Stamp, "The ground was not changed", |mut click| {
        let ([x, height, z], mut stamp) = (click.place, click.tools.stamp.clone());
        stamp.center = click.ground.local([x, z]);
        if stamp.blend != Blend::Add {
            // These count heights from the ground under the pointer.
            stamp.level += (height - click.ground.offset()[1]) as f32;
        }
        click.ground.add(stamp)?;
        Ok(None)
    });
}

/// Draws the outline of the stamp under the pointer.
pub fn draw_stamp(
    tools: Res<Tools>,
    cursor: Res<Cursor>,
    editing: Res<Editing>,
    terrains: TerrainQuery,
    mut gizmos: Gizmos<ToolLines>,
) {
    let (Some(Tool::Stamp), Some([x, height, z])) = (tools.tool, cursor.0) else { return };
    let Some(ground) = editing.ground_of(&terrains) else { return };
    let stamp = &tools.stamp;
    let [length, width] = stamp.raster.size().map(|count| 0.5 * (count as f64 - 1.0) * stamp.cell);
    let (sin, cos) = stamp.angle.to_radians().sin_cos();
    let corner = |[u, v]: [f64; 2]| {
        let at = [x + cos * u * length - sin * v * width, z + sin * u * length + cos * v * width];
        on_ground(&ground, at, height, ABOVE)
    };
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]];
    gizmos.linestrip(corners.map(corner), COLOR);
}

/// The kind to plant: the chosen one, or the first one of all.
pub fn planted(scatter: &Scatter, plant: &Plant) -> Option<KindId> {
    let chosen = scatter.kinds.iter().find(|kind| kind.id() == plant.kind);
    chosen.or(scatter.kinds.first()).map(ScatterKind::id)
}

/// Clears the plant under the pointer at each click.
pub fn fell(mut clicks: Clicks, pointer: Pointer, terrains: TerrainQuery) {
    clicks.edit(Tool::Fell, "Nothing was felled", |mut click| {
        let ground = terrains.get(click.terrain)?;
        let placement = ground.query().placement();
        let found = find(&ground, placement, click.tools, pointer.ray(), click.place)?;
        let Some(found) = found else { return Ok(Some("There is nothing to fell here")) };
        click.ground.add(found.felling())?;
        Ok(None)
    });
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
pub fn plant(mut clicks: Clicks, terrains: TerrainQuery) {
    clicks.edit(Tool::Plant, "Nothing was planted", |mut click| {
        let (ground, plant) = (terrains.get(click.terrain)?, &click.tools.plant);
        let Some(kind) = planted(&ground.query().appearance().scatter, plant) else {
            return Ok(Some("There is no kind to plant. Add one in the Plants tab"));
        };
        let [x, _, z] = click.place;
        let center = click.ground.local([x, z]);
        click.ground.add(Plant { center, kind, ..*plant })?;
        Ok(None)
    });
}

/// Draws where the next one is planted: a line as tall as it is large, and which way it is turned.
pub fn draw_plant(
    cursor: Res<Cursor>,
    tools: Res<Tools>,
    origin: Res<TerrainOrigin>,
    mut gizmos: Gizmos<ToolLines>,
) {
    let (Some(Tool::Plant), Some(place)) = (tools.tool, cursor.0) else { return };
    let foot = origin.translation(place);
    let length = LENGTH * tools.plant.size;
    let (sin, cos) = tools.plant.turn.to_radians().sin_cos();
    gizmos.line(foot, foot + Vec3::Y * length, COLOR);
    gizmos.arrow(foot, foot + Vec3::new(cos, 0.0, sin) * length, COLOR);
}
