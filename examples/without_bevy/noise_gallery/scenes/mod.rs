//! Pictures that show more than one field.

pub mod lessons;
pub mod relief;
pub mod rivers;
pub mod sky;
pub mod slices;
pub mod solid;
