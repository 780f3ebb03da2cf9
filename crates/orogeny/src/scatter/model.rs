//! What a kind looks like.

use alloc::string::String;

/// The model of a kind. `orogeny_models` grows all but the custom ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum Model {
    /// A spruce, 16 m high.
    #[default]
    Spruce,
    /// A pine, 14 m high.
    Pine,
    /// A broadleaved tree, 13 m high.
    Broadleaf,
    /// A birch, 12 m high.
    Birch,
    /// A bush, 1.6 m high.
    Bush,
    /// A fern, 0.7 m high.
    Fern,
    /// A tuft of grass, 0.45 m high.
    Grass,
    /// Reed, 1.8 m high.
    Reed,
    /// A fallen log, 5 m long.
    Deadwood,
    /// A boulder, 1.6 m wide.
    Boulder,
    /// A stone, 0.35 m wide.
    Stone,
    /// A mesh or scene that the game provides under this name.
    Custom(String),
}
