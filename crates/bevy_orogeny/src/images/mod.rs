//! Images of a game, in any format and size, as texels of textures.

mod compressed;
pub(crate) mod pixels;
pub(crate) mod resample;
