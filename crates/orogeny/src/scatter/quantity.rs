//! The numbers for which kinds have limits.

use crate::band::Band;
use crate::limits::{Limit, Parameters};
use crate::scatter::explanation::Measured;
use crate::scatter::kind::ScatterKind;

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
