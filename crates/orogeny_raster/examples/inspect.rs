//! Prints what elevation files say, what is missing, and what looks wrong. Of images whose channels
//! are no heights it prints whether they are weights.
//!
//! ```sh
//! cargo run -p orogeny_raster --example inspect -- alps.tif N45E006.hgt splat.png
//! cargo run -p orogeny_raster --example inspect -- --channel Y peak.exr
//! ```

use orogeny_raster::{ByteOrder, Reading, inspect, read_weights};

fn main() {
    // A raw file is taken as little endian; all else is as the file says.
    let mut reading = Reading {
        byte_order: Some(ByteOrder::LittleEndian),
        allow_8_bit: true,
        ..Reading::default()
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(path) = arguments.next() {
        if path == "--channel" {
            reading.channel = arguments.next();
            continue;
        }
        match inspect(&path, &reading) {
            Ok(report) => println!("{path}\n{report}"),
            Err(error) => {
                println!("error: {error}");
                print_weights(&path, &reading);
                println!();
            }
        }
    }
}

/// Prints what the channels of an image are as weights, if it has several.
fn print_weights(path: &str, reading: &Reading) {
    // Where the image lies does not matter here.
    let reading = Reading { spacing: Some([1.0; 2]), ..reading.clone() };
    let Ok(weights) = read_weights(path, &reading) else { return };
    println!("weights      {} layers, by read_weights", weights.layers());
    match weights.check_sums() {
        Ok(()) => println!("sums         1 at each sample"),
        Err(error) => println!("sums         {error}"),
    }
}
