//! The tab Edits: a list of all edits of the ground.

use bevy::ecs::change_detection::{DetectChanges, Tick};
use bevy::prelude::*;
use bevy_egui::egui::{RichText, ScrollArea, Ui};
use bevy_orogeny::{TerrainEditor, TerrainEdits, TerrainQuery};
use orogeny::edits::{Area, Blend, Edit, EditId, EditLog, State};
use orogeny::scatter::Scatter;
use orogeny::{Cover, Region};
use strum::IntoEnumIterator;

use crate::controls;
use crate::editing::Editing;
use crate::recipe::labels::label;
use crate::recipe::typed::decimals;
use crate::recipe::{Fault, choose, number, numbers};
use crate::tabs::terrain::undo_and_redo;
use crate::tabs::tools::{BLEND, kind, layer};
use crate::tools::Tools;
use crate::tools::selected::{Selected, region, with_edit};
use crate::viewer::Teleport;
use crate::window::PanelMessage;
use crate::window::keys::PanelKeys;

/// The height of the list, in points.
const HEIGHT: f32 = 300.0;

/// The order of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Order {
    /// The newest first.
    #[default]
    Time,
    /// By author, the newest of each first.
    Author,
}

/// What the list shows. It is sorted again when the log or the order has changed.
#[derive(Default)]
pub struct List {
    ids: Vec<EditId>,
    order: Order,
    sorted: Option<(Entity, Tick, Order)>,
}

/// Draws the tab.
pub fn show(
    mut ui: InMut<Ui>,
    mut list: Local<List>,
    mut editing: ResMut<Editing>,
    keys: Res<PanelKeys>,
    mut selected: ResMut<Selected>,
    mut teleport: ResMut<Teleport>,
    mut tools: ResMut<Tools>,
    mut message: ResMut<PanelMessage>,
    terrains: TerrainQuery,
    mut set: ParamSet<(Query<Ref<TerrainEdits>>, TerrainEditor)>,
) {
    let ui = &mut *ui;
    ui.horizontal(|ui| undo_and_redo(ui, &mut editing, &keys));
    let Some(terrain) = editing.terrain() else {
        ui.label("There is no terrain to edit.");
        return;
    };
    let edits = set.p0();
    let Ok(edits) = edits.get(terrain) else { return };
    list.update(terrain, &edits);
    ui.horizontal(|ui| {
        let count = edits.log.len();
        ui.label(format!("{count} {}, sorted by", if count == 1 { "edit" } else { "edits" }));
        for (order, name, about) in [
            (Order::Time, "time", "The newest edits first"),
            (Order::Author, "author", "Edits of each author together, the newest first"),
        ] {
            if controls::option(ui, list.order == order, name, about) {
                list.order = order;
            }
        }
    });
    let rows = rows(ui, &list.ids, &edits.log, &mut selected);
    let ground = terrains.get(terrain).ok();
    let offset = ground.as_ref().map_or([0.0; 3], |ground| ground.offset());
    let chosen = detail(ui, &edits.log, offset, &mut selected, &mut teleport);
    let appearance = ground.as_ref().map(|ground| ground.query().appearance());
    let (cover, scatter) = appearance.map(|all| (&all.cover, &all.scatter)).unzip();
    let tuned =
        selected.0.and_then(|id| Some((id, tuned(ui, edits.log.get(id)?, cover, scatter)?)));
    // A drag over many frames is one step.
    let is_dragged = ui.input(|input| input.pointer.any_down() || input.pointer.any_released());
    tools.tune(is_dragged, tuned.is_some());
    if let Some((id, state)) = rows.or(chosen).or(tuned) {
        let mut editor = set.p1();
        let done = editor.get(terrain).map_err(BevyError::from);
        let done = done.and_then(|mut ground| Ok(ground.set(id, state)?));
        if let Err(error) = done {
            message.failed("The edit was not changed", &error);
        }
    }
}

impl List {
    fn update(&mut self, terrain: Entity, edits: &Ref<TerrainEdits>) {
        let now = (terrain, edits.last_changed(), self.order);
        if self.sorted == Some(now) {
            return;
        }
        self.sorted = Some(now);
        // Ids are ordered by time.
        self.ids.clear();
        self.ids.extend(edits.log.ids());
        self.ids.reverse();
        if self.order == Order::Author {
            self.ids.sort_by_key(|id| id.author);
        }
    }
}

/// Draws the visible rows. Returns what the user does to one of them.
fn rows(
    ui: &mut Ui,
    ids: &[EditId],
    log: &EditLog,
    selected: &mut Selected,
) -> Option<(EditId, State)> {
    let mut done = None;
    let height = ui.spacing().interact_size.y;
    let area = ScrollArea::vertical().id_salt("edits").max_height(HEIGHT);
    area.auto_shrink([false, true]).show_rows(ui, height, ids.len(), |ui, range| {
        for &id in &ids[range] {
            let Some(state) = log.get(id) else { continue };
            let Some(edit) = state.edit() else { continue };
            let is_shown = matches!(state, State::Shown(_));
            ui.horizontal(|ui| {
                let about = if is_shown { "Hide this edit" } else { "Show this edit" };
                if controls::toggle(ui, is_shown, "👁", about) {
                    done = Some((id, toggled(state)));
                }
                if controls::small(ui, true, "✖", "Delete this edit. Undo brings it back") {
                    done = Some((id, State::Removed));
                }
                let text = RichText::new(title(id, edit, log.region(id)));
                let text = if is_shown { text } else { text.weak() };
                let about = "Select this edit, to change it below or to move it with a tool";
                if controls::option(ui, selected.0 == Some(id), text, about) {
                    selected.0 = if selected.0 == Some(id) { None } else { Some(id) };
                }
            });
        }
    });
    done
}

/// Draws what is known about the selected edit. Returns what the user does to it.
fn detail(
    ui: &mut Ui,
    log: &EditLog,
    [ox, _, oz]: [f64; 3],
    selected: &mut Selected,
    teleport: &mut Teleport,
) -> Option<(EditId, State)> {
    let id = selected.0?;
    let Some((state, edit)) = log.get(id).and_then(|state| Some((state, state.edit()?))) else {
        // Somebody has deleted it.
        selected.0 = None;
        return None;
    };
    let region = region(log, id)?;
    // Regions are relative to the terrain's origin.
    let [x, z] = [(0, ox), (1, oz)].map(|(k, o)| 0.5 * (region.min[k] + region.max[k]) + o);
    ui.separator();
    ui.strong(title(id, edit, Some(region)));
    let [at_x, at_z] = [x, z].map(|x| decimals(x, 1));
    let (author, time) = (id.author, id.time);
    ui.label(format!("At x {at_x} m, z {at_z} m. Made by author {author:x} at time {time}"));
    let mut done = None;
    ui.horizontal(|ui| {
        if controls::button(ui, "Go to", "Move the camera to this edit") {
            teleport.go([x, z]);
        }
        let (name, about) = if matches!(state, State::Shown(_)) {
            ("Hide", "Leave this edit out of the ground, but keep it in the list")
        } else {
            ("Show", "Apply this edit to the ground again")
        };
        if controls::button(ui, name, about) {
            done = Some((id, toggled(state)));
        }
        if controls::button(ui, "Delete", "Delete this edit. Undo brings it back") {
            done = Some((id, State::Removed));
        }
    });
    done
}

/// Draws the numbers of an edit. Returns its state with those that the user has changed.
fn tuned(
    ui: &mut Ui,
    state: &State,
    cover: Option<&Cover>,
    scatter: Option<&Scatter>,
) -> Option<State> {
    let mut edit = state.edit()?.clone();
    match edit.area_mut() {
        Some(Area::Disc(disc)) => numbers(ui, disc, Fault::NONE),
        Some(Area::Rectangle(rectangle)) => numbers(ui, rectangle, Fault::NONE),
        None => {}
    }
    let (limits, own) = edit.numbers();
    for (limit, own) in limits.iter().zip(own) {
        number(ui, limit, own, Fault::NONE);
    }
    match &mut edit {
        Edit::Paint(paint) => layer(ui, cover, &mut paint.layer),
        Edit::Stamp(stamp) => {
            choose(ui, "Blend", BLEND, Fault::NONE, &mut stamp.blend, Blend::iter());
        }
        Edit::Clear(clear) => kind(ui, scatter, &mut clear.kind, true),
        Edit::Plant(plant) => {
            let mut chosen = Some(plant.kind);
            kind(ui, scatter, &mut chosen, false);
            plant.kind = chosen.unwrap_or(plant.kind);
        }
        _ => {}
    }
    (Some(&edit) != state.edit()).then(|| with_edit(state, edit))
}

/// Hidden if it is shown, and shown if it is hidden.
fn toggled(state: &State) -> State {
    match state {
        State::Shown(edit) => State::Hidden(edit.clone()),
        State::Hidden(edit) => State::Shown(edit.clone()),
        State::Removed => State::Removed,
    }
}

/// The kind of an edit, its size if that is known, and its time.
fn title(id: EditId, edit: &Edit, region: Option<Region>) -> String {
    let kind = label(edit.into());
    let size = region.map(|Region { min, max }| (max[0] - min[0]).max(max[1] - min[1]));
    let size = size.map_or_else(|| "hidden".into(), |size| format!("{size:.0} m"));
    format!("{kind}, {size}, {}", id.time)
}
