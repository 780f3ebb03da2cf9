//! What belongs to terrain rather than to noise: recipes in files, ground cover, and rays.
//!
//! It uses fields and trees; nothing below uses it. Start with [`recipe`].

pub mod cover;
pub mod ray;
pub(crate) mod recipe;
