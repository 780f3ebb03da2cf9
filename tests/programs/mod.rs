//! The programs that need no window, run as a user would run them.

mod custom_field;
mod fly;
mod support;
