//! Walking without a physics engine: feet on the triangles that are drawn, slopes and steps as high
//! as the walker can take.

use bevy_ecs::prelude::*;
use bevy_math::{DVec2, Vec2};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_time::Time;
use bevy_transform::components::Transform;
use orogeny::Sample;

use crate::chunk::mesh::normal;
use crate::query::terrain_query::TerrainQuery;
use crate::streaming::origin::TerrainOrigin;

/// Someone who walks on the terrain. [`walk`] moves it, where you add that system.
///
/// The entity must have no parent. Its height always is that of the ground below; a walker neither
/// jumps nor falls.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::{TerrainWalker, walk};
///
/// fn steer(keys: Res<ButtonInput<KeyCode>>, mut walkers: Query<&mut TerrainWalker>) {
///     for mut walker in &mut walkers {
///         walker.velocity = if keys.pressed(KeyCode::KeyW) { Vec2::new(0.0, -1.4) } else { Vec2::ZERO };
///     }
/// }
///
/// # let mut app = App::new();
/// app.add_systems(Update, (steer, walk).chain());
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[require(Transform)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct TerrainWalker {
    /// Where it wants to go, along x and z, in metres per second on the map.
    pub velocity: Vec2,
    /// The height of the entity's origin above the ground, in metres: that of its eyes, for a
    /// camera.
    pub height: f32,
    /// The steepest slope that it climbs, in radians from the horizontal.
    pub steepest: f32,
    /// Ground steeper than that is climbed all the same where it is no higher than this, in metres.
    pub step_height: f32,
    /// How far it has climbed, in metres, since it last stood on ground that is not too steep.
    pub climbed: f32,
    /// The terrain to walk on. With none named, the highest ground below each step counts.
    #[entities]
    pub terrain: Option<Entity>,
}

impl Default for TerrainWalker {
    /// A person: eyes at 1.7 m, slopes up to 45 degrees, steps up to 0.4 m.
    fn default() -> Self {
        Self {
            velocity: Vec2::ZERO,
            height: 1.7,
            steepest: std::f32::consts::FRAC_PI_4,
            step_height: 0.4,
            climbed: 0.0,
            terrain: None,
        }
    }
}

/// The longest stride, in metres: ground is looked at that often along the way.
const STRIDE: f64 = 0.25;
/// No frame takes more strides than that: a walker is no faster than 64 m a frame.
const MOST_STRIDES: f64 = 256.0;

/// Moves every [`TerrainWalker`] on its terrain, or on the highest if it names none. Where the
/// ground is not known, walkers stand still.
pub fn walk(
    terrains: TerrainQuery,
    origin: Option<Res<TerrainOrigin>>,
    time: Res<Time>,
    mut walkers: Query<(&mut TerrainWalker, &mut Transform), Without<ChildOf>>,
) {
    let Some(origin) = origin else { return };
    let all = terrains.grounds(None);
    for (mut walker, mut transform) in &mut walkers {
        let named = walker.terrain.map(|terrain| terrains.grounds(Some(terrain)));
        let Ok(ground) = named.as_ref().unwrap_or(&all) else { continue };
        let [x, _, z] = origin.position(transform.translation);
        let way = (walker.velocity * time.delta_secs()).as_dvec2();
        let surface = |at: DVec2| ground.surface(at.to_array()).ok();
        // Written back only where it moves: change detection says who has.
        let mut next = *walker;
        if let Some((at, height)) = next.go(surface, DVec2::new(x, z), way) {
            let place = origin.place([at.x, height.into(), at.y]);
            let place = place.with_y(place.y + walker.height);
            if place.is_finite() && place != transform.translation {
                transform.translation = place;
            }
        }
        walker.set_if_neq(next);
    }
}

impl TerrainWalker {
    /// Where a walker at a place comes to stand that wants to go some way, with the height of the
    /// ground there; none where the ground is not known.
    fn go(
        &mut self,
        ground: impl Fn(DVec2) -> Option<Sample<2>>,
        from: DVec2,
        way: DVec2,
    ) -> Option<(DVec2, f32)> {
        let mut feet = (from, ground(from)?);
        let length = way.length();
        if !length.is_finite() || length == 0.0 {
            return Some((feet.0, feet.1.value));
        }
        let way = way.clamp_length_max(STRIDE * MOST_STRIDES);
        let strides = (way.length() / STRIDE).ceil();
        let stride = way / strides;
        for _ in 0..strides as u32 {
            // Where the way up is barred, along the slope.
            let next = self.step(&ground, feet, stride).or_else(|| {
                let contour = along_contour(&ground, feet, stride)?;
                self.step(&ground, feet, contour)
            });
            match next {
                Some(next) => feet = next,
                None => break,
            }
        }
        Some((feet.0, feet.1.value))
    }

    /// One stride, if it can be made.
    fn step(
        &mut self,
        ground: &impl Fn(DVec2) -> Option<Sample<2>>,
        (from, below): (DVec2, Sample<2>),
        stride: DVec2,
    ) -> Option<(DVec2, Sample<2>)> {
        let at = from + stride;
        let next = ground(at)?;
        let rise = next.value - below.value;
        // A stride may be steeper than the ground at both of its ends.
        let easy = normal(next).y.acos() <= self.steepest
            && rise.atan2(stride.length() as f32) <= self.steepest;
        if easy {
            self.climbed = 0.0;
        } else if rise > 0.0 {
            let climbed = self.climbed + rise;
            if climbed <= self.step_height {
                self.climbed = climbed;
            } else {
                return None;
            }
        }
        Some((at, next))
    }
}

/// The part of a stride that leads along the slope before it, neither up nor down.
fn along_contour(
    ground: &impl Fn(DVec2) -> Option<Sample<2>>,
    (from, _): (DVec2, Sample<2>),
    stride: DVec2,
) -> Option<DVec2> {
    let [x, z] = ground(from + stride)?.gradient.map(f64::from);
    let contour = DVec2::new(-z, x).try_normalize()?;
    // Against the rounding of heights: rather a hair down than one up.
    let down = DVec2::new(-x, -z).normalize() * 1e-3 * stride.length();
    Some(contour * stride.dot(contour) + down)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slope along x that begins at x = 0, so steep, as high as `top`.
    fn ramp(slope: f32, top: f32) -> impl Fn(DVec2) -> Option<Sample<2>> {
        move |at| {
            let height = at.x as f32 * slope;
            let inside = height > 0.0 && height < top;
            let gradient = [if inside { slope } else { 0.0 }, 0.0];
            Some(Sample { value: height.clamp(0.0, top), gradient })
        }
    }

    fn end(
        ground: impl Fn(DVec2) -> Option<Sample<2>>,
        way: [f64; 2],
        frames: u32,
    ) -> (DVec2, f32) {
        let mut walker = TerrainWalker::default();
        let mut feet = DVec2::new(-1.0, 0.0);
        let mut height = 0.0;
        for _ in 0..frames {
            (feet, height) =
                walker.go(&ground, feet, DVec2::from(way) / f64::from(frames)).unwrap();
        }
        (feet, height)
    }

    /// The same in one frame and in many.
    #[test]
    fn slopes_are_climbed_up_to_the_limit() {
        for frames in [1, 7, 240] {
            let (feet, height) = end(ramp(0.9, 5.0), [10.0, 0.0], frames);
            assert!((feet.x - 9.0).abs() < 1e-9 && height == 5.0, "{feet} {height}");
            let (feet, height) = end(ramp(1.2, 5.0), [10.0, 0.0], frames);
            assert!(feet.x < 0.4 && height <= 0.4, "{frames}: {feet} {height}");
        }
    }

    /// Whoever climbs anything does; a limit that is not a number is one for everything.
    #[test]
    fn limits_may_be_extreme() {
        for (steepest, reached) in [(std::f32::consts::FRAC_PI_2, 9.0), (f32::NAN, 0.3)] {
            let mut walker = TerrainWalker { steepest, ..TerrainWalker::default() };
            let way = DVec2::new(10.0, 0.0);
            let (feet, _) = walker.go(ramp(50.0, 90.0), DVec2::new(-1.0, 0.0), way).unwrap();
            assert!((feet.x <= reached + 1e-9) && (feet.x > reached - 1.0), "{steepest}: {feet}");
        }
    }

    #[test]
    fn steps_are_climbed_up_to_their_height() {
        for frames in [1, 7, 240] {
            assert_eq!(end(ramp(50.0, 0.39), [2.0, 0.0], frames).1, 0.39);
            let (feet, height) = end(ramp(50.0, 0.6), [2.0, 0.0], frames);
            assert!(feet.x < 0.01 && height <= 0.4, "{frames}: {feet} {height}");
        }
    }

    #[test]
    fn down_is_always_possible_and_walls_are_walked_along() {
        let cliff = |at: DVec2| ramp(80.0, 100.0)(DVec2::new(-at.x, at.y));
        assert!((end(cliff, [5.0, 0.0], 30).0.x - 4.0).abs() < 1e-9);
        let (feet, _) = end(ramp(5.0, 100.0), [4.0, 4.0], 60);
        assert!(feet.x < 0.1 && feet.y > 3.5, "{feet}");
    }

    #[test]
    fn without_ground_nobody_moves() {
        assert!(TerrainWalker::default().go(|_| None, DVec2::ZERO, DVec2::X).is_none());
        let (feet, _) = end(ramp(0.1, 9.0), [f64::NAN, 1.0], 1);
        assert_eq!(feet, DVec2::new(-1.0, 0.0));
    }
}
