//! Nothing but the README, whose programs are tests: it belongs to no package.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
