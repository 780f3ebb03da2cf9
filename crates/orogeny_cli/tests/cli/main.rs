//! The program as a user runs it: what it writes is read back and compared with the terrain.

mod export;
mod gallery;
mod inspect;
mod map;
mod mesh;
mod numbers;
mod plants;
mod readme;
mod support;
mod tiles;
mod weights;
