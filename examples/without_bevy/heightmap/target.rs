//! The file to be written, which appears only when it is complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::ending::Failure;
use crate::sink::About;

/// A temporary file in the folder of the file to be, removed if it is dropped.
pub struct Target {
    path: PathBuf,
    sidecar: Option<PathBuf>,
    force: bool,
    file: NamedTempFile,
}

impl Target {
    /// Begins a file, and with `sidecar` a text file beside it.
    ///
    /// # Errors
    /// It exists and may not be replaced, is no plain file, or its folder cannot be written to.
    pub fn create(path: &Path, sidecar: bool, force: bool) -> Result<Self, Failure> {
        // What a link leads to is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.into());
        let sidecar = sidecar.then(|| beside(&path));
        for path in [Some(&path), sidecar.as_ref()].into_iter().flatten() {
            match fs::metadata(path) {
                Ok(found) if !found.is_file() => {
                    return Err(Failure::file(path, "is not a plain file"));
                }
                Ok(_) if !force => {
                    return Err(Failure::file(path, "exists; --force would replace it"));
                }
                _ => {}
            }
        }
        let file = temporary(&path).map_err(|error| Failure::file(&path, error))?;
        Ok(Self { path, sidecar, force, file })
    }

    /// The file to write to.
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// What to say when writing fails.
    pub fn failure(&self, error: io::Error) -> Failure {
        Failure::file(&self.path, error)
    }

    /// Gives the complete file its name.
    ///
    /// # Errors
    /// The disk is full, or the file appeared in the meantime.
    pub fn persist(self, about: &About) -> Result<(), Failure> {
        // Some file systems find out only now that there is no room.
        self.file().sync_all().map_err(|error| self.failure(error))?;
        let Self { path, sidecar, force, file } = self;
        // Both are written before either has its name, and what an older file says of itself goes
        // only after that file.
        let text = sidecar.map(|beside| {
            let written = temporary(&beside).and_then(|mut text| {
                text.write_all(about.lines().as_bytes())?;
                text.as_file().sync_all()?;
                Ok(text)
            });
            written.map(|text| (text, beside.clone())).map_err(|e| Failure::file(&beside, e))
        });
        let text = text.transpose()?;
        name(file, &path, force)?;
        match text {
            Some((text, beside)) => name(text, &beside, force),
            None => Ok(()),
        }
    }
}

fn name(file: NamedTempFile, path: &Path, force: bool) -> Result<(), Failure> {
    let named = if force { file.persist(path) } else { file.persist_noclobber(path) };
    named.map(drop).map_err(|error| Failure::file(path, error.error))
}

/// FILE.txt of FILE.
fn beside(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".txt");
    beside.into()
}

/// A hidden file beside `path`, readable by whoever may read other new files.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = Builder::new();
    builder.prefix(".heightmap-");
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}
