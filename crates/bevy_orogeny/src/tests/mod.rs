//! Tests that involve several modules.

mod far;
mod seams;
