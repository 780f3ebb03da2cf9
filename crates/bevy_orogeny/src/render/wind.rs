//! The wind that moves plants and waves.

use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectResource;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;

/// The wind that moves plants, wherever they are, and the waves of the sea. Set it before anything
/// is drawn, or at any time: waves jump when it turns.
///
/// Bevy's shader time wraps every hour; plants jump then.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::prelude::*;
///
/// App::new().insert_resource(TerrainWind { heading: 1.0, strength: 1.5 });
/// ```
#[derive(Resource, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
pub struct TerrainWind {
    /// The direction in which the wind blows, as an angle from x to z in radians.
    pub heading: f32,
    /// The strength, 0 to 2; 0.5 is a fresh breeze.
    pub strength: f32,
}

impl TerrainWind {
    /// The same within its limits.
    pub(crate) fn valid(self) -> Self {
        let finite = |x: f32| if x.is_finite() { x } else { 0.0 };
        Self { heading: finite(self.heading), strength: finite(self.strength).clamp(0.0, 2.0) }
    }

    /// The direction along x and z.
    pub(crate) fn direction(self) -> [f32; 2] {
        let (sin, cos) = self.heading.sin_cos();
        [cos, sin]
    }
}

impl Default for TerrainWind {
    fn default() -> Self {
        Self { heading: 0.6, strength: 0.5 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_wind_is_valid() {
        let wind = |heading, strength| TerrainWind { heading, strength }.valid();
        assert_eq!(wind(1.0, 1.5), TerrainWind { heading: 1.0, strength: 1.5 });
        assert_eq!(wind(f32::NAN, f32::NAN), TerrainWind { heading: 0.0, strength: 0.0 });
        assert_eq!(wind(f32::INFINITY, 9.0).strength, 2.0);
        assert_eq!(wind(0.0, -1.0).direction(), [1.0, 0.0]);
        assert_eq!(wind(0.0, -1.0).strength, 0.0);
    }
}
