//! Copies that are damaged.

use std::path::Path;

use redb::Database;
use tempfile::tempdir;

use crate::WorldFile;
use crate::connection::write;
use crate::tables::EDITS;
use crate::tests::saver::{raise, world};

/// Damages an edit of a file.
fn damage(path: &Path) {
    let database = Database::open(path).unwrap();
    let junk = |transaction: &redb::WriteTransaction| {
        transaction.open_table(EDITS)?.insert((1, 1), b"junk".as_slice())?;
        Ok(())
    };
    write(&database, junk).unwrap();
}

/// Once no more copies were made, and an error named the damaged one.
#[test]
fn a_damaged_copy_ends_no_other() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("island.world");
    let [one, two] = [1, 2].map(|n| folder.path().join(format!("island.world.copy{n}")));
    let file = WorldFile::create(&path, &world()).unwrap();
    for (n, copy) in (1..).zip([&one, &two, &one]) {
        file.save([raise(n, 1.0)]).unwrap();
        assert_eq!(&file.back_up().unwrap(), copy);
        damage(copy);
    }
    file.save([raise(4, 1.0)]).unwrap();
    assert_eq!(file.back_up().unwrap(), two);
    drop(file);
    damage(&path);
    assert_eq!(WorldFile::open(&path).unwrap_err().copy(), Some(&*two));
    damage(&two);
    assert_eq!(WorldFile::open(&path).unwrap_err().copy(), None);
}
