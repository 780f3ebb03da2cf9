//! An open world: its file, and what the file has once all is saved.

use std::fs;
use std::mem::take;
use std::path::{Path, PathBuf};

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_log::error;
use bevy_orogeny::{Ground, Terrain, TerrainEdits};
use orogeny::DataError;
use orogeny_world::{Batch, Saver, Unsaved, World, WorldFile, from_data, to_data};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::TerrainWorldError;

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
    /// What has changed in this frame.
    pub(crate) batch: Batch,
    /// The terrain that is saved, once there is one.
    pub(crate) terrain: Option<Entity>,
    /// Why the present ground cannot be saved.
    pub(crate) ground_problem: Option<String>,
    /// Why the last edit that cannot be saved cannot.
    pub(crate) edit_problem: Option<String>,
    next: Option<Box<TerrainWorld>>,
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
            batch: Batch::default(),
            terrain: None,
            ground_problem: None,
            edit_problem: None,
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
    /// with the frame's edits.
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
    /// Data that is not RON, or another type's.
    pub fn value<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, DataError> {
        self.data(key).map(from_data).transpose().map_err(|error| at(key, error))
    }

    /// Saves a value as the data of a key, in RON, as [`set_data`](Self::set_data).
    ///
    /// # Errors
    /// Those of [`set_data`](Self::set_data), and a value that RON cannot express.
    pub fn set_value<T: Serialize + ?Sized>(
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
            None => self.too_late(),
        };
        disk.or_else(|| self.edit_problem.clone()).or_else(|| self.ground_problem.clone())
    }

    /// Changes to another world once all of this one is on the disk, usually within some frames.
    /// Then the [`SavedTerrain`](crate::SavedTerrain) gets the ground and the edits of the other
    /// one. While this one cannot be saved, it stays. Inserting the other one as the resource
    /// changes at once, but waits for the disk, and gives up what cannot be saved.
    pub fn switch_to(&mut self, next: Self) {
        self.next = Some(Box::new(next));
    }

    /// The world that [`switch_to`](Self::switch_to) waits to change to.
    pub fn next(&self) -> Option<&Self> {
        self.next.as_deref()
    }

    /// Saves what is left, waits for it, and closes the file. `AppExit` does so, too. Later changes
    /// are not saved.
    ///
    /// # Errors
    /// What could not be saved, and why.
    pub fn close(&mut self) -> Result<(), Box<Unsaved>> {
        self.give();
        self.saver.take().map_or(Ok(()), Saver::finish)
    }

    /// Gives the changes of a frame to the saver.
    pub(crate) fn give(&mut self) {
        let Some(saver) = &mut self.saver else { return };
        if !self.batch.is_empty()
            && let Err(error) = saver.save_batch(take(&mut self.batch))
        {
            // Each part was checked when it was added.
            error!("{error}");
        }
    }

    /// The next world, once this one is saved.
    pub(crate) fn take_next(&mut self) -> Option<Self> {
        let is_saved = self.saver.as_ref().is_none_or(|saver| saver.waiting() == 0);
        self.next.take_if(|_| is_saved).map(|next| *next)
    }

    fn too_late(&self) -> Option<String> {
        let (path, count) = (self.path.display(), self.batch.len());
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

fn at(key: &str, DataError { problem, .. }: DataError) -> DataError {
    DataError { path: format!("data.{key}"), problem }
}
