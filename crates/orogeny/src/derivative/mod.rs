//! What a field returns and what is proven of it: samples, jets, bounds, and the chain rule.
//!
//! Nothing here knows a noise or a tree. Start with [`sample`]; [`chain_rule`] is what trees are
//! evaluated in.

pub(crate) mod affine;
pub(crate) mod bounds;
pub(crate) mod chain_rule;
pub(crate) mod curvature;
pub(crate) mod elementary;
pub(crate) mod jet;
pub(crate) mod sample;
