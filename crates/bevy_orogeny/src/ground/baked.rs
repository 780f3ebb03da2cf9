//! The plugin's own textures, baked once in a process.

use std::sync::{Arc, OnceLock};

use orogeny::DataError;
use orogeny::cover::{CoverKind, EdgeTextures, canopy};
use orogeny::texture::TextureRecipe;

use crate::ground::arrays::{Slot, Source};

/// Their texels along a side.
const SIZE: u32 = 512;

/// How much wider textures are at each scale after the first.
const FAR_SCALE: f32 = 8.0;

/// The textures of the kinds of cover, and the canopy behind them.
pub(super) fn slots() -> &'static [Slot] {
    static SLOTS: OnceLock<Vec<Slot>> = OnceLock::new();
    SLOTS.get_or_init(|| {
        let kinds = CoverKind::ALL.map(Source::Baked);
        // On as many cores as there are. A browser has one, and no threads.
        #[cfg(target_family = "wasm")]
        return kinds.into_iter().chain([Source::Canopy]).map(bake).collect();
        #[cfg(not(target_family = "wasm"))]
        std::thread::scope(|scope| {
            let sources = kinds.into_iter().chain([Source::Canopy]);
            let tasks: Vec<_> = sources.map(|source| scope.spawn(|| bake(source))).collect();
            tasks.into_iter().map(|task| task.join().expect("baking does not panic")).collect()
        })
    })
}

/// The slot of one of the plugin's own textures.
fn bake(source: Source) -> Slot {
    let recipe = match &source {
        Source::Canopy => canopy(),
        Source::Baked(kind) => kind.texture(),
        Source::Recipe(_) | Source::Own { .. } => unreachable!("not one of the plugin's own"),
    };
    slot(source, &recipe).expect("the plugin's textures are valid")
}

/// Bakes a recipe.
///
/// # Errors
/// Those of [`TextureRecipe::bake`].
pub(super) fn slot(source: Source, recipe: &TextureRecipe) -> Result<Slot, DataError> {
    Ok(Slot {
        source,
        texture: Arc::new(recipe.bake(SIZE)?),
        width: recipe.width,
        far_scale: FAR_SCALE,
        tint: None,
        bump: 1.0,
        height_blend: 1.0,
    })
}

/// The noise of cover.
pub(super) fn edges() -> &'static EdgeTextures {
    static EDGES: OnceLock<EdgeTextures> = OnceLock::new();
    EDGES.get_or_init(EdgeTextures::new)
}
