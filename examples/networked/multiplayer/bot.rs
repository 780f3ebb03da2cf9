//! A player without hands: random edits, ten a second, in a place where everybody digs.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;
use bevy_orogeny::orogeny::edits::{Area, Clear, Disc, EditId, Plant, State};
use bevy_orogeny::{GroundEditor, TerrainEditor};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use crate::client::Session;

const PERIOD: Duration = Duration::from_millis(100);
/// The radius of the place, in metres.
const PLACE: f64 = 60.0;

/// The random edits of a client.
#[derive(Resource)]
pub struct Bot {
    random: StdRng,
    /// How many it has yet to make.
    pub left: u32,
}

/// Lets a client make random edits, once it has joined.
pub fn build(app: &mut App, author: u64, edits: u32) {
    app.insert_resource(Bot { random: StdRng::seed_from_u64(author), left: edits })
        .add_systems(Update, dig.pipe(Session::tell).run_if(on_timer(PERIOD)));
}

fn dig(mut bot: ResMut<Bot>, mut editor: TerrainEditor, mut session: ResMut<Session>) -> Result {
    let Ok(mut ground) = editor.single() else { return Ok(()) };
    let Bot { random, left } = &mut *bot;
    if *left > 0 {
        *left -= 1;
        let mut coordinate = || random.random_range(-PLACE..PLACE);
        let [x, z] = [coordinate(), coordinate()];
        session.position = [x, 0.0, z];
        let radius = random.random_range(2.0..15.0);
        let area = || Area::Disc(Disc { center: [x, z], radius, falloff: 1.0 });
        match random.random_range(0..12) {
            0..4 => ground.raise([x, z], radius, radius, random.random_range(-5.0..5.0))?,
            4..6 => ground.crater([x, z], radius)?,
            6..8 => ground.flatten([x, z], radius, radius)?,
            8 => ground.add(Clear { area: area(), kind: None })?,
            9 => ground.add(Plant { center: [x, z], ..Plant::default() })?,
            _ => return change_another(random, &mut ground),
        };
    }
    Ok(())
}

/// Hides, shows or removes an edit, perhaps that of another player at the same time as others do.
fn change_another(random: &mut StdRng, ground: &mut GroundEditor) -> Result {
    let ids: Vec<EditId> = ground.log().changes().map(|change| change.id).collect();
    let Some(&id) = ids.choose(random) else { return Ok(()) };
    let state = match ground.log().get(id) {
        Some(State::Shown(edit)) if random.random() => State::Hidden(edit.clone()),
        Some(State::Hidden(edit)) => State::Shown(edit.clone()),
        _ => State::Removed,
    };
    ground.set(id, state)?;
    Ok(())
}
