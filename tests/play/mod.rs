//! A bot plays `fly` and its panel as a person does: without a window or a GPU, but with the
//! example's own plugins, and by nothing but keys and the mouse.
//!
//! `round` lists the games, and plays each in a process of its own: a panic, an abort or an endless
//! loop fails with the game that reproduces it. `player` is the bot's hands and eyes, `keys` and
//! `panel` are what it does with them and what must then have happened, `heights` compares all that
//! tells the height of the ground, `log` is what the program complains about.

/// The example, all but what needs a window or a GPU.
#[path = "../../examples/fly/"]
#[allow(dead_code)]
pub mod fly {
    pub mod args;
    pub mod digging;
    pub mod eye;
    pub mod game;
    pub mod keys;
    pub mod pilot;
    pub mod place;
    pub mod plants;
    pub mod presets;
    pub mod shadows;
    pub mod sky;
    pub mod tour;
    pub mod walker;
    pub mod world;
    pub mod worlds;
}

mod heights;
mod keys;
mod log;
mod page;
mod panel;
mod player;
mod round;

/// Why a step failed.
type Checked = Result<(), String>;
