//! `TerrainEditor` changes the log, and reports each change once.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_orogeny::orogeny::edits::{Change, EditId, State};
use bevy_orogeny::{EditApplied, EditAuthor, Ground, GroundEditor, TerrainEditor, TerrainEdits};

use crate::support::*;

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
    let terrain = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
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
