//! Values with derivatives, their arithmetic, and proven bounds.
//!
//! [`sample`] has a value with its gradient, [`jet`] adds second derivatives. [`chain_rule`] is the
//! common trait of these and of plain values, which trees are evaluated in. [`bounds`] composes
//! proven bounds by the same rules. This module uses no other one. Start with [`sample`].

pub(crate) mod affine;
pub(crate) mod bounds;
pub(crate) mod chain_rule;
pub(crate) mod elementary;
pub(crate) mod jet;
pub(crate) mod sample;
