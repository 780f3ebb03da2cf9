//! Positions in `f64` of entities that follow the origin.

use bevy_ecs::component::Component;
use bevy_ecs::reflect::ReflectComponent;
use bevy_math::{DVec3, Vec3};
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
/// * the position moves by as much as a translation that was changed;
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
/// origin. The position is not: an axis whose translation nobody has changed keeps all its digits.
/// But what adds a short way to a translation in each frame loses what `f32` rounds off, at 6 km
/// some tenths of a millimetre a frame. Use [`move_by`](Self::move_by) for that.
///
/// On an entity with a parent, and on a terrain, this component has no effect.
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

/// A translation that was changed by less, in metres along an axis, has moved a step. Otherwise it
/// was set anew.
const STEP: f64 = 1.0;

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

    /// Moves the entity by a way (x, height, z) in metres, and its `Transform` with it. In many
    /// short ways nothing is lost, wherever the entity is and however short they are: the position
    /// is in `f64`, and the translation is that position, rounded. A way that is not finite is
    /// ignored.
    ///
    /// ```
    /// use bevy::math::DVec3;
    /// use bevy::prelude::*;
    /// use bevy_orogeny::WorldPosition;
    ///
    /// fn drift(time: Res<Time>, mut boats: Query<(&mut WorldPosition, &mut Transform)>) {
    ///     for (mut position, mut transform) in &mut boats {
    ///         position.move_by(0.2 * DVec3::X * time.delta_secs_f64(), &mut transform);
    ///     }
    /// }
    /// # let mut app = App::new();
    /// # app.add_systems(Update, drift);
    /// ```
    pub fn move_by(&mut self, by: DVec3, transform: &mut Transform) {
        if !by.is_finite() {
            return;
        }
        match (&mut self.position, &mut self.written) {
            (Some(position), Some(written)) => {
                let from = written.follow(*position, transform.translation);
                *position = (DVec3::from(from) + by).to_array();
                transform.translation = written.write(*position);
            }
            (Some(position), None) => *position = (DVec3::from(*position) + by).to_array(),
            (None, _) => transform.translation += by.as_vec3(),
        }
    }

    /// Where the entity is now: the position, moved by as much as its translation was changed.
    pub(crate) fn current(&self, translation: Vec3, origin: &TerrainOrigin) -> [f64; 3] {
        match (self.position, self.written) {
            (Some(position), Some(written)) => written.follow(position, translation),
            (Some(position), None) => position,
            (None, _) => origin.position(translation),
        }
    }

    /// Moves the entity to (x, height, z). Returns its new translation, unless the position was
    /// set and the `Transform` does not follow yet.
    pub(crate) fn go_to(&mut self, to: [f64; 3], origin: &TerrainOrigin) -> Option<Vec3> {
        if self.position.is_some() && self.written.is_none() {
            self.position = Some(to);
            return None;
        }
        let offset = self.written.map_or(origin.offset(), |written| written.offset);
        let written = self.written.insert(Written { translation: Vec3::ZERO, offset });
        self.position = Some(to);
        Some(written.write(to))
    }

    /// Whether it was set and the `Transform` does not follow yet.
    pub(crate) const fn is_set(&self) -> bool {
        self.position.is_some() && self.written.is_none()
    }

    /// Takes over a translation that was changed.
    pub(crate) fn read(&mut self, translation: Vec3, origin: &TerrainOrigin) {
        if self.is_set() {
            return;
        }
        let position = self.current(translation, origin);
        let offset = self.written.map_or(origin.offset(), |written| written.offset);
        self.position = Some(position);
        self.written = Some(Written { translation, offset });
    }

    /// The new translation, if the position was set or the origin has moved.
    pub(crate) fn write(&mut self, origin: &TerrainOrigin) -> Option<Vec3> {
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

impl Written {
    /// A position after the translation that stands for it was changed. Each axis on its own: one
    /// that moves by a step keeps what `f32` has rounded off, so that a hundred steps do not round
    /// a hundred times. One that jumps is where the translation says.
    fn follow(&self, position: [f64; 3], translation: Vec3) -> [f64; 3] {
        let offset = self.offset();
        core::array::from_fn(|k| {
            let [old, new] = [self.translation[k], translation[k]];
            if new == old {
                return position[k];
            }
            let step = f64::from(new) - f64::from(old);
            let moved = position[k] + step;
            // The position must round to the translation.
            let is_step = step.abs() < STEP && (moved - offset[k]) as f32 == new;
            if is_step { moved } else { f64::from(new) + offset[k] }
        })
    }

    /// The translation of a position.
    fn write(&mut self, position: [f64; 3]) -> Vec3 {
        let offset = self.offset();
        let local: [f64; 3] = core::array::from_fn(|k| position[k] - offset[k]);
        self.translation = DVec3::from(local).as_vec3();
        self.translation
    }

    /// The origin (x, height, z).
    fn offset(&self) -> [f64; 3] {
        [self.offset[0], 0.0, self.offset[1]]
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

    /// What a game adds to one axis leaves the others alone, wherever they are.
    #[test]
    fn only_what_was_changed_is_read() {
        for place in [0.1, 6e3 + 0.1, 1e5 + 0.1, 1e9 + 0.1] {
            let home = TerrainOrigin::default();
            let mut position = WorldPosition::at([place, 7.0, -place]);
            let mut translation = position.write(&home).unwrap();
            for _ in 0..1000 {
                translation.y += 0.25;
                position.read(translation, &home);
            }
            assert_eq!(position.get(), Some([place, 257.0, -place]));
            // A jump goes where the translation says.
            position.read(Vec3::new(3.5, 2.0, place as f32), &home);
            assert_eq!(position.get().unwrap()[0], 3.5);
            let z = position.get().unwrap()[2];
            assert_eq!(z as f32, place as f32);
        }
        let mut position = WorldPosition::at([0.0; 3]);
        position.write(&TerrainOrigin::default()).unwrap();
        for x in [f32::NAN, f32::INFINITY, 2.0] {
            position.read(Vec3::new(x, 0.0, 0.0), &TerrainOrigin::default());
        }
        assert_eq!(position.get(), Some([2.0, 0.0, 0.0]));
    }

    /// A million short ways, far out, are as long as one.
    #[test]
    fn short_ways_add_up() {
        for origin in [TerrainOrigin::default(), TerrainOrigin::at([1e9, 0.0])] {
            let start = [1e9, 100.0, -1e9];
            let mut position = WorldPosition::at(start);
            let mut transform = Transform::default();
            // Also before the first frame.
            position.move_by(DVec3::X, &mut transform);
            transform.translation = position.write(&origin).unwrap();
            for _ in 0..100_000 {
                position.move_by(DVec3::new(1e-3, -1e-4, 0.0), &mut transform);
            }
            position.move_by(DVec3::NAN, &mut transform);
            let [x, y, z] = position.get().unwrap();
            assert!((x - start[0] - 101.0).abs() < 0.02, "{x}");
            assert!((y - 90.0).abs() < 1e-6 && z == start[2], "{y} {z}");
            assert_eq!(transform.translation, origin.translation([x, y, z]));
        }
    }

    #[test]
    fn a_place_that_was_set_is_not_written_early() {
        let home = TerrainOrigin::default();
        let mut position = WorldPosition::default();
        assert_eq!(position.current(Vec3::X, &home), [1.0, 0.0, 0.0]);
        assert_eq!(position.go_to([2.0, 0.0, 0.0], &home), Some(2.0 * Vec3::X));
        position.set([5.0, 0.0, 0.0]);
        assert_eq!(position.go_to([6.0, 0.0, 0.0], &home), None);
        assert_eq!(position.current(2.0 * Vec3::X, &home), [6.0, 0.0, 0.0]);
        assert_eq!(position.write(&home), Some(6.0 * Vec3::X));
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
