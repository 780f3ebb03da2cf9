//! Files that many readers share, each with a position of its own. Only some of them are open at a
//! time.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::cache::Cache;
use crate::read::source::Input;

/// The most files that stay open. Some systems allow a process 256.
pub(crate) const MOST_OPEN: usize = 64;

/// The open files of a raster, by their indices. The least recently used ones are closed.
pub(crate) struct OpenFiles {
    open: Cache<usize, io::Result<Mutex<File>>>,
}

/// How to open a file again.
struct Closed {
    files: Arc<OpenFiles>,
    index: usize,
    path: PathBuf,
    /// Its length in bytes when it was first opened.
    len: u64,
}

/// A reader of a file. A clone starts where this one is, and moves on its own.
#[derive(Clone)]
pub(crate) struct SharedFile {
    file: Arc<Closed>,
    position: u64,
}

impl OpenFiles {
    pub fn new() -> Self {
        Self { open: Cache::new(MOST_OPEN) }
    }

    /// Adds a file with an index of its own. Returns a reader at its start.
    pub fn add(self: &Arc<Self>, index: usize, input: &Input) -> io::Result<SharedFile> {
        let file = input.file.try_clone()?;
        self.open.get(index, 1, || Ok(Mutex::new(file)));
        let (path, len) = (input.path.to_owned(), input.len);
        let file = Closed { files: self.clone(), index, path, len };
        Ok(SharedFile { file: Arc::new(file), position: 0 })
    }
}

impl Closed {
    fn open(&self) -> io::Result<File> {
        let file = File::open(&self.path)?;
        if file.metadata()?.len() != self.len {
            let problem = "it has changed: its length is not that of when it was first opened";
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        Ok(file)
    }

    /// Calls `work` with the file, opened again if it was closed.
    fn with<T>(&self, work: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
        let open = &self.files.open;
        let held = open.get(self.index, 1, || self.open().map(Mutex::new));
        match held.get() {
            // Each use seeks first, so a panic elsewhere leaves nothing behind.
            Some(Ok(file)) => work(&mut file.lock().unwrap_or_else(PoisonError::into_inner)),
            Some(Err(error)) => {
                // The next reader tries again.
                open.remove(&self.index);
                Err(match error.raw_os_error() {
                    Some(code) => io::Error::from_raw_os_error(code),
                    None => io::Error::new(error.kind(), error.to_string()),
                })
            }
            None => Err(io::Error::other("opening it panicked")),
        }
    }
}

impl SharedFile {
    /// Readers of a file that stays open, the first one at its start.
    pub fn new(input: &Input) -> io::Result<Self> {
        Arc::new(OpenFiles::new()).add(0, input)
    }
}

impl Read for SharedFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let start = SeekFrom::Start(self.position);
        let count = self.file.with(|file| {
            file.seek(start)?;
            file.read(out)
        })?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for SharedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (base, offset) = match to {
            SeekFrom::Start(position) => (position, 0),
            SeekFrom::Current(offset) => (self.position, offset),
            SeekFrom::End(offset) => (self.file.with(|file| file.seek(SeekFrom::End(0)))?, offset),
        };
        let to = base.checked_add_signed(offset);
        self.position = to.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.position)
    }
}
