//! Far from the origin.
