//! Takes the ground away.

use crate::derivative::chain_rule::Dual;
use crate::edits::area::Area;
use crate::edits::falloff::Jet64;
use crate::edits::operations::Effect;
use crate::limits::parameters;

parameters! {
    /// Takes the ground away: in the core of the area there is no ground, and samples are NaN.
    /// Other edits do not fill a hole. Where the area falls off the ground is unchanged.
    #[derive(Copy, PartialOrd)]
    pub struct Hole {
        /// Where.
        area: Area = Area::default(),
    }
    numbers {}
}

/// Places without a value do not count in bounds.
impl Effect for Hole {
    const DISTURBS: bool = true;

    #[inline]
    fn apply<T: Dual<2>>(&self, ground: T, _p: [f64; 2], weight: Jet64) -> T {
        if weight == Jet64::ONE { T::OUTSIDE } else { ground }
    }
}
