//! What tests of several folders use.

pub mod log;
pub mod preset_list;
