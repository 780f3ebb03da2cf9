//! A world in the browser's storage, and when it is saved. Without a browser, so that tests can
//! have another storage, and other tabs.
//!
//! A world is two texts: its recipe, and the log of its edits. Browsers keep some 5 MB for a site.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use bevy_orogeny::orogeny::Recipe;
use bevy_orogeny::orogeny::edits::{Change, EditLog};

/// The time between the last change and saving it.
pub const PAUSE: Duration = Duration::from_secs(2);
/// The time between a change and saving it, however many follow.
pub const LONGEST: Duration = Duration::from_secs(5);

/// A storage of texts by name.
pub trait Texts {
    /// The text of a name, if there is one.
    fn read(&self, name: &str) -> Result<Option<String>, String>;
    /// Stores a text.
    fn write(&mut self, name: &str, text: &str) -> Result<(), String>;
}

/// Who saves a world: one tab at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The browser was asked, and has not answered yet.
    Asked,
    /// This page does, until it is closed.
    Ours,
    /// Another page does, or has changed the world since this one read it.
    Theirs,
}

/// What was stored of a world at some moment; none before it is saved for the first time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp(Option<u64>);

/// A world as it was read, and what shows [`SavedWorld`] whether it was changed since.
pub type Opened = (Option<(Recipe, EditLog)>, Stamp);

/// Opens a world, if there is one of that name yet.
///
/// # Errors
/// A message for the user.
pub fn open(texts: &impl Texts, name: &str) -> Result<Opened, String> {
    let Some([recipe, edits]) = read(texts, name)? else { return Ok(Default::default()) };
    let stamp = Stamp::of(&recipe, &edits);
    let failed = |error: &dyn std::fmt::Display| format!("The world {name} is damaged: {error}");
    let recipe = Recipe::from_ron(&recipe).map_err(|error| failed(&error))?;
    let log = match edits.as_str() {
        "" => EditLog::new(),
        edits => EditLog::from_ron(edits).map_err(|error| failed(&error))?,
    };
    Ok((Some((recipe, log)), stamp))
}

/// The recipe and the edits of a world; those are empty until there are any.
fn read(texts: &impl Texts, name: &str) -> Result<Option<[String; 2]>, String> {
    let Some(recipe) = texts.read(&key(name, "recipe"))? else { return Ok(None) };
    let edits = texts.read(&key(name, "edits"))?;
    Ok(Some([recipe, edits.unwrap_or_default()]))
}

fn key(name: &str, part: &str) -> String {
    format!("orogeny/{name}/{part}")
}

impl Stamp {
    fn of(recipe: &str, edits: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        (recipe, edits).hash(&mut hasher);
        Self(Some(hasher.finish()))
    }

    /// The present one.
    fn read(texts: &impl Texts, name: &str) -> Result<Self, String> {
        let texts = read(texts, name)?;
        Ok(texts.map_or_else(Self::default, |[recipe, edits]| Self::of(&recipe, &edits)))
    }
}

/// An open world: what is to be saved, and whether and when.
#[derive(Debug)]
pub struct SavedWorld<T: Texts> {
    texts: T,
    name: String,
    /// Whether the user has asked for a world of some new name, so that another one will do, too.
    is_new: bool,
    claim: Claim,
    /// What is stored, as far as this page knows.
    stored: Stamp,
    /// A copy of the ground and its edits: a page that is closed has no time to look for them.
    recipe: Option<Recipe>,
    log: EditLog,
    /// When the first and the last change were made that are not saved.
    unsaved: Option<[Duration; 2]>,
    error: Option<String>,
    /// What the user has not been told yet.
    news: Option<String>,
}

impl<T: Texts> SavedWorld<T> {
    /// The world of a name, which this page has [read](open). The browser is asked for it.
    pub fn opened(texts: T, name: &str, stored: Stamp) -> Self {
        Self {
            texts,
            name: name.into(),
            is_new: false,
            claim: Claim::Asked,
            stored,
            recipe: None,
            log: EditLog::new(),
            unsaved: None,
            error: None,
            news: None,
        }
    }

    /// A new world of the present ground, with the first name that none has. It is saved as soon
    /// as the browser has answered.
    ///
    /// # Errors
    /// A message for the user.
    pub fn create(texts: T, recipe: &Recipe, log: &EditLog) -> Result<Self, String> {
        let name = free_name(&texts, 1)?;
        let mut world = Self::opened(texts, &name, Stamp::default());
        world.is_new = true;
        world.recipe = Some(recipe.clone());
        world.log = log.clone();
        world.unsaved = Some([Duration::ZERO; 2]);
        Ok(world)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn claim(&self) -> Claim {
        self.claim
    }

    pub fn is_saved(&self) -> bool {
        self.unsaved.is_none()
    }

    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// What the user has not been told yet.
    pub fn take_news(&mut self) -> Option<String> {
        self.news.take()
    }

    /// Takes over the ground as it was opened, which needs no saving.
    pub fn begin(&mut self, recipe: Option<&Recipe>, log: &EditLog) {
        if self.stored != Stamp::default() {
            self.recipe = recipe.cloned();
            self.log = log.clone();
        }
    }

    /// Takes over what has changed: the ground, and edits, most of which were reported.
    pub fn follow<'a>(
        &mut self,
        now: Duration,
        recipe: Option<&Recipe>,
        log: &EditLog,
        reported: impl IntoIterator<Item = &'a Change>,
    ) {
        let before = self.log.checksum();
        for change in reported {
            // One that is refused is missing below.
            let _ = self.log.apply(change.clone());
        }
        if self.log.checksum() != log.checksum() {
            self.log = log.clone();
        }
        let has_new_ground = recipe.is_some() && self.recipe.as_ref() != recipe;
        if has_new_ground {
            self.recipe = recipe.cloned();
        }
        if has_new_ground || before != log.checksum() {
            let first = self.unsaved.map_or(now, |[first, _]| first);
            self.unsaved = Some([first, now]);
        }
    }

    /// Takes the browser's answer: whether no other page has the name. Returns another name to ask
    /// for, if any will do.
    pub fn answer(&mut self, is_free: bool) -> Option<String> {
        let is_as_read = Stamp::read(&self.texts, &self.name) == Ok(self.stored);
        if is_free && is_as_read {
            self.claim = Claim::Ours;
            if self.is_new && self.save() {
                let name = &self.name;
                self.news = Some(format!("Saved in this browser: ?world={name} opens it again"));
            }
            return None;
        }
        if self.is_new {
            let number = self.name.rsplit('-').next().and_then(|number| number.parse().ok());
            if let Ok(next) = free_name(&self.texts, number.unwrap_or(0) + 1) {
                self.name.clone_from(&next);
                self.stored = Stamp::default();
                return Some(next);
            }
        }
        self.lose(if is_free { "was changed by another tab" } else { "is open in another tab" });
        None
    }

    fn lose(&mut self, why: &str) {
        self.claim = Claim::Theirs;
        let text = format!("{} {why}: this one does not save it. L saves a copy", self.name);
        self.error = Some(text.clone());
        self.news = Some(text);
    }

    /// Saves what has not changed for a while, and what has waited for long.
    pub fn tick(&mut self, now: Duration) {
        let is_due = self.unsaved.is_some_and(|[first, last]| {
            now.saturating_sub(last) >= PAUSE || now.saturating_sub(first) >= LONGEST
        });
        if is_due && self.claim == Claim::Ours {
            let is_saved = self.save();
            // Otherwise another tab has the world now.
            if !is_saved && self.claim == Claim::Ours {
                // The next attempt.
                self.unsaved = Some([now; 2]);
            }
        }
    }

    /// Saves at once what is not saved yet: the page is hidden or closed, or the user wants it.
    pub fn save_now(&mut self) {
        if self.unsaved.is_some() && self.claim == Claim::Ours {
            self.save();
        }
    }

    /// Saves, and returns whether that was possible.
    fn save(&mut self) -> bool {
        match self.write() {
            Ok(stored) => {
                self.stored = stored;
                self.unsaved = None;
                self.error = None;
                true
            }
            Err(error) => {
                if self.claim == Claim::Ours {
                    self.error = Some(error);
                }
                false
            }
        }
    }

    fn write(&mut self) -> Result<Stamp, String> {
        let recipe = self.recipe.as_ref().ok_or("There is no ground yet that could be saved")?;
        let recipe = recipe.to_ron().map_err(|error| error.to_string())?;
        let log = self.log.to_ron().map_err(|error| error.to_string())?;
        // Pages that know of no locks write, too. What the user has deleted may be stored again.
        let found = Stamp::read(&self.texts, &self.name)?;
        if found != Stamp::default() && found != self.stored {
            self.lose("was changed by another tab");
            return Err("changed".into());
        }
        // Both or none of them: the log is the larger one.
        let edits = key(&self.name, "edits");
        let old = self.texts.read(&edits)?;
        self.texts.write(&edits, &log)?;
        if let Err(error) = self.texts.write(&key(&self.name, "recipe"), &recipe) {
            // It fitted before.
            let _ = self.texts.write(&edits, &old.unwrap_or_default());
            return Err(error);
        }
        Ok(Stamp::of(&recipe, &log))
    }
}

/// The first name from a number on of which no world is stored.
fn free_name(texts: &impl Texts, first: u32) -> Result<String, String> {
    for number in first..=u32::MAX {
        let name = format!("world-{number}");
        if texts.read(&key(&name, "recipe"))?.is_none() {
            return Ok(name);
        }
    }
    Err("There are too many worlds".into())
}
