//! The recipe's tree as rows of controls.
//!
//! `node` draws a node and its children, `row` one parameter within its limits, or an enum, and the
//! error that it causes; `noise` and `lists` draw the contents of nodes. A new parameter gets its
//! row from its `Limit`. A new variant of an enum appears with its documentation in `orogeny`.
//! `labels` turns names into words, `typed` reads what the user types, `scale` decides how a number
//! is dragged. Start with [`Editor`].

pub mod labels;
mod lists;
mod node;
mod noise;
mod row;
mod scale;
pub mod typed;

pub use node::{Editor, title};
pub use noise::{flag, seed};
pub use row::{
    Fault, WRONG, choose, explain, help, help_of, menu_of, name, number, numbers, numbers_within,
    plain, row, value, with_range, wrong,
};
pub use scale::{Scale, ordered};
