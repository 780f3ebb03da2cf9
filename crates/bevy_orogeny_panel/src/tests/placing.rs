//! Where tools act: the ground under the pointer, paths, stamps, paint, handles, and the numbers of
//! the selected edit.

use bevy::camera::{CameraProjection, RenderTargetInfo, Viewport};
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowResolution};
use bevy_egui::egui::vec2;
use bevy_orogeny::orogeny::edits::{Area, Blend, Edit, EditId, Path, State};
use bevy_orogeny::orogeny::ray::Ray;
use bevy_orogeny::{Terrain, TerrainEdits, TerrainViewer};

use super::support::{Person, recipe};
use super::tools::{drag, edit_ground, person, shown, step};
use crate::editing::Way;
use crate::tools::clicks::read;
use crate::tools::cursor::{Cursor, Pointer};
use crate::tools::selected::Selected;
use crate::tools::{Tool, Tools};

/// Clicks on the ground, in metres.
pub fn click(person: &mut Person, place: [f64; 3]) {
    person.app.insert_resource(Cursor(Some(place)));
    person.mouse().press(MouseButton::Left);
    person.frame(Vec::new());
    person.mouse().clear();
    person.mouse().release(MouseButton::Left);
    person.frame(Vec::new());
    person.mouse().clear();
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
    person.tools().tool = Some(Tool::Path);
    person.open("Tools");
    for x in [0.0, 40.0, 90.0] {
        click(&mut person, [x, 1000.0 + x, 7.0]);
    }
    assert!(person.sees("3 points") && shown(&mut person) == 0, "{:?}", person.texts);
    person.click("Remove last point");
    assert!(person.sees("2 points"));
    person.click("Canal");
    person.click("Build");
    person.frames(2);
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
    person.frames(2);
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
    person.frames(2);
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
    person.set_tools(|tools| {
        (tools.layer, tools.opacity) = (1, 0.25);
    });
    drag(&mut person, Tool::Paint, &[0.0]);
    let (_, edit) = newest(&mut person);
    let Edit::Paint(paint) = edit else { panic!("{edit:?}") };
    assert_eq!((paint.layer, paint.strength), (1, 0.25));
}

#[test]
fn a_click_floods_the_ground_around_it() {
    let mut person = person();
    person.set_tools(|tools| {
        (tools.radius, tools.strength) = (25.0, 1.5);
    });
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
    person.set_tools(|tools| {
        tools.tool = Some(Tool::Stamp);
        tools.stamp.raster = read(&file("ramp.png")).unwrap().0;
        (tools.stamp.blend, tools.stamp.level) = (Blend::Max, 2.0);
    });
    click(&mut person, [30.0, 1000.0, 8.0]);
    let (_, edit) = newest(&mut person);
    let Edit::Stamp(stamp) = edit else { panic!("{edit:?}") };
    assert_eq!((stamp.center, stamp.level, stamp.raster.size()), ([30.0, 8.0], 1002.0, [8, 4]));
    step(&mut person, Way::Undo);
    assert_eq!(shown(&mut person), 0);
    person.open("Tools");
    assert!(person.sees("28.0 m x 12.0 m"), "{:?}", person.texts);
}

/// The size of the window, in pixels.
const SIZE: UVec2 = UVec2::new(800, 400);

/// A camera that looks straight down on a part of the window.
fn view(order: isize, [from, to]: [UVec2; 2], at: [f32; 2]) -> impl Bundle {
    let size = to - from;
    let projection =
        PerspectiveProjection { aspect_ratio: size.x as f32 / size.y as f32, ..default() };
    let mut camera = Camera { order, ..default() };
    camera.viewport = Some(Viewport { physical_position: from, physical_size: size, ..default() });
    camera.computed.target_info = Some(RenderTargetInfo { physical_size: SIZE, scale_factor: 1.0 });
    camera.computed.clip_from_view = projection.get_clip_from_view();
    let transform = Transform::from_xyz(at[0], 2000.0, at[1]).looking_to(Vec3::NEG_Y, Vec3::X);
    (Camera3d::default(), camera, TerrainViewer { range: 500.0, ..default() }, transform)
}

#[test]
fn tools_act_in_the_view_under_the_pointer() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    let world = person.app.world_mut();
    let cameras: Vec<_> = world.query_filtered::<Entity, With<Camera3d>>().iter(world).collect();
    cameras.into_iter().for_each(|camera| _ = world.despawn(camera));
    let resolution = WindowResolution::new(SIZE.x, SIZE.y);
    let window = world.spawn((Window { resolution, ..default() }, PrimaryWindow)).id();
    // Two halves, and a small view over the corner of the right one.
    let half = UVec2::new(400, 0);
    world.spawn(view(0, [UVec2::ZERO, UVec2::new(400, 400)], [100.0, 100.0]));
    world.spawn(view(1, [half, SIZE], [-300.0, 100.0]));
    world.spawn(view(2, [UVec2::new(700, 0), UVec2::new(800, 100)], [50.0, -400.0]));
    world.resource_mut::<Tools>().tool = Some(Tool::Raise);
    for (pointer, expected) in [
        ([200.0, 200.0], [100.0, 100.0]),
        ([600.0, 200.0], [-300.0, 100.0]),
        ([750.0, 50.0], [50.0, -400.0]),
    ] {
        let mut own = person.app.world_mut().get_mut::<Window>(window).unwrap();
        own.set_cursor_position(Some(Vec2::from(pointer)));
        person.frames(2);
        let found = person.app.world().resource::<Cursor>().0;
        let [x, _, z] = found.unwrap_or_else(|| panic!("no ground under {pointer:?}"));
        assert!((x - expected[0]).hypot(z - expected[1]) < 0.1, "{pointer:?}: {x} {z}");
    }
    // Outside all views there is no ray.
    let mut own = person.app.world_mut().get_mut::<Window>(window).unwrap();
    own.set_cursor_position(None);
    let ray = |pointer: Pointer| pointer.ray();
    let ray: Option<Ray> = person.app.world_mut().run_system_once(ray).unwrap();
    assert_eq!(ray, None);
}
