//! Why a kind grows at a position, or does not: plain data, and sentences.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::band::Band;
use crate::cover::CoverKind;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::kind_id::KindId;
use crate::limits::{Limit, Parameters};
use crate::scatter::kind::ScatterKind;

/// Why a kind grows at a position, or does not: see
/// [`Placement::explain`](crate::scatter::Placement::explain).
///
/// As text it is the reason why there is none of it, or its density.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The kind.
    pub kind: KindId,
    /// The position (x, z) in metres.
    pub position: [f64; 2],
    /// What its density is a product of, in the order in which it is multiplied.
    ///
    /// Factors that cannot matter are left out: clusters of a kind with even density, the distance
    /// from water where a terrain has no rivers, and that from edits for kinds that have no limits
    /// of it.
    pub factors: Vec<Factor>,
}

/// One factor of a density.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// What decides, with what was found there and what the kind needs.
    pub cause: Cause,
    /// What it leaves of the density, 0 to 1.
    ///
    /// The density is interpolated between points of the ground that are 4 m apart, so this is a
    /// mean of these points, weighted by what earlier factors have left there.
    pub factor: f32,
    /// The density that this factor and those before it leave: their product. That of the last
    /// factor is the density that [`Placement::densities`](crate::scatter::Placement::densities)
    /// returns, bit for bit.
    pub left: f32,
}

/// What a factor of a density depends on.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// Whether there is ground: no hole, and no end of the terrain.
    Ground,
    /// The density of the [`Scatter`](crate::scatter::Scatter).
    Scatter,
    /// The density of the kind.
    Kind,
    /// The ground cover.
    Cover {
        /// The kinds of cover at the position, with weights above 0.
        found: Vec<CoverShare>,
        /// The kinds of cover on which the kind has a density above 0, whether or not the terrain
        /// has them.
        wanted: Vec<CoverKind>,
    },
    /// Whether a number is within limits.
    Measured(Measured),
    /// Its clusters.
    Clusters {
        /// The fraction of the ground that has some.
        coverage: f32,
    },
    /// How far edits have disturbed the ground.
    Disturbance {
        /// How far they have, 0 to 1.
        found: f32,
        /// The density of the kind on fully disturbed ground.
        disturbed: f32,
    },
    /// Whether an edit has cleared the ground of the kind.
    Cleared,
}

/// A kind of cover at a position.
#[derive(Clone, Debug, PartialEq)]
pub struct CoverShare {
    /// The kind of cover.
    pub cover: CoverKind,
    /// The weight of all layers of this kind together, 0 to 1.
    pub weight: f32,
    /// The density of the kind of plants on it.
    pub density: f32,
}

/// A number at a position, and the limits that a kind has for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// What the number is.
    pub quantity: Quantity,
    /// Its value at the position itself, in the [`unit`](Quantity::unit) of the quantity. `None` if
    /// there is none: no water or no edit is near enough to matter, or there is no ground.
    ///
    /// Close to a limit it may be on the other side of it than the factor says: that is found at
    /// points 4 m apart.
    pub value: Option<f32>,
    /// The minimum that the kind needs; `None` for any.
    pub min: Option<f32>,
    /// The maximum that the kind needs; `None` for any.
    pub max: Option<f32>,
    /// The width of the edges: over it, the density rises from 0 to 1, with half of it at the
    /// limit. 0 for limits that are sharp.
    pub soft: f32,
}

/// A number that decides where a kind grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// The height above the terrain's origin.
    Height,
    /// The slope of the ground.
    Slope,
    /// The curvature of the ground, positive in hollows.
    Curvature,
    /// The mean temperature.
    Temperature,
    /// The moisture, 0 to 1.
    Moisture,
    /// The distance from the water of rivers and lakes, negative in it.
    Bank,
    /// The distance from ground that edits have flattened, dug or built on.
    Edit,
    /// The depth under the sea or a flood, negative above it.
    Depth,
}

impl Quantity {
    /// What it is called in sentences.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Height => "height",
            Self::Slope => "slope",
            Self::Curvature => "curvature",
            Self::Temperature => "temperature",
            Self::Moisture => "moisture",
            Self::Bank => "distance from water",
            Self::Edit => "distance from edits",
            Self::Depth => "depth under water",
        }
    }

    /// Its unit, such as "m"; empty for a plain number.
    pub fn unit(self) -> &'static str {
        self.limit("min").map_or("", |limit| limit.unit)
    }

    /// How a missing value is called in sentences.
    pub(super) const fn missing(self) -> &'static str {
        match self {
            Self::Bank | Self::Depth => "no water nearby",
            Self::Edit => "no edit nearby",
            _ => "no ground",
        }
    }

    /// With how many decimals it is written.
    pub(super) fn decimals(self) -> u32 {
        match self {
            Self::Slope | Self::Moisture => 2,
            Self::Curvature => 4,
            _ => 1,
        }
    }

    /// Its value, if it is a finite number, and what a kind wants.
    pub(super) fn measured(self, value: f32, kind: &ScatterKind) -> Measured {
        let Band { min, max, soft } = self.band(kind);
        // At the ends of their limits they allow everything.
        let [lowest, highest] = [self.limit("min"), self.limit("max")];
        Measured {
            quantity: self,
            value: Some(value).filter(|value| value.is_finite()),
            min: Some(min).filter(|min| lowest.is_some_and(|limit| f64::from(*min) > limit.min)),
            max: Some(max).filter(|max| highest.is_some_and(|limit| f64::from(*max) < limit.max)),
            soft,
        }
    }

    /// The band in which a kind grows.
    const fn band(self, kind: &ScatterKind) -> Band {
        match self {
            Self::Height => kind.height,
            Self::Slope => kind.slope,
            Self::Curvature => kind.curvature,
            Self::Temperature => kind.temperature,
            Self::Moisture => kind.moisture,
            Self::Bank => kind.bank,
            Self::Edit => kind.edit,
            Self::Depth => kind.depth,
        }
    }

    /// The limits of one end of that band.
    fn limit(self, end: &str) -> Option<&'static Limit> {
        let field = match self {
            Self::Bank => "bank",
            Self::Edit => "edit",
            Self::Depth => "depth",
            _ => self.name(),
        };
        ScatterKind::LIMITS.iter().find(|limit| limit.name.split_once('.') == Some((field, end)))
    }
}

impl Explanation {
    /// The density of the kind at the position, 0 to 1.
    pub fn density(&self) -> f32 {
        self.factors.last().map_or(0.0, |last| last.left)
    }

    /// The first factor that is 0: why there is none of the kind. `None` if its density is above 0.
    pub fn first_zero(&self) -> Option<&Factor> {
        self.factors.iter().find(|factor| factor.factor == 0.0)
    }

    /// Why there is none of the kind: the sentence of [`first_zero`](Self::first_zero).
    pub fn reason(&self) -> Option<String> {
        self.first_zero().map(ToString::to_string)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first_zero() {
            Some(zero) => zero.fmt(f),
            None => write!(f, "density {}", rounded(self.density(), 2)),
        }
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: f32| rounded(100.0 * part, 0);
        match &self.cause {
            Cause::Ground if self.factor == 0.0 => f.write_str("ground: a hole"),
            Cause::Ground => f.write_str("ground: no hole"),
            Cause::Scatter => write!(f, "overall density: {}", self.factor),
            Cause::Kind => write!(f, "the kind's own density: {}", self.factor),
            Cause::Cover { found, wanted } => {
                let visible = found.iter().filter(|share| share.weight >= 0.005);
                let found = visible
                    .map(|share| format!("{}% {}", percent(share.weight), name(&share.cover)));
                let (found, wanted) = (list(found, ", "), list(wanted.iter().map(name), " or "));
                write!(f, "cover: {found}, the kind grows on {wanted}")
            }
            Cause::Measured(measured) => measured.fmt(f),
            Cause::Clusters { coverage } => {
                let here = if self.factor == 0.0 { "none here" } else { "one here" };
                write!(f, "clusters: {here}, they cover {}% of the ground", percent(*coverage))
            }
            Cause::Disturbance { found, disturbed } => write!(
                f,
                "disturbed ground: {}%, where the density of the kind is {disturbed}",
                percent(*found)
            ),
            Cause::Cleared if self.factor == 0.0 => {
                f.write_str("clearing: an edit has cleared this place")
            }
            Cause::Cleared => f.write_str("clearing: no edit has cleared this place"),
        }
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { quantity, value, min, max, .. } = *self;
        let (space, unit) = (if quantity.unit().is_empty() { "" } else { " " }, quantity.unit());
        write!(f, "{}: ", quantity.name())?;
        match value {
            Some(value) => {
                write!(f, "{}{space}{unit}", rounded(value, quantity.decimals()))?;
            }
            None => f.write_str(quantity.missing())?,
        }
        match (min, max) {
            (Some(min), Some(max)) => write!(f, ", the kind needs {min} to {max}{space}{unit}"),
            (Some(min), None) => write!(f, ", the kind needs at least {min}{space}{unit}"),
            (None, Some(max)) => write!(f, ", the kind needs at most {max}{space}{unit}"),
            (None, None) => f.write_str(", the kind grows at any"),
        }
    }
}

/// The name of a kind of cover in a sentence.
fn name(cover: &CoverKind) -> String {
    match cover {
        CoverKind::Custom(name) => name.clone(),
        cover => cover.name().to_lowercase(),
    }
}

fn list(items: impl Iterator<Item = String>, between: &str) -> String {
    let items: Vec<_> = items.collect();
    if items.is_empty() { "none".into() } else { items.join(between) }
}

/// A number with up to some decimals.
fn rounded(value: f32, decimals: u32) -> f64 {
    let scale = (0..decimals).fold(1.0, |scale, _| 10.0 * scale);
    // Not -0.
    (f64::from(value) * scale).round() / scale + 0.0
}
