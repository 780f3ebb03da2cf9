//! A viewer as selection sees it, and distances from it.

use orogeny::Region;

use crate::chunk::key::{ChunkKey, Layout};

/// A viewer as selection sees it. The numbers must be within the limits of a
/// [`TerrainViewer`](crate::TerrainViewer).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The position (x, z) in metres from the terrain's origin, within
    /// [`POSITION`](crate::advanced::POSITION).
    pub position: [f64; 2],
    /// The position in the near future, extrapolated from the motion of the viewer.
    pub ahead: [f64; 2],
    /// The height in metres above the terrain's origin. The part of it above the highest ground
    /// counts as distance.
    pub height: f64,
    /// The height of the ground below the viewer. It is used where it exceeds the highest ground
    /// known.
    pub ground: f64,
    /// The distance in metres up to which terrain is needed, within
    /// [`VIEW_RANGE`](crate::advanced::VIEW_RANGE).
    pub range: f64,
    /// Allowed errors per radian: pixels per radian, divided by the pixel error. That is also the
    /// distance in metres at which an error of one metre is as large on the screen as allowed.
    pub errors_per_radian: f64,
    /// Whether the proven errors of levels count instead of the measured ones.
    pub guarantee: bool,
    /// The level of all chunks within the range. With `None`, levels follow the distance.
    pub uniform: Option<u8>,
    /// How the viewer's camera magnifies.
    pub zoom: Zoom,
    /// The sector that the viewer sees. `None` if it sees in all directions. The sector decides
    /// what is built first, not what is wanted.
    pub sector: Option<ViewSector>,
}

/// A magnification, and where a view has it. What is seen larger is seen from farther away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zoom {
    /// How much larger things are on the screen than with a field of view of 45 degrees; at least
    /// 1. Resolution does not count.
    pub factor: f64,
    /// The sector that the magnified view sees. `None` if it may see in all directions.
    pub sector: Option<ViewSector>,
    /// The largest horizontal distance of what it sees, over the straight distance.
    pub along: f64,
}

impl Zoom {
    pub const NONE: Self = Self { factor: 1.0, sector: None, along: 1.0 };
}

/// A sector of the plane that a view sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewSector {
    /// The middle of the sector: a unit vector (x, z).
    pub direction: [f64; 2],
    /// The angle from the middle to either side, in radians.
    pub half_angle: f64,
}

impl ViewSector {
    /// Whether a part of a square may be in the sector from a position.
    pub fn sees(&self, position: [f64; 2], Region { min, max }: Region) -> bool {
        let [x, z] = [0, 1].map(|k| 0.5 * (min[k] + max[k]) - position[k]);
        let half = 0.5 * (max[0] - min[0]);
        let (distance, radius) = (x.hypot(z), half * core::f64::consts::SQRT_2);
        if distance <= radius {
            return true;
        }
        let along = x * self.direction[0] + z * self.direction[1];
        let off = (along / distance).clamp(-1.0, 1.0).acos();
        off <= self.half_angle + (radius / distance).asin()
    }
}

/// The distance of something from a viewer, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Euclidean.
    pub straight: f64,
    /// The largest of the distances along x, along z and up.
    pub along_axes: f64,
}

impl View {
    /// A viewer at rest on the ground that sees in all directions.
    pub fn at(position: [f64; 2], range: f64, errors_per_radian: f64) -> Self {
        Self {
            position,
            ahead: position,
            height: f64::NEG_INFINITY,
            ground: f64::NEG_INFINITY,
            range,
            errors_per_radian,
            guarantee: false,
            uniform: None,
            zoom: Zoom::NONE,
            sector: None,
        }
    }

    /// Whether the viewer may see a part of the chunk.
    pub(super) fn sees(&self, layout: &Layout, key: ChunkKey) -> bool {
        let Some(sector) = self.sector else { return true };
        let (min, size) = (layout.origin(key), layout.size(key.lod));
        sector.sees(self.position, Region { min, max: min.map(|x| x + size) })
    }

    /// The distance to a point of the ground, where no ground is higher than `highest`.
    pub fn distance_to(&self, point: [f64; 2], highest: f64) -> Distance {
        self.nearer(|from| [0, 1].map(|k| (point[k] - from[k]).abs()), highest)
    }

    /// The distance to the nearest point of a chunk, where no ground is higher than `highest`.
    pub fn distance(&self, layout: &Layout, key: ChunkKey, highest: f64) -> Distance {
        self.nearer(|from| layout.offset(key, from), highest)
    }

    /// The distance from the current or the extrapolated position, whichever is nearer.
    fn nearer(&self, offset: impl Fn([f64; 2]) -> [f64; 2], highest: f64) -> Distance {
        let up = self.clearance(highest);
        let [here, ahead] = [self.position, self.ahead].map(|from| {
            let [x, z] = offset(from);
            Distance { straight: x.hypot(z).hypot(up), along_axes: x.max(z).max(up) }
        });
        Distance {
            straight: here.straight.min(ahead.straight),
            along_axes: here.along_axes.min(ahead.along_axes),
        }
    }

    /// The height above the highest ground.
    pub(super) fn clearance(&self, highest: f64) -> f64 {
        (self.height - highest.max(self.ground)).max(0.0)
    }

    /// Whether no distance differs by more than `slack` from that of `old`, and nothing else
    /// differs but where it looks.
    pub fn is_near(&self, old: &View, slack: f64) -> bool {
        // Horizontal and vertical movements add up.
        let slack = slack * core::f64::consts::FRAC_1_SQRT_2;
        let near = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) <= slack;
        let View { position, ahead, height, ground, zoom, sector, .. } = *old;
        near(self.position, position)
            && near(self.ahead, ahead)
            && (self.height - height).abs() <= slack
            && View { position, ahead, height, ground, zoom, sector, ..*self } == *old
    }

    /// Whether it asks for the same levels as `old` would from the same place.
    pub(crate) fn asks_the_same(&self, old: &Self) -> bool {
        let of = |view: &Self| (view.errors_per_radian, view.guarantee, view.uniform);
        of(self) == of(old)
    }
}
