//! The output files, which only appear once all of them are complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempPath};

use crate::failure::Failure;

/// The files of a run. Until they are [persisted](Self::persist) they have hidden temporary names,
/// and dropping this removes them.
pub struct Outputs {
    force: bool,
    complete: Vec<(TempPath, PathBuf)>,
    /// Shows that the folder is writable, before anything is computed.
    _probe: NamedTempFile,
}

/// A file that is being written.
pub struct Target {
    path: PathBuf,
    file: NamedTempFile,
}

impl Target {
    /// The file to write to.
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// The error if writing fails.
    pub fn failure(&self, error: io::Error) -> Failure {
        Failure::file(&self.path, error)
    }
}

impl Outputs {
    /// Checks that all files, of which there is at least one, can be created.
    ///
    /// # Errors
    /// A file exists and may not be replaced, is not a plain file, or its folder is not writable.
    pub fn create(paths: &[PathBuf], force: bool) -> Result<Self, Failure> {
        for path in paths {
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
        let first = paths.first().map_or(Path::new("."), |path| path);
        let probe = temporary(&resolved(first)).map_err(|error| Failure::file(first, error))?;
        Ok(Self { force, complete: Vec::new(), _probe: probe })
    }

    /// Creates a file under a temporary name.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn open(&self, path: &Path) -> Result<Target, Failure> {
        let path = resolved(path);
        let file = temporary(&path).map_err(|error| Failure::file(&path, error))?;
        Ok(Target { path, file })
    }

    /// Closes a complete file.
    ///
    /// # Errors
    /// Some file systems only report a full disk at this point.
    pub fn add(&mut self, target: Target) -> Result<(), Failure> {
        target.file().sync_all().map_err(|error| target.failure(error))?;
        self.complete.push((target.file.into_temp_path(), target.path));
        Ok(())
    }

    /// Writes a text file.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn add_text(&mut self, path: &Path, text: &str) -> Result<(), Failure> {
        let target = self.open(path)?;
        target.file().write_all(text.as_bytes()).map_err(|error| target.failure(error))?;
        self.add(target)
    }

    /// Renames all files to their final names: all of them or, on an error, none.
    ///
    /// # Errors
    /// A file appeared in the meantime, or an error of the file system.
    pub fn persist(self) -> Result<(), Failure> {
        let can_fail_later = self.complete.len() > 1;
        let mut placed: Vec<(PathBuf, Option<TempPath>)> = Vec::new();
        for (file, path) in self.complete {
            match place(file, &path, self.force, can_fail_later) {
                Ok(old) => placed.push((path, old)),
                Err(error) => {
                    placed.into_iter().for_each(|(path, old)| restore(&path, old));
                    return Err(Failure::file(&path, error));
                }
            }
        }
        Ok(())
    }
}

/// Renames a file. Returns the one that it replaces, under another name, if that is to be kept.
fn place(file: TempPath, path: &Path, force: bool, keep: bool) -> io::Result<Option<TempPath>> {
    if !force {
        return file.persist_noclobber(path).map(|()| None).map_err(|error| error.error);
    }
    let old = if keep && path.exists() {
        let old = temporary(path)?.into_temp_path();
        fs::rename(path, &old)?;
        Some(old)
    } else {
        None
    };
    match file.persist(path) {
        Ok(()) => Ok(old),
        Err(error) => {
            if old.is_some() {
                restore(path, old);
            }
            Err(error.error)
        }
    }
}

/// Undoes the placing of a file.
fn restore(path: &Path, old: Option<TempPath>) {
    match old.map(|old| old.persist(path)) {
        Some(Ok(())) => {}
        // Rather under a hidden name than not at all.
        Some(Err(error)) => drop(error.path.keep()),
        None => drop(fs::remove_file(path)),
    }
}

/// The target of a link, which is replaced rather than the link.
fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.into())
}

/// FILE.txt of FILE.
pub fn sidecar_of(path: &Path) -> PathBuf {
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
