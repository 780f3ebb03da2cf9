//! The tabs, by clicks.

use std::fs;
use std::time::Instant;

use bevy::diagnostic::{Diagnostic, DiagnosticMeasurement, DiagnosticPath, DiagnosticsStore};
use bevy::prelude::*;
use bevy_egui::egui::{self, Key, Modifiers, vec2};
use bevy_orogeny::{TerrainOrigin, TerrainViewer};
use orogeny::Node::Constant;
use orogeny::cover::CoverKind;
use orogeny::drainage::Drainage;
use orogeny::node::Clamp;
use orogeny::{Cover, Node, Recipe, Shape};

use super::support::{Person, hills, project_presets, read, recipe};
use crate::document::Step;
use crate::document::draft::Draft;
use crate::map::{MapStyle, TerrainMap, View};
use crate::viewer::Freeze;
use crate::window::TerrainPanelApp;

fn person() -> Person {
    Person::new(recipe(), [1280.0, 720.0])
}

fn field(person: &mut Person) -> Node {
    person.terrain().field
}

#[test]
fn every_tab_of_every_preset_fits_the_screen() {
    let mut presets = 0;
    for file in fs::read_dir(project_presets()).unwrap() {
        let recipe = read(&file.unwrap().path());
        presets += 1;
        for size in [[1280.0, 720.0], [960.0, 540.0]] {
            let mut person = Person::new(recipe.clone(), size);
            let tabs = person.tabs();
            assert_eq!(tabs.len(), 11, "{tabs:?}");
            for tab in &tabs {
                person.open(tab);
                let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
                assert!(
                    screen.contains_rect(person.window),
                    "{tab}: {:?} in {size:?}",
                    person.window
                );
                assert!(person.window.width() < 400.0, "{tab}: {:?}", person.window);
                // Beside the title and the names of the tabs.
                assert!(person.texts.len() > tabs.len() + 1, "{tab}: {:?}", person.texts);
                assert!(person.cut.is_empty(), "{tab}: {:?} is cut off", person.cut);
                assert!(person.boxes.is_empty(), "{tab}: no glyph for {:?}", person.boxes);
                // No text is beyond the right edge, except in scroll areas.
                for (text, rect) in &person.texts {
                    assert!(
                        rect.right() <= person.window.right() + 1.0,
                        "{tab}: {text:?} {rect:?}"
                    );
                }
            }
        }
    }
    assert!(presets >= 4, "{presets} presets");
}

#[test]
fn a_dragged_slider_is_one_step_and_undo_takes_it_back() {
    let recipe = Recipe {
        field: Node::Shape {
            field: Box::new(hills(1)),
            by: vec![Shape::Terraces(Default::default())],
        },
        ..recipe()
    };
    let mut person = Person::new(recipe.clone(), [1280.0, 720.0]);
    let from = person.right_of("Strength");
    person.drag(from + vec2(60.0, 0.0), from + vec2(20.0, 0.0), 6);
    person.frame(Vec::new());
    let changed = person.terrain();
    let Node::Shape { by, .. } = &changed.field else { panic!() };
    let Shape::Terraces(terraces) = &by[0] else { panic!() };
    assert!(terraces.strength < 0.5, "{terraces:?}");
    assert!(person.document().is_unsaved());
    person.click("↩ Undo");
    person.frame(Vec::new());
    assert_eq!((person.terrain(), person.document().can_go()), (recipe, [false, true]));
    person.press(Modifiers::COMMAND, Key::Y);
    assert_eq!(person.terrain(), changed);
    person.press(Modifiers::COMMAND, Key::Z);
    person.press(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z);
    assert_eq!(person.terrain(), changed);
}

#[test]
fn a_number_is_typed() {
    let mut person = person();
    let at = person.right_of("Height");
    person.drag(at, at, 1);
    assert!(person.context.egui_wants_keyboard_input(), "the game gets no keys now");
    person.press(Modifiers::COMMAND, Key::A);
    person.type_text("2");
    person.type_text("5");
    person.press(Modifiers::NONE, Key::Enter);
    person.frame(Vec::new());
    assert_eq!(person.terrain().height, 25.0);
    assert!(!person.context.egui_wants_keyboard_input());
    person.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(person.terrain().height, 100.0);
}

#[test]
fn layers_are_added_muted_moved_and_removed_by_clicks() {
    let mut person = person();
    person.click("M");
    person.frame(Vec::new());
    let Node::Add(heard) = &field(&mut person) else { panic!() };
    assert_eq!(heard.len(), 2, "{heard:?}");
    let Node::Add(all) = &person.document().draft().recipe.field.clone() else { panic!() };
    assert_eq!(all.len(), 3);
    assert!(!person.document().is_unsaved());
    person.click("M");

    // The first "⬇" that can be clicked is that of the first layer.
    person.click("⬇");
    person.frame(Vec::new());
    let Node::Add(moved) = &field(&mut person) else { panic!() };
    assert_eq!(moved[1], Constant(1.0));
    // The last button belongs to the whole sum. Menus are drawn on top.
    person.click_last("Add layer");
    person.click_last("Constant");
    person.frame(Vec::new());
    let Node::Add(added) = &field(&mut person) else { panic!() };
    assert_eq!((added.len(), &added[3]), (4, &Constant(0.1)));
    person.click("✖");
    person.frame(Vec::new());
    let Node::Add(removed) = &field(&mut person) else { panic!() };
    assert_eq!(removed[..], added[1..]);
}

#[test]
fn what_is_wrong_is_said_where_it_is_and_the_terrain_stays() {
    let mut person = person();
    let wrong = Shape::Clamp(Clamp { min: 2.0, max: 1.0, smooth: 0.0 });
    let clamped = Node::Shape { field: Box::new(Constant(1.0)), by: vec![wrong] };
    let mut draft = Draft::new(Recipe {
        field: Node::Add(vec![Constant(1.0), Constant(3.0), clamped]),
        ..recipe()
    });
    // Error paths count active layers, and the second one is muted.
    draft.marks.children[1].muted = true;
    person.document().edit(draft, Step::Single);
    person.frame(Vec::new());
    person.frame(Vec::new());
    assert_eq!(person.terrain(), recipe());
    let problem = "Maximum is 1, but must be at least the minimum, 2";
    let place = "Add, layer 2, shape, step 1, clamp: maximum is 1, but";
    assert!(person.sees(place), "{:?}", person.texts);
    // The error is below the row of that number.
    person.frames(10);
    let (row, text) = (person.find("Maximum"), person.find(problem));
    assert!((row.bottom()..row.bottom() + 25.0).contains(&text.center().y), "{row:?} {text:?}");
}

#[test]
fn maps_and_profiles_arrive() {
    let mut person = Person::new(Recipe { field: hills(1), ..recipe() }, [1280.0, 720.0]);
    person.open("Map");
    for (name, style) in [
        ("Shaded", MapStyle::Shaded),
        ("Height", MapStyle::Height),
        ("Slope", MapStyle::Slope),
        ("Curvature", MapStyle::Curvature),
        ("Lands", MapStyle::Lands),
        ("Temperature", MapStyle::Temperature),
        ("Moisture", MapStyle::Moisture),
    ] {
        person.click(name);
        let shown = |person: &mut Person| {
            let map = person.app.world().resource::<TerrainMap>();
            let is_shown = |view: &View| view.style == style && view.step == 1;
            map.texture.as_ref().is_some_and(|shown| is_shown(&shown.view.1))
        };
        person.wait(name, shown);
    }
    person.wait("the profile", |person| person.sees("5.0 km"));
    // Dragging moves the map and stops following the camera.
    let at = person.find("Profile").center() - vec2(0.0, 120.0);
    person.drag(at, at + vec2(40.0, 0.0), 4);
    let map = person.app.world().resource::<TerrainMap>();
    assert!(!map.follows_camera && (map.view.centre[0] + 40.0 * map.view.spacing).abs() < 1e-6);
}

#[test]
fn statistics_show_the_gpu_time_of_passes_that_are_measured() {
    let mut person = person();
    person.open("Statistics");
    assert!(person.sees("not measured"), "{:?}", person.texts);
    assert!(person.sees("Triangles") && person.sees("drawn") && person.sees("Mesh memory"));
    let path = DiagnosticPath::new("render/main_opaque_pass_3d/elapsed_gpu");
    let mut ground = Diagnostic::new(path);
    ground.add_measurement(DiagnosticMeasurement { time: Instant::now(), value: 1.25 });
    let mut store = DiagnosticsStore::default();
    store.add(ground);
    person.app.insert_resource(store);
    person.frame(Vec::new());
    person.find("Opaque pass");
    assert!(person.sees("1.25 ms") && !person.sees("not measured"), "{:?}", person.texts);
}

#[test]
fn far_places_are_reached_exactly() {
    let mut person = person();
    person.app.insert_resource(TerrainOrigin::default().rebasing());
    person.open("Viewer");
    let target = person.find("Go to");
    for (name, text) in [("x", "1e12"), ("z", "-1e12")] {
        let rows =
            person.texts.iter().filter(|(own, rect)| own == name && rect.top() > target.bottom());
        let at = rows.map(|(_, rect)| rect.center()).next().unwrap() + vec2(145.0, 0.0);
        person.replace_at(at, text);
    }
    person.click("Go");
    person.frames(6);
    let world = person.app.world_mut();
    let camera = *world.query_filtered::<&Transform, With<Camera3d>>().single(world).unwrap();
    let [x, height, z] = world.resource::<TerrainOrigin>().position(camera.translation);
    assert!((x - 1e12).abs() < 0.01 && (z + 1e12).abs() < 0.01, "{x} {z}");
    assert!((height - 1250.0).abs() < 1.0, "{height}");
}

#[test]
fn a_frozen_viewer_stays_where_it_was() {
    let mut person = person();
    person.app.world_mut().resource_mut::<Freeze>().0 = true;
    person.frames(3);
    let world = person.app.world_mut();
    let mut cameras =
        world.query_filtered::<(&mut Transform, Has<TerrainViewer>), With<Camera3d>>();
    let (mut camera, sees) = cameras.single_mut(world).unwrap();
    assert!(!sees);
    camera.translation.x = 300.0;
    person.frame(Vec::new());
    let world = person.app.world_mut();
    let viewer = world.query_filtered::<&Transform, With<TerrainViewer>>().single(world).unwrap();
    assert_eq!(viewer.translation.x, 0.0);
    person.app.world_mut().resource_mut::<Freeze>().0 = false;
    person.frames(3);
    let world = person.app.world_mut();
    let mut viewers = world.query::<(&Transform, &TerrainViewer, Has<Camera3d>)>();
    let (transform, viewer, is_camera) = viewers.single(world).unwrap();
    assert_eq!((transform.translation.x, viewer.range, is_camera), (300.0, 500.0, true));
    assert!((viewer.pixel_error - TerrainViewer::default().pixel_error).abs() < 1e-9);
}

#[test]
fn games_add_tabs() {
    #[derive(Resource, Default)]
    struct Wind(u32);
    let mut person = person();
    person.app.init_resource::<Wind>().add_panel_tab(
        "Wind",
        "The weather",
        |mut ui: InMut<egui::Ui>, mut wind: ResMut<Wind>| {
            wind.0 += u32::from(ui.button("blow").clicked());
        },
    );
    person.open("Help");
    person.click("Wind");
    person.click("blow");
    assert_eq!(person.app.world().resource::<Wind>().0, 1);
}

#[test]
fn layers_of_cover_are_added_and_removed_and_the_sea_let_in_by_clicks() {
    let mut person = person();
    person.open("Cover");
    let before = person.terrain();
    assert!(before.cover.layers.len() < Cover::MAX_LAYERS && before.sea_level.is_none());
    person.click("Add layer");
    person.click("Sand");
    person.frame(Vec::new());
    let added = person.terrain();
    assert_eq!(added.cover.layers.len(), before.cover.layers.len() + 1);
    assert_eq!(added.cover.layers.last().unwrap().kind, CoverKind::Sand);
    person.click("Sea");
    person.frame(Vec::new());
    assert_eq!(person.terrain().sea_level, Some(0.0));
    for _ in 0..2 {
        person.press(Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(person.terrain(), before);
}

#[test]
fn rivers_and_the_trees_of_their_ground_are_added_by_clicks() {
    let mut person = person();
    person.open("Rivers");
    let before = person.terrain();
    assert!(before.rivers.is_none());
    person.click("River network");
    person.frame(Vec::new());
    assert_eq!(person.terrain().rivers, Some(Drainage::default()));
    assert!(person.sees("Steepness") && person.sees("Meander"));
    for (tree, of) in [
        ("Relief", (|rivers| rivers.relief.is_some()) as fn(&Drainage) -> bool),
        ("Detail", |rivers| rivers.detail.is_some()),
    ] {
        person.click(tree);
        person.frame(Vec::new());
        assert!(person.terrain().rivers.is_some_and(|rivers| of(&rivers)), "{tree}");
    }
    for _ in 0..3 {
        // The keys are the panel's while the pointer is on it, and it shrinks.
        let middle = person.window.center();
        person.frame(vec![egui::Event::PointerMoved(middle)]);
        person.press(Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(person.terrain(), before);
}
