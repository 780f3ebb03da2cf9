//! Words for the names of the core: `sea_level` is "Sea level", and an error at `Path.points[0]` is
//! one of "Path, point 1".

use bevy::ecs::error::BevyError;
use orogeny::DataError;

/// The labels of names that are not words with underscores between them.
const LABELS: [(&str, &str); 22] = [
    ("align", "Follow slope"),
    ("bank_soft", "Bank edge"),
    ("cell", "Sample spacing"),
    ("degrees", "Angle"),
    ("disturbed", "Disturbed ground"),
    ("F2MinusF1", "F2 - F1"),
    ("Fbm", "fBm"),
    ("floor", "Valley floor"),
    ("FourPoint", "Four-point"),
    ("gain", "Gain"),
    ("Given", "Custom"),
    ("lakes", "Lake probability"),
    ("max", "Maximum"),
    ("min", "Minimum"),
    ("PingPong", "Ping-pong"),
    ("plain", "Flood plain"),
    ("scatter", "Plants"),
    ("slope_x", "Slope along x"),
    ("slope_z", "Slope along z"),
    ("soft", "Edge width"),
    ("tint", "Colour variation"),
    ("turn", "Rotation"),
];

/// Quantities that have a minimum, a maximum and an edge, where their name is not clear alone.
const QUANTITIES: [(&str, &str); 3] =
    [("bank", "bank distance"), ("depth", "water depth"), ("edit", "edit distance")];

/// What the items of lists are called, by the name of the list.
const ITEMS: [(&str, &str); 14] = [
    ("Add", "layer"),
    ("along", "field"),
    ("by", "step"),
    ("changes", "change"),
    ("cover", "layer"),
    ("Curve", "point"),
    ("kinds", "kind"),
    ("Max", "layer"),
    ("Min", "layer"),
    ("Multiply", "layer"),
    ("of", "part"),
    ("points", "point"),
    ("samples", "sample"),
    ("within", "band"),
];

/// Lists that are named by their items alone.
const UNNAMED: [&str; 7] = ["along", "by", "kinds", "of", "points", "samples", "within"];
/// Pairs of numbers along the two axes.
const AXES: [&str; 5] = ["center", "period", "Scale", "size", "Translate"];
/// Parts of a path that a reader does not need.
const LEFT_OUT: [&str; 3] = ["by", "edit", "field"];
/// The first words of problems whose subject is the parameter itself.
const VERBS: [&str; 11] =
    ["are", "exists", "has", "have", "hold", "holds", "is", "lead", "must", "names", "uses"];

/// The label of a parameter or a variant: `height.min` is "Min height", `CellValue` "Cell value".
pub fn label(name: &str) -> String {
    let name = &*name.replace('.', "_");
    if let Some((_, label)) = LABELS.iter().find(|(own, _)| *own == name) {
        return (*label).into();
    }
    let quantity = |of: &str| {
        let known = QUANTITIES.iter().find(|(own, _)| *own == of);
        known.map_or_else(|| words(of), |(_, quantity)| (*quantity).into())
    };
    let (start, of) = match (name.strip_suffix("_min"), name.strip_suffix("_max")) {
        (Some(of), _) => ("Min ", of),
        (_, Some(of)) => ("Max ", of),
        _ => match name.strip_suffix("_soft") {
            Some(of) => return capitalised(&format!("{} edge", quantity(of))),
            None => return capitalised(&words(name)),
        },
    };
    format!("{start}{}", quantity(of))
}

/// A label inside a sentence: "min height", but "F1" and "fBm".
pub fn inside(label: &str) -> String {
    let mut chars = label.chars();
    let (first, rest) = (chars.next(), chars.as_str());
    let is_word = rest.chars().next().is_none_or(|second| second.is_lowercase());
    match first {
        Some(first) if is_word => first.to_lowercase().chain(rest.chars()).collect(),
        _ => label.into(),
    }
}

/// The place of an error, such as "Path, point 1".
pub fn place(path: &str) -> String {
    let parts = path.split('.').filter_map(part);
    capitalised(&parts.collect::<Vec<_>>().join(", "))
}

/// One part of a path in words; `None` if it says nothing.
fn part(part: &str) -> Option<String> {
    let (name, indices) = part.split_at(part.find('[').unwrap_or(part.len()));
    let indices = indices.split('[').filter_map(|index| index.strip_suffix(']')?.parse().ok());
    let indices: Vec<usize> = indices.collect();
    let named = (!name.is_empty()).then(|| inside(&label(name)));
    let Some(&index) = indices.first() else {
        return named.filter(|_| !LEFT_OUT.contains(&name));
    };
    if let (true, Some(axis)) = (AXES.contains(&name), ["x", "z"].get(index)) {
        return Some(format!("{} {axis}", inside(&label(name))));
    }
    let item = ITEMS.iter().find(|(own, _)| *own == name).map_or("item", |(_, item)| item);
    let item = format!("{item} {}", index + 1);
    Some(match named.filter(|_| !UNNAMED.contains(&name)) {
        Some(named) => format!("{named}, {item}"),
        None => item,
    })
}

/// An error of the core as a sentence without names of fields.
pub fn sentence(error: &DataError) -> String {
    describe(&error.path, &error.problem)
}

/// A path without its last part, and that part: `height.max` of a band, which has one row.
pub fn split(path: &str) -> (&str, &str) {
    let last = |path: &str| path.rfind('.').map_or(0, |dot| dot + 1);
    let mut start = last(path);
    let band = path[..start].trim_end_matches('.');
    let is_named = band[last(band)..].chars().all(char::is_lowercase);
    if ["min", "max", "soft"].contains(&&path[start..]) && is_named {
        start = last(band);
    }
    (path[..start].trim_end_matches('.'), &path[start..])
}

/// A problem at a path as a sentence.
pub fn describe(path: &str, problem: &str) -> String {
    let (outer, own) = split(path);
    let is_about_itself = VERBS.contains(&problem.split(' ').next().unwrap_or_default());
    // "max_grade is 200" at the path `Path.max_grade`.
    let named = problem.strip_prefix(own).filter(|rest| !own.is_empty() && rest.starts_with(' '));
    let subject = part(own).filter(|_| named.is_some() || is_about_itself);
    match (subject, place(outer)) {
        (Some(subject), outer) => {
            let text = format!("{subject} {}", in_words(named.unwrap_or(problem).trim_start()));
            if outer.is_empty() { capitalised(&text) } else { format!("{outer}: {text}") }
        }
        (None, _) if place(path).is_empty() => capitalised(&in_words(problem)),
        (None, _) => format!("{}: {}", place(path), in_words(problem)),
    }
}

/// An error of a tool as a sentence without names of fields.
pub fn describe_error(error: &BevyError) -> String {
    error.downcast_ref::<DataError>().map_or_else(|| error.to_string(), sentence)
}

/// A text in which names of fields, which the core writes between backticks, are words.
fn in_words(text: &str) -> String {
    let word = |(i, part): (usize, &str)| match part {
        part if i % 2 == 0 => part.into(),
        end @ ("min" | "max") => format!("the {}", inside(&label(end))),
        name => inside(&label(name)),
    };
    text.split('`').enumerate().map(word).collect()
}

/// `max_grade` and `CellValue` as words in lower case.
fn words(name: &str) -> String {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() && words.ends_with(char::is_lowercase) {
            words.push(' ');
        }
        match c {
            '_' => words.push(' '),
            c => words.extend(c.to_lowercase()),
        }
    }
    words
}

/// A text with a capital letter at its start. "fBm" keeps its own.
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.as_str()) {
        (Some(first), rest) if !rest.starts_with(char::is_uppercase) => {
            first.to_uppercase().chain(rest.chars()).collect()
        }
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use orogeny::drainage::Drainage;
    use orogeny::edits::{Area, Disc, Edit, Path, Raise};
    use orogeny::limits::{Limit, Parameters};
    use orogeny::scatter::ScatterKind;
    use orogeny::{Climate, Recipe};

    use super::*;

    #[test]
    fn names_become_words() {
        for (name, expected) in [
            ("sea_level", "Sea level"),
            ("max_grade", "Max grade"),
            ("height.min", "Min height"),
            ("bank.max", "Max bank distance"),
            ("bank.soft", "Bank edge"),
            ("moisture.soft", "Moisture edge"),
            ("size_min", "Min size"),
            ("CellValue", "Cell value"),
            ("F1", "F1"),
            ("Fbm", "fBm"),
        ] {
            assert_eq!(label(name), expected);
        }
        assert_eq!([inside("Cell value"), inside("F1")], ["cell value", "F1"]);
    }

    #[test]
    fn no_label_has_an_underscore() {
        let limits: [&[Limit]; 4] =
            [ScatterKind::LIMITS, Drainage::LIMITS, Climate::LIMITS, Path::LIMITS];
        for limit in limits.into_iter().flatten() {
            let label = label(limit.name);
            assert!(!label.contains('_') && label.starts_with(char::is_uppercase), "{label}");
        }
    }

    #[test]
    fn errors_say_where_they_are() {
        let steep = |max_grade| Path { max_grade, ..Path::default() };
        let far = Path { points: vec![[1e20, 0.0, 0.0], [0.0; 3]], ..Path::default() };
        let wide = Area::Disc(Disc { radius: -1.0, ..Disc::default() });
        for (edit, expected) in [
            (Edit::from(steep(200.0)), "Path: max grade is 200, but must be between 0 and 100"),
            (far.into(), "Path, point 1: a coordinate is 1e20, but"),
            (Raise { area: wide, ..Raise::default() }.into(), "Raise, area, disc: radius is -1,"),
        ] {
            let error = edit.check().unwrap_err();
            assert!(sentence(&error).starts_with(expected), "{} for {error}", sentence(&error));
        }
        let recipe = |text: &str| Recipe::from_ron(text).unwrap_err();
        for (text, expected) in [
            (
                "(field: Constant(0), sea_level: 2e5)",
                "Sea level is 200000, but must be between -100000 and 100000",
            ),
            (
                "(field: Add([Constant(1), Shape(field: Constant(0), by: [Clamp(min: 2)])]))",
                "Add, layer 2, shape, step 1, clamp: maximum is 1, but must be at least",
            ),
            (
                "(field: Constant(0), cover: [(), (slope: (min: 2, max: 1))])",
                "Cover, layer 2: max slope is 1, but must be at least min slope, 2",
            ),
            (
                "(field: Constant(0), cover: [(), (edge_noise: 9), (slope: (soft: 11))])",
                "Cover, layer 2: edge noise is 9, but must be between 0 and 8",
            ),
            (
                "(field: Constant(0), scatter: (kinds: [(bank: (max: -1e9))]))",
                "Plants, kind 1: max bank distance is -1e9, but must be between",
            ),
            (
                "(field: Constant(0), scatter: (kinds: [(seed: 1), (seed: 1)]))",
                "Plants, kind 2: seed is 1",
            ),
        ] {
            let found = sentence(&recipe(text));
            assert!(found.starts_with(expected) && !found.contains('_'), "{found}");
        }
    }
}
