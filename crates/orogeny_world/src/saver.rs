//! Saves in the background.

use std::mem::take;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use orogeny::Recipe;
use orogeny::edits::Change;

use crate::error::{Problem, WorldError, tell};
use crate::file::WorldFile;
use crate::record;
use crate::unsaved::{Item, Unsaved};

/// How long to wait before the next attempt after an error.
const RETRY: Duration = Duration::from_secs(1);

/// Saves changes and recipes on a thread of its own. All changes that wait are saved in one
/// transaction, so a brush at 60 edits a second does not wait for the disk.
///
/// It first makes a [copy](WorldFile::back_up) of the world. While saving fails, it keeps what
/// waits, tries again every second, and logs each new error.
///
/// Dropping it saves what is left, and logs what cannot be saved. [`finish`](Self::finish) returns
/// it instead.
#[derive(Debug)]
pub struct Saver {
    path: PathBuf,
    given: u64,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: Vec<Item>,
    saved: u64,
    /// Why the last attempt failed.
    error: Option<WorldError>,
    /// Whether nothing more is given.
    has_ended: bool,
}

impl Saver {
    /// Saves to a file.
    pub fn new(file: WorldFile) -> Self {
        let path = file.path().into();
        let shared = Arc::<Shared>::default();
        let same = shared.clone();
        let thread = thread::spawn(move || same.run(&file));
        Self { path, given: 0, shared, thread: Some(thread) }
    }

    /// Saves a change soon, and returns at once. The number of accepted calls so far is returned:
    /// once [`saved`](Self::saved) is that large, the change is on the disk.
    ///
    /// # Errors
    /// A change that [`WorldFile::save`] would refuse. It is not kept.
    pub fn save(&mut self, change: Change) -> Result<u64, WorldError> {
        match record::check(&change) {
            Ok(()) => Ok(self.give(Item::Change(change))),
            Err(error) => Err(WorldError::new(&self.path, error)),
        }
    }

    /// Replaces the recipe soon, as [`save`](Self::save).
    ///
    /// # Errors
    /// A recipe that fails its [check](Recipe::build), which is made at once.
    pub fn save_recipe(&mut self, recipe: Recipe) -> Result<u64, WorldError> {
        match recipe.build() {
            Ok(_) => Ok(self.give(Item::Recipe(Box::new(recipe)))),
            Err(error) => Err(WorldError::new(&self.path, error)),
        }
    }

    fn give(&mut self, item: Item) -> u64 {
        self.shared.lock().waiting.push(item);
        self.shared.wake.notify_one();
        self.given += 1;
        self.given
    }

    /// How many changes and recipes are on the disk.
    pub fn saved(&self) -> u64 {
        self.shared.lock().saved
    }

    /// How many are not yet on the disk.
    pub fn waiting(&self) -> u64 {
        self.given - self.saved()
    }

    /// Why the last attempt failed. The changes are kept, and the next attempt is made a second
    /// later.
    pub fn error(&self) -> Option<String> {
        self.shared.lock().error.as_ref().map(ToString::to_string)
    }

    /// Saves what is left, waits for it, and closes the file.
    ///
    /// # Errors
    /// What could not be saved, and why.
    pub fn finish(mut self) -> Result<(), Box<Unsaved>> {
        self.end()
    }

    fn end(&mut self) -> Result<(), Box<Unsaved>> {
        let Some(thread) = self.thread.take() else { return Ok(()) };
        self.shared.lock().has_ended = true;
        self.shared.wake.notify_one();
        let ended = thread.join();
        let mut queue = self.shared.lock();
        let panic = ended.err().map(|panic| WorldError::new(&self.path, Problem::panic(&*panic)));
        let error = panic.or_else(|| queue.error.take());
        error.map_or(Ok(()), |error| Err(Unsaved::new(error, take(&mut queue.waiting))))
    }
}

impl Drop for Saver {
    fn drop(&mut self) {
        if let Err(unsaved) = self.end() {
            tell(&unsaved.to_string());
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, file: &WorldFile) {
        if let Err(error) = file.back_up() {
            tell(&format!("no copy was made: {error}"));
        }
        loop {
            let (batch, is_last) = self.next();
            let saved = save(file, &batch);
            let mut queue = self.lock();
            match saved {
                Ok(()) => {
                    queue.saved += batch.len() as u64;
                    queue.error = None;
                }
                Err(error) => {
                    let text = error.to_string();
                    let old = queue.error.replace(error);
                    if !is_last && old.is_none_or(|old| old.to_string() != text) {
                        tell(&format!("{text}; the next attempt is made in a second"));
                    }
                    queue.waiting.splice(0..0, batch);
                }
            }
            if is_last {
                return;
            }
        }
    }

    /// What to save next, and whether nothing comes after it.
    fn next(&self) -> (Vec<Item>, bool) {
        let mut queue = self.lock();
        if queue.error.is_some() {
            let waited = self.wake.wait_timeout_while(queue, RETRY, |queue| !queue.has_ended);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let is_idle = |queue: &mut Queue| queue.waiting.is_empty() && !queue.has_ended;
        let waited = self.wake.wait_while(queue, is_idle);
        let mut queue = waited.unwrap_or_else(PoisonError::into_inner);
        (take(&mut queue.waiting), queue.has_ended)
    }
}

fn save(file: &WorldFile, items: &[Item]) -> Result<(), WorldError> {
    if items.is_empty() {
        return Ok(());
    }
    let mut recipes = items.iter().filter_map(Item::recipe);
    let changes = items.iter().filter_map(Item::change).cloned();
    file.save_all(recipes.next_back(), changes)
}
