//! Prints what elevation files say, and what looks wrong.
//!
//! ```sh
//! cargo run -p orogeny_raster --example inspect -- alps.tif N45E006.hgt
//! ```

use orogeny_raster::{ByteOrder, Reading, inspect};

fn main() {
    // A raw file is taken as little endian; all else is as the file says.
    let reading = Reading {
        byte_order: Some(ByteOrder::LittleEndian),
        allow_8_bit: true,
        ..Reading::default()
    };
    for path in std::env::args().skip(1) {
        match inspect(&path, &reading) {
            Ok(report) => println!("{path}\n{report}"),
            Err(error) => println!("error: {error}\n"),
        }
    }
}
