//! A choice between the variants of an enumeration, with their documentation.

use core::mem::discriminant;

use bevy_egui::egui::{ComboBox, Ui};
use strum::EnumMessage;

use super::row::{plain, row};
use crate::fault::Fault;

/// The name of a variant as a person would write it: `FourPoint` is "four point".
pub fn name<'a, T>(value: &'a T) -> String
where
    &'static str: From<&'a T>,
{
    let name: &'static str = value.into();
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() && words.ends_with(char::is_lowercase) {
            words.push(' ');
        }
        words.extend(c.to_lowercase());
    }
    words
}

/// What the documentation says of a variant.
pub fn help(value: &impl EnumMessage) -> String {
    plain(value.get_documentation().unwrap_or_default())
}

/// Lets one of `options` be chosen. Choosing the variant that it is already changes nothing.
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
    row(ui, title, &about, fault, |ui| {
        let combo = ComboBox::from_id_salt(title).selected_text(name(value)).show_ui(ui, |ui| {
            for option in options {
                let is = discriminant(&option) == discriminant(value);
                let label = ui.selectable_label(is, name(&option)).on_hover_text(help(&option));
                if label.clicked() && !is {
                    *value = option;
                }
            }
        });
        combo.response
    });
}

#[cfg(test)]
mod tests {
    use orogeny::lattice::LatticeValues;
    use orogeny::{Fractal, FractalKind, GradientNoise, Node};
    use strum::IntoEnumIterator;

    use super::*;
    use crate::layers::{new_layers, shapes, transforms, wrappers};
    use crate::recipe::noise::about;

    #[test]
    fn everything_that_can_be_chosen_is_explained() {
        let nodes = wrappers(Node::Constant(0.0), 1).into_iter().chain(new_layers(1));
        let mut helps: Vec<String> = nodes.map(|node| help(&node)).collect();
        helps.extend(shapes().iter().map(help));
        helps.extend(transforms().iter().map(help));
        helps.extend(FractalKind::iter().map(|kind| help(&kind)));
        assert!(helps.iter().all(|help| help.len() > 10), "{helps:?}");
        assert!(help(&Node::<2>::Add(Vec::new())).starts_with("The sum of fields."));
        assert!(about::<Fractal<2>>("reseed").contains("a seed of its own"));
        assert!(about::<GradientNoise<2>>("period").contains("0 is never"));
        assert_eq!(name(&LatticeValues::FourPoint), "four point");
    }
}
