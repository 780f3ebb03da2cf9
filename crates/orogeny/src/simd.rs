//! SIMD levels: the instruction sets that grids and batches are filled with.
//!
//! The widest level of the CPU is the default, and the bits are the same at every level. Choose
//! another one, with [`Samples::with_level`](crate::Samples::with_level), to measure or to test.
//!
//! Finding the level of an x86 CPU at run time needs the feature `std`. Without it the default is
//! the widest level of the compilation target: SSE2 on x86-64, unless `target-cpu` says more.

use alloc::vec::Vec;

pub use fearless_simd::Level;

/// The widest level: that of the CPU, or without the feature `std` that of the compilation target.
pub(crate) fn best() -> Level {
    Level::try_detect().unwrap_or(const { Level::baseline() })
}

/// The SIMD levels that this CPU supports and that this crate has code for, by name, narrowest
/// first. Without the feature `std` only those that the compilation target includes.
pub fn levels() -> Vec<(&'static str, Level)> {
    let best = best();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let levels = vec![
        best.as_sse2().map(|simd| ("SSE2", Level::Sse2(simd))),
        best.as_avx2().map(|simd| ("AVX2", Level::Avx2(simd))),
        best.as_avx512().map(|simd| ("AVX-512", Level::Avx512(simd))),
    ];
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    let levels = vec![Some((if best.is_fallback() { "scalar" } else { "128 bits" }, best))];
    levels.into_iter().flatten().collect()
}

/// Calls a function with the token of a [`Level`].
///
/// Unlike `fearless_simd::dispatch!` it has no scalar code on CPUs with SSE2, except in tests, and
/// no level between SSE2 and AVX2: each takes as much build time as the rest of this crate. Of the
/// instructions of SSE2, AVX2 needs a half to a fifth, and SSE4.2 would need all to a half, mostly
/// on CPUs from before 2013. AVX-512 is up to twice as fast as AVX2. The figures are in
/// `orogeny_bench/docs/results.md`.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
macro_rules! dispatch {
    ($level:expr, $simd:ident => $call:expr) => {
        match $level {
            $crate::simd::Level::Avx512($simd) => $call,
            $crate::simd::Level::Avx2($simd) => $call,
            // The tests compare with scalar code.
            #[cfg(test)]
            $crate::simd::Level::Fallback($simd) => $call,
            level => {
                let sse2 = level.as_sse2().or_else(|| $crate::simd::best().as_sse2());
                let $simd = sse2.expect("the program is compiled for SSE2");
                $call
            }
        }
    };
}
// A macro of another crate cannot be re-exported as part of this one, so it is forwarded.
#[cfg(not(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2")))]
macro_rules! dispatch {
    ($level:expr, $simd:ident => $call:expr) => {
        fearless_simd::dispatch!($level, $simd => $call)
    };
}

pub(crate) use dispatch;
