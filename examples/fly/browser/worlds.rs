//! Worlds in the browser's storage: opening one by name, saving it as it changes, and what the
//! panel says about it. What is saved when is in `saved`.

use std::sync::{Arc, Mutex, PoisonError};

use bevy::prelude::*;
use bevy::time::Real;
use bevy_egui::egui;
use bevy_orogeny::orogeny::Recipe;
use bevy_orogeny::orogeny::edits::EditLog;
use bevy_orogeny::{EditApplied, Ground, Terrain, TerrainEdits};
use bevy_orogeny_panel::{PanelMessage, Shortcuts};

use super::browser::lock;
use super::browser::saved::{self, Claim, SavedWorld, Stamp};
use super::browser::storage::Storage;
use super::keys::SAVE;

/// Opens a world, if there is one of that name yet, to be saved as it changes.
///
/// # Errors
/// A message for the user.
pub fn open(name: &str) -> Result<(Option<(Recipe, EditLog)>, WorldsPlugin), String> {
    let (world, stamp) = saved::open(&Storage, name)?;
    Ok((world, WorldsPlugin { open: Some((name.into(), stamp)) }))
}

/// Saves a world while somebody plays.
#[derive(Clone, Default)]
pub struct WorldsPlugin {
    /// The world that the address names, as it was read.
    open: Option<(String, Stamp)>,
}

/// The world that is open. The page's events have it, too.
#[derive(Clone)]
struct Shared(Arc<Mutex<SavedWorld<Storage>>>);

/// The world that the address names, or that was saved by hand. From then on changes are saved as
/// they are made.
#[derive(Resource, Default)]
pub struct OpenWorld(Option<Shared>);

impl Plugin for WorldsPlugin {
    fn build(&self, app: &mut App) {
        let mut open = OpenWorld::default();
        let mut message = None;
        if let Some((name, stamp)) = &self.open {
            match Shared::share(SavedWorld::opened(Storage, name, *stamp)) {
                Ok(shared) => open.0 = Some(shared),
                Err(error) => message = Some(error),
            }
        }
        app.insert_resource(open)
            .add_systems(PostUpdate, (save_on_key, save_changes).chain())
            .add_systems(Last, save_at_end.run_if(on_message::<AppExit>));
        if let Some(text) = message {
            app.init_resource::<PanelMessage>();
            app.world_mut().resource_mut::<PanelMessage>().say(text);
        }
    }
}

impl Shared {
    /// Asks the browser for a world, and saves it when the page is left.
    fn share(world: SavedWorld<Storage>) -> Result<Self, String> {
        let name = world.name().to_string();
        let shared = Self(Arc::new(Mutex::new(world)));
        shared.clone().ask(&name)?;
        let same = shared.clone();
        lock::on_leaving(move || same.with(SavedWorld::save_now));
        Ok(shared)
    }

    fn ask(self, name: &str) -> Result<(), String> {
        lock::claim(name, move |is_free| {
            let next = self.with(|world| world.answer(is_free));
            let is_ours = self.with(|world| world.claim() == Claim::Ours);
            if let Some(next) = next
                && let Err(error) = self.ask(&next)
            {
                error!("{error}");
            }
            is_ours
        })
    }

    fn with<R>(&self, act: impl FnOnce(&mut SavedWorld<Storage>) -> R) -> R {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn recipe(terrain: &Terrain) -> Option<&Recipe> {
    match &terrain.ground {
        Ground::Recipe(recipe) => Some(recipe),
        _ => None,
    }
}

/// Saves the present ground as a world, or the open one at once.
fn save_on_key(
    keys: Shortcuts,
    terrains: Query<(&Terrain, &TerrainEdits)>,
    mut open: ResMut<OpenWorld>,
    mut message: ResMut<PanelMessage>,
) {
    if !keys.just_pressed(SAVE) {
        return;
    }
    let claim = open.0.as_ref().map(|open| open.with(|world| world.claim()));
    if let (Some(open), Some(Claim::Ours | Claim::Asked)) = (&open.0, claim) {
        return message.say(open.with(|world| {
            world.save_now();
            match world.error() {
                Some(error) => error.into(),
                None => format!("{} is saved as you go", world.name()),
            }
        }));
    }
    let Some((recipe, edits)) =
        terrains.single().ok().and_then(|(terrain, edits)| Some((recipe(terrain)?, edits)))
    else {
        return message.say("There is no ground yet that could be saved");
    };
    match SavedWorld::create(Storage, recipe, &edits.log).and_then(Shared::share) {
        Ok(shared) => open.0 = Some(shared),
        Err(error) => message.say(error),
    }
}

/// Follows what changes, and saves it in real time, also while the game is paused.
fn save_changes(
    terrains: Query<(Entity, Ref<Terrain>, Ref<TerrainEdits>)>,
    mut applied: MessageReader<EditApplied>,
    time: Res<Time<Real>>,
    open: Res<OpenWorld>,
    mut message: ResMut<PanelMessage>,
) {
    let (Some(open), Ok((entity, terrain, edits))) = (&open.0, terrains.single()) else {
        return applied.clear();
    };
    let now = time.elapsed();
    let changes = applied.read().filter(|applied| applied.terrain == entity);
    let changes = changes.map(|EditApplied { applied, .. }| &applied.change);
    let news = open.with(|world| {
        if edits.is_added() {
            world.begin(recipe(&terrain), &edits.log);
        }
        if terrain.is_changed() || edits.is_changed() {
            world.follow(now, recipe(&terrain), &edits.log, changes);
        }
        world.tick(now);
        world.take_news()
    });
    if let Some(news) = news {
        message.say(news);
    }
}

fn save_at_end(open: Res<OpenWorld>) {
    if let Some(open) = &open.0 {
        open.with(SavedWorld::save_now);
    }
}

/// The panel's tab.
pub fn show(mut ui: InMut<egui::Ui>, open: Res<OpenWorld>) {
    let Some(open) = &open.0 else {
        ui.label("No world is open: edits are lost when this page is closed.");
        ui.label("L saves this ground and its edits in this browser.");
        return;
    };
    open.with(|world| {
        ui.label(format!("World: {}, in this browser", world.name()));
        match (world.error(), world.claim(), world.is_saved()) {
            (Some(error), ..) => ui.colored_label(egui::Color32::LIGHT_RED, error),
            (None, Claim::Ours, true) => ui.label("All changes are saved."),
            (None, Claim::Ours, false) => ui.label("Changes are being saved."),
            _ => ui.label("Waiting for the browser, in case another tab has this world open."),
        };
    });
}
