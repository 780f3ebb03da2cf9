//! Positions in `f64` of entities that follow the origin.

use bevy_ecs::component::Component;
use bevy_ecs::reflect::ReflectComponent;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;

use super::origin::TerrainOrigin;

/// The position in the world of an entity without a parent, in `f64`. Put it on players, trees or
/// lamps: they keep their position when the origin moves. On a camera or another
/// [`TerrainViewer`](crate::TerrainViewer), it is how to go to a place however far away.
///
/// The position and the `Transform` follow each other: the one that was changed last counts, and
/// the position if both were. Twice a frame, before the fixed main loop and after `Update`,
///
/// * a translation that has changed becomes the position;
/// * a position that was [set](Self::set) becomes the translation. If a viewer was placed, and
///   [`TerrainOrigin::rebase`] is on, the origin first moves to that viewer, so that the
///   translation is small and exact to half a millimetre;
/// * when the origin moves, or is inserted, the translation is computed anew from the position. It
///   collects no rounding errors.
///
/// A translation is relative to the origin of the last time that both agreed, so an entity that
/// moves may go on moving while a system inserts another origin.
///
/// Without `rebase`, a far translation is rounded to `f32`, as everything is that is far from the
/// origin. On an entity with a parent, and on a terrain, this component has no effect.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::{TerrainOrigin, TerrainViewer, WorldPosition};
///
/// fn setup(mut commands: Commands) {
///     commands.insert_resource(TerrainOrigin::default().rebasing());
///     let viewer = (Camera3d::default(), TerrainViewer::default());
///     commands.spawn((viewer, WorldPosition::at([1e12 + 0.5, 200.0, -1e12])));
/// }
///
/// fn go_back(mut cameras: Query<&mut WorldPosition, With<TerrainViewer>>) {
///     cameras.iter_mut().for_each(|mut position| position.set([0.0, 200.0, 0.0]));
/// }
/// # let mut app = App::new();
/// # app.add_systems(Startup, setup).add_systems(Update, go_back);
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[require(Transform)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct WorldPosition {
    /// `None` before it is read from the `Transform`.
    position: Option<[f64; 3]>,
    /// The translation that stands for the position. `None` before it is written.
    #[reflect(ignore)]
    written: Option<Written>,
}

/// A translation, and the origin to which it is relative.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Written {
    translation: Vec3,
    offset: [f64; 2],
}

impl WorldPosition {
    /// Places the entity at (x, height, z), in metres. The default is to take the position of its
    /// `Transform`.
    pub const fn at(position: [f64; 3]) -> Self {
        Self { position: Some(position), written: None }
    }

    /// Moves the entity to (x, height, z), in metres.
    pub const fn set(&mut self, position: [f64; 3]) {
        *self = Self::at(position);
    }

    /// The position (x, height, z) in metres; `None` in the frame in which the component was
    /// inserted without one.
    pub const fn get(&self) -> Option<[f64; 3]> {
        self.position
    }

    /// Whether it was set and the `Transform` does not follow yet.
    pub(super) const fn is_set(&self) -> bool {
        self.position.is_some() && self.written.is_none()
    }

    /// The origin to which the entity's translation is relative. `None` before a position that was
    /// set is written to it.
    pub(crate) fn origin(&self, origin: &TerrainOrigin) -> Option<TerrainOrigin> {
        let offset = self.written.map_or(origin.offset(), |written| written.offset);
        (!self.is_set()).then(|| TerrainOrigin::at(offset))
    }

    /// Takes over a translation that was changed.
    pub(super) fn read(&mut self, translation: Vec3, origin: &TerrainOrigin) {
        let moved = self.written.is_some_and(|written| written.translation != translation);
        if self.position.is_none() || moved {
            let offset = self.written.map_or(origin.offset(), |written| written.offset);
            let [x, y, z] = translation.to_array().map(f64::from);
            self.position = Some([x + offset[0], y, z + offset[1]]);
            self.written = Some(Written { translation, offset });
        }
    }

    /// The new translation, if the position was set or the origin has moved.
    pub(super) fn write(&mut self, origin: &TerrainOrigin) -> Option<Vec3> {
        let position = self.position?;
        let offset = origin.offset();
        if self.written.is_some_and(|written| written.offset == offset) {
            return None;
        }
        let translation = origin.translation(position);
        self.written = Some(Written { translation, offset });
        Some(translation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_changed_last_counts() {
        let home = TerrainOrigin::default();
        let far = TerrainOrigin::at([1e12, 0.0]);
        let mut position = WorldPosition::default();
        position.read(Vec3::X, &home);
        assert_eq!((position.get(), position.write(&home)), (Some([1.0, 0.0, 0.0]), None));
        position.read(2.0 * Vec3::X, &home);
        assert_eq!((position.get(), position.write(&home)), (Some([2.0, 0.0, 0.0]), None));
        let there = [far.offset()[0] + 0.125, 5.0, -3.0];
        position.set(there);
        position.read(2.0 * Vec3::X, &home);
        assert!(position.is_set());
        assert_eq!(position.write(&far), Some(Vec3::new(0.125, 5.0, -3.0)));
        assert_eq!((position.get(), position.is_set()), (Some(there), false));
    }

    /// A walker takes a step while a game inserts another origin.
    #[test]
    fn what_moves_follows_a_new_origin() {
        let [home, far] = [TerrainOrigin::default(), TerrainOrigin::at([8192.0, 0.0])];
        let mut position = WorldPosition::default();
        position.read(Vec3::new(8000.0, 1.0, 0.0), &home);
        assert_eq!(position.write(&home), None);
        position.read(Vec3::new(8001.0, 1.0, 0.0), &far);
        assert_eq!(position.get(), Some([8001.0, 1.0, 0.0]));
        let there = far.translation([8001.0, 1.0, 0.0]);
        assert_eq!(position.write(&far), Some(there));
        position.read(there, &far);
        assert_eq!((position.get(), position.write(&far)), (Some([8001.0, 1.0, 0.0]), None));
    }

    /// The way to a far origin and back changes no bit.
    #[test]
    fn moving_the_origin_collects_no_errors() {
        let home = TerrainOrigin::default();
        let at = Vec3::new(0.1, 0.2, 0.3);
        let mut position = WorldPosition::default();
        position.read(at, &home);
        let mut translation = at;
        for k in 1..50 {
            let origin = TerrainOrigin::at([1e9 * f64::from(k), -1e7 * f64::from(k)]);
            translation = position.write(&origin).unwrap();
            position.read(translation, &origin);
        }
        assert_ne!(translation, at);
        assert_eq!(position.write(&home), Some(at));
    }
}
