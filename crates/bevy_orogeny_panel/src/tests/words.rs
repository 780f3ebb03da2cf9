//! The texts of the panel: each has its glyphs, nothing is cut off, every control has a hover text.

use std::fs;
use std::path::{Path, PathBuf};

use bevy::prelude::*;
use bevy_egui::egui::FontId;
use orogeny::node::Curve;
use orogeny::{Node, Recipe, Shape};
use strum::VariantArray;

use super::support::{Person, has_box, recipe};
use crate::tools::Tool;

/// The Rust files below a folder of the workspace, without tests.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    fn collect(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_test = path.file_stem().is_some_and(|name| name == "tests");
            if path.is_dir() && !is_test {
                collect(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") && !is_test {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
                found.push((path, code.into()));
            }
        }
    }
    let mut found = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    assert!(found.len() > 5, "{folder}");
    found
}

/// Whether drawn, in a hover text or in a message: egui shows a box for what its fonts lack.
#[test]
fn every_character_has_a_glyph() {
    let font = FontId::proportional(12.5);
    assert!(has_box(&font, "◌") && !has_box(&font, "⬆ ° “ 🎲 ↩"));
    for folder in ["src", "../orogeny/src", "../bevy_orogeny/src", "../../examples/fly"] {
        for (path, text) in sources(folder) {
            for line in text.lines().filter(|line| !line.is_ascii()) {
                // Comments that are not shown may have anything.
                let is_shown = line.contains('"') || line.trim_start().starts_with("/// ");
                let is_boxed = is_shown && has_box(&font, line);
                assert!(!is_boxed, "{}: {line}", path.display());
            }
        }
    }
}

/// All controls go through `controls`, which asks for a hover text.
#[test]
fn every_control_has_a_hover_text() {
    let forbidden = [
        "ui.button(",
        "ui.small_button(",
        "Button::new(",
        "Button::selectable(",
        "ui.checkbox(",
        "ui.radio(",
        "ui.selectable_",
        "ui.toggle_value(",
        "ui.menu_button(",
        "ui.text_edit_singleline(",
        "ui.text_edit_multiline(",
        "ui.color_edit_",
        "ui.collapsing(",
        "ui.add_enabled(",
        ".show_ui(",
        "CollapsingHeader::new(",
    ];
    for (path, text) in sources("src") {
        if path.ends_with("controls.rs") {
            continue;
        }
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            assert!(
                !forbidden.iter().any(|call| line.contains(call)),
                "{}: {line}",
                path.display()
            );
            let added = line.split_once("ui.add(").map(|(_, widget)| widget.to_lowercase());
            let is_label = added.is_none_or(|widget| widget.contains("label"));
            assert!(is_label, "{}: {line}", path.display());
        }
    }
}

#[test]
fn the_help_of_each_tool_is_whole_and_its_numbers_are_shown() {
    let mut person = Person::new(recipe(), [1280.0, 900.0]);
    person.open("Tools");
    for &tool in Tool::VARIANTS {
        person.tools().tool = Some(tool);
        person.frames(2);
        let is_broken = |(text, _): &&(String, _)| text.contains('\n');
        assert_eq!(person.texts.iter().find(is_broken), None, "{tool:?}");
        assert!(person.cut.is_empty() && person.boxes.is_empty(), "{tool:?}: {:?}", person.cut);
    }
}

#[test]
fn the_points_of_a_curve_have_no_boxes() {
    let by = vec![Shape::Curve(Curve(vec![(0.0, 0.0), (1.0, 2.0)]))];
    let field = Node::Shape { field: Box::new(Node::Constant(0.5)), by };
    let person = Person::new(Recipe { field, ..recipe() }, [1280.0, 720.0]);
    assert!(person.sees("Point 2") && person.boxes.is_empty(), "{:?}", person.boxes);
}

#[test]
fn positions_are_not_minus_zero() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    let world = person.app.world_mut();
    let mut cameras = world.query_filtered::<&mut Transform, With<Camera3d>>();
    cameras.single_mut(world).unwrap().translation = Vec3::new(-0.04, 5.0, -0.0);
    person.open("Viewer");
    assert!(person.sees("x 0 m, z 0 m") && !person.sees("-0"), "{:?}", person.texts);
}
