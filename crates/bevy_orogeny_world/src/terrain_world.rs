//! An open world: its file, and what the file has once all is saved.

use std::fs;
use std::path::{Path, PathBuf};

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_orogeny::{Ground, Terrain, TerrainEdits};
use orogeny::DataError;
use orogeny_world::{Batch, Saver, World, WorldFile, from_data, to_data};
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
    pub(crate) saver: Option<Saver>,
    /// The number of items that the saver has got.
    pub(crate) given: u64,
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
    pub(crate) unsaved: Option<String>,
    pub(crate) next: Option<Next>,
}

/// The world to change to.
#[derive(Debug)]
pub(crate) struct Next {
    pub world: Box<TerrainWorld>,
    /// The number of items that must be on the disk before: those of the frame in which the change
    /// was asked for, and of all frames before it. `None` until the end of that frame.
    pub after: Option<u64>,
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
