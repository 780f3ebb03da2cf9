//! Tells games and benchmarks how many plants were drawn.

use std::sync::{Arc, Mutex, PoisonError};

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;

/// Counts the plants that are drawn, as long as this resource is there. Counting costs a copy of
/// some kilobytes from the device in each frame.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::DrawnPlants;
///
/// fn print(drawn: Res<DrawnPlants>) {
///     for view in drawn.views() {
///         println!("{}: {} instances, {} triangles", view.view, view.instances, view.triangles);
///     }
/// }
///
/// App::new().init_resource::<DrawnPlants>().add_systems(Update, print);
/// ```
#[derive(Resource, Clone, Debug, Default)]
pub struct DrawnPlants {
    views: Arc<Mutex<Vec<DrawnInView>>>,
}

/// What was drawn of plants in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnInView {
    /// The camera or the light.
    pub view: Entity,
    /// Whether it is a shadow map.
    pub is_shadow: bool,
    /// Which one of the shadow maps of the light: the cascade, or the side of a cube.
    pub subview: u32,
    /// Trees, blades and so on.
    pub instances: u64,
    /// Their triangles.
    pub triangles: u64,
    /// The draws with at least one instance.
    pub draws: u64,
}

impl DrawnPlants {
    /// What was drawn in a frame shortly before; empty if nothing is known yet.
    pub fn views(&self) -> Vec<DrawnInView> {
        self.views.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set(&self, views: Vec<DrawnInView>) {
        *self.views.lock().unwrap_or_else(PoisonError::into_inner) = views;
    }
}
