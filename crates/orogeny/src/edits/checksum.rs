//! Checksums of a log and of the ground: whether two machines agree.

use postcard::ser_flavors::Flavor;

use crate::edits::change::EditId;
use crate::edits::log::{EditLog, Record};
use crate::field::Field;
use crate::lattice::hash::derive;

/// The first state of a 64-bit FNV-1a hash, and its multiplier. (Fowler, Noll and Vo.)
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// The positions of a ground checksum on each side of its centre.
const SIDE: i32 = 16;

/// A 64-bit FNV-1a hash.
struct Fnv(u64);

impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }

    /// The hash, mixed. Sums of plain FNV hashes would be equal for opposite changes of the last
    /// bytes of two records.
    fn finish(&self) -> u64 {
        derive(self.0, 0)
    }
}

/// Hashes what postcard writes, without storing it.
impl Flavor for Fnv {
    type Output = u64;

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.bytes(&[byte]);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<u64> {
        Ok(self.finish())
    }
}

/// The checksum of a record: of the bytes of its [`Change`](crate::edits::Change) in the format of
/// postcard, which is the same on all machines.
pub(super) fn of_record(id: EditId, record: &Record) -> u64 {
    // A tuple has the bytes of a structure with the same fields.
    let change = (id, record.time, &record.state);
    let hash = postcard::serialize_with_flavor(&change, Fnv(OFFSET));
    hash.expect("a hash has no limit of size, and all lists of edits know their length")
}

impl EditLog {
    /// The checksum of the log: equal for logs with equal [`changes`](Self::changes), whatever the
    /// order and number of times in which they were applied. 0 for an empty log. Logs that differ
    /// have the same checksum with a probability of 2^-64, unless somebody forges it.
    ///
    /// The log keeps it up to date, so it takes no time.
    pub fn checksum(&self) -> u64 {
        self.records.checksum
    }
}

/// The checksum of the ground around a position: of the bits of the heights on a square grid of 33
/// by 33 points `spacing` metres apart, with `center` in its middle. Equal bits give equal
/// checksums on all machines. All missing ground counts the same.
pub fn ground_checksum(ground: &impl Field<2>, center: [f64; 2], spacing: f64) -> u64 {
    let mut hash = Fnv(OFFSET);
    for j in -SIDE..=SIDE {
        for i in -SIDE..=SIDE {
            let p = [center[0] + f64::from(i) * spacing, center[1] + f64::from(j) * spacing];
            let value = ground.value(p);
            // The bits of a NaN depend on the machine.
            let bits = if value.is_nan() { u32::MAX } else { value.to_bits() };
            hash.bytes(&bits.to_le_bytes());
        }
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edits::{Path, Plant};

    #[test]
    fn the_checksum_of_a_record_is_that_of_its_change() {
        let mut log = EditLog::new();
        log.add(7, Plant::default()).unwrap();
        let path = log.add(u64::MAX, Path::default()).unwrap();
        log.undo(8, &path).unwrap();
        let sums = log.changes().map(|change| {
            postcard::serialize_with_flavor(&change, Fnv(OFFSET)).expect("a hash has no limit")
        });
        assert_eq!(sums.fold(0, u64::wrapping_add), log.checksum());
    }
}
