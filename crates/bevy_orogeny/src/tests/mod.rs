//! Tests of several modules together.

mod far;
mod seams;
