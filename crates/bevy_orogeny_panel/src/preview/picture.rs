//! A picture of a field from above.

use bevy_egui::egui::{Color32, ColorImage};
use bevy_orogeny::orogeny::{Field, Grid, Jets, Samples};
use strum::{EnumIter, EnumMessage, IntoStaticStr};

/// What a picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter, EnumMessage, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum MapStyle {
    /// Heights lit from the north-west, in colours from the lowest to the highest of the picture.
    #[default]
    Shaded,
    /// Heights: black is the lowest of the picture, white the highest.
    Height,
    /// Slopes: black is level ground, red 30, yellow 45 degrees, white a wall.
    Slope,
    /// Mean curvature: hollows are blue, ridges red, and uncurved ground is white.
    Curvature,
}

/// A part of the field, looked at from above. North, towards -z, is up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    pub style: MapStyle,
    /// The middle (x, z) in metres.
    pub centre: [f64; 2],
    /// Metres from pixel to pixel.
    pub spacing: f64,
    /// Pixels.
    pub size: [usize; 2],
}

impl Default for View {
    fn default() -> Self {
        Self { style: MapStyle::default(), centre: [0.0; 2], spacing: 20.0, size: [320, 240] }
    }
}

impl View {
    /// The terrain position (x, z) of a point of the picture, given in pixels from its middle.
    pub fn position(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.centre[0] + self.spacing * x, self.centre[1] + self.spacing * y]
    }

    /// The point of the picture, in pixels from its middle, that shows a terrain position (x, z).
    pub fn point(&self, position: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|k| (position[k] - self.centre[k]) / self.spacing)
    }

    /// The same view, its middle rounded to steps of some pixels, so that a slow flight requests
    /// few pictures.
    pub fn in_steps(self, pixels: f64) -> Self {
        let step = pixels * self.spacing;
        Self { centre: self.centre.map(|at| (at / step).round() * step), ..self }
    }

    fn grid(&self) -> Grid<2> {
        let half = |k: usize| (self.size[k] as f64 - 1.0) / 2.0;
        Grid::new(self.position([-half(0), -half(1)]), self.spacing, self.size)
    }
}

/// A picture that is finished.
pub struct Picture {
    pub view: View,
    pub image: ColorImage,
}

impl Picture {
    /// Draws a field.
    pub fn draw(field: &dyn Field<2>, view: View) -> Self {
        let pixels = match view.style {
            MapStyle::Curvature => curvature(field, &view),
            style => {
                let mut samples = Samples::new();
                // Low-pass filter slopes for the distance between pixels.
                match field.band_limited(view.spacing) {
                    Some(smooth) => smooth.sample_grid(&view.grid(), &mut samples),
                    None => field.sample_grid(&view.grid(), &mut samples),
                }
                shade(&samples, style)
            }
        };
        Self { view, image: ColorImage::new(view.size, pixels) }
    }
}

fn shade(samples: &Samples<2>, style: MapStyle) -> Vec<Color32> {
    let finite = || samples.values().iter().copied().filter(|value| value.is_finite());
    let (low, high) = finite().fold((f32::MAX, f32::MIN), |(a, b), h| (a.min(h), b.max(h)));
    let part = |height: f32| (height - low) / (high - low).max(1e-6);
    samples
        .iter()
        .map(|sample| {
            let [dx, dz] = sample.gradient;
            if !sample.value.is_finite() {
                return Color32::from_rgb(255, 0, 255);
            }
            match style {
                MapStyle::Height => Color32::from_gray((255.0 * part(sample.value)) as u8),
                MapStyle::Slope => ramp(&SLOPES, dx.hypot(dz).atan().to_degrees() / 90.0),
                _ => {
                    // Towards the sun in the north-west, half way up.
                    let facing = (0.5 * (dx + dz) + std::f32::consts::FRAC_1_SQRT_2)
                        / (1.0 + dx * dx + dz * dz).sqrt();
                    let light = 0.25 + 0.95 * facing.max(0.0);
                    ramp(&HEIGHTS, part(sample.value)).gamma_multiply_rgb(light)
                }
            }
        })
        .collect()
}

fn curvature(field: &dyn Field<2>, view: &View) -> Vec<Color32> {
    let mut jets = Jets::new();
    field.jet_grid(&view.grid(), &mut jets);
    let mean: Vec<f32> = jets.iter().map(|jet| jet.curvature().mean).collect();
    let mut sizes: Vec<f32> = mean.iter().map(|m| m.abs()).filter(|m| m.is_finite()).collect();
    sizes.sort_unstable_by(f32::total_cmp);
    // A tenth of the pixels is beyond the ends of the colour scale.
    let max = sizes.get(sizes.len() * 9 / 10).copied().unwrap_or(0.0).max(1e-12);
    mean.iter().map(|m| ramp(&BENDS, 0.5 - 0.5 * (m / max).clamp(-1.0, 1.0))).collect()
}

/// Colours of heights, from the lowest to the highest.
const HEIGHTS: [[f32; 3]; 5] = [
    [0.20, 0.33, 0.22],
    [0.42, 0.49, 0.27],
    [0.62, 0.55, 0.38],
    [0.58, 0.52, 0.48],
    [0.97, 0.97, 0.99],
];
/// Colours of slopes, from 0 to 90 degrees.
const SLOPES: [[f32; 3]; 4] =
    [[0.0, 0.0, 0.0], [0.75, 0.10, 0.08], [0.98, 0.85, 0.25], [1.0, 1.0, 1.0]];
/// Colours of curvature, from hollows to ridges.
const BENDS: [[f32; 3]; 3] = [[0.10, 0.25, 0.75], [0.95, 0.95, 0.95], [0.75, 0.15, 0.10]];

/// The interpolated colour at a position in a list of colours, from 0 to 1.
fn ramp(colors: &[[f32; 3]], part: f32) -> Color32 {
    let at = part.clamp(0.0, 1.0) * (colors.len() - 1) as f32;
    let i = (at as usize).min(colors.len() - 2);
    let [r, g, b] = [0, 1, 2].map(|k| {
        let t = at - i as f32;
        (255.0 * (colors[i][k] * (1.0 - t) + colors[i + 1][k] * t)) as u8
    });
    Color32::from_rgb(r, g, b)
}

trait Light {
    fn gamma_multiply_rgb(self, factor: f32) -> Self;
}

impl Light for Color32 {
    fn gamma_multiply_rgb(self, factor: f32) -> Self {
        let lit = |part: u8| (f32::from(part) * factor).min(255.0) as u8;
        Self::from_rgb(lit(self.r()), lit(self.g()), lit(self.b()))
    }
}

#[cfg(test)]
mod tests {
    use bevy_orogeny::orogeny::Sample;

    use super::*;

    /// A ramp that rises to the east as fast as it goes.
    struct Ramp;

    impl Field<2> for Ramp {
        fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
            Sample { value: x as f32, gradient: [1.0, 0.0] }
        }
    }

    /// A long hollow along z.
    struct Hollow;

    impl Field<2> for Hollow {
        fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
            Sample { value: (0.5 * x * x) as f32, gradient: [x as f32, 0.0] }
        }
    }

    fn view(style: MapStyle) -> View {
        View { style, centre: [100.0, -50.0], spacing: 2.0, size: [5, 3] }
    }

    #[test]
    fn pictures_show_the_field() {
        let height = Picture::draw(&Ramp, view(MapStyle::Height)).image;
        assert_eq!(height.size, [5, 3]);
        assert_eq!(&height.pixels[5..10], &[0, 63, 127, 191, 255].map(Color32::from_gray));
        // 45 degrees is the middle of the colours of slopes, between red and yellow.
        let slope = Picture::draw(&Ramp, view(MapStyle::Slope)).image.pixels[0];
        assert!(slope.r() > 200 && (100..150).contains(&slope.g()) && slope.b() < 60, "{slope:?}");
        let bend = Picture::draw(&Hollow, view(MapStyle::Curvature)).image.pixels[7];
        assert!(bend.b() > bend.r(), "{bend:?}");
    }

    #[test]
    fn a_slope_towards_the_sun_is_brighter() {
        let lit = Picture::draw(&Ramp, view(MapStyle::Shaded)).image.pixels[2];
        let dark = Picture::draw(&Falling, view(MapStyle::Shaded)).image.pixels[2];
        assert!(lit.g() > dark.g() + 30, "{lit:?} {dark:?}");
    }

    struct Falling;

    impl Field<2> for Falling {
        fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
            Sample { value: -x as f32, gradient: [-1.0, 0.0] }
        }
    }

    #[test]
    fn places_and_points_are_each_others_inverse() {
        let view = view(MapStyle::Height);
        assert_eq!(view.point(view.position([7.0, -3.0])), [7.0, -3.0]);
        assert_eq!(view.in_steps(16.0).centre, [96.0, -64.0]);
    }
}
