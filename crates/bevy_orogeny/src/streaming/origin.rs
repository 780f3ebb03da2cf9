//! The floating origin: a position in the world is an origin in `f64` plus a `Transform` in `f32`.
//!
//! `f32` has 24 bits: some kilometres from zero a `Transform` resolves a millimetre, and at 1e6 m
//! six centimetres. Rebasing keeps `Transform`s small. Between two frames it moves the origin by
//! whole steps, and all `Transform`s the other way. A step is a whole number of chunks and of
//! periods of the ground material's patterns, so the differences are exact. Two things change. The
//! renderer rounds more finely. And what Bevy ties to the world's zero, such as the grid of shadow
//! texels and the planet of its atmosphere, stays there.

use bevy_app::{App, PostUpdate, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::event::Event;
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectResource;
use bevy_ecs::system::SystemParam;
use bevy_log::info;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::TransformSystems;
use bevy_transform::components::{GlobalTransform, Transform};

use crate::colliders::source::ColliderTile;
use crate::lod::viewer::TerrainViewer;
use crate::streaming::problems::{TerrainProblem, TerrainProblems};
use crate::streaming::world_position::WorldPosition;
use crate::terrain::Terrain;

/// The origin moves by multiples of this, in metres along each axis.
pub const ORIGIN_STEP: f64 = 8192.0;

/// How far a viewer moves, in metres along an axis, before the origin follows. Afterwards it is
/// within half a step.
const FAR: f64 = 0.75 * ORIGIN_STEP;

/// The origin of `Transform`s: position in the world = origin + `Transform`.
///
/// By default the origin is 0 and stays there. With [`rebase`](Self::rebase) it follows the viewer
/// that is nearest to it. Viewers, and entities with a [`WorldPosition`], are then moved the other
/// way, with their children, and [`OriginMoved`] is triggered.
///
/// A [`Terrain`](crate::Terrain) is not moved, nor are its children other than chunks, plants and
/// colliders. Its `Transform` is relative to the origin 0, so it must not share a parent with a
/// viewer. Its own translation should be small: with a distant origin, chunks are at the difference
/// of the two, in `f32`.
///
/// To manage the origin yourself, insert this resource whenever it changes. Entities with a
/// [`WorldPosition`] follow; move all others, viewers too. It must be a multiple of
/// [`ORIGIN_STEP`]. To move it as late as in `PostUpdate`, do so before [`FollowTerrainOrigin`].
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::TerrainOrigin;
///
/// // Begin a trillion metres away.
/// let origin = TerrainOrigin::at([1e12, -1e12]).rebasing();
/// let camera = Transform::from_translation(origin.translation([1e12 + 0.5, 200.0, -1e12]));
/// assert_eq!(origin.position(camera.translation), [1e12 + 0.5, 200.0, -1e12]);
/// ```
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
pub struct TerrainOrigin {
    offset: [f64; 2],
    /// Whether the origin follows the viewers.
    pub rebase: bool,
}

/// On what streaming places: its position (x, z) in metres from the origin of its terrain. Its
/// `Transform` follows the origin of the world, whoever moves that.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Anchor {
    at: [f64; 2],
    /// Where the transform was put. A game may have moved the entity since.
    put: Vec3,
}

impl Anchor {
    /// The anchor and the transform of an entity at (x, z) from its terrain's origin.
    pub fn new(origin: &TerrainOrigin, at: [f64; 2]) -> (Self, Transform) {
        let transform = origin.transform(at);
        (Self { at, put: transform.translation }, transform)
    }

    /// Moves a transform to where a new origin has it.
    fn follow(&mut self, origin: &TerrainOrigin, transform: &mut Transform) {
        let put = origin.transform(self.at).translation;
        if put == self.put {
            return;
        }
        // Not by the difference of the origins, which `f32` may not resolve.
        let moved = transform.translation - self.put;
        transform.translation = put + moved;
        self.put = put;
    }
}

/// The origin has moved. Subtract [`by`](Self::by) from translations that you store elsewhere.
#[derive(Event, Clone, Copy, Debug, PartialEq)]
pub struct OriginMoved {
    /// In metres: new translation = old translation - `by`.
    pub by: Vec3,
}

impl TerrainOrigin {
    /// The origin nearest to (x, z): a multiple of [`ORIGIN_STEP`] along each axis. Coordinates
    /// that are not finite count as 0.
    pub fn at(position: [f64; 2]) -> Self {
        let offset = position.map(|at| if at.is_finite() { nearest_step(at) } else { 0.0 });
        Self { offset, rebase: false }
    }

    /// The same origin, but following the viewers.
    pub fn rebasing(self) -> Self {
        Self { rebase: true, ..self }
    }

    /// The origin itself: (x, z) in metres.
    pub fn offset(&self) -> [f64; 2] {
        self.offset
    }

    /// The position (x, height, z) in the world of a `Transform` translation.
    pub fn position(&self, translation: Vec3) -> [f64; 3] {
        let [x, y, z] = translation.to_array().map(f64::from);
        [self.offset[0] + x, y, self.offset[1] + z]
    }

    /// The `Transform` translation of a position (x, height, z) in the world.
    pub fn translation(&self, [x, y, z]: [f64; 3]) -> Vec3 {
        Vec3::new((x - self.offset[0]) as f32, y as f32, (z - self.offset[1]) as f32)
    }

    /// The transform of a chunk whose corner is at (x, z) from the terrain's origin. Exact if the
    /// difference to the origin is exact in `f32`.
    pub(crate) fn transform(&self, [x, z]: [f64; 2]) -> Transform {
        Transform::from_translation(self.translation([x, 0.0, z]))
    }
}

fn nearest_step(at: f64) -> f64 {
    (at / ORIGIN_STEP).round() * ORIGIN_STEP
}

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
    grounds: Query<'w, 's, Entity, Or<(With<Anchor>, With<ColliderTile>)>>,
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
fn shift(
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
            affine.translation += bevy_math::Vec3A::from(by);
            *global = affine.into();
        }
    }
}

/// In `PostUpdate`, before transforms are propagated: chunks, plants and colliders follow a
/// [`TerrainOrigin`] that was changed after `Update`. They are drawn relative to it in that frame.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FollowTerrainOrigin;

/// Moves what has an anchor after a new origin was inserted.
pub(super) fn follow(
    origin: Res<TerrainOrigin>,
    mut anchors: Query<(&mut Anchor, &mut Transform)>,
) {
    if origin.is_changed() {
        for (mut anchor, mut transform) in &mut anchors {
            anchor.follow(&origin, &mut transform);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn translations_and_positions_are_inverse(
            x in -1e12f64..1e12, z in -1e12f64..1e12,
            near in [-6000f32..6000.0, -6000f32..6000.0],
        ) {
            let origin = TerrainOrigin::at([x, z]);
            let [ox, oz] = origin.offset();
            prop_assert!((ox - x).abs() <= ORIGIN_STEP / 2.0);
            prop_assert!((oz - z).abs() <= ORIGIN_STEP / 2.0);
            // Multiples of a power of two that are still exact when 1e12 is added.
            let [x, z] = near.map(|at| (at * 1024.0).round() / 1024.0);
            let translation = Vec3::new(x, 12.5, z);
            prop_assert_eq!(origin.translation(origin.position(translation)), translation);
        }
    }

    /// What streaming placed follows an origin that is inserted as late as in `PostUpdate`.
    #[test]
    fn anchors_follow_a_late_origin() {
        let mut app = App::new();
        app.init_resource::<TerrainProblems>();
        build(&mut app);
        let move_late = |mut origin: ResMut<TerrainOrigin>| {
            *origin = TerrainOrigin::at([1e9, -1e9]);
        };
        app.add_systems(PostUpdate, move_late.before(FollowTerrainOrigin));
        let at = [1e9 + 16.0, -1e9];
        let chunk = app.world_mut().spawn(Anchor::new(&TerrainOrigin::default(), at)).id();
        app.update();
        let exact = TerrainOrigin::at([1e9, -1e9]).translation([at[0], 0.0, at[1]]);
        assert_eq!(app.world().get::<Transform>(chunk).unwrap().translation, exact);
    }

    #[test]
    fn an_origin_is_finite() {
        assert_eq!(TerrainOrigin::at([f64::NAN, f64::INFINITY]), TerrainOrigin::default());
    }
}
