//! Nothing but the README and the guide, whose programs are tests: they belong to no package.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

#[cfg(doctest)]
mod guide {
    #[doc = include_str!("../docs/building.md")]
    mod building {}
    #[doc = include_str!("../docs/lands.md")]
    mod lands {}
    #[doc = include_str!("../docs/plants.md")]
    mod plants {}
    #[doc = include_str!("../docs/water.md")]
    mod water {}
}
