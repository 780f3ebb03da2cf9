//! The distance of what is drawn from the ground: of the triangles of each level, and in a view.

mod in_view;
mod of_levels;
