//! Worlds in files: round trips, damage, and programs that are killed.

mod copies;
mod damage;
mod data;
mod encoding;
mod kill;
mod round_trip;
mod support;
