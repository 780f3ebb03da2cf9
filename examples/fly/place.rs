//! A place to look from.

use std::str::FromStr;

use bevy::prelude::*;

/// A place to look from, and where to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The position (x, z) in metres.
    pub position: [f64; 2],
    /// The height above the ground or the sea in metres: negative to dive.
    pub above: f32,
    /// The direction in degrees: 0 for -z, 90 for x.
    heading: f32,
    /// How many degrees up.
    pitch: f32,
}

impl Place {
    /// The camera's direction there.
    pub fn rotation(self) -> Quat {
        let [yaw, pitch] = [-self.heading, self.pitch].map(f32::to_radians);
        Quat::from_euler(EulerRot::YXZ, yaw, pitch, 0.0)
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[x, z, above, heading, pitch])
                if [x, z].iter().all(|x| x.abs() <= 1e12)
                    && (-1e4..=1e6).contains(&above)
                    && heading.abs() <= 360.0
                    && pitch.abs() <= 90.0 =>
            {
                let [above, heading, pitch] = [above, heading, pitch].map(|x| x as f32);
                Ok(Self { position: [x, z], above, heading, pitch })
            }
            _ => {
                Err("must be X,Z,ABOVE,HEADING,PITCH, such as 120,-300,50,90,-10: X and Z within \
                      1e12 m, ABOVE -1e4 to 1e6 m, HEADING within 360 and PITCH within 90 degrees"
                    .into())
            }
        }
    }
}
