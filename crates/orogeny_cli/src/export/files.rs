//! The output files, which only appear once all of them are complete, and the threads that write
//! them.

use std::fs::{self, File};
use std::io::{self, Write};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{Scope, ScopedJoinHandle};

use tempfile::{Builder, NamedTempFile, TempPath};

use crate::cli::Failure;
use crate::export::about::About;
use crate::export::formats;
use crate::export::kind::Picture;

/// One band is computed, one waits, and one is encoded and written.
const BANDS: usize = 3;

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
    builder.prefix(".orogeny-");
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// A thread that writes a file. Without [`finish`](Self::finish) the file is not complete.
pub struct Writer<'scope> {
    full: SyncSender<Vec<u8>>,
    spare: Receiver<Vec<u8>>,
    thread: ScopedJoinHandle<'scope, io::Result<()>>,
    target: &'scope Target,
}

impl<'scope> Writer<'scope> {
    /// Starts a thread.
    pub fn start<'env>(
        scope: &'scope Scope<'scope, 'env>,
        picture: Picture,
        target: &'env Target,
        about: &'env About,
    ) -> Self {
        let (full, bands) = mpsc::sync_channel::<Vec<u8>>(1);
        let (empty, spare) = mpsc::channel();
        for _ in 0..BANDS {
            // This cannot fail, since the receiver exists.
            let _ = empty.send(Vec::new());
        }
        let rows = move |out: &mut dyn Write| {
            for band in bands {
                out.write_all(&band)?;
                // There is no receiver any more once all bands are computed.
                let _ = empty.send(band);
            }
            Ok(())
        };
        let thread = scope.spawn(move || formats::write(target.file(), picture, about, rows));
        Self { full, spare, thread, target }
    }

    /// Passes a band on that a function encodes. Returns whether the thread still writes.
    pub fn put(&self, encode: impl FnOnce(&mut Vec<u8>)) -> bool {
        let Ok(mut band) = self.spare.recv() else { return false };
        encode(&mut band);
        self.full.send(band).is_ok()
    }

    /// Waits for the last band.
    pub fn finish(self) -> Result<(), Failure> {
        drop(self.full);
        let written = self.thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        written.map_err(|error| self.target.failure(error))
    }

    /// The error of a thread that does not write any more.
    pub fn failure(self) -> Failure {
        let target = self.target;
        let ended = || target.failure(io::Error::other("the picture is longer than the file"));
        self.finish().err().unwrap_or_else(ended)
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// A new folder, and the path of a file in it that does not exist yet.
    fn output(name: &str) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        (folder, file)
    }

    /// The files of a folder.
    fn names(folder: &TempDir) -> Vec<String> {
        let files = fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<_> =
            files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Three complete files that are not yet persisted.
    fn complete(paths: &[std::path::PathBuf], force: bool) -> Outputs {
        let mut outputs = Outputs::create(paths, force).unwrap();
        for path in paths {
            let target = outputs.open(path).unwrap();
            target.file().write_all(b"new").unwrap();
            outputs.add(target).unwrap();
        }
        outputs
    }

    #[test]
    fn files_that_are_not_persisted_vanish() {
        let (folder, path) = output("a");
        let outputs = complete(&[path], false);
        // A probe, and the file.
        assert_eq!(names(&folder).len(), 2);
        drop(outputs);
        assert!(names(&folder).is_empty());
    }

    #[test]
    fn a_file_that_appears_meanwhile_stops_all() {
        let (folder, _) = output("");
        let paths = ["a", "b", "c"].map(|name| folder.path().join(name));
        let outputs = complete(&paths, false);
        fs::write(&paths[1], "precious").unwrap();
        let failure = outputs.persist().unwrap_err().to_string();
        assert!(failure.contains("b: "), "{failure}");
        assert_eq!(names(&folder), ["b"]);
        assert_eq!(fs::read(&paths[1]).unwrap(), b"precious");
    }

    #[test]
    fn replaced_files_come_back_if_another_cannot_be_placed() {
        let (folder, _) = output("");
        let paths = ["a", "b", "c"].map(|name| folder.path().join(name));
        fs::write(&paths[0], "old").unwrap();
        let outputs = complete(&paths, true);
        // A folder cannot be replaced by a file.
        fs::create_dir(&paths[2]).unwrap();
        fs::write(paths[2].join("inside"), "").unwrap();
        outputs.persist().unwrap_err();
        assert_eq!(names(&folder), ["a", "c"]);
        assert_eq!(fs::read(&paths[0]).unwrap(), b"old");
        assert!(paths[2].join("inside").exists());

        fs::remove_dir_all(&paths[2]).unwrap();
        complete(&paths, true).persist().unwrap();
        assert_eq!(names(&folder), ["a", "b", "c"]);
        assert!(paths.iter().all(|path| fs::read(path).unwrap() == b"new"));
    }
}
