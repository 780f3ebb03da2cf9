//! A terrain that is saved, in apps without a window.

mod closing;
mod errors;
mod following;
mod round_trip;
mod support;
mod switching;
