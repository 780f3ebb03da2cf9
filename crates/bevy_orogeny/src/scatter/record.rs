//! The record of an instance: 16 bytes, from which the vertex shader places a copy of its model.

use bevy_math::Vec3;
use half::f16;

use super::vertex::byte;

/// Four words:
/// * its position in the box of its tile: x and height as 16 bits each, 0 to 1;
/// * z, and its rank, the same way;
/// * its size as a half-precision number; its turn and its variant as bytes, 0 to 1;
/// * its axis along x, y and z as signed bytes, -1 to 1.
///
/// Of size 0, it is not drawn.
pub type Record = [u32; 4];

/// The bytes of a record.
pub const BYTES: usize = size_of::<Record>();

/// What a record says of an instance.
pub struct Standing {
    /// x, height and z in the box of the tile.
    pub base: [f64; 3],
    pub rank: f32,
    /// Over that of its shape.
    pub size: f32,
    pub turn: f32,
    /// Decides its shade, and the pattern of its surfaces.
    pub variant: f32,
    pub axis: Vec3,
}

impl Standing {
    pub fn record(&self) -> Record {
        let [x, y, z] = self.base.map(unorm);
        let rank = unorm(self.rank.into());
        let size = f16::from_f32(self.size).to_bits();
        // A whole turn is none.
        let turn = (self.turn * 256.0) as u32 as u8;
        let axis = self.axis.to_array().map(|x| (x.clamp(-1.0, 1.0) * 127.0).round() as i8 as u8);
        let [ax, ay, az] = axis;
        [
            pair(x, y),
            pair(z, rank),
            pair(size, u16::from_le_bytes([turn, byte(self.variant)])),
            u32::from_le_bytes([ax, ay, az, 0]),
        ]
    }
}

fn pair(low: u16, high: u16) -> u32 {
    u32::from(low) | u32::from(high) << 16
}

fn unorm(x: f64) -> u16 {
    (x.clamp(0.0, 1.0) * 65_535.0).round() as u16
}
