//! The vectors that dense grids are filled with.
//!
//! The widest that the machine has are used, and the bits are the same with all of them; so there
//! is no need to choose, but to measure and to test.

pub use fearless_simd::Level;

/// All kinds of vectors that this machine has, by name, the narrowest first.
pub fn levels() -> Vec<(&'static str, Level)> {
    let best = Level::new();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let levels = vec![
        best.as_sse2().map(|simd| ("SSE2", Level::Sse2(simd))),
        best.as_sse4_2().map(|simd| ("SSE4.2", Level::Sse4_2(simd))),
        best.as_avx2().map(|simd| ("AVX2", Level::Avx2(simd))),
        best.as_avx512().map(|simd| ("AVX-512", Level::Avx512(simd))),
    ];
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    let levels = vec![Some((if best.is_fallback() { "scalar" } else { "128 bits" }, best))];
    levels.into_iter().flatten().collect()
}
