//! Tests that involve several modules.

mod far;
mod rivers;
mod seams;
