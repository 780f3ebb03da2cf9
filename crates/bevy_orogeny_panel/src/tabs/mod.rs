//! The tabs of the panel, one file each.
//!
//! A tab is a Bevy system that draws into an egui `Ui`; `plugin.rs` registers it with its name and
//! hover text. `files` is the upper part of the tab `terrain`; `history` and `gpu_time` are the
//! data of `statistics`, `plant_counts` and `plant_reasons` those of `plants`, of which
//! `plant_kind` is an item, `land_diagram` is a part of `map`, and `problems` one of `terrain`.

pub mod cover;
pub mod edits;
pub mod files;
pub mod gpu_time;
pub mod help;
pub mod history;
pub mod land_diagram;
pub mod map;
pub mod plant_counts;
pub mod plant_kind;
pub mod plant_reasons;
pub mod plants;
pub mod problems;
pub mod rivers;
pub mod statistics;
pub mod terrain;
pub mod tools;
pub mod viewer;
pub mod views;
