//! Tests of several modules together.

mod seams;
