//! The quintic fade of Perlin's improved noise.
//!
//! Ken Perlin, "Improving Noise", SIGGRAPH 2002.

/// The two weights `(1 - u, u)` at `t` in [0, 1], where u = 6 t^5 - 15 t^4 + 10 t^3.
///
/// The polynomial is evaluated on the side of 0.5 where it is small and mirrored, u(t) = 1 - u(1 - t): its error stays
/// below 2e-7, and both weights are as exact near 1 as near 0.
#[inline]
pub(crate) fn fade(t: f32) -> (f32, f32) {
    let mirrored = t > 0.5;
    let m = if mirrored { 1.0 - t } else { t };
    let small = m * m * m * (m * (m * 6.0 - 15.0) + 10.0);
    let large = 1.0 - small;
    if mirrored { (small, large) } else { (large, small) }
}

/// du/dt = 30 t^2 (1 - t)^2.
#[inline]
pub(crate) fn fade_derivative(t: f32) -> f32 {
    let bump = t * (1.0 - t);
    30.0 * (bump * bump)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_the_polynomial_in_f64() {
        for i in 0..=100_000 {
            let t = i as f32 / 100_000.0;
            let x = f64::from(t);
            let exact = x * x * x * (x * (x * 6.0 - 15.0) + 10.0);
            let slope = 30.0 * x * x * (1.0 - x) * (1.0 - x);
            let (w0, w1) = fade(t);
            assert!((f64::from(w1) - exact).abs() < 2e-7, "u({t})");
            assert!((f64::from(w0) - (1.0 - exact)).abs() < 2e-7, "1 - u({t})");
            assert!((f64::from(fade_derivative(t)) - slope).abs() < 5e-7, "u'({t})");
        }
        assert_eq!((fade(0.0), fade(0.5), fade(1.0)), ((1.0, 0.0), (0.5, 0.5), (0.0, 1.0)));
    }
}
