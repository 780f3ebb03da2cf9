//! A combo box for an enum, with the documentation of its variants as hover texts.

use core::mem::discriminant;

use bevy_egui::egui::{ComboBox, Ui};
use strum::EnumMessage;

use super::labels::label;
use super::row::{plain, row};
use crate::controls;
use crate::recipe::fault::Fault;

/// The label of a variant: `CellValue` is "Cell value".
pub fn name<'a, T>(value: &'a T) -> String
where
    &'static str: From<&'a T>,
{
    label(value.into())
}

/// The documentation of a variant as plain text.
pub fn help(value: &impl EnumMessage) -> String {
    plain(value.get_documentation().unwrap_or_default())
}

/// A combo box of `options`. Choosing the current variant again changes nothing.
pub fn choose<T>(
    ui: &mut Ui,
    title: &str,
    about: &str,
    fault: Fault<'_>,
    value: &mut T,
    options: impl IntoIterator<Item = T>,
) where
    T: EnumMessage,
    for<'a> &'static str: From<&'a T>,
{
    let about = format!("{}\n\n{}: {}", plain(about), name(value), help(value));
    row(ui, title, about.trim_start(), fault, |ui, about| {
        let combo = ComboBox::from_id_salt(title).selected_text(name(value));
        controls::combo(ui, combo, about, |ui| {
            for option in options {
                let is = discriminant(&option) == discriminant(value);
                if controls::option(ui, is, name(&option), &help(&option)) && !is {
                    *value = option;
                }
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use orogeny::lattice::LatticeValues;
    use orogeny::noise::{CellularOutput, Metric};
    use orogeny::{Fractal, FractalKind, GradientNoise, Node};
    use strum::IntoEnumIterator;

    use super::*;
    use crate::document::layers::{new_layers, shapes, transforms, wrappers};
    use crate::recipe::noise::about;

    #[test]
    fn every_choice_has_documentation() {
        let nodes = wrappers(Node::Constant(0.0), 1).into_iter().chain(new_layers(1));
        let mut helps: Vec<String> = nodes.map(|node| help(&node)).collect();
        helps.extend(shapes().iter().map(help));
        helps.extend(transforms().iter().map(help));
        helps.extend(FractalKind::iter().map(|kind| help(&kind)));
        helps.extend(CellularOutput::iter().map(|output| help(&output)));
        helps.extend(Metric::iter().map(|metric| help(&metric)));
        assert!(helps.iter().all(|help| help.len() > 10), "{helps:?}");
        assert!(help(&Node::<2>::Add(Vec::new())).starts_with("The sum of fields."));
        assert!(about::<Fractal<2>>("reseed").contains("a seed of its own"));
        assert!(about::<GradientNoise<2>>("period").contains("0 means no"));
        assert_eq!(name(&LatticeValues::FourPoint), "Four-point");
    }
}
