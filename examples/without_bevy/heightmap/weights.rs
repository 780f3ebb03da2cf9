//! Weights as bytes that add up to 255.

/// Bytes in proportion to the weights that add up to 255: each is rounded down, and those with the
/// largest remainders are then rounded up. So each differs by less than 1 from its exact value.
pub fn quantised<const N: usize>(weights: &[f32; N]) -> [u8; N] {
    let sum: f32 = weights.iter().sum();
    let exact = weights.map(|weight| 255.0 * weight / sum);
    let mut bytes = exact.map(|part| part as u8);
    let rest = 255 - bytes.iter().map(|&byte| usize::from(byte)).sum::<usize>().min(255);
    let mut order: [usize; N] = std::array::from_fn(|k| k);
    order.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    for &k in order.iter().take(rest) {
        bytes[k] += 1;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_add_up_to_255_and_are_close() {
        let mut state = 1u32;
        for _ in 0..10_000 {
            let raw: [f32; 16] = std::array::from_fn(|_| {
                state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
                (state >> 16) as f32 * if state & 0x300 == 0 { 1.0 } else { 0.0 }
            });
            let sum: f32 = raw.iter().sum();
            if sum == 0.0 {
                continue;
            }
            let weights = raw.map(|weight| weight / sum);
            let bytes = quantised(&weights);
            assert_eq!(bytes.iter().map(|&byte| u32::from(byte)).sum::<u32>(), 255);
            for (byte, weight) in bytes.into_iter().zip(weights) {
                assert!((f32::from(byte) - 255.0 * weight).abs() < 1.001, "{weights:?} {bytes:?}");
            }
        }
    }

    #[test]
    fn one_layer_has_all_the_weight() {
        let mut weights = [0.0; 16];
        weights[3] = 0.999_999_9;
        let mut expected = [0; 16];
        expected[3] = 255;
        assert_eq!(quantised(&weights), expected);
    }
}
