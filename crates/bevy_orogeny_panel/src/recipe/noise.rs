//! Rows of a noise and its lattice.

use bevy_egui::egui::Ui;
use documented::DocumentedFields;
use orogeny::lattice::{
    Fade, Gradients, Lattice, LatticeGrid, LatticeValues, Permutation, PermutationTable,
};
use orogeny::limits::PERIOD;
use orogeny::noise::{CellularOutput, Metric, Noise};
use orogeny::{Cellular, GradientNoise};
use strum::IntoEnumIterator;

use super::choice::choose;
use super::row::{numbers, plain, row};
use super::typed::{drag_value, whole};
use crate::recipe::fault::Fault;

/// The documentation of a field.
pub fn about<T: DocumentedFields>(field: &str) -> &'static str {
    T::get_field_docs(field).unwrap_or_default()
}

/// A seed, with a button that draws a random one.
pub fn seed(ui: &mut Ui, about: &str, seed: &mut u64) {
    row(ui, "seed", &plain(about), Fault::default(), |ui| {
        let edited = whole(ui, seed);
        if ui.small_button("🎲").on_hover_text("Random seed").clicked() {
            // Short enough to remember and type.
            *seed = u64::from(getrandom::u32().unwrap_or_default() % 1_000_000);
        }
        edited
    });
}

/// A noise: which one, and its parameters.
pub fn noise(ui: &mut Ui, help: &str, noise: &mut Noise<2>, fault: Fault<'_>) {
    let old = own_seed(noise);
    choose(ui, "noise", help, Fault::default(), noise, Noise::iter());
    let fault = match noise {
        Noise::Gradient(_) => fault.under("Gradient"),
        Noise::Simplex(_) => fault.under("Simplex"),
        Noise::Cellular(_) => fault.under("Cellular"),
    };
    let own = match noise {
        Noise::Gradient(noise) => &mut noise.seed,
        Noise::Simplex(noise) => &mut noise.seed,
        Noise::Cellular(noise) => &mut noise.seed,
    };
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

fn own_seed(noise: &Noise<2>) -> u64 {
    match noise {
        Noise::Gradient(noise) => noise.seed,
        Noise::Simplex(noise) => noise.seed,
        Noise::Cellular(noise) => noise.seed,
    }
}

fn gradient(ui: &mut Ui, noise: &mut GradientNoise<2>, fault: Fault<'_>) {
    type Own = GradientNoise<2>;
    let help = about::<Own>("fade");
    choose(ui, "fade", help, fault.under("fade"), &mut noise.fade, Fade::iter());
    let help = about::<Own>("values");
    choose(ui, "values", help, fault.under("values"), &mut noise.values, LatticeValues::iter());
    let help = about::<Own>("gradients");
    let table = match &noise.gradients {
        given @ Gradients::Table(_) => given.clone(),
        _ => Gradients::Table(vec![[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]),
    };
    let sets = Gradients::iter().map(|set| match set {
        Gradients::Table(_) => table.clone(),
        set => set,
    });
    choose(ui, "gradients", help, fault.under("gradients"), &mut noise.gradients, sets);
    let help = about::<Own>("lattice");
    let given =
        LatticeGrid { size: [2; 2], gradients: Vec::new(), values: vec![1.0, -1.0, -1.0, 1.0] };
    let lattices =
        [Lattice::Hash, Lattice::Permutation(Permutation::default()), Lattice::Grid(given)];
    choose(ui, "lattice", help, fault.under("lattice"), &mut noise.lattice, lattices);
    match &mut noise.lattice {
        Lattice::Permutation(permutation) => table_of(ui, permutation),
        Lattice::Grid(grid) => {
            let [x, z] = grid.size;
            let help = "Edit the gradients and values of an explicit lattice in the file";
            row(ui, "points", help, Fault::default(), |ui| ui.label(format!("{x} by {z}")));
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
    choose(ui, "table", help, Fault::default(), &mut permutation.table, tables);
    flag(ui, "last added", about::<Permutation>("last_added"), &mut permutation.last_added);
}

fn cellular(ui: &mut Ui, noise: &mut Cellular<2>, fault: Fault<'_>) {
    let help = about::<Cellular<2>>("output");
    choose(ui, "output", help, fault.under("output"), &mut noise.output, CellularOutput::iter());
    let help = about::<Cellular<2>>("metric");
    choose(ui, "metric", help, fault.under("metric"), &mut noise.metric, Metric::iter());
    numbers(ui, noise, fault);
    period(ui, &mut noise.period, fault);
}

fn period(ui: &mut Ui, period: &mut [u32; 2], fault: Fault<'_>) {
    let limit = PERIOD.min as u32..=PERIOD.max as u32;
    row(ui, PERIOD.name, &format!("{}\n{PERIOD}", PERIOD.help), fault.under(PERIOD.name), |ui| {
        let [x, z] = period;
        let x = ui.add(drag_value(ui, x).range(limit.clone()).prefix("x "));
        x | ui.add(drag_value(ui, z).range(limit).prefix("z "))
    });
}

/// A checkbox.
pub fn flag(ui: &mut Ui, name: &str, help: &str, value: &mut bool) {
    row(ui, name, &plain(help), Fault::default(), |ui| ui.checkbox(value, ""));
}
