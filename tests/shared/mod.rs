//! What tests of several folders use.

pub mod bare;
pub mod log;
pub mod preset_list;
