//! Bytes as text, for the pictures of a page.

/// The bytes in Base64.
pub fn text(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |k: usize| u32::from(three.get(k).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for k in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * k) & 63) as usize];
            text.push(if k > three.len() { '=' } else { digit.into() });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_end_is_filled_up() {
        let texts = ["", "M", "Ma", "Man", "Many"].map(|text| super::text(text.as_bytes()));
        assert_eq!(texts, ["", "TQ==", "TWE=", "TWFu", "TWFueQ=="]);
    }
}
