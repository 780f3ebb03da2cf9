//! A picture of the ground from above, and its colours.

use bevy_egui::egui::{Color32, ColorImage};
use bevy_orogeny::GroundQuery;
use bevy_orogeny::advanced::HeightField;
use bevy_orogeny::advanced::slices::{Pace, turn};
use bevy_orogeny::orogeny::{Grid, Jets, Sample, Samples};

use super::view::{MapStyle, Overlay, View};

/// The rows that are drawn between two turns.
const ROWS: usize = 8;
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
/// Colours of temperatures, from -30 to 30 °C.
const TEMPERATURES: [[f32; 3]; 5] = [
    [0.25, 0.10, 0.50],
    [0.20, 0.45, 0.85],
    [0.95, 0.95, 0.95],
    [0.95, 0.75, 0.30],
    [0.80, 0.15, 0.10],
];
/// Colours of moistures, from 0 to 1.
const MOISTURES: [[f32; 3]; 3] = [[0.90, 0.78, 0.45], [0.45, 0.70, 0.40], [0.10, 0.30, 0.65]];
/// Water, shallow and deep.
const WATER: [[f32; 3]; 2] = [[0.25, 0.48, 0.66], [0.06, 0.16, 0.36]];
/// The depth in metres at which water is darkest.
const DEEP: f32 = 400.0;
/// Where there is no ground.
const NOTHING: Color32 = Color32::from_rgb(255, 0, 255);

/// A picture that is finished.
pub struct Picture {
    pub view: View,
    pub image: ColorImage,
    pub overlay: Overlay,
}

impl Picture {
    /// Draws the ground.
    pub async fn draw(ground: &GroundQuery, view: View) -> Self {
        let (grid, field) = (view.grid(), ground.height_field());
        let pixels = match view.style {
            MapStyle::Curvature => curvature(field, &grid).await,
            MapStyle::Slope => slopes(field, &grid).await,
            style => {
                let heights = seen_from_afar(field, &grid).await;
                match style {
                    MapStyle::Height => heights_in_grey(&heights),
                    _ => shaded(&heights, ground, &grid, style).await,
                }
            }
        };
        let overlay = Overlay::find(ground, &view);
        Self { view, image: ColorImage::new(grid.size, pixels), overlay }
    }
}

/// Samples whose slopes are those between neighbours.
async fn seen_from_afar(field: &dyn HeightField, grid: &Grid<2>) -> Samples<2> {
    let mut samples = Samples::new();
    let spacing = grid.spacing[0];
    // Ground with rivers costs much where points are far apart.
    let far = field.sparse(spacing).or_else(|| field.band_limited(spacing));
    match far {
        Some(far) => Pace::InTurns.sample_grid(&*far, grid, &mut samples).await,
        None => Pace::InTurns.sample_grid(field, grid, &mut samples).await,
    }
    samples
}

async fn slopes(field: &dyn HeightField, grid: &Grid<2>) -> Vec<Color32> {
    let of = |Sample { value, gradient: [dx, dz] }: Sample<2>| {
        let angle = dx.hypot(dz).atan().to_degrees();
        if value.is_finite() { lit(ramp(&SLOPES, angle / 90.0), 1.0) } else { NOTHING }
    };
    seen_from_afar(field, grid).await.iter().map(of).collect()
}

/// From the lowest to the highest of some heights, 0 to 1.
fn parts(heights: &mut dyn Iterator<Item = f32>) -> impl Fn(f32) -> f32 + use<> {
    let (low, high) = heights.fold((f32::MAX, f32::MIN), |(a, b), h| (a.min(h), b.max(h)));
    move |height| (height - low) / (high - low).max(1e-6)
}

fn heights_in_grey(samples: &Samples<2>) -> Vec<Color32> {
    let part = parts(&mut samples.values().iter().copied().filter(|height| height.is_finite()));
    let grey = |&height: &f32| {
        if height.is_finite() { Color32::from_gray((255.0 * part(height)) as u8) } else { NOTHING }
    };
    samples.values().iter().map(grey).collect()
}

/// Colours in the light from the north-west, and water over them.
async fn shaded(
    samples: &Samples<2>,
    ground: &GroundQuery,
    grid: &Grid<2>,
    style: MapStyle,
) -> Vec<Color32> {
    let colours = colours(samples, ground, grid, style).await;
    let sea = ground.appearance().sea_level;
    let pixels = samples.iter().zip(colours).map(|(sample, colour)| {
        if !sample.value.is_finite() {
            return NOTHING;
        }
        match sea.map(|level| level - sample.value).filter(|depth| *depth > 0.0) {
            // Fields are as interesting over the sea.
            Some(depth) if !matches!(style, MapStyle::Temperature | MapStyle::Moisture) => {
                lit(water(depth), 1.0)
            }
            _ => lit(colour, light(sample.gradient)),
        }
    });
    pixels.collect()
}

/// The rows of a picture, some at a time.
fn bands(grid: &Grid<2>) -> impl Iterator<Item = Grid<2>> + use<> {
    let (grid, [width, rows]) = (*grid, grid.size);
    let starts = (0..rows).step_by(ROWS);
    starts.map(move |row| grid.part([0, row], [width, ROWS.min(rows - row)]))
}

/// The colour of each sample on level ground.
async fn colours(
    samples: &Samples<2>,
    ground: &GroundQuery,
    grid: &Grid<2>,
    style: MapStyle,
) -> Vec<[f32; 3]> {
    let in_climate = async |colour: fn(f32, f32) -> [f32; 3]| {
        let climate = ground.climate_field();
        let mut colours = Vec::with_capacity(grid.len());
        for band in bands(grid) {
            turn().await;
            for p in band.points() {
                let here = climate.at(p, &samples.get(colours.len()));
                colours.push(colour(here.temperature, here.moisture));
            }
        }
        colours
    };
    match style {
        MapStyle::Lands if !ground.lands().lands().is_empty() => {
            let mut colours = vec![[0.0; 3]; grid.len()];
            let (lands, mut first) = (ground.lands(), 0);
            for band in bands(grid) {
                turn().await;
                let colours = &mut colours[first..];
                lands.each_weights(&band, |i, weights| colours[i] = lands.colour(&weights));
                first += band.len();
            }
            colours
        }
        MapStyle::Temperature => in_climate(|t, _| ramp(&TEMPERATURES, (t + 30.0) / 60.0)).await,
        MapStyle::Moisture => in_climate(|_, m| ramp(&MOISTURES, m)).await,
        _ => {
            // Of the land, if there is a sea.
            let sea = ground.appearance().sea_level.unwrap_or(f32::MIN);
            let part = parts(&mut samples.values().iter().copied().filter(|h| *h >= sea));
            samples.values().iter().map(|&height| ramp(&HEIGHTS, part(height))).collect()
        }
    }
}

async fn curvature(field: &dyn HeightField, grid: &Grid<2>) -> Vec<Color32> {
    let (mut jets, mut mean) = (Jets::new(), Vec::<f32>::with_capacity(grid.len()));
    for band in bands(grid) {
        turn().await;
        field.jet_grid(&band, &mut jets);
        mean.extend(jets.iter().map(|jet| jet.curvature().mean));
    }
    let mut sizes: Vec<f32> = mean.iter().map(|m| m.abs()).filter(|m| m.is_finite()).collect();
    sizes.sort_unstable_by(f32::total_cmp);
    // A tenth of the pixels is beyond the ends of the colour scale.
    let max = sizes.get(sizes.len() * 9 / 10).copied().unwrap_or(0.0).max(1e-12);
    let colour = |m: &f32| {
        if m.is_nan() {
            NOTHING
        } else {
            lit(ramp(&BENDS, 0.5 - 0.5 * (m / max).clamp(-1.0, 1.0)), 1.0)
        }
    };
    mean.iter().map(colour).collect()
}

/// The interpolated colour at a position in a list of colours, from 0 to 1.
fn ramp(colours: &[[f32; 3]], part: f32) -> [f32; 3] {
    let at = part.clamp(0.0, 1.0) * (colours.len() - 1) as f32;
    let i = (at as usize).min(colours.len() - 2);
    let t = at - i as f32;
    [0, 1, 2].map(|k| colours[i][k] * (1.0 - t) + colours[i + 1][k] * t)
}

/// The colour of water of a depth in metres.
fn water(depth: f32) -> [f32; 3] {
    ramp(&WATER, (depth / DEEP).sqrt())
}

/// How bright ground with these slopes is in the light from the north-west, half way up.
fn light([dx, dz]: [f32; 2]) -> f32 {
    let facing =
        (0.5 * (dx + dz) + std::f32::consts::FRAC_1_SQRT_2) / (1.0 + dx * dx + dz * dz).sqrt();
    0.25 + 0.95 * facing.max(0.0)
}

/// A colour times a brightness.
fn lit(colour: [f32; 3], light: f32) -> Color32 {
    let [r, g, b] = colour.map(|part| (255.0 * part * light).clamp(0.0, 255.0) as u8);
    Color32::from_rgb(r, g, b)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bevy::tasks::block_on;
    use bevy_orogeny::orogeny::node::{Land, Lands};
    use bevy_orogeny::orogeny::{Band, Climate, Field, Node, Recipe};
    use bevy_orogeny::{Ground, Terrain};

    use super::*;

    /// A plane that rises to the east as fast as it goes, times a factor.
    struct Ramp(f32);

    impl Field<2> for Ramp {
        fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
            Sample { value: self.0 * x as f32, gradient: [self.0, 0.0] }
        }
    }

    /// A long hollow along z.
    struct Hollow;

    impl Field<2> for Hollow {
        fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
            Sample { value: (0.5 * x * x) as f32, gradient: [x as f32, 0.0] }
        }
    }

    fn drawn(field: impl Field<2> + Send + Sync + 'static, style: MapStyle) -> ColorImage {
        let ground = Ground::field(Arc::new(field));
        let ground = GroundQuery::of(&Terrain { ground, ..Terrain::default() }).unwrap();
        let (centre, spacing, size) = ([100.0, -50.0], 2.0, [5, 3]);
        block_on(Picture::draw(&ground, View { style, centre, spacing, size, step: 1 })).image
    }

    #[test]
    fn pictures_show_the_field() {
        let height = drawn(Ramp(1.0), MapStyle::Height);
        assert_eq!(height.size, [5, 3]);
        assert_eq!(&height.pixels[5..10], &[0, 63, 127, 191, 255].map(Color32::from_gray));
        // 45 degrees is the middle of the colours of slopes, between red and yellow.
        let slope = drawn(Ramp(1.0), MapStyle::Slope).pixels[0];
        assert!(slope.r() > 200 && (100..150).contains(&slope.g()) && slope.b() < 60, "{slope:?}");
        let bend = drawn(Hollow, MapStyle::Curvature).pixels[7];
        assert!(bend.b() > bend.r(), "{bend:?}");
    }

    #[test]
    fn a_slope_towards_the_sun_is_brighter() {
        let lit = drawn(Ramp(1.0), MapStyle::Shaded).pixels[2];
        let dark = drawn(Ramp(-1.0), MapStyle::Shaded).pixels[2];
        assert!(lit.g() > dark.g() + 30, "{lit:?} {dark:?}");
    }

    /// Two lands along a climate that gets warmer to the east, half of them below the sea.
    #[test]
    fn lands_and_climates_have_their_colours() {
        let x = Node::<2>::Wave(bevy_orogeny::orogeny::node::Wave { length: 8000.0 }).rotate(90.0);
        let warm = Band { min: 0.0, soft: 0.1, ..Band::default() };
        let land = |name: &str, colour, within| Land { name: name.into(), colour, within };
        let lands = Lands {
            along: vec![Node::Named("temperature".into())],
            of: vec![
                land("cold", [1.0, 1.0, 1.0], vec![]),
                land("warm", [1.0, 0.0, 0.0], vec![warm]),
            ],
        };
        let climate = Climate { temperature_field: Some(x * 20.0), ..Climate::default() };
        let recipe = Recipe { lands, climate, ..Recipe::new(1, 1.0, 5.0) };
        let draw = |sea_level, style| {
            let recipe = Recipe { sea_level, ..recipe.clone() };
            let ground = GroundQuery::of(&Terrain::recipe(recipe)).unwrap();
            let (centre, spacing, size) = ([2000.0, 0.0], 1000.0, [5, 1]);
            block_on(Picture::draw(&ground, View { style, centre, spacing, size, step: 1 }))
                .image
                .pixels
        };
        let lands = draw(None, MapStyle::Lands);
        assert!(lands[0].g() < 10 && lands[4].g() > 150, "{lands:?}");
        let climates = draw(None, MapStyle::Temperature);
        assert!(climates[0].r() > climates[0].b() && climates[4].b() > climates[4].r());
        // The sea covers lands, but not the climate.
        let sea = draw(Some(9.0), MapStyle::Lands);
        assert!(sea.iter().all(|pixel| *pixel == sea[0] && pixel.b() > pixel.r()), "{sea:?}");
        assert_eq!(draw(Some(9.0), MapStyle::Temperature), climates);
    }
}
