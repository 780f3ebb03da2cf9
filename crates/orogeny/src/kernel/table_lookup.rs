//! Lookup in tables that fit into a register, with permute instructions that only some CPUs have.

use fearless_simd::Simd;

/// Looks up two tables by the upper four bits of hashes. With eight lanes the highest bit is
/// ignored, and the caller must apply it. `None` on a CPU without such an instruction.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[inline(always)]
pub(super) fn looked_up<S: Simd>(
    simd: S,
    [a, b]: &[[f32; 16]; 2],
    hash: S::u32s,
) -> Option<[S::f32s; 2]> {
    use fearless_simd::prelude::*;
    use fearless_simd::{Level, f32x8, f32x16, u32x8, u32x16};

    let index = hash >> 28;
    match simd.level() {
        Level::Avx512(avx512) => {
            let index = u32x16::from_slice(avx512, index.as_slice());
            let a = x86::permuted16(avx512, f32x16::from_slice(avx512, a), index);
            let b = x86::permuted16(avx512, f32x16::from_slice(avx512, b), index);
            Some([S::f32s::from_slice(simd, a.as_slice()), S::f32s::from_slice(simd, b.as_slice())])
        }
        Level::Avx2(avx2) => {
            let index = u32x8::from_slice(avx2, index.as_slice());
            let a = x86::permuted8(avx2, f32x8::from_slice(avx2, &a[..8]), index);
            let b = x86::permuted8(avx2, f32x8::from_slice(avx2, &b[..8]), index);
            Some([S::f32s::from_slice(simd, a.as_slice()), S::f32s::from_slice(simd, b.as_slice())])
        }
        _ => None,
    }
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
#[inline(always)]
pub(super) fn looked_up<S: Simd>(_: S, _: &[[f32; 16]; 2], _: S::u32s) -> Option<[S::f32s; 2]> {
    None
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86 {
    #[cfg(target_arch = "x86")]
    use core::arch::x86::{_mm256_permutevar8x32_ps, _mm512_permutexvar_ps};
    #[cfg(target_arch = "x86_64")]
    use core::arch::x86_64::{_mm256_permutevar8x32_ps, _mm512_permutexvar_ps};

    use fearless_simd::prelude::*;
    use fearless_simd::{Avx2, Avx512, f32x8, f32x16, kernel, u32x8, u32x16};

    kernel!(
        #[inline(always)]
        pub(super) fn permuted16(
            avx512: Avx512,
            table: f32x16<Avx512>,
            index: u32x16<Avx512>,
        ) -> f32x16<Avx512> {
            _mm512_permutexvar_ps(index.into(), table.into()).simd_into(avx512)
        }
    );

    kernel!(
        #[inline(always)]
        pub(super) fn permuted8(avx2: Avx2, table: f32x8<Avx2>, index: u32x8<Avx2>) -> f32x8<Avx2> {
            _mm256_permutevar8x32_ps(table.into(), index.into()).simd_into(avx2)
        }
    );
}
