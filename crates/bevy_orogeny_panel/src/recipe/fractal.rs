//! Fractals, and the numbers of any structure.

use bevy_egui::egui::Ui;
use orogeny::limits::Parameters;
use orogeny::{Fractal, Kind};
use strum::IntoEnumIterator;

use super::choice::choose;
use super::noise::{about, flag, noise};
use super::row::number;
use crate::fault::Fault;

/// All numbers of a structure.
pub fn numbers<P: Parameters>(ui: &mut Ui, parameters: &mut P, fault: Fault<'_>) {
    for (limit, own) in P::LIMITS.iter().zip(parameters.numbers()) {
        number(ui, limit, own, fault.under(limit.name));
    }
}

/// A fractal: first what is tuned most.
pub fn fractal(ui: &mut Ui, fractal: &mut Fractal<2>, fault: Fault<'_>) {
    type Own = Fractal<2>;
    let help = about::<Own>("kind");
    choose(ui, "kind", help, Fault::default(), &mut fractal.kind, Kind::iter());
    match &mut fractal.kind {
        Kind::Ridged(ridged) => numbers(ui, ridged, fault.under("kind").under("Ridged")),
        Kind::Damped(damped) => numbers(ui, damped, fault.under("kind").under("Damped")),
        Kind::Fbm | Kind::Turbulence | Kind::Billow => {}
    }
    numbers(ui, fractal, fault);
    flag(ui, "reseed", about::<Own>("reseed"), &mut fractal.reseed);
    flag(ui, "offset", about::<Own>("offset"), &mut fractal.offset);
    noise(ui, about::<Own>("noise"), &mut fractal.noise, fault.under("noise"));
}
