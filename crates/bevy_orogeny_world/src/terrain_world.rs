//! An open world: its file, what the file has once all is saved, the change to another world, and
//! the end.

use std::fs;
use std::mem::take;
use std::path::{Path, PathBuf};

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_log::error;
use bevy_orogeny::{Ground, Terrain, TerrainEdits};
use orogeny::DataError;
use orogeny_world::{Batch, Saver, Unsaved, World, WorldError, WorldFile, from_data, to_data};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The open world: its file, the terrain that is saved into it, and the game's own data.
///
/// Insert it as a resource, and spawn one [`SavedTerrain`](crate::SavedTerrain). What a frame
/// changes is saved in one transaction, on a thread of its own. Removing or replacing the resource
/// saves what is left, waits for the disk, and logs what cannot be saved.
///
/// It keeps a second copy of the log in memory, to find changes that were made to
/// [`TerrainEdits`] directly.
#[derive(Resource, Debug)]
pub struct TerrainWorld {
    /// What the file has once all is saved.
    pub(crate) world: World,
    path: PathBuf,
    /// `None` once the file is closed.
    saver: Option<Saver>,
    /// The number of items that the saver has got.
    given: u64,
    /// What has changed in this frame.
    pub(crate) batch: Batch,
    /// The terrain that is saved, once there is one.
    pub(crate) terrain: Option<Entity>,
    /// Whether the terrain was filled in this frame.
    pub(crate) is_just_filled: bool,
    /// Why the present ground cannot be saved.
    pub(crate) ground_problem: Option<String>,
    /// Why the last edit that cannot be saved cannot.
    pub(crate) edit_problem: Option<String>,
    /// Whether the file is closed at the end of the frame.
    pub(crate) is_closing: bool,
    /// What was not saved when the file was closed, and why.
    unsaved: Option<String>,
    next: Option<Next>,
}

/// The world to change to.
#[derive(Debug)]
struct Next {
    world: Box<TerrainWorld>,
    /// The number of items that must be on the disk before: those of the frame in which the change
    /// was asked for, and of all frames before it. `None` until the end of that frame.
    after: Option<u64>,
}

/// The world of a terrain, without data. Create a file of it in a system after which nothing edits
/// the terrain before commands are applied, such as one in `PostUpdate`: once the world is
/// inserted, the terrain gets its edits.
///
/// # Errors
/// Ground that is not loaded yet, and a custom field.
pub fn world_of(terrain: &Terrain, edits: &TerrainEdits) -> Result<World, TerrainWorldError> {
    match &terrain.ground {
        Ground::Recipe(recipe) => {
            Ok(World { log: edits.log.clone(), ..World::new(recipe.clone()) })
        }
        Ground::Loading => Err(TerrainWorldError::Loading),
        Ground::Field(..) => Err(TerrainWorldError::Field),
    }
}

impl TerrainWorld {
    /// Opens a file, or creates it with the ground of a terrain.
    ///
    /// # Errors
    /// Those of [`open`](Self::open) if there is a file. Otherwise those of [`world_of`] and
    /// [`create`](Self::create).
    pub fn open_or_create(
        path: impl AsRef<Path>,
        new: &Terrain,
    ) -> Result<Self, TerrainWorldError> {
        let path = path.as_ref();
        if path.exists() {
            return Self::open(path);
        }
        Self::create(path, world_of(new, &TerrainEdits::default())?)
    }

    /// Opens a file, and reads the world in it: a million edits in some seconds.
    ///
    /// # Errors
    /// Those of [`WorldFile::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TerrainWorldError> {
        let (file, world) = WorldFile::open(path)?;
        Ok(Self::from_file(file, world))
    }

    /// Creates a file, and its folder if there is none. With [`world`](Self::world) of another one
    /// it is a copy.
    ///
    /// # Errors
    /// Those of [`WorldFile::create`], such as a file of this name, and of the folder.
    pub fn create(path: impl AsRef<Path>, world: World) -> Result<Self, TerrainWorldError> {
        create_folder(path.as_ref())?;
        let file = WorldFile::create(path, &world)?;
        Ok(Self::from_file(file, world))
    }

    /// As [`create`](Self::create), but puts the new world in place of the one that a file has. See
    /// [`WorldFile::replace`].
    ///
    /// # Errors
    /// Those of [`WorldFile::replace`], and of the folder.
    pub fn replace(path: impl AsRef<Path>, world: World) -> Result<Self, TerrainWorldError> {
        create_folder(path.as_ref())?;
        let file = WorldFile::replace(path, &world)?;
        Ok(Self::from_file(file, world))
    }

    /// The open world of a file that was opened already, such as to
    /// [compact](WorldFile::compact) it. `world` must be what the file has.
    pub fn from_file(file: WorldFile, world: World) -> Self {
        let path = file.path().into();
        Self {
            world,
            path,
            saver: Some(Saver::new(file)),
            given: 0,
            batch: Batch::default(),
            terrain: None,
            is_just_filled: false,
            ground_problem: None,
            edit_problem: None,
            is_closing: false,
            unsaved: None,
            next: None,
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the file has once all is saved. The log is that of the end of the last frame.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The data of a key.
    pub fn data(&self, key: &str) -> Option<&[u8]> {
        self.world.data.get(key).map(Vec::as_slice)
    }

    /// Replaces the data of a key, or removes it. It is saved at the end of the frame, together
    /// with the frame's edits: in [`TerrainWorldSystems::Save`](crate::TerrainWorldSystems::Save).
    ///
    /// # Errors
    /// A key or data outside the limits of [`WorldFile::save_data`]. What the key had stays then.
    pub fn set_data(&mut self, key: &str, data: Option<Vec<u8>>) -> Result<(), DataError> {
        let change = Batch { data: [(key.into(), data.clone())].into(), ..Batch::default() };
        change.check()?;
        match data {
            Some(data) => self.world.data.insert(key.into(), data),
            None => self.world.data.remove(key),
        };
        self.batch.append(change);
        Ok(())
    }

    /// The value that [`set_value`](Self::set_value) saved; `None` for a key without data.
    ///
    /// # Errors
    /// Data that [`set_value`](Self::set_value) did not write, or another type's.
    pub fn value<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, DataError> {
        self.data(key).map(from_data).transpose().map_err(|error| at(key, error))
    }

    /// Saves a value as the data of a key, as [`set_data`](Self::set_data). It is read back at
    /// once, so that [`value`](Self::value) returns the same when it is loaded.
    ///
    /// # Errors
    /// Those of [`set_data`](Self::set_data), and those of [`to_data`]: a value that would not come
    /// back. The path names its part, such as `data.player.items[3]`. What the key had stays then.
    pub fn set_value<T: Serialize + DeserializeOwned>(
        &mut self,
        key: &str,
        value: &T,
    ) -> Result<(), DataError> {
        let data = to_data(value).map_err(|error| at(key, error))?;
        self.set_data(key, Some(data))
    }

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

fn create_folder(path: &Path) -> Result<(), TerrainWorldError> {
    let Some(folder) = path.parent() else { return Ok(()) };
    fs::create_dir_all(folder)
        .map_err(|error| TerrainWorldError::Folder { path: folder.into(), error })
}

fn at(key: &str, DataError { path, problem }: DataError) -> DataError {
    let part = path.strip_prefix("data").unwrap_or(&path);
    DataError { path: format!("data.{key}{part}"), problem }
}

/// Why a world was not opened or created. No file was changed.
#[derive(Debug, thiserror::Error)]
pub enum TerrainWorldError {
    /// The file cannot be opened, created or replaced.
    #[error("{0}")]
    File(#[from] WorldError),
    /// The folder of a new file cannot be created.
    #[error("{}: {error}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the file system.
        error: std::io::Error,
    },
    /// The ground is [`Ground::Loading`](bevy_orogeny::Ground::Loading).
    #[error("the ground of the terrain is not loaded yet, so it cannot be saved")]
    Loading,
    /// The ground is a [`Ground::Field`](bevy_orogeny::Ground::Field), which is code.
    #[error("the ground of the terrain is a custom field, which no file can hold: use a recipe")]
    Field,
}
