//! What belongs to terrain rather than to noise: recipes in files, ground cover, and rays.
//!
//! It uses fields and trees; nothing below uses it. Start with [`recipe`].

pub(crate) mod cover;
pub(crate) mod raycast;
pub(crate) mod recipe;
