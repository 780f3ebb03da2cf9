//! Paths, stamps, paint, handles, and the numbers of the selected edit.

use bevy::input::ButtonInput;
use bevy::prelude::*;
use bevy_egui::egui::vec2;
use bevy_orogeny::orogeny::edits::{Area, Blend, Edit, EditId, Path, State};
use bevy_orogeny::{Terrain, TerrainEdits};

use super::support::Person;
use super::tools::{drag, edit_ground, person, shown, step};
use crate::editing::ground_steps::Way;
use crate::tools::cursor::Cursor;
use crate::tools::selected::Selected;
use crate::tools::stamp::read;
use crate::tools::{Tool, Tools};

/// Clicks on the ground, in metres.
pub fn click(person: &mut Person, place: [f64; 3]) {
    person.app.insert_resource(Cursor(Some(place)));
    person.app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
    person.frame(Vec::new());
    person.app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
    person.app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(MouseButton::Left);
    person.frame(Vec::new());
    person.app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
}

/// The newest shown edit.
pub fn newest(person: &mut Person) -> (EditId, Edit) {
    let world = person.app.world_mut();
    let edits = world.query_filtered::<&TerrainEdits, With<Terrain>>().single(world).unwrap();
    let mut shown = edits.log.changes().filter_map(|change| match change.state {
        State::Shown(edit) => Some((change.id, edit)),
        _ => None,
    });
    let first = shown.next().unwrap();
    shown.fold(first, |newest, other| if other.0 > newest.0 { other } else { newest })
}

#[test]
fn a_path_is_laid_out_and_built() {
    let mut person = person();
    person.app.world_mut().resource_mut::<Tools>().tool = Some(Tool::Path);
    person.open("Tools");
    for x in [0.0, 40.0, 90.0] {
        click(&mut person, [x, 1000.0 + x, 7.0]);
    }
    assert!(person.sees("3 points") && shown(&mut person) == 0, "{:?}", person.texts);
    person.click("Remove last point");
    assert!(person.sees("2 points"));
    person.click("Canal");
    person.click("Build");
    (0..2).for_each(|_| person.frame(Vec::new()));
    let (_, edit) = newest(&mut person);
    let Edit::Path(path) = edit else { panic!("{edit:?}") };
    assert_eq!(path.points, [[0.0, 7.0, 1000.0], [40.0, 7.0, 1040.0]]);
    assert_eq!((path.depth, path.width), (3.0, 14.0));
    assert!(person.sees("0 points"));
    step(&mut person, Way::Undo);
    assert_eq!(shown(&mut person), 0);
    // A bend that is too sharp shows its error, and cannot be built.
    for [x, z] in [[0.0, 0.0], [20.0, 0.0], [20.0, 5.0], [0.0, 5.0]] {
        click(&mut person, [x, 1000.0, z]);
    }
    assert!(person.sees("the curve is too sharp"), "{:?}", person.texts);
    person.click("Build");
    (0..2).for_each(|_| person.frame(Vec::new()));
    assert_eq!(shown(&mut person), 0);
    person.click("Remove all");
    assert!(person.sees("0 points"));
}

#[test]
fn handles_move_the_selected_edit_in_one_step() {
    let mut person = person();
    let points = vec![[0.0, 0.0, 5.0], [60.0, 0.0, 6.0], [120.0, 0.0, 7.0]];
    let path = Path { points: points.clone(), ..Path::default() };
    edit_ground(&mut person, move |ground| ground.add(path.clone()).unwrap());
    let (id, _) = newest(&mut person);
    let now = |person: &mut Person| match newest(person).1 {
        Edit::Path(path) => path.points,
        edit => panic!("{edit:?}"),
    };
    // Nothing is selected.
    drag(&mut person, Tool::Move, &[60.0, 66.0]);
    assert_eq!(now(&mut person), points);
    person.app.insert_resource(Selected(Some(id)));
    drag(&mut person, Tool::Move, &[57.0, 63.0, 70.0, 75.0]);
    // The handle was taken 3 m from its middle.
    assert_eq!(now(&mut person)[1], [78.0, 0.0, 6.0]);
    assert_eq!([now(&mut person)[0], now(&mut person)[2]], [points[0], points[2]]);
    // Beyond the last point the path would turn too sharply, so it stays.
    drag(&mut person, Tool::Move, &[75.0, 118.0, 119.99]);
    assert!(person.sees("The edit was not moved"), "{:?}", person.texts);
    step(&mut person, Way::Undo);
    assert_eq!(now(&mut person), points);
    // Too far from every handle.
    drag(&mut person, Tool::Move, &[30.0, 34.0]);
    assert_eq!(now(&mut person), points);
}

#[test]
fn numbers_of_the_selected_edit_can_be_changed() {
    let mut person = person();
    edit_ground(&mut person, |ground| ground.raise([50.0, 5.0], 4.0, 4.0, 2.0).unwrap());
    let (id, _) = newest(&mut person);
    person.app.insert_resource(Selected(Some(id)));
    person.open("Edits");
    assert!(person.sees("Falloff") && person.sees("Height"), "{:?}", person.texts);
    let height = |person: &mut Person| match newest(person).1 {
        Edit::Raise(raise) => raise.height,
        edit => panic!("{edit:?}"),
    };
    let from = person.right_of("Height");
    person.drag(from, from + vec2(60.0, 0.0), 6);
    (0..2).for_each(|_| person.frame(Vec::new()));
    let higher = height(&mut person);
    assert!(higher > 2.0, "{higher} {:?}", person.texts);
    step(&mut person, Way::Undo);
    assert_eq!(height(&mut person), 2.0);
    step(&mut person, Way::Redo);
    assert_eq!(height(&mut person), higher);
}

#[test]
fn paint_has_a_layer_and_an_opacity() {
    let mut person = person();
    {
        let mut tools = person.app.world_mut().resource_mut::<Tools>();
        (tools.layer, tools.opacity) = (1, 0.25);
    }
    drag(&mut person, Tool::Paint, &[0.0]);
    let (_, edit) = newest(&mut person);
    let Edit::Paint(paint) = edit else { panic!("{edit:?}") };
    assert_eq!((paint.layer, paint.strength), (1, 0.25));
}

#[test]
fn a_click_floods_the_ground_around_it() {
    let mut person = person();
    {
        let mut tools = person.app.world_mut().resource_mut::<Tools>();
        (tools.radius, tools.strength) = (25.0, 1.5);
    }
    drag(&mut person, Tool::Flood, &[0.0]);
    let (_, edit) = newest(&mut person);
    let Edit::Flood(flood) = edit else { panic!("{edit:?}") };
    let Area::Disc(disc) = flood.area else { panic!("{flood:?}") };
    assert_eq!(disc.radius, 25.0);
    // The cursor is at 1,100 m.
    assert_eq!(flood.level, 1101.5);
}

#[test]
fn images_are_stamped() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let ramp = image::ImageBuffer::from_fn(8, 4, |x, _| image::Luma([(x * 9362) as u16]));
    ramp.save(file("ramp.png")).unwrap();
    let large = image::ImageBuffer::from_pixel(8194, 64, image::Luma([255u8]));
    large.save(file("large.png")).unwrap();
    std::fs::write(file("broken.png"), "not an image").unwrap();
    image::ImageBuffer::from_pixel(3, 9, image::Luma([0u8])).save(file("small.png")).unwrap();

    let (raster, description) = read(&file("ramp.png")).unwrap();
    assert_eq!(raster.size(), [8, 4]);
    assert!(raster.samples()[0] == 0.0 && (raster.samples()[7] - 1.0).abs() < 1e-4);
    assert!(description.contains("8 x 4 pixels"));
    let (raster, description) = read(&file("large.png")).unwrap();
    assert!(
        raster.size() == [4097, 32] && description.contains("resized to 4097 x 32"),
        "{description}"
    );
    for (name, problem) in
        [("broken.png", "broken.png: "), ("missing.png", "missing.png: "), ("small.png", "width")]
    {
        let error = read(&file(name)).unwrap_err();
        assert!(error.contains(problem), "{error}");
    }

    let mut person = person();
    {
        let mut tools = person.app.world_mut().resource_mut::<Tools>();
        tools.tool = Some(Tool::Stamp);
        tools.stamp.raster = read(&file("ramp.png")).unwrap().0;
        (tools.stamp.blend, tools.stamp.level) = (Blend::Max, 2.0);
    }
    click(&mut person, [30.0, 1000.0, 8.0]);
    let (_, edit) = newest(&mut person);
    let Edit::Stamp(stamp) = edit else { panic!("{edit:?}") };
    assert_eq!((stamp.center, stamp.level, stamp.raster.size()), ([30.0, 8.0], 1002.0, [8, 4]));
    step(&mut person, Way::Undo);
    assert_eq!(shown(&mut person), 0);
    person.open("Tools");
    assert!(person.sees("28.0 m x 12.0 m"), "{:?}", person.texts);
}
