//! The tests of the public interface, in one program: each would compile the same generic code.
//!
//! `cargo test -p orogeny --test public gradients::` runs those of one file. Tests that count
//! allocations or the stack, and those that run on other processors too, have their own programs.

mod gradients;
mod identities;
mod parallel;
mod recipes;
mod statistics;
mod values;
