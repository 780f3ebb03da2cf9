//! The record of an instance: 16 bytes, of which a compute shader makes what is drawn.

use bevy_math::Vec3;
use half::f16;

use super::vertex::byte;

/// Four words:
/// * its position in the box of its tile: x and height as 16 bits each, 0 to 1;
/// * z, and its rank, the same way;
/// * its size as a half-precision number; its turn and its variant as bytes, 0 to 1;
/// * its axis along x and z as signed bytes, -1 to 1; the number of its model.
pub type Record = [u32; 4];

/// The bytes of a record.
pub const BYTES: usize = size_of::<Record>();

/// What a record says of an instance.
pub struct Standing {
    /// x, height and z in the box of the tile.
    pub base: [f64; 3],
    pub rank: f32,
    /// Over that of its model.
    pub size: f32,
    pub turn: f32,
    /// Decides its shade, and the pattern of its surfaces.
    pub variant: f32,
    /// A unit vector that points upwards, so x and z suffice.
    pub axis: Vec3,
    /// The number of its model.
    pub model: u16,
}

impl Standing {
    pub fn record(&self) -> Record {
        let [x, y, z] = self.base.map(unorm);
        let rank = unorm(self.rank.into());
        let size = f16::from_f32(self.size).to_bits();
        // A whole turn is none.
        let turn = (self.turn * 256.0) as u32 as u8;
        let snorm = |x: f32| (x.clamp(-1.0, 1.0) * 127.0).round() as i8 as u8;
        let axis = u16::from_le_bytes([snorm(self.axis.x), snorm(self.axis.z)]);
        [
            pair(x, y),
            pair(z, rank),
            pair(size, u16::from_le_bytes([turn, byte(self.variant)])),
            pair(axis, self.model),
        ]
    }
}

/// The same record with another number of its model.
pub fn with_model([x, z, size, axis]: Record, model: u16) -> Record {
    [x, z, size, pair(axis as u16, model)]
}

/// The number of the model of a record.
pub fn model(record: Record) -> u16 {
    (record[3] >> 16) as u16
}

fn pair(low: u16, high: u16) -> u32 {
    u32::from(low) | u32::from(high) << 16
}

fn unorm(x: f64) -> u16 {
    (x.clamp(0.0, 1.0) * 65_535.0).round() as u16
}

#[cfg(test)]
mod tests {
    use bevy_math::Vec3;

    use super::{Standing, model, with_model};

    /// The shader finds the third coordinate of the axis from the other two.
    #[test]
    fn axes_are_read_back() {
        for lean in [0.0, 0.3, 1.5, 2.5_f32] {
            let axis = Vec3::new(lean * 0.6, 1.0, lean * -0.8).normalize();
            let base = [0.5; 3];
            let standing =
                Standing { base, rank: 0.0, size: 1.0, turn: 0.0, variant: 0.5, axis, model: 9 };
            let record = with_model(standing.record(), 65_535);
            assert_eq!([model(standing.record()), model(record)], [9, 65_535]);
            let [x, z, ..] = record[3].to_le_bytes();
            let [x, z] = [x, z].map(|byte| f32::from(byte as i8) / 127.0);
            let found = Vec3::new(x, (1.0 - x * x - z * z).max(0.0).sqrt(), z);
            assert!(found.distance(axis) < 0.02, "{found} instead of {axis}");
        }
    }
}
