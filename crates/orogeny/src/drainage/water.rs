//! The answer to what water is at a point. river_ground.rs finds it.

/// What kind of water.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaterKind {
    /// All ground below the sea level.
    Sea,
    /// A lake.
    Lake,
    /// A river.
    River,
}

/// The water at a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Water {
    /// What kind it is.
    pub kind: WaterKind,
    /// The height of its surface in metres.
    pub surface: f64,
    /// Its depth in metres, positive.
    pub depth: f64,
    /// Its mean velocity in m/s along x and z; zero in the sea. It is the same in the middle and at
    /// the banks.
    pub flow: [f64; 2],
    /// The width of the river or lake in metres; infinite in the sea.
    pub width: f64,
    /// The discharge in cubic metres a second with which the channel is full; zero in the sea. It
    /// counts the area within six of the coarsest edges upstream, so it can fall along a long
    /// river.
    pub discharge: f64,
    /// The distance to the nearer bank in metres, at least; infinite in the sea.
    pub bank: f64,
}

impl Water {
    /// The sea at a level over ground at a height, both in metres.
    pub fn sea(level: f64, ground: f64) -> Self {
        Self {
            kind: WaterKind::Sea,
            surface: level,
            depth: level - ground,
            flow: [0.0; 2],
            width: f64::INFINITY,
            discharge: 0.0,
            bank: f64::INFINITY,
        }
    }
}
