//! What streaming places follows the origin, whoever moves that.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_transform::components::Transform;

use super::origin::TerrainOrigin;

/// On what is relative to the origin, and moves with it. Viewers and what has a
/// [`WorldPosition`](crate::WorldPosition) move by their own rules.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(crate) struct MovesWithOrigin;

/// On what streaming places: its position (x, z) in metres from the origin of its terrain. Its
/// `Transform` follows the origin of the world, whoever moves that.
#[derive(Component, Clone, Copy, Debug)]
#[require(MovesWithOrigin)]
pub(crate) struct Anchor {
    at: [f64; 2],
    /// Where the transform was put. A game may have moved the entity since.
    pub(crate) put: Vec3,
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

/// In `PostUpdate`, before transforms are propagated: chunks, plants and colliders follow a
/// [`TerrainOrigin`] that was changed after `Update`. They are drawn relative to it in that frame.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FollowTerrainOrigin;

/// Moves what has an anchor after a new origin was inserted.
pub(crate) fn follow(
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
    use bevy_app::{App, PostUpdate};

    use super::*;
    use crate::base::problems::TerrainProblems;
    use crate::base::rebase;

    /// What streaming placed follows an origin that is inserted as late as in `PostUpdate`.
    #[test]
    fn anchors_follow_a_late_origin() {
        let mut app = App::new();
        app.init_resource::<TerrainProblems>();
        rebase::build(&mut app);
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
}
