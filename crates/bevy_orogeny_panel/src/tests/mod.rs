mod document;
mod draft;
mod editing;
mod support;
mod tabs;
