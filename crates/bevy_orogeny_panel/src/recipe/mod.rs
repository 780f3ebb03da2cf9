//! The recipe's tree as rows of controls.
//!
//! `node` draws a node and its children, `row` one parameter within its limits, `choice` an enum;
//! `fractal`, `noise` and `lists` draw the contents of nodes. A new parameter gets its row from its
//! `Limit`. A new variant of an enum appears in its `choice` with its documentation in `orogeny`.
//! `labels` turns names into words, `typed` reads what the user types, `scale` decides how a number
//! is dragged, `folding` is the header of a part that folds, `fault` routes an error to its row.
//! Start with [`Editor`].

mod choice;
pub mod fault;
mod folding;
mod fractal;
pub mod labels;
mod lists;
mod node;
mod noise;
mod row;
mod scale;
mod title;
pub mod typed;

pub use choice::{choose, help, name};
pub use folding::header;
pub use node::Editor;
pub use noise::{flag, seed};
pub use row::{
    WRONG, explain, help as help_of, number, numbers, numbers_within, plain, row, value, wrong,
};
pub use scale::{Scale, ordered};
pub use title::{decimals, length, read_length, title};
