//! Pictures that are more than a field.

pub mod lessons;
pub mod relief;
pub mod sky;
pub mod slices;
pub mod solid;
