//! Which changes of clients the server takes.

use bevy_orogeny::orogeny::edits::{Change, EditLog};

/// How far a client's clock may be ahead of the log. Clocks only grow by 1 for each change, so an
/// honest client is ahead by the changes that the server has not got yet.
const MAX_LEAD: u64 = 1 << 20;

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
    let latest = log.time().saturating_add(MAX_LEAD);
    for (name, time) in [("id", change.id.time), ("time", change.time.time)] {
        if time > latest {
            return Err(format!("{name}.time is {time}, but must be at most {latest}"));
        }
    }
    change.check().map_err(|error| error.to_string())
}
