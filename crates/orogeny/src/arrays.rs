//! Short arrays of numbers, one call an element.
//!
//! `[T; N]::map` and `core::array::from_fn` go through closures and guards that the compiler shares
//! between its code generation units instead of inlining them. Without optimisation across units,
//! as in a dev build, kernels take several times as long. What is here is always inlined. Values
//! that are not `Copy`, which no kernel holds, have the standard functions.

/// Makes an array whose element `i` is `f(i)`.
#[inline(always)]
pub(crate) fn from_fn<T: Copy, const N: usize>(mut f: impl FnMut(usize) -> T) -> [T; N] {
    if const { N == 0 } {
        return core::array::from_fn(f);
    }
    let mut made = [f(0); N];
    for (i, element) in made.iter_mut().enumerate().skip(1) {
        *element = f(i);
    }
    made
}

/// An array whose elements can be mapped without a call.
pub(crate) trait Each<T, const N: usize> {
    /// Makes the array of `f(element)`.
    fn each<U: Copy>(self, f: impl FnMut(T) -> U) -> [U; N];
}

impl<T: Copy, const N: usize> Each<T, N> for [T; N] {
    #[inline(always)]
    fn each<U: Copy>(self, mut f: impl FnMut(T) -> U) -> [U; N] {
        from_fn(|i| f(self[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_made_in_order_and_once_each() {
        let mut calls = 0;
        let made: [usize; 4] = from_fn(|i| {
            assert_eq!(i, calls);
            calls += 1;
            10 * i
        });
        assert_eq!((made, calls), ([0, 10, 20, 30], 4));
        assert_eq!([1, 2, 3].each(|x| 2.5 * f64::from(x)), [2.5, 5.0, 7.5]);
    }

    #[test]
    fn an_empty_array_asks_nothing() {
        let made: [u8; 0] = from_fn(|_| unreachable!());
        let mapped: [f32; 0] = made.each(|_| unreachable!());
        assert!(mapped.is_empty());
    }
}
