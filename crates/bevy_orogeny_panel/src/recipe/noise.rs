//! Rows of a fractal, of a noise and of its lattice.

use bevy_egui::egui::Ui;
use documented::DocumentedFields;
use orogeny::lattice::{
    Fade, Gradients, Lattice, LatticeGrid, LatticeValues, Permutation, PermutationTable,
};
use orogeny::limits::PERIOD;
use orogeny::noise::{CellularOutput, Metric, Noise};
use orogeny::{Cellular, Fractal, FractalKind, GradientNoise};
use strum::IntoEnumIterator;

use super::row::{Fault, choose, help_of, numbers, plain, row, value};
use super::typed::{drag, whole};
use crate::controls;

/// The documentation of a field.
pub fn about<T: DocumentedFields>(field: &str) -> &'static str {
    T::get_field_docs(field).unwrap_or_default()
}

/// A seed, with a button that draws a random one.
pub fn seed(ui: &mut Ui, about: &str, seed: &mut u64) {
    row(ui, "Seed", &plain(about), Fault::default(), |ui, about| {
        whole(ui, "Seed", seed, about);
        if controls::small(ui, true, "🎲", "Choose a random seed") {
            // Short enough to remember and type.
            *seed = u64::from(getrandom::u32().unwrap_or_default() % 1_000_000);
        }
    });
}

/// A fractal: the kind first, then its numbers, the noise last.
pub fn fractal(ui: &mut Ui, fractal: &mut Fractal<2>, fault: Fault<'_>) {
    type Own = Fractal<2>;
    let help = about::<Own>("kind");
    choose(ui, "Kind", help, Fault::default(), &mut fractal.kind, FractalKind::iter());
    let own = fault.under("kind").under((&fractal.kind).into());
    match &mut fractal.kind {
        FractalKind::Ridged(ridged) => numbers(ui, ridged, own),
        FractalKind::Hybrid(hybrid) => numbers(ui, hybrid, own),
        FractalKind::PingPong(ping_pong) => numbers(ui, ping_pong, own),
        FractalKind::Damped(damped) => numbers(ui, damped, own),
        FractalKind::Fbm | FractalKind::Turbulence | FractalKind::Billow => {}
    }
    numbers(ui, fractal, fault);
    flag(ui, "Reseed", about::<Own>("reseed"), &mut fractal.reseed);
    flag(ui, "Offset octaves", about::<Own>("offset"), &mut fractal.offset);
    noise(ui, about::<Own>("noise"), &mut fractal.noise, fault.under("noise"));
}

/// A noise: which one, and its parameters.
pub fn noise(ui: &mut Ui, help: &str, noise: &mut Noise<2>, fault: Fault<'_>) {
    let old = *seed_of(noise);
    choose(ui, "Noise", help, Fault::default(), noise, Noise::iter());
    let fault = fault.under((&*noise).into());
    let own = seed_of(noise);
    // The new noise keeps the old seed.
    if *own == 0 {
        *own = old;
    }
    seed(ui, about::<GradientNoise<2>>("seed"), own);
    match noise {
        Noise::Gradient(noise) => gradient(ui, noise, fault),
        Noise::Simplex(_) => {}
        Noise::Cellular(noise) => cellular(ui, noise, fault),
    }
}

fn seed_of(noise: &mut Noise<2>) -> &mut u64 {
    match noise {
        Noise::Gradient(noise) => &mut noise.seed,
        Noise::Simplex(noise) => &mut noise.seed,
        Noise::Cellular(noise) => &mut noise.seed,
    }
}

fn gradient(ui: &mut Ui, noise: &mut GradientNoise<2>, fault: Fault<'_>) {
    type Own = GradientNoise<2>;
    let help = about::<Own>("fade");
    choose(ui, "Fade", help, fault.under("fade"), &mut noise.fade, Fade::iter());
    let help = about::<Own>("values");
    choose(ui, "Values", help, fault.under("values"), &mut noise.values, LatticeValues::iter());
    let help = about::<Own>("gradients");
    let table = match &noise.gradients {
        given @ Gradients::Table(_) => given.clone(),
        _ => Gradients::Table(vec![[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]),
    };
    let sets = Gradients::iter().map(|set| match set {
        Gradients::Table(_) => table.clone(),
        set => set,
    });
    choose(ui, "Gradients", help, fault.under("gradients"), &mut noise.gradients, sets);
    let help = about::<Own>("lattice");
    let given =
        LatticeGrid { size: [2; 2], gradients: Vec::new(), values: vec![1.0, -1.0, -1.0, 1.0] };
    let lattices =
        [Lattice::Hash, Lattice::Permutation(Permutation::default()), Lattice::Grid(given)];
    choose(ui, "Lattice", help, fault.under("lattice"), &mut noise.lattice, lattices);
    match &mut noise.lattice {
        Lattice::Permutation(permutation) => table_of(ui, permutation),
        Lattice::Grid(grid) => {
            let [x, z] = grid.size;
            let help = "The gradients and values of a grid can only be edited in the file";
            value(ui, "Points", help, format!("{x} by {z}"));
        }
        Lattice::Hash => {}
    }
    period(ui, &mut noise.period, fault);
}

fn table_of(ui: &mut Ui, permutation: &mut Permutation) {
    let help = about::<Permutation>("table");
    let tables = PermutationTable::iter().map(|table| match table {
        PermutationTable::Given(_) => PermutationTable::Given((0..=255).collect()),
        table => table,
    });
    choose(ui, "Table", help, Fault::default(), &mut permutation.table, tables);
    flag(ui, "Last added", about::<Permutation>("last_added"), &mut permutation.last_added);
}

fn cellular(ui: &mut Ui, noise: &mut Cellular<2>, fault: Fault<'_>) {
    let help = about::<Cellular<2>>("output");
    choose(ui, "Output", help, fault.under("output"), &mut noise.output, CellularOutput::iter());
    let help = about::<Cellular<2>>("metric");
    choose(ui, "Metric", help, fault.under("metric"), &mut noise.metric, Metric::iter());
    numbers(ui, noise, fault);
    period(ui, &mut noise.period, fault);
}

fn period(ui: &mut Ui, period: &mut [u32; 2], fault: Fault<'_>) {
    row(ui, "Period", &help_of(&PERIOD), fault.under(PERIOD.name), |ui, help| {
        for (axis, cells) in ["x ", "z "].into_iter().zip(period) {
            let cells = drag(ui, "Period", cells, &PERIOD).prefix(axis);
            controls::add(ui, cells, help);
        }
    });
}

/// A checkbox.
pub fn flag(ui: &mut Ui, name: &str, help: &str, value: &mut bool) {
    row(ui, name, &plain(help), Fault::default(), |ui, help| {
        controls::checkbox(ui, value, "", help);
    });
}
