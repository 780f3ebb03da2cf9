//! `TerrainEditor` changes the log, and reports each change once.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_orogeny::advanced::{EditAuthor, QueryError};
use bevy_orogeny::orogeny::cover::CoverKind;
use bevy_orogeny::orogeny::edits::{Change, Edit, EditId, Flatten, Plant, State};
use bevy_orogeny::orogeny::{Node, Recipe};
use bevy_orogeny::{
    EditApplied, GroundEditor, Terrain, TerrainEditor, TerrainEdits, TerrainPlugins, TerrainQuery,
};

use super::support::*;

const AUTHOR: u64 = 77;

/// What was reported since the last call.
fn reported(app: &mut App) -> Vec<EditApplied> {
    app.world_mut().resource_mut::<Messages<EditApplied>>().drain().collect()
}

fn edit<T: Send + 'static>(
    app: &mut App,
    edit: impl Fn(&mut GroundEditor) -> T + Send + Sync + 'static,
) -> T {
    let system = move |mut editor: TerrainEditor| edit(&mut editor.single().unwrap());
    app.world_mut().run_system_once(system).unwrap()
}

#[test]
fn every_change_is_reported_once() {
    let mut app = app();
    let terrain = app.world_mut().spawn(hills(1)).id();
    app.insert_resource(EditAuthor(AUTHOR));
    app.update();
    reported(&mut app);

    let crater = edit(&mut app, |ground| ground.crater([4.0, 5.0], 9.0).unwrap());
    assert_eq!(reported(&mut app), [EditApplied { terrain, applied: crater.clone() }]);
    let id = crater.change.id;
    assert_eq!(id.author, AUTHOR);

    let state = State::Hidden(crater.change.state.edit().unwrap().clone());
    let hidden = edit(&mut app, move |ground| ground.set(id, state.clone()).unwrap());
    let shown = {
        let hidden = hidden.clone();
        edit(&mut app, move |ground| ground.undo(&hidden).unwrap())
    };
    let by_others = Change {
        id: EditId { time: 40, author: 3 },
        time: EditId { time: 40, author: 3 },
        state: crater.change.state.clone(),
    };
    let arrived = edit(&mut app, move |ground| {
        let applied = ground.apply(by_others.clone()).unwrap();
        // It arrives again, and so does an old one.
        assert!(!ground.apply(by_others.clone()).unwrap().is_new);
        assert!(!ground.apply(crater.change.clone()).unwrap().is_new);
        assert_eq!(ground.log().len(), 2);
        applied
    });
    let all = [hidden, shown, arrived].map(|applied| EditApplied { terrain, applied });
    assert_eq!(reported(&mut app), all);

    // What is refused changes nothing and is not reported.
    let error = edit(&mut app, |ground| ground.crater([4.0, f64::NAN], 9.0).unwrap_err());
    assert!(error.to_string().contains("center"), "{error}");
    assert!(reported(&mut app).is_empty());
    assert_eq!(app.world().get::<TerrainEdits>(terrain).unwrap().log.len(), 2);
}

fn height(app: &mut App, at: [f64; 2]) -> f32 {
    let system = move |terrains: TerrainQuery| terrains.single().unwrap().field(at).unwrap().value;
    app.world_mut().run_system_once(system).unwrap()
}

/// A pad has the height that the edits before it have given the ground, in the same system, in
/// another system of the frame, and after a change of the ground itself.
#[test]
fn an_editor_reads_its_own_edits() {
    let mut app = app();
    let entity = app.world_mut().spawn(hills(1)).id();
    app.update();
    let before = height(&mut app, [0.0; 2]);
    edit(&mut app, |ground| {
        ground.raise([0.0; 2], 20.0, 5.0, 10.0).unwrap();
        let raised = ground.field([0.0; 2]).unwrap().value;
        ground.flatten([0.0; 2], 10.0, 5.0).unwrap();
        ground.hole([500.0; 2], 4.0).unwrap();
        assert!(ground.field([500.0; 2]).is_err() && ground.flatten([500.0; 2], 9.0, 1.0).is_err());
        raised
    });
    edit(&mut app, |ground| ground.flatten([0.0; 2], 5.0, 1.0).unwrap());
    app.update();
    assert_eq!(height(&mut app, [0.0; 2]), before + 10.0);

    let flat = Terrain::recipe(Recipe::new(1, 1.0, Node::Constant(70.0)));
    set(&mut app, entity, |terrain: &mut Terrain| terrain.ground = flat.ground);
    edit(&mut app, |ground| ground.flatten([900.0, 0.0], 5.0, 1.0).unwrap());
    app.update();
    assert_eq!(height(&mut app, [900.0, 0.0]), 70.0);
}

/// A house needs a rectangle: level to its corners, and not beyond.
#[test]
fn an_editor_levels_a_rectangle() {
    let mut app = app();
    let moved = Transform::from_xyz(1000.0, 50.0, -200.0);
    app.world_mut().spawn((hills(1), moved));
    app.update();
    let house = [1040.0, -170.0];
    // Its length lies 30 degrees from x towards z.
    let at = |along: f64, aside: f64| {
        let (sin, cos) = 30f64.to_radians().sin_cos();
        [house[0] + along * cos - aside * sin, house[1] + along * sin + aside * cos]
    };
    let before = height(&mut app, house);
    let outside = [at(0.0, 7.0), at(13.0, 0.0)].map(|at| (at, height(&mut app, at)));
    edit(&mut app, move |ground| {
        let floor = ground.rectangle(house, [20.0, 8.0], 30.0, 2.0);
        ground.flatten_area(floor).unwrap();
        ground.clear_area(floor).unwrap();
        ground.paint_area(floor, CoverKind::Grass).unwrap();
    });
    app.update();
    for corner in [at(9.9, 3.9), at(-9.9, 3.9), at(9.9, -3.9), at(-9.9, -3.9)] {
        assert_eq!(height(&mut app, corner), before, "{corner:?}");
    }
    for (at, before) in outside {
        assert_eq!(height(&mut app, at), before, "{at:?}");
    }
}

/// The short calls of an editor take positions in the world; `local` gives those of its log.
#[test]
fn the_short_calls_of_an_editor_take_positions_in_the_world() {
    let mut app = app();
    let moved = Transform::from_xyz(1000.0, 50.0, -200.0);
    let entity = app.world_mut().spawn((hills(1), moved)).id();
    app.update();
    edit(&mut app, |ground| {
        let at = [1004.0, -195.0];
        let height = ground.field(at).unwrap().value;
        ground.raise(at, 9.0, 1.0, 2.0).unwrap();
        ground.flatten(at, 9.0, 1.0).unwrap();
        assert_eq!(ground.field(at).unwrap().value, height + 2.0);
        ground.crater(at, 9.0).unwrap();
        ground.hole(at, 9.0).unwrap();
        ground.smooth(at, 9.0, 1.0, 20.0).unwrap();
        ground.paint(at, 9.0, 1.0, CoverKind::Grass).unwrap();
        let none = ground.paint(at, 9.0, 1.0, CoverKind::Custom("Lava".into())).unwrap_err();
        assert!(none.to_string().contains("Lava"), "{none}");
        ground.flood(at, 9.0, 53.0).unwrap();
        ground.clear(at, 9.0).unwrap();
        let at = ground.local(at);
        assert_eq!(at, [4.0, 5.0]);
        ground.add(Plant { center: at, ..Plant::default() }).unwrap();
    });
    let log = &app.world().get::<TerrainEdits>(entity).unwrap().log;
    let edits: Vec<&Edit> = log.ids().filter_map(|id| log.get(id)?.edit()).collect();
    assert_eq!(edits.len(), 9);
    for edit in edits {
        assert_eq!(edit.positions(), [[4.0, 5.0]], "{edit:?}");
        if let Edit::Flood(flood) = edit {
            assert_eq!(flood.level, 3.0);
        }
    }
}

/// In `f32`, heights of a terrain that is 1,000 km up are 6 cm apart.
#[test]
fn a_pad_has_the_height_of_its_ground_however_far_up_that_is() {
    let mut app = app();
    let moved = Transform::from_xyz(0.0, 1e6, 0.0);
    app.world_mut().spawn((hills(1), moved));
    app.update();
    for at in [[3.0, 4.0], [-70.0, 51.0], [123.0, 9.0]] {
        let applied = edit(&mut app, move |ground| ground.flatten(at, 9.0, 1.0).unwrap());
        let Some(Edit::Flatten(Flatten { height, .. })) = applied.change.state.edit() else {
            panic!("{applied:?}")
        };
        let exact = hills(1).height(at).unwrap().value;
        assert_eq!(*height, exact, "{at:?}");
    }
}

/// In an app without the plugins, or without assets, which they need.
#[test]
fn editors_and_queries_agree_that_terrain_does_not_run() {
    let mut without_assets = App::new();
    without_assets.add_plugins((MinimalPlugins, TerrainPlugins));
    for mut app in [App::new(), without_assets] {
        let said = |app: &mut App| {
            let system = |mut editor: TerrainEditor, terrains: TerrainQuery| {
                let edited = editor.single().map(drop).unwrap_err();
                (edited, terrains.single().map(drop).unwrap_err())
            };
            app.world_mut().run_system_once(system).unwrap()
        };
        assert_eq!(said(&mut app), (QueryError::NoTerrain, QueryError::NoTerrain));
        let first = app.world_mut().spawn(hills(1)).id();
        assert_eq!(said(&mut app), (QueryError::NotRunning, QueryError::NotRunning));
        app.world_mut().spawn(hills(1));
        assert_eq!(said(&mut app), (QueryError::Several, QueryError::Several));
        let system = move |mut editor: TerrainEditor| editor.get(first).map(drop).unwrap_err();
        assert_eq!(app.world_mut().run_system_once(system).unwrap(), QueryError::NotRunning);
    }
}

/// A step is undone and done again as one, and a faulty one leaves nothing, nested ones included.
#[test]
fn a_step_is_undone_as_one() {
    let mut app = app();
    app.world_mut().spawn(hills(1));
    app.update();
    let height = |app: &mut App| edit(app, |ground| ground.field([0.0; 2]).unwrap().value);
    let before = height(&mut app);
    let step = edit(&mut app, |ground| {
        ground.step(|ground| {
            ground.raise([0.0; 2], 9.0, 1.0, 2.0)?;
            ground.step(|ground| ground.raise([0.0; 2], 9.0, 1.0, 3.0).map(drop))?;
            let failed = ground.step(|ground| {
                ground.raise([0.0; 2], 9.0, 1.0, 100.0)?;
                ground.raise([0.0; 2], f64::NAN, 1.0, 1.0).map(drop)
            });
            assert!(failed.unwrap_err().to_string().contains("radius"));
            Ok(())
        })
    });
    let step = step.unwrap();
    assert_eq!(height(&mut app), before + 5.0);
    let undone = edit(&mut app, {
        let step = step.clone();
        move |ground| ground.undo_step(&step).unwrap()
    });
    assert_eq!(height(&mut app), before);
    edit(&mut app, move |ground| ground.undo_step(&undone).unwrap());
    assert_eq!(height(&mut app), before + 5.0);
}
