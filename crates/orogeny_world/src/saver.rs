//! Saves in the background.

use std::error::Error;
use std::fmt;
use std::mem::{replace, take};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use orogeny::Recipe;
use orogeny::edits::Change;

use crate::error::{Problem, WorldError, tell};
use crate::file::{Batch, WorldFile};

/// How long to wait before the next attempt after an error.
const RETRY: Duration = Duration::from_secs(1);

/// Saves changes, recipes and data on a thread of its own. All that waits is saved in one
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
    waiting: Batch,
    /// The number of items that were given for it.
    count: u64,
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
        self.save_batch(Batch { changes: vec![change], ..Batch::default() })
    }

    /// Replaces the recipe soon, as [`save`](Self::save).
    ///
    /// # Errors
    /// A recipe that fails its [check](Recipe::build), which is made at once.
    pub fn save_recipe(&mut self, recipe: Recipe) -> Result<u64, WorldError> {
        self.save_batch(Batch { recipe: Some(recipe), ..Batch::default() })
    }

    /// Replaces the data of a key soon, or removes it, as [`save`](Self::save). Of the data that
    /// waits for the disk only the last of each key is kept.
    ///
    /// # Errors
    /// A key or data that [`WorldFile::save_data`] would refuse.
    pub fn save_data(&mut self, key: &str, data: Option<Vec<u8>>) -> Result<u64, WorldError> {
        self.save_batch(Batch { data: [(key.into(), data)].into(), ..Batch::default() })
    }

    /// Saves a batch soon, in one transaction, and returns at once. The number of accepted
    /// [items](Batch::len) so far is returned.
    ///
    /// # Errors
    /// A batch that [`WorldFile::save_batch`] would refuse. Nothing of it is kept.
    pub fn save_batch(&mut self, batch: Batch) -> Result<u64, WorldError> {
        batch.check().map_err(|error| WorldError::new(&self.path, error))?;
        let count = batch.len() as u64;
        let mut queue = self.shared.lock();
        queue.waiting.append(batch);
        queue.count += count;
        drop(queue);
        self.shared.wake.notify_one();
        self.given += count;
        Ok(self.given)
    }

    /// How many changes, recipes and pieces of data are on the disk.
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
        let batch = take(&mut queue.waiting);
        error.map_or(Ok(()), |error| Err(Box::new(Unsaved { error, batch })))
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
            let (batch, count, is_last) = self.next();
            let saved = if batch.is_empty() { Ok(()) } else { file.save_batch(&batch) };
            let mut queue = self.lock();
            match saved {
                Ok(()) => {
                    queue.saved += count;
                    queue.error = None;
                }
                Err(error) => {
                    let text = error.to_string();
                    let old = queue.error.replace(error);
                    if !is_last && old.is_none_or(|old| old.to_string() != text) {
                        tell(&format!("{text}; the next attempt is made in a second"));
                    }
                    let later = replace(&mut queue.waiting, batch);
                    queue.waiting.append(later);
                    queue.count += count;
                }
            }
            if is_last {
                return;
            }
        }
    }

    /// What to save next, the number of its items, and whether nothing comes after it.
    fn next(&self) -> (Batch, u64, bool) {
        let mut queue = self.lock();
        if queue.error.is_some() {
            let waited = self.wake.wait_timeout_while(queue, RETRY, |queue| !queue.has_ended);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let is_idle = |queue: &mut Queue| queue.waiting.is_empty() && !queue.has_ended;
        let waited = self.wake.wait_while(queue, is_idle);
        let mut queue = waited.unwrap_or_else(PoisonError::into_inner);
        (take(&mut queue.waiting), take(&mut queue.count), queue.has_ended)
    }
}

/// What a [`Saver`] could not save before it ended.
#[derive(Debug)]
pub struct Unsaved {
    /// Why the last attempt failed.
    pub error: WorldError,
    /// All that is not on the disk, for [`WorldFile::save_batch`].
    pub batch: Batch,
}

impl fmt::Display for Unsaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Batch { changes, recipe, data, .. } = &self.batch;
        write!(f, "{}; {} changes", self.error, changes.len())?;
        if recipe.is_some() {
            f.write_str(" and a recipe")?;
        }
        if !data.is_empty() {
            let keys: Vec<_> = data.keys().map(String::as_str).collect();
            write!(f, " and the data of {}", keys.join(", "))?;
        }
        f.write_str(" were not saved")
    }
}

impl Error for Unsaved {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}
