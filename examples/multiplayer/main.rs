//! A server and clients that edit one terrain together.
fn main() {}
