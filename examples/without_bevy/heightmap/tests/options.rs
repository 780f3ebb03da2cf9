//! Errors name the option and its limit, and the help lists all kinds.

use clap::{CommandFactory, ValueEnum};

use crate::args::Args;
use crate::kind::Kind;
use crate::tests::message;

#[test]
fn options_that_do_not_apply_are_refused() {
    for (arguments, name, expected) in [
        ("hills --range 0,9", "a.f32", "--range: only png16, r16, tiff16"),
        ("hills --range 0,9", "a.tif", "--range: only png16, r16, tiff16"),
        ("hills --range 0,9 --kind depth", "a.exr", "--range: only png16, r16, tiff16"),
        ("hills --range 0,9 --kind moisture", "a.tif", "--range: only png16, r16, tiff16"),
        ("hills --range 0,9 --kind map", "a.png", "--range: only png16, r16, tiff16"),
        ("hills --fit", "a.glb", "--fit: only png16, r16, tiff16"),
        ("hills --levels 2", "a.png", "--levels: only glb"),
        ("hills --plants pine", "a.png", "--plants: it applies only to plants"),
        ("hills --max-plants 5", "a.glb", "--max-plants: it applies only to plants"),
        ("hills --tiles 0", "a.png", "1 to 256"),
        ("hills --tiles 257x1", "a.png", "1 to 256"),
        ("hills --tiles 2x2x2", "a.png", "1 to 256"),
        ("hills --tiles 2 --size 1x9", "a.png", "--size: tiles share their borders"),
        ("hills --levels 0", "a.glb", "1 to 8"),
        ("hills --spacing 1e5", "a.glb", "--size, --spacing: a side is 1.023e8 m"),
        ("hills --spacing 1e5", "a.csv", "at most 1e7 m"),
        ("hills --max-plants 0", "a.csv", "1 to 100000000"),
        ("hills", "a.bmp", ".exr is exr"),
        ("hills --tiles 256 --size 65536 --spacing 1e300", "a.png", "--origin, --spacing"),
    ] {
        let message = message(arguments, name);
        assert!(message.contains(expected), "{arguments} {name}: {message}");
    }
}

#[test]
fn the_help_lists_all_kinds() {
    let help = Args::command().render_long_help().to_string();
    let after = help.split("Kinds, and the file endings").nth(1).unwrap();
    for kind in Kind::value_variants() {
        let line = format!("\n  {} ", kind.name());
        assert!(after.contains(&line), "{}", kind.name());
        let value = kind.to_possible_value().unwrap();
        assert_eq!(value.get_name(), kind.name());
    }
}
