//! A file that many readers share, each with a position of its own.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

/// A reader of a file. A clone starts where this one is, and moves on its own.
#[derive(Clone, Debug)]
pub(crate) struct SharedFile {
    file: Arc<Mutex<File>>,
    position: u64,
}

impl SharedFile {
    /// Readers of a file, the first one at its start.
    pub fn new(file: File) -> Self {
        Self { file: Arc::new(Mutex::new(file)), position: 0 }
    }
}

impl Read for SharedFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // Each use seeks first, so a panic elsewhere leaves nothing behind.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.position))?;
        let count = file.read(out)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for SharedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (base, offset) = match to {
            SeekFrom::Start(position) => (position, 0),
            SeekFrom::Current(offset) => (self.position, offset),
            SeekFrom::End(offset) => {
                let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
                (file.seek(SeekFrom::End(0))?, offset)
            }
        };
        let to = base.checked_add_signed(offset);
        self.position = to.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.position)
    }
}
