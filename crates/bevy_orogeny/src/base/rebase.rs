//! Rebasing: the origin follows the viewers, and everything else follows the origin.

use bevy_app::{App, PostUpdate, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_log::info;
use bevy_math::{Vec3, Vec3A};
use bevy_transform::TransformSystems;
use bevy_transform::components::{GlobalTransform, Transform};

use super::anchor::{Anchor, FollowTerrainOrigin, MovesWithOrigin, follow};
use super::origin::{ORIGIN_STEP, OriginMoved, TerrainOrigin, nearest_step};
use super::problems::{TerrainProblem, TerrainProblems};
use super::world_position::WorldPosition;
use crate::lod::viewer::TerrainViewer;
use crate::terrain::Terrain;

/// How far a viewer moves, in metres along an axis, before the origin follows. Afterwards it is
/// within half a step.
const FAR: f64 = 0.75 * ORIGIN_STEP;

pub(crate) fn build(app: &mut App) {
    // Runs after the views and transforms of the last frame are stored for motion vectors, since
    // all of those are relative to the old origin.
    app.init_resource::<TerrainOrigin>()
        .register_type::<TerrainOrigin>()
        .register_type::<WorldPosition>()
        .add_systems(
            RunFixedMainLoop,
            follow_positions.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(
            PostUpdate,
            follow
                .in_set(FollowTerrainOrigin)
                .before(TransformSystems::Propagate)
                .ambiguous_with_all(),
        );
}

/// The entities whose `Transform` is relative to the origin, and which the origin moves.
#[derive(SystemParam)]
pub(crate) struct Movers<'w, 's> {
    positions:
        Query<'w, 's, (Entity, &'static mut WorldPosition), (Without<ChildOf>, Without<Terrain>)>,
    viewers: Query<'w, 's, Entity, With<TerrainViewer>>,
    grounds: Query<'w, 's, Entity, With<MovesWithOrigin>>,
    anchors: Query<'w, 's, &'static mut Anchor>,
    terrains: Query<'w, 's, Entity, With<Terrain>>,
    parents: Query<'w, 's, &'static ChildOf>,
    children: Query<'w, 's, &'static Children>,
    transforms: Query<'w, 's, (&'static mut Transform, &'static mut GlobalTransform)>,
}

/// Whether a position was set since the last frame.
pub(crate) fn a_position_was_set(positions: Query<&WorldPosition, Changed<WorldPosition>>) -> bool {
    positions.iter().any(WorldPosition::is_set)
}

/// Positions take over the transforms that were changed, the origin moves to the nearest viewer if
/// all viewers are far from it, and transforms take over the positions that were set.
pub(crate) fn follow_positions(
    mut commands: Commands,
    mut origin: ResMut<TerrainOrigin>,
    mut movers: Movers,
    mut problems: ResMut<TerrainProblems>,
) {
    for (entity, mut position) in &mut movers.positions {
        let Ok((transform, _)) = movers.transforms.get(entity) else { continue };
        let mut read = *position;
        read.read(transform.translation, &origin);
        position.set_if_neq(read);
    }
    if origin.rebase
        && let Some(by) = movers.way_to_viewers(&origin)
    {
        if movers.is_stuck() {
            problems.report(None, TerrainProblem::OriginStuck);
        } else {
            problems.clear(None, |problem| matches!(problem, TerrainProblem::OriginStuck));
            origin.offset = [0, 1].map(|k| origin.offset[k] + by[k]);
            let by = Vec3::new(by[0] as f32, 0.0, by[1] as f32);
            movers.rebase(by);
            info!("the origin has moved to ({}, {}) m", origin.offset[0], origin.offset[1]);
            commands.trigger(OriginMoved { by });
        }
    }
    movers.write_positions(&origin);
}

impl Movers<'_, '_> {
    /// How far the origin must move to the nearest viewer: (x, z) in metres, whole steps. `None`
    /// while it is near.
    fn way_to_viewers(&self, origin: &TerrainOrigin) -> Option<[f64; 2]> {
        let [ox, oz] = origin.offset;
        let away = |viewer| {
            let global = |entity| {
                let (_, global) = self.transforms.get(entity).ok()?;
                Some(global.translation())
            };
            let root = self.parents.root_ancestor(viewer);
            let placed = self.positions.get(root).ok().and_then(|(_, position)| position.get());
            let [x, _, z] = match placed {
                Some([x, y, z]) => {
                    let [dx, _, dz] = (global(viewer)? - global(root)?).to_array();
                    [x + f64::from(dx), y, z + f64::from(dz)]
                }
                None => origin.position(global(viewer)?),
            };
            Some([x - ox, z - oz])
        };
        let stray = |away: &[f64; 2]| away[0].abs().max(away[1].abs());
        let nearest = self.viewers.iter().filter_map(away);
        let nearest = nearest.min_by(|a, b| stray(a).total_cmp(&stray(b)))?;
        let is_far = stray(&nearest) > FAR && nearest.iter().all(|at| at.is_finite());
        is_far.then(|| nearest.map(nearest_step))
    }

    /// Whether a viewer has a terrain for a relative. A terrain is relative to the origin 0, so it
    /// must not be moved along.
    fn is_stuck(&self) -> bool {
        let root = |entity| self.parents.root_ancestor(entity);
        let is_root_of_a_viewer = |at| self.viewers.iter().any(|viewer| root(viewer) == at);
        self.terrains
            .iter()
            .map(root)
            .any(|terrain| is_root_of_a_viewer(terrain) || self.positions.contains(terrain))
    }

    /// Moves the ground, and viewers without a position of their own, to the new origin.
    fn rebase(&mut self, by: Vec3) {
        let roots = self.viewers.iter().map(|viewer| self.parents.root_ancestor(viewer));
        let roots = roots.filter(|&root| !self.positions.contains(root));
        let mut moving: Vec<Entity> = roots.chain(&self.grounds).collect();
        moving.sort_unstable();
        moving.dedup();
        let Self { transforms, children, anchors, .. } = self;
        anchors.iter_mut().for_each(|mut anchor| anchor.put -= by);
        moving.into_iter().for_each(|entity| shift(entity, -by, transforms, children));
    }

    /// Writes the transforms of positions that were set, and all of them after a new origin.
    fn write_positions(&mut self, origin: &TerrainOrigin) {
        let Self { positions, transforms, children, .. } = self;
        for (entity, mut position) in positions {
            let Some(to) = position.bypass_change_detection().write(origin) else { continue };
            position.set_changed();
            let Ok((transform, _)) = transforms.get(entity) else { continue };
            let from = transform.translation;
            shift(entity, to - from, transforms, children);
            if let Ok((mut transform, _)) = transforms.get_mut(entity) {
                transform.translation = to;
            }
        }
    }
}

/// Moves an entity with its descendants.
pub(crate) fn shift(
    entity: Entity,
    by: Vec3,
    transforms: &mut Query<(&mut Transform, &mut GlobalTransform)>,
    children: &Query<&Children>,
) {
    if let Ok((mut transform, _)) = transforms.get_mut(entity) {
        transform.translation += by;
    }
    for entity in core::iter::once(entity).chain(children.iter_descendants(entity)) {
        if let Ok((_, mut global)) = transforms.get_mut(entity) {
            let mut affine = global.affine();
            affine.translation += Vec3A::from(by);
            *global = affine.into();
        }
    }
}
