//! Rows of a fractal.

use bevy_egui::egui::Ui;
use orogeny::{Fractal, FractalKind};
use strum::IntoEnumIterator;

use super::choice::choose;
use super::noise::{about, flag, noise};
use super::row::numbers;
use crate::recipe::fault::Fault;

/// A fractal: the kind first, then its numbers, the noise last.
pub fn fractal(ui: &mut Ui, fractal: &mut Fractal<2>, fault: Fault<'_>) {
    type Own = Fractal<2>;
    let help = about::<Own>("kind");
    choose(ui, "Kind", help, Fault::default(), &mut fractal.kind, FractalKind::iter());
    match &mut fractal.kind {
        FractalKind::Ridged(ridged) => numbers(ui, ridged, fault.under("kind").under("Ridged")),
        FractalKind::Hybrid(hybrid) => numbers(ui, hybrid, fault.under("kind").under("Hybrid")),
        FractalKind::PingPong(ping_pong) => {
            numbers(ui, ping_pong, fault.under("kind").under("PingPong"));
        }
        FractalKind::Damped(damped) => numbers(ui, damped, fault.under("kind").under("Damped")),
        FractalKind::Fbm | FractalKind::Turbulence | FractalKind::Billow => {}
    }
    numbers(ui, fractal, fault);
    flag(ui, "Reseed", about::<Own>("reseed"), &mut fractal.reseed);
    flag(ui, "Offset octaves", about::<Own>("offset"), &mut fractal.offset);
    noise(ui, about::<Own>("noise"), &mut fractal.noise, fault.under("noise"));
}
