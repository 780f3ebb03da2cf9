//! Draws terrain with whatever graphics driver there is, a software renderer in CI, and looks at
//! the pixels.
//!
//! The background is a colour that nothing else has. It must fill the sky, and no pixel below the
//! horizon: not through a seam between levels, not while chunks are still on their way.

mod cover;
mod crests;
mod levels;
mod light;
mod origin;
mod passes;
mod sea;
mod shadows;
mod support;
mod views;
