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
/// Over rivers the water is searched on a task, so this follows the camera some frames later. It
/// is the water that is drawn: that of new ground counts once its chunks are shown.
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
                Some((terrain, ground.drawn()?.clone(), ground.position?))
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

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;
    use bevy::prelude::*;
    use orogeny::edits::{Area, Disc, Flood};
    use orogeny::{Node, Recipe};

    use super::*;
    use crate::{TerrainEdits, TerrainPlugins, TerrainQuery, TerrainViewer};

    /// A camera is not below water that nobody sees yet.
    #[test]
    fn water_counts_once_it_is_shown() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin::default(), TransformPlugin, TerrainPlugins))
            .add_systems(Last, (watch, search, submerge).chain());
        let plain = Recipe::new(1, 1.0, Node::Constant(0.0));
        let terrain = app.world_mut().spawn(Terrain::recipe(plain)).id();
        let viewer = TerrainViewer { range: 500.0, ..default() };
        let camera = (Camera3d::default(), viewer, Transform::from_xyz(0.0, 5.0, 0.0));
        let camera = app.world_mut().spawn(camera).id();
        let is_ready =
            |app: &App| app.world().resource::<crate::advanced::TerrainStats>().missing == 0;
        (0..3).for_each(|_| app.update());
        while !is_ready(&app) {
            app.update();
        }
        let area = Area::Disc(Disc { radius: 100.0, falloff: 1.0, ..Disc::default() });
        let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
        edits.log.add(1, Flood { area, level: 20.0 }).unwrap();
        let mut frames = 0;
        loop {
            app.update();
            let is_flooded = |terrains: TerrainQuery| {
                terrains.shown().single().unwrap().water([0.0; 2]).unwrap().is_some()
            };
            let is_flooded = app.world_mut().run_system_once(is_flooded).unwrap();
            assert_eq!(app.world().get::<Submerged>(camera).is_some(), is_flooded);
            if is_flooded {
                break;
            }
            frames += 1;
        }
        assert!(frames > 0, "the flood was never waited for");
    }
}
