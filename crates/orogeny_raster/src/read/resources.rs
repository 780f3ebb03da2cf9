//! What all files of a mosaic share when parts of them are read: open files, and memory for TIFFs.

use std::io;
use std::sync::Arc;

use crate::cache::Cache;
use crate::pool::Pool;
use crate::read::shared_file::{OpenFiles, SharedFile};
use crate::read::source::Input;
use crate::read::tiff::Tiff;
use crate::read::tiff_window::Decoded;

/// The open files of a mosaic, and its memory for TIFFs. Files are known by their indices.
pub(crate) struct Resources {
    files: Arc<OpenFiles>,
    /// Unpacked strips and tiles, by the file and their index in it.
    pub(super) chunks: Cache<[usize; 2], Decoded>,
    /// Decoders, by the file and its image or mask.
    pub(super) decoders: Pool<[usize; 2], Tiff>,
}

/// The resources of a mosaic, for the file of an index.
#[derive(Clone)]
pub(crate) struct Share {
    pub resources: Arc<Resources>,
    pub index: usize,
}

impl Resources {
    /// Unpacked strips and tiles take up to `chunks` bytes. Decoders take up to `decoders` bytes,
    /// or one takes more.
    pub fn new(chunks: usize, decoders: usize) -> Self {
        Self {
            files: Arc::new(OpenFiles::new()),
            chunks: Cache::new(chunks),
            decoders: Pool::new(decoders),
        }
    }

    /// Forgets what was unpacked.
    pub fn forget(&self) {
        self.chunks.clear();
    }

    /// The bytes that are in use for TIFFs.
    pub fn used(&self) -> usize {
        self.chunks.used() + self.decoders.used()
    }
}

impl Share {
    /// A reader of the file.
    pub(super) fn file(&self, input: &Input) -> io::Result<SharedFile> {
        self.resources.files.add(self.index, input)
    }
}
