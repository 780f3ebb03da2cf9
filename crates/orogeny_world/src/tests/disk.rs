//! A disk in memory that fails, and that loses power.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use rand::Rng;
use redb::{Database, StorageBackend};

use crate::database::write;
use crate::error::Problem;
use crate::file::{World, WorldFile};
use crate::tables::insert_world;

/// A drive writes sectors as a whole.
const SECTOR: usize = 512;

static DISKS: Mutex<BTreeMap<PathBuf, Disk>> = Mutex::new(BTreeMap::new());

#[derive(Clone, Debug, Default)]
pub struct Disk(Arc<Mutex<State>>);

#[derive(Clone, Debug, Default)]
pub struct State {
    /// What a reader gets.
    seen: Vec<u8>,
    /// What survives a loss of power for certain.
    durable: Vec<u8>,
    /// What was written since, and may survive.
    pending: Vec<Write>,
    /// The number of writes until all fail.
    left: Option<u64>,
    /// How many of the next writes panic.
    pub panics: usize,
}

#[derive(Clone, Debug)]
enum Write {
    Bytes(usize, Vec<u8>),
    Length(usize),
}

impl Write {
    fn apply(&self, to: &mut Vec<u8>) {
        match self {
            Self::Bytes(at, bytes) => {
                let end = at + bytes.len();
                to.resize(to.len().max(end), 0);
                to[*at..end].copy_from_slice(bytes);
            }
            Self::Length(length) => to.resize(*length, 0),
        }
    }
}

impl Disk {
    /// A disk with a world, for [`connect`] with a path.
    pub fn with(path: &Path, world: &World) -> Self {
        let disk = Self::named(path, Vec::new());
        let database = Database::builder().create_with_backend(disk.clone()).unwrap();
        write(&database, |transaction| insert_world(transaction, world)).unwrap();
        drop(database);
        disk
    }

    fn named(path: &Path, content: Vec<u8>) -> Self {
        let state = State { seen: content.clone(), durable: content, ..State::default() };
        let disk = Self(Arc::new(Mutex::new(state)));
        DISKS.lock().unwrap().insert(path.into(), disk.clone());
        disk
    }

    pub fn open(path: &Path) -> (WorldFile, World) {
        WorldFile::open_by(path, connect).unwrap()
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Lets writes fail after this many, or none.
    pub fn fail_after(&self, writes: Option<u64>) {
        self.state().left = writes;
    }

    /// Whether a write failed.
    pub fn has_failed(&self) -> bool {
        self.state().left == Some(0)
    }

    /// The disk after a loss of power: any of the writes since the last sync are on it, some of
    /// them in part.
    pub fn lose_power(&self, path: &Path, random: &mut impl Rng) -> Self {
        let state = self.state().clone();
        let mut content = state.durable;
        let kept = random.random_range(0.0..1.0);
        for write in state.pending {
            match write {
                Write::Bytes(at, bytes) => {
                    for (i, sector) in bytes.chunks(SECTOR).enumerate() {
                        if random.random_bool(kept) {
                            Write::Bytes(at + i * SECTOR, sector.into()).apply(&mut content);
                        }
                    }
                }
                // Journals keep the order of lengths and what is in them.
                length => length.apply(&mut content),
            }
        }
        Self::named(path, content)
    }

    fn write_one(&self, write: Write) -> io::Result<()> {
        let mut state = self.state();
        state.may_write()?;
        write.apply(&mut state.seen);
        state.pending.push(write);
        Ok(())
    }
}

impl State {
    fn may_write(&mut self) -> io::Result<()> {
        if self.panics > 0 {
            self.panics -= 1;
            panic!("the disk is on fire");
        }
        match &mut self.left {
            Some(0) => return Err(io::ErrorKind::StorageFull.into()),
            Some(left) => *left -= 1,
            None => {}
        }
        Ok(())
    }
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().seen.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let state = self.state();
        let from = state.seen.get(offset as usize..offset as usize + out.len());
        out.copy_from_slice(from.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.write_one(Write::Length(length as usize))
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut state = self.state();
        state.may_write()?;
        state.durable = state.seen.clone();
        state.pending.clear();
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.write_one(Write::Bytes(offset as usize, data.into()))
    }
}

pub fn connect(path: &Path) -> Result<Database, Problem> {
    let disk = DISKS.lock().unwrap()[path].clone();
    Ok(Database::builder().set_check_integrity_on_open(true).create_with_backend(disk)?)
}
