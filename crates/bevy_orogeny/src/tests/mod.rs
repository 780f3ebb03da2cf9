//! Tests that involve several modules.

mod far;
mod floods;
mod rivers;
mod seams;
