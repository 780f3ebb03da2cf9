//! The transfer function of sRGB, from tables: a layer of 512 x 512 decodes three million numbers.

/// Steps of the table for decoding. Linear interpolation between them errs by less than 1e-6.
const STEPS: usize = 1024;
/// Steps of the table for encoding. Within one, the code grows by 0.81 at most.
const GUESSES: usize = 4096;

pub(crate) struct Srgb {
    /// The linear value at each step.
    decoded: [f32; STEPS + 1],
    /// The linear value from which the code is above `i`.
    ends: [f32; 255],
    /// The code at the start of each step.
    guesses: [u8; GUESSES + 1],
}

impl Srgb {
    pub(crate) fn new() -> Self {
        let decoded = std::array::from_fn(|i| decode(i as f64 / STEPS as f64) as f32);
        let ends: [f32; 255] = std::array::from_fn(|i| decode((i as f64 + 0.5) / 255.0) as f32);
        let guesses = std::array::from_fn(|i| {
            ends.partition_point(|&end| end <= i as f32 / GUESSES as f32) as u8
        });
        Self { decoded, ends, guesses }
    }

    /// The linear value of an encoded one within 0..=1.
    pub(crate) fn decode(&self, encoded: f32) -> f32 {
        let x = encoded.clamp(0.0, 1.0) * STEPS as f32;
        let i = (x as usize).min(STEPS - 1);
        let (a, b) = (self.decoded[i], self.decoded[i + 1]);
        a + (b - a) * (x - i as f32)
    }

    /// The nearest code of a linear value.
    pub(crate) fn encode(&self, linear: f32) -> u8 {
        let guess = self.guesses[(linear.clamp(0.0, 1.0) * GUESSES as f32) as usize] as usize;
        let more = self.ends[guess..].iter().take_while(|&&end| end <= linear).count();
        (guess + more) as u8
    }
}

/// The linear value of an encoded one.
fn decode(encoded: f64) -> f64 {
    if encoded <= 0.04045 {
        return encoded / 12.92;
    }
    let x = (encoded + 0.055) / 1.055;
    // x^2.4 by Newton's method for the fifth root of x². Unlike `powf`, it gives the same result on
    // all machines.
    let square = x * x;
    let root = (0..16).fold(1.0_f64, |y, _| y - (y - square / (y * y * y * y)) / 5.0);
    square * root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_is_exact() {
        let srgb = Srgb::new();
        for i in 0..=10_000 {
            let x = i as f64 / 10_000.0;
            let exact = if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) };
            assert!((decode(x) - exact).abs() < 1e-12, "{x}");
            assert!((srgb.decode(x as f32) as f64 - exact).abs() < 1e-6, "{x}");
        }
    }

    #[test]
    fn encoding_gives_the_nearest_code() {
        let srgb = Srgb::new();
        for i in 0..=100_000 {
            let x = i as f64 / 100_000.0;
            let exact =
                if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 };
            assert!((srgb.encode(x as f32) as f64 - 255.0 * exact).abs() < 0.501, "{x}");
        }
        assert_eq!((srgb.encode(-1.0), srgb.encode(2.0)), (0, 255));
    }
}
