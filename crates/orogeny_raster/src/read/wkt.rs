//! The WKT of coordinate reference systems, which `.prj` files have, and GeoTIFFs whose projection
//! has no code: both versions of the OGC (01-009, and 18-010r11), and that of Esri.

use crate::read::crs::{Horizontal, ellipsoid_of};
use crate::read::place::Coordinates;
use crate::read::projection::{DEGREE, Ellipsoid, Projection};
use crate::read::units::Length;

/// How deep nodes may be nested.
const DEEPEST: usize = 16;
const PROJECTED: &[&str] = &["PROJCS", "PROJCRS", "PROJECTEDCRS"];
const GEOGRAPHIC: &[&str] = &["GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS"];
const VERTICAL: &[&str] = &["VERT_CS", "VERTCS", "VERTCRS", "VERTICALCRS"];
const UNITS: &[&str] = &["UNIT", "LENGTHUNIT", "ANGLEUNIT"];
/// Parts of the names of methods that are close to true to scale.
const TRUE: &[&str] = &["HOTINE", "OBLIQUE", "KROVAK", "RECTIFIEDSKEW", "NEWZEALAND"];

/// A node, such as `UNIT["metre",1]`.
#[derive(Debug, Default)]
struct Node<'a> {
    keyword: &'a str,
    /// Texts and numbers.
    values: Vec<&'a str>,
    nodes: Vec<Self>,
}

/// What a text says.
pub(super) struct System {
    /// `None` if it says nothing of that which is known.
    pub horizontal: Option<Horizontal>,
    /// The metres of a unit of heights, if it has any.
    pub vertical: Option<f64>,
}

/// Reads a text.
pub(super) fn read(text: &str) -> System {
    let mut rest = text.trim_start_matches('\u{feff}');
    let whole = Node::list("", &mut rest, 0).unwrap_or_default();
    // Three axes are two of the plane and that of heights.
    let height = whole.find(PROJECTED).or_else(|| whole.find(GEOGRAPHIC));
    let height = height.and_then(|system| system.all(&["AXIS"]).nth(2)).and_then(Node::unit);
    System {
        horizontal: horizontal(&whole),
        vertical: whole.find(VERTICAL).and_then(Node::unit).or(height),
    }
}

fn horizontal(whole: &Node) -> Option<Horizontal> {
    let Some(system) = whole.find(PROJECTED) else {
        let system = whole.find(GEOGRAPHIC)?;
        // Systems with rotated poles have other latitudes, and geocentric ones none.
        let is_cartesian = |node: &Node| node.values.first() == Some(&"Cartesian");
        let has_others = system.find(&["DERIVINGCONVERSION"]).is_some();
        if has_others || system.find(&["CS"]).is_some_and(is_cartesian) {
            return None;
        }
        let factor = system.unit().filter(|radians| *radians > 0.0)? / DEGREE;
        // It is rounded in most files.
        let factor = if (factor - 1.0).abs() < 1e-9 { 1.0 } else { factor };
        let ellipsoid = ellipsoid_of(system.ellipsoid());
        return Some(Horizontal {
            coordinates: Coordinates::Degrees,
            factor,
            epsg: None,
            ellipsoid,
        });
    };
    let metres = system.unit().filter(|metres| (1e-6..1e6).contains(metres))?;
    let ellipsoid = ellipsoid_of(system.ellipsoid());
    let unit = Length { name: "units of its WKT", metres };
    let projection = system.projection(metres, &ellipsoid);
    let coordinates = Coordinates::Projected { unit, projection };
    Some(Horizontal { coordinates, factor: 1.0, epsg: None, ellipsoid })
}

/// Letters and digits in capitals: "Latitude of natural origin" and "latitude_of_origin" differ by
/// more than that, but not "False easting" and "False_Easting".
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_uppercase()).collect()
}

impl<'a> Node<'a> {
    /// Takes what a node has, up to its closing bracket or the end of the text. `None` if it is
    /// nested too deep, or a text does not end.
    fn list(keyword: &'a str, rest: &mut &'a str, depth: usize) -> Option<Self> {
        let mut node = Self { keyword, ..Self::default() };
        if depth > DEEPEST {
            return None;
        }
        loop {
            *rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            if let Some(after) = rest.strip_prefix('"') {
                let (text, after) = after.split_once('"')?;
                node.values.push(text);
                *rest = after;
                continue;
            }
            if let Some(after) = rest.strip_prefix([']', ')']) {
                *rest = after;
                return Some(node);
            }
            if rest.is_empty() {
                return Some(node);
            }
            let is_end =
                |c: char| c.is_whitespace() || matches!(c, ',' | '"' | '[' | ']' | '(' | ')');
            let (word, after) = rest.split_at(rest.find(is_end).unwrap_or(rest.len()));
            *rest = after.trim_start();
            match rest.strip_prefix(['[', '(']) {
                Some(after) => {
                    *rest = after;
                    node.nodes.push(Self::list(word, rest, depth + 1)?);
                }
                None => node.values.push(word),
            }
        }
    }

    fn is_named(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.keyword.eq_ignore_ascii_case(name))
    }

    /// The first node with one of some keywords in it, outer ones first.
    fn find(&self, names: &[&str]) -> Option<&Self> {
        let own = self.nodes.iter().find(|node| node.is_named(names));
        own.or_else(|| self.nodes.iter().find_map(|node| node.find(names)))
    }

    /// Its own nodes with one of some keywords.
    fn all(&self, names: &'static [&str]) -> impl Iterator<Item = &Self> {
        self.nodes.iter().filter(|node| node.is_named(names))
    }

    /// A number that follows its name.
    fn number(&self, index: usize) -> Option<f64> {
        self.values.get(index)?.parse().ok().filter(|x: &f64| x.is_finite())
    }

    /// The size of its unit: its own, or that of its first axis.
    fn unit(&self) -> Option<f64> {
        let axis = self.all(&["AXIS"]).find_map(|axis| axis.all(UNITS).next());
        self.all(UNITS).next().or(axis)?.number(1)
    }

    fn ellipsoid(&self) -> Option<Ellipsoid> {
        let own = self.find(&["SPHEROID", "ELLIPSOID"])?;
        let metres = own.unit().unwrap_or(1.0);
        Ellipsoid::new(own.number(1)? * metres, own.number(2)?)
    }

    /// The projection of a system with lengths of some `metres`.
    fn projection(&self, metres: f64, ellipsoid: &Ellipsoid) -> Projection {
        let Some(method) = self.find(&["PROJECTION", "METHOD"]) else {
            return Projection::Stretched;
        };
        let method = plain(method.values.first().unwrap_or(&""));
        let has = |part: &str| method.contains(part);
        let parameter = |names: &[&str]| {
            let all = self.find(&["CONVERSION"]).unwrap_or(self).all(&["PARAMETER"]);
            let mut all = all.filter_map(|node| Some((plain(node.values.first()?), node)));
            let (_, node) = all.find(|(name, _)| names.contains(&name.as_str()))?;
            node.number(1).map(|number| (number, node.unit()))
        };
        let length =
            |names: &[&str]| parameter(names).map(|(number, unit)| number * unit.unwrap_or(metres));
        let angle = |names: &[&str]| parameter(names).map(|(number, _)| number);
        let first = angle(&[
            "STANDARDPARALLEL1",
            "LATITUDEOF1STSTANDARDPARALLEL",
            "LATITUDEOFSTANDARDPARALLEL",
        ]);
        let second = angle(&["STANDARDPARALLEL2", "LATITUDEOF2NDSTANDARDPARALLEL"]);
        let origin =
            angle(&["LATITUDEOFORIGIN", "LATITUDEOFNATURALORIGIN", "LATITUDEOFFALSEORIGIN"]);
        let is_polar = origin.is_some_and(|latitude| latitude.abs() == 90.0);
        let Some(code) = code(&method, second.is_some(), is_polar) else {
            return Projection::Stretched;
        };
        let extension = self.find(&["EXTENSION"]).and_then(|node| node.values.get(1).copied());
        let is_web = has("AUXILIARYSPHERE")
            || has("PSEUDOMERCATOR")
            || extension.is_some_and(|text| text.contains("nadgrids=@null"));
        Projection::of_method(code, is_web, ellipsoid, |key| match key {
            3078 => first,
            3079 => second,
            3081 if code == 15 && first.is_some() => first,
            3081 => origin,
            3082 => length(&["FALSEEASTING", "EASTINGATFALSEORIGIN"]),
            3083 => length(&["FALSENORTHING", "NORTHINGATFALSEORIGIN"]),
            3092 => angle(&["SCALEFACTOR", "SCALEFACTORATNATURALORIGIN"]),
            _ => None,
        })
    }
}

/// The code of a method in the GeoTIFF standard; `None` if it is not corrected, nor close to true
/// to scale.
fn code(method: &str, has_two_parallels: bool, is_polar: bool) -> Option<u16> {
    let has = |part: &str| method.contains(part);
    Some(match () {
        () if has("STEREOGRAPHIC") && has("POLE") || method.starts_with("POLARSTEREO") => 15,
        () if method == "STEREOGRAPHIC" && is_polar => 15,
        () if has("TRANSVERSE") || has("GAUSS") => 1,
        () if has("OBLIQUESTEREO") || has("DOUBLESTEREO") => 16,
        () if has("CASSINI") => 18,
        () if method.starts_with("MERCATOR") || has("PSEUDOMERCATOR") => 7,
        () if has("EQUIRECTANGULAR") || has("PLATECARREE") || has("EQUIDISTANTCYL") => 17,
        () if has("LAMBERTCON") => 9 - u16::from(has_two_parallels),
        () if has("ALBERS") => 11,
        () if TRUE.iter().any(|part| has(part)) => 3,
        () => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_texts_are_read_or_not() {
        let deep = |depth: usize| "A[".repeat(depth);
        assert!(Node::list("", &mut &*deep(DEEPEST), 0).is_some());
        assert!(Node::list("", &mut &*deep(100_000), 0).is_none());
        for text in ["", "[", "]", "PROJCS", "PROJCS[", "PROJCS[\"", "UNIT[\"m\",1]", "é[ß,\"ü\"]"]
        {
            let system = read(text);
            assert!(system.horizontal.is_none() && system.vertical.is_none(), "{text}");
        }
    }
}
