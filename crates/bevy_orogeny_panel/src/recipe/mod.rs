//! The editor of a recipe's tree.

mod choice;
mod fractal;
mod lists;
mod node;
mod noise;
mod row;
mod title;

pub use choice::{choose, help, name};
pub use node::Editor;
pub use noise::{flag, seed};
pub use row::{WRONG, drag, explain, number, numbers, plain, row, wrong};
pub use title::length;
