//! The record of an instance: 16 bytes, from which the vertex shader places a copy of its model.

use bevy_math::Vec3;
use half::f16;

use super::vertex::byte;

/// Four words:
/// * its position in the box of its tile: x and height as 16 bits each, 0 to 1;
/// * z, and its rank, the same way;
/// * its size as a half-precision number; its turn and its variant as bytes, 0 to 1;
/// * its axis along x and z as signed bytes, -1 to 1; its colour over that of the model, with 5, 6
///   and 5 bits.
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
    /// A unit vector that points upwards, so x and z suffice.
    pub axis: Vec3,
    /// Red, green and blue, over those of its model.
    pub colour: [f32; 3],
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
            pair(axis, colour(self.colour)),
        ]
    }
}

/// Parts of 1 / 16, 1 / 32 and 1 / 16, so that the model's own colour is exact.
fn colour([red, green, blue]: [f32; 3]) -> u16 {
    let part = |x: f32, one: f32, max: u16| ((x * one + 0.5) as u16).min(max);
    part(red, 16.0, 31) << 11 | part(green, 32.0, 63) << 5 | part(blue, 16.0, 31)
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

    use super::{Standing, colour};

    /// The shader finds the third coordinate of the axis from the other two.
    #[test]
    fn axes_are_read_back() {
        for lean in [0.0, 0.3, 1.5, 2.5_f32] {
            let axis = Vec3::new(lean * 0.6, 1.0, lean * -0.8).normalize();
            let (base, colour) = ([0.5; 3], [1.0; 3]);
            let standing =
                Standing { base, rank: 0.0, size: 1.0, turn: 0.0, variant: 0.5, axis, colour };
            let [x, z, ..] = standing.record()[3].to_le_bytes();
            let [x, z] = [x, z].map(|byte| f32::from(byte as i8) / 127.0);
            let found = Vec3::new(x, (1.0 - x * x - z * z).max(0.0).sqrt(), z);
            assert!(found.distance(axis) < 0.02, "{found} instead of {axis}");
        }
    }

    #[test]
    fn colours_of_models_are_exact_and_limits_fit() {
        let read = |packed: u16| {
            let [red, green, blue] = [packed >> 11, packed >> 5 & 63, packed & 31].map(f32::from);
            [red / 16.0, green / 32.0, blue / 16.0]
        };
        assert_eq!(read(colour([1.0; 3])), [1.0; 3]);
        assert_eq!(read(colour([0.0, 1.9, 9.0])), [0.0, 61.0 / 32.0, 31.0 / 16.0]);
        for i in 0..190 {
            let x = i as f32 * 0.01;
            let read = read(colour([x, 1.9 - x, 0.5 * x]));
            let errors = [read[0] - x, read[1] - 1.9 + x, read[2] - 0.5 * x];
            assert!(errors[0].abs() < 0.032 && errors[1].abs() < 0.016 && errors[2].abs() < 0.032);
        }
    }
}
