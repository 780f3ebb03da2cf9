//! What an open world has saved, the change to another one, and the end.

use std::mem::take;

use bevy_log::error;
use orogeny_world::{Saver, Unsaved};

use crate::terrain_world::{Next, TerrainWorld};

impl TerrainWorld {
    /// How many edits, recipes and pieces of data are on the disk, of those that were saved since
    /// the file was opened.
    pub fn saved(&self) -> u64 {
        self.saver.as_ref().map_or(0, Saver::saved)
    }

    /// How many are not yet on the disk.
    pub fn waiting(&self) -> u64 {
        self.saver.as_ref().map_or(0, Saver::waiting) + self.batch.len() as u64
    }

    /// Why something is not on the disk, if that is not just a matter of time. While the disk is
    /// full all changes are kept, and saved once it has room. Ground that is not valid or that is a
    /// custom field cannot be saved: the file keeps the last recipe.
    pub fn error(&self) -> Option<String> {
        let disk = match &self.saver {
            Some(saver) => saver.error(),
            None => self.unsaved.clone().or_else(|| self.too_late()),
        };
        disk.or_else(|| self.edit_problem.clone()).or_else(|| self.ground_problem.clone())
    }

    /// Changes to another world once this one is on the disk as it is at the end of the frame,
    /// usually within some frames. Then the [`SavedTerrain`](crate::SavedTerrain) gets the ground
    /// and the edits of the other one. What is changed until then is saved in this one: the frame
    /// of the change waits for the disk.
    ///
    /// While this one cannot be saved, it stays. Inserting the other one as the resource changes at
    /// once, but waits for the disk, and gives up what cannot be saved.
    pub fn switch_to(&mut self, next: Self) {
        self.next = Some(Next { world: Box::new(next), after: None });
    }

    /// The world that [`switch_to`](Self::switch_to) waits to change to.
    pub fn next(&self) -> Option<&Self> {
        self.next.as_ref().map(|next| &*next.world)
    }

    /// Closes the file at the end of the frame: all that the frame changes is saved first, and the
    /// frame waits for the disk. What cannot be saved is logged, and [`error`](Self::error) returns
    /// it. Later changes are not saved. At `AppExit` the file is closed, too.
    ///
    /// The plugin does it, in [`TerrainWorldSystems::Save`](crate::TerrainWorldSystems::Save).
    pub fn close(&mut self) {
        self.is_closing = true;
    }

    /// Saves what is left, waits for it, and closes the file at once. For a world that is no
    /// resource: one that was never inserted, or one that
    /// [`World::remove_resource`](bevy_ecs::world::World::remove_resource) returned, which has all
    /// edits of its terrain until then.
    ///
    /// # Errors
    /// What could not be saved, and why.
    pub fn finish(mut self) -> Result<(), Box<Unsaved>> {
        self.end()
    }

    fn end(&mut self) -> Result<(), Box<Unsaved>> {
        self.give();
        self.saver.take().map_or(Ok(()), Saver::finish)
    }

    /// Closes the file, and logs what could not be saved.
    pub(crate) fn close_now(&mut self) {
        if let Err(unsaved) = self.end() {
            error!("{unsaved}");
            self.unsaved = Some(unsaved.to_string());
        }
    }

    /// Gives the changes of a frame to the saver.
    pub(crate) fn give(&mut self) {
        let Some(saver) = &mut self.saver else { return };
        if self.batch.is_empty() {
            return;
        }
        match saver.save_batch(take(&mut self.batch)) {
            Ok(given) => self.given = given,
            // Each part was checked when it was added.
            Err(error) => error!("{error}"),
        }
    }

    /// The next world, once it may take the place of this one. A game may save something in each
    /// frame, so this does not wait for later changes: they are saved when this one is dropped.
    pub(crate) fn take_next(&mut self) -> Option<Self> {
        let after = *self.next.as_mut()?.after.get_or_insert(self.given);
        let is_saved = |saver: &Saver| saver.error().is_none() && saver.saved() >= after;
        let may_switch = self.saver.as_ref().is_none_or(is_saved);
        self.next.take_if(|_| may_switch).map(|next| *next.world)
    }

    fn too_late(&self) -> Option<String> {
        let (path, count) = (self.path().display(), self.batch.len());
        let message = || format!("{path}: {count} changes were made after the file was closed");
        (count > 0).then(message)
    }
}

impl Drop for TerrainWorld {
    fn drop(&mut self) {
        self.give();
        if let Some(error) = self.too_late() {
            error!("{error}");
        }
    }
}
