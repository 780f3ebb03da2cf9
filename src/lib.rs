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
    #[doc = include_str!("../docs/recipes.md")]
    /// ```
    /// let page = std::fs::read_to_string("docs/recipes.md").unwrap();
    /// let file = page.split("```ron\n").nth(1).unwrap().split("```").next().unwrap();
    /// bevy_orogeny::orogeny::Recipe::build_ron(file).expect("the recipe of the page");
    /// ```
    mod recipes {}
    #[doc = include_str!("../docs/water.md")]
    mod water {}
}
