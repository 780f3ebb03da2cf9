//! Which changes of clients the server takes.

use bevy_orogeny::orogeny::edits::{Change, EditLog};

/// Whether the server takes a change that `author` sent.
///
/// # Errors
/// Why it does not.
pub fn check(log: &EditLog, author: u64, change: &Change) -> Result<(), String> {
    if change.time.author != author {
        return Err(format!("the author of the change is {}, not {author}", change.time.author));
    }
    let is_new = log.get(change.id).is_none();
    if is_new && change.id.author != author {
        return Err(format!("the author of a new edit is {}, not {author}", change.id.author));
    }
    log.check(change).map_err(|error| error.to_string())
}
