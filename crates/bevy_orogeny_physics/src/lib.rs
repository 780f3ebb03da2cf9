// The README's links are files beside it. Here they are what these lines say: of several
// definitions of a link the first wins. Links to items are only here, since GitHub has none.
#![cfg_attr(doc, doc = concat!(
    "[physics]: ", env!("CARGO_PKG_REPOSITORY"), "/raw/v", env!("CARGO_PKG_VERSION"),
    "/crates/bevy_orogeny_physics/pictures/physics.png\n",
    "[`GroundReady`]: bevy_orogeny::GroundReady\n",
    "[`WorldPosition`]: bevy_orogeny::WorldPosition\n",
    "[`PhysicsEngine`]: bevy_orogeny::advanced::PhysicsEngine\n",
    "[`TerrainBudget::tasks`]: bevy_orogeny::advanced::TerrainBudget::tasks\n",
    "[`TerrainColliderSource`]: bevy_orogeny::TerrainColliderSource\n",
    "[`TerrainColliderSource::keep_above`]: bevy_orogeny::TerrainColliderSource::keep_above\n",
    "[`TerrainOrigin`]: bevy_orogeny::TerrainOrigin\n",
    "[`TerrainWalker`]: bevy_orogeny::TerrainWalker\n",
))]
#![doc = include_str!("../README.md")]

#[cfg(feature = "avian")]
mod avian;
#[cfg(feature = "rapier")]
mod rapier;
#[cfg(any(feature = "avian", feature = "rapier"))]
mod tri_mesh;

#[cfg(feature = "avian")]
pub use avian::Avian;
#[cfg(feature = "rapier")]
pub use rapier::Rapier;
