mod document;
mod draft;
mod editing;
mod keys;
mod rig;
mod support;
mod tabs;
mod tools;
