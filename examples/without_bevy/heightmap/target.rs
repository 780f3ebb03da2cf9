//! The output file, which only appears once it is complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::failure::Failure;
use crate::sink::About;

/// A temporary file in the folder of the output file. Dropping it removes it.
pub struct Target {
    path: PathBuf,
    sidecar: Option<PathBuf>,
    force: bool,
    file: NamedTempFile,
}

impl Target {
    /// Creates a file, and with `sidecar` a text file next to it.
    ///
    /// # Errors
    /// The file exists and may not be replaced, is not a plain file, or its folder is not writable.
    pub fn create(path: &Path, sidecar: bool, force: bool) -> Result<Self, Failure> {
        // Replaces the target of a link rather than the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.into());
        let sidecar = sidecar.then(|| sidecar_of(&path));
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

    /// The error if writing fails.
    pub fn failure(&self, error: io::Error) -> Failure {
        Failure::file(&self.path, error)
    }

    /// Renames the complete file to its final name.
    ///
    /// # Errors
    /// The disk is full, or the file appeared in the meantime.
    pub fn persist(self, about: &About) -> Result<(), Failure> {
        // Some file systems only report a full disk at this point.
        self.file().sync_all().map_err(|error| self.failure(error))?;
        let Self { path, sidecar, force, file } = self;
        // Both files are written before either is renamed. The text file of an older run is
        // replaced after that run's file.
        let text = sidecar.map(|sidecar| {
            let written = temporary(&sidecar).and_then(|mut text| {
                text.write_all(about.lines().as_bytes())?;
                text.as_file().sync_all()?;
                Ok(text)
            });
            written.map(|text| (text, sidecar.clone())).map_err(|e| Failure::file(&sidecar, e))
        });
        let text = text.transpose()?;
        name(file, &path, force)?;
        match text {
            Some((text, sidecar)) => name(text, &sidecar, force),
            None => Ok(()),
        }
    }
}

fn name(file: NamedTempFile, path: &Path, force: bool) -> Result<(), Failure> {
    let named = if force { file.persist(path) } else { file.persist_noclobber(path) };
    named.map(drop).map_err(|error| Failure::file(path, error.error))
}

/// FILE.txt of FILE.
fn sidecar_of(path: &Path) -> PathBuf {
    let mut sidecar = path.as_os_str().to_owned();
    sidecar.push(".txt");
    sidecar.into()
}

/// A hidden file next to `path`, with the permissions of other new files.
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
