//! Which cameras are below the surface of water, and what water each is in.

use bevy_camera::Camera3d;
use bevy_ecs::prelude::*;
use bevy_reflect::Reflect;
use bevy_tasks::{Task, futures::check_ready};
use bevy_transform::components::GlobalTransform;
use orogeny::drainage::WaterKind;

use crate::base::origin::TerrainOrigin;
use crate::query::GroundQuery;
use crate::query::adopted_ground::AdoptedGround;
use crate::slices;
use crate::terrain::Terrain;

/// On a camera that is below the surface of water: a game may muffle its sounds.
///
/// Over rivers the water is searched on a task, so this follows the camera some frames later.
///
/// Each view is coloured by the water once, whatever other cameras are at the same place, if the
/// camera sees the `RenderLayers` of the terrain. So a camera that only draws the arms of the
/// player, on a layer of their own, leaves them as they are.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct Submerged {
    /// The terrain whose water it is.
    pub terrain: Entity,
    /// The height of the surface in the world, in metres.
    pub surface: f64,
    /// Whether it is the sea; otherwise it is a river, a lake or a flood.
    pub is_sea: bool,
}

/// The water above or below an eye, and the height of its bed in the world.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub water: Submerged,
    bed: f64,
}

/// The water at the place of a camera, as far as is known.
#[derive(Component, Default)]
pub(super) struct EyeWater {
    pub found: Option<Found>,
    /// Where that is: (x, z) in the world. `None` if the ground has changed since.
    place: Option<[f64; 2]>,
    search: Option<Search>,
}

/// A task that searches the water at a place.
struct Search {
    place: [f64; 2],
    task: Task<Option<Found>>,
    /// Whether the ground has changed since it began.
    is_outdated: bool,
}

type Ground = (Entity, Ref<'static, AdoptedGround>);

/// Watches all cameras: those without a `TerrainViewer` see the water, too.
pub(super) fn watch(
    mut commands: Commands,
    cameras: Query<Entity, (With<Camera3d>, Without<EyeWater>)>,
) {
    for camera in &cameras {
        commands.entity(camera).try_insert(EyeWater::default());
    }
}

/// Searches the water at each camera that has moved, or after the ground has changed.
pub(super) fn search(
    mut viewers: Query<(&GlobalTransform, &mut EyeWater), With<Camera3d>>,
    terrains: Query<Ground, With<Terrain>>,
    origin: Res<TerrainOrigin>,
) {
    let changed = terrains.iter().any(|(_, ground)| ground.is_changed());
    for (transform, mut eye) in &mut viewers {
        let eye = &mut *eye;
        let is_gone = eye.found.is_some_and(|found| !terrains.contains(found.water.terrain));
        if changed || is_gone {
            eye.place = None;
            eye.found = eye.found.filter(|_| !is_gone);
        }
        if let Some(search) = &mut eye.search {
            search.is_outdated |= changed || is_gone;
            let Some(found) = check_ready(&mut search.task) else { continue };
            eye.place = Some(search.place).filter(|_| !search.is_outdated);
            eye.found = found.filter(|found| terrains.contains(found.water.terrain));
            eye.search = None;
        }
        let [x, _, z] = origin.position(transform.translation());
        if eye.place == Some([x, z]) || !(x.is_finite() && z.is_finite()) {
            continue;
        }
        let grounds: Vec<_> = terrains
            .iter()
            .filter_map(|(terrain, ground)| {
                Some((terrain, ground.newest()?.clone(), ground.position?))
            })
            .collect();
        let has_rivers = grounds.iter().any(|(_, ground, _)| ground.rivers().is_some());
        let find = move || highest(&grounds, [x, z]);
        if has_rivers {
            // Those of a place that nobody has seen yet take seconds.
            let task = slices::spawn(async move { find() });
            eye.search = Some(Search { place: [x, z], task, is_outdated: false });
        } else {
            (eye.place, eye.found) = (Some([x, z]), find());
        }
    }
}

/// The water with the highest surface at a place (x, z) in the world.
fn highest(grounds: &[(Entity, GroundQuery, [f64; 3])], [x, z]: [f64; 2]) -> Option<Found> {
    let waters = grounds.iter().filter_map(|(terrain, ground, position)| {
        let water = ground.water([x - position[0], z - position[2]]).ok().flatten()?;
        let surface = position[1] + water.surface;
        let is_sea = water.kind == WaterKind::Sea;
        let bed = surface - water.depth;
        Some(Found { water: Submerged { terrain: *terrain, surface, is_sea }, bed })
    });
    waters.reduce(|one, other| if other.water.surface > one.water.surface { other } else { one })
}

/// How far below a bed a camera may be that sees the water: the ground that is drawn is not exact.
const BELOW_BED: f64 = 1.0;

impl EyeWater {
    /// The water that an eye at a height is in, or that is at most so far below it.
    pub fn at(&self, height: f64, margin: f64) -> Option<Submerged> {
        let Found { water, bed } = self.found?;
        (height < water.surface + margin && height > bed - BELOW_BED).then_some(water)
    }
}

/// Tells games which cameras are below a surface.
pub(super) fn submerge(
    mut commands: Commands,
    viewers: Query<(Entity, &GlobalTransform, &EyeWater, Option<&Submerged>)>,
) {
    for (viewer, transform, eye, old) in &viewers {
        let new = eye.at(f64::from(transform.translation().y), 0.0);
        match new {
            Some(new) if old != Some(&new) => {
                commands.entity(viewer).try_insert(new);
            }
            None if old.is_some() => {
                commands.entity(viewer).try_remove::<Submerged>();
            }
            _ => {}
        }
    }
}
