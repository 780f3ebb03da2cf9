//! The fade weights of many points along one axis.

use crate::lattice::fade::Fade;

/// The weights of the lines below and above, and the derivative of the upper one.
#[inline(always)]
pub(in crate::kernel) fn fill_weights(
    fade: Fade,
    dt: f32,
    t: &[f32],
    w0: &mut [f32],
    w1: &mut [f32],
    dw: &mut [f32],
) {
    // The default fade gets a loop of its own, which the compiler vectorises.
    match fade {
        Fade::Quintic => fill_weights_of(Fade::Quintic, dt, t, w0, w1, dw),
        fade => fill_weights_of(fade, dt, t, w0, w1, dw),
    }
}

#[inline(always)]
fn fill_weights_of(fade: Fade, dt: f32, t: &[f32], w0: &mut [f32], w1: &mut [f32], dw: &mut [f32]) {
    let len = t.len();
    let (w0, w1, dw) = (&mut w0[..len], &mut w1[..len], &mut dw[..len]);
    for i in 0..len {
        let weights = fade.weights(t[i]);
        w0[i] = weights.w0;
        w1[i] = weights.w1;
        dw[i] = dt * weights.slope;
    }
}
