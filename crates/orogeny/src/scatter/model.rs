//! What a kind looks like.

use alloc::string::String;

/// The model of a kind. `orogeny_models` grows those of [`GROWN`](Self::GROWN).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum Model {
    /// A slender Norway spruce, about 16 m high.
    #[default]
    Spruce,
    /// A Scots pine with a bare lower trunk, about 14 m high.
    Pine,
    /// A broad-leaved tree such as a maple or lime, about 13 m high.
    Broadleaf,
    /// A slender birch with drooping twigs, about 12 m high.
    Birch,
    /// A leafy bush, about 1.6 m high.
    Bush,
    /// A fern with arching fronds, about 0.7 m high.
    Fern,
    /// A tuft of grass, about 0.45 m high.
    Grass,
    /// A clump of reed, about 1.8 m high.
    Reed,
    /// A fallen log with stubs of branches, about 5 m long.
    Deadwood,
    /// A boulder, about 1.6 m across.
    Boulder,
    /// A stone, about 0.35 m across.
    Stone,
    /// A mesh or scene that the game provides under this name.
    Custom(String),
}

impl Model {
    /// All models but the custom ones. Their order decides their shapes: add new ones at the end.
    pub const GROWN: &'static [Self] = &[
        Self::Spruce,
        Self::Pine,
        Self::Broadleaf,
        Self::Birch,
        Self::Bush,
        Self::Fern,
        Self::Grass,
        Self::Reed,
        Self::Deadwood,
        Self::Boulder,
        Self::Stone,
    ];
}
