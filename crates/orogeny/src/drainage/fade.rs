//! How detail fades out towards the water.

use crate::drainage::reach::Reach;
use crate::drainage::valley::{Beside, Slope};

/// How far from the middle of a river detail is weaker, over the radius of the valley floor there.
const REACH: f64 = 3.0;

/// Detail that does not fade.
pub(super) const WHOLE: Slope<f64> = Slope { value: 1.0, gradient: [0.0; 2] };

impl Reach {
    /// How far from its middle detail is weaker.
    pub fn fading(&self) -> f64 {
        REACH * self.floor
    }
}

/// The part of detail that is left: the product over all rivers of t^2 (3 - 2 t) with
///
/// t = (d^2 - b^2) / (r^2 - b^2), limited to 0 to 1,
///
/// for the distance d, half the width b of the river, and the reach r. So there is none in the
/// water.
pub(super) fn fade(reaches: &[Reach], list: &[u32], p: [f64; 2]) -> Slope<f64> {
    let mut fade = WHOLE;
    for &i in list {
        let reach = &reaches[i as usize];
        let Beside { across, past, square, .. } = reach.beside(p);
        let [near, far] = [reach.half_width, reach.fading()].map(|x| x * x);
        let t = ((square - near) / (far - near)).clamp(0.0, 1.0);
        let part = t * t * (3.0 - 2.0 * t);
        // By the chain rule, with the gradient 2 (past, across) of d^2.
        let slope = 12.0 * t * (1.0 - t) / (far - near);
        let gradient = reach.turned(slope * past, slope * across);
        fade = Slope {
            value: fade.value * part,
            gradient: [0, 1].map(|k| fade.gradient[k] * part + fade.value * gradient[k]),
        };
    }
    fade
}
