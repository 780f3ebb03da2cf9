//! A thread that encodes and writes the bands of a file.

use std::io::{self, Write};
use std::panic::resume_unwind;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{Scope, ScopedJoinHandle};

use crate::about::About;
use crate::failure::Failure;
use crate::outputs::Target;
use crate::picture::Picture;
use crate::sink;

/// One band is computed, one waits, and one is encoded and written.
const BANDS: usize = 3;

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
        let thread = scope.spawn(move || sink::write(target.file(), picture, about, rows));
        Self { full, spare, thread, target }
    }

    /// Passes a band on that a function encodes. Returns whether the thread still writes.
    pub fn put(&self, encode: impl FnOnce(&mut Vec<u8>)) -> bool {
        let Ok(mut band) = self.spare.recv() else { return false };
        encode(&mut band);
        self.full.send(band).is_ok()
    }

    /// Waits for the last band.
    ///
    /// # Errors
    /// Errors of the file system.
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
