//! The editor of a recipe's tree.

mod choice;
mod fractal;
mod lists;
mod node;
mod noise;
mod row;
mod title;

pub use node::Editor;
pub use noise::{flag, seed};
pub use row::{drag, number, plain, row, wrong};
pub use title::length;
