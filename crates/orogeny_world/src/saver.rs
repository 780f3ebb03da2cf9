//! Saves in the background.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use orogeny::Recipe;
use orogeny::edits::Change;

use crate::error::WorldError;
use crate::file::WorldFile;

/// How long to wait before the next attempt after an error.
const RETRY: Duration = Duration::from_secs(1);

/// Saves changes and recipes on a thread of its own. All changes that wait are saved in one
/// transaction, so a brush at 60 edits a second does not wait for the disk. Dropping it saves what
/// is left.
#[derive(Debug)]
pub struct Saver {
    queue: Option<Sender<Item>>,
    given: u64,
    progress: Arc<Mutex<Progress>>,
    thread: Option<JoinHandle<()>>,
}

/// What is saved.
#[derive(Debug)]
enum Item {
    Change(Change),
    Recipe(Box<Recipe>),
}

#[derive(Debug, Default)]
struct Progress {
    saved: u64,
    error: Option<String>,
}

impl Saver {
    /// Saves to a file.
    pub fn new(file: WorldFile) -> Self {
        let (queue, changes) = channel();
        let progress = Arc::<Mutex<Progress>>::default();
        let shared = progress.clone();
        let thread = thread::spawn(move || run(&file, &changes, &shared));
        Self { queue: Some(queue), given: 0, progress, thread: Some(thread) }
    }

    /// Saves a change soon, and returns at once. The number of calls so far is returned: once
    /// [`saved`](Self::saved) is that large, the change is on the disk.
    pub fn save(&mut self, change: Change) -> u64 {
        self.send(Item::Change(change))
    }

    /// Replaces the recipe soon, as [`save`](Self::save).
    pub fn save_recipe(&mut self, recipe: Recipe) -> u64 {
        self.send(Item::Recipe(Box::new(recipe)))
    }

    fn send(&mut self, item: Item) -> u64 {
        self.given += 1;
        // The thread only ends with the queue.
        let sent = self.queue.as_ref().is_some_and(|queue| queue.send(item).is_ok());
        debug_assert!(sent);
        self.given
    }

    /// How many changes and recipes are on the disk.
    pub fn saved(&self) -> u64 {
        self.progress().saved
    }

    /// How many are not yet on the disk.
    pub fn waiting(&self) -> u64 {
        self.given - self.saved()
    }

    /// Why the last attempt failed. The changes are kept, and the next attempt is made a second
    /// later.
    pub fn error(&self) -> Option<String> {
        self.progress().error.clone()
    }

    fn progress(&self) -> std::sync::MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Saver {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // A panic was reported by the thread.
            let _ = thread.join();
        }
    }
}

fn run(file: &WorldFile, items: &Receiver<Item>, progress: &Mutex<Progress>) {
    let mut waiting: Vec<Item> = Vec::new();
    loop {
        // Items wait only after an error.
        let next = if waiting.is_empty() {
            items.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            items.recv_timeout(RETRY)
        };
        let has_ended = matches!(next, Err(RecvTimeoutError::Disconnected));
        waiting.extend(next);
        waiting.extend(items.try_iter());
        if !waiting.is_empty() {
            let saved = save(file, &waiting);
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.error = saved.err().map(|error| error.to_string());
            if progress.error.is_none() {
                progress.saved += waiting.len() as u64;
                waiting.clear();
            }
        }
        if has_ended {
            return;
        }
    }
}

fn save(file: &WorldFile, items: &[Item]) -> Result<(), WorldError> {
    let mut recipes = items.iter().filter_map(|item| match item {
        Item::Recipe(recipe) => Some(recipe),
        Item::Change(_) => None,
    });
    if let Some(last) = recipes.next_back() {
        file.set_recipe(last)?;
    }
    file.save(items.iter().filter_map(|item| match item {
        Item::Change(change) => Some(change.clone()),
        Item::Recipe(_) => None,
    }))
}
