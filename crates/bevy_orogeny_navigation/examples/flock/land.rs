//! The land: a river in green plains, and a ford through it.

use bevy::prelude::*;
use bevy_orogeny::orogeny::drainage::RiverReach;
use bevy_orogeny::orogeny::edits::{EditLog, Path};
use bevy_orogeny::orogeny::{Recipe, Region};
use bevy_orogeny::prelude::*;

const LOWLANDS: &str = include_str!("../../../../assets/presets/lowlands.terrain.ron");
/// Who edits.
const AUTHOR: u64 = 1;
/// The range of the navigation mesh around the ford, in metres.
pub const RANGE: f64 = 130.0;
/// How deep the water of the ford is, in metres.
const FORD_DEPTH: f64 = 0.2;
const FORD_WIDTH: f64 = 6.0;
/// How far upstream of the ford the flock stands, and how far it goes downstream, in metres.
const UPSTREAM: f64 = 55.0;

pub fn plugin(app: &mut App) {
    app.add_systems(Update, toggle_ford);
}

pub fn recipe() -> Result<Recipe> {
    Ok(Recipe::from_ron(LOWLANDS)?)
}

/// Where everything is, as (x, z) in metres.
#[derive(Resource, Clone, Debug)]
pub struct Place {
    ground: GroundQuery,
    /// The middle of the ford.
    pub ford: [f64; 2],
    /// The direction across the river.
    across: [f64; 2],
    width: f64,
    /// Where the flock may be sent: on either side of the river.
    pub goals: [[f64; 2]; 2],
}

impl Place {
    /// A part of a river that is too deep to wade and not too wide, with dry banks.
    pub fn find() -> Result<Self> {
        let ground = GroundQuery::of(&Terrain::recipe(recipe()?))?;
        let rivers = ground.rivers().ok_or("the recipe has no rivers")?;
        let reaches = rivers.reaches(Region::around([0.0; 2], [12e3; 2]))?;
        let fits = |reach: &&RiverReach| {
            (12.0..26.0).contains(&reach.width[0]) && reach.depth[0] > 0.9 && reach.speed[0] > 0.1
        };
        let places = reaches.iter().filter(fits).map(|reach| Self::at(&ground, reach));
        Ok(places.flatten().next().ok_or("there is no such river")?)
    }

    /// The place at a river; `None` if there is no room for the flock beside it.
    fn at(ground: &GroundQuery, reach: &RiverReach) -> Option<Self> {
        let ([dx, dz], width) = (reach.directions[0], reach.width[0]);
        let (ford, across) = (reach.ends[0], [-dz, dx]);
        let beside = |side: f64, along: f64| {
            let out = side * (0.5 * width + 18.0);
            [0, 1].map(|k| ford[k] + out * across[k] + along * [dx, dz][k])
        };
        let goals = [beside(-1.0, -UPSTREAM), beside(1.0, 0.6 * UPSTREAM)];
        let is_good = |at: [f64; 2]| {
            let slope = ground.field(at).ok()?.gradient;
            (slope[0].hypot(slope[1]) < 0.3 && ground.water(at).ok()?.is_none()).then_some(())
        };
        goals.into_iter().try_for_each(is_good)?;
        Some(Self { ground: ground.clone(), ford, across, width, goals })
    }

    /// The log with the ford: a path of gravel just below the surface of the river.
    pub fn ford(&self) -> Result<EditLog> {
        let surface = self.ground.water(self.ford)?.ok_or("the ford is dry")?.surface;
        let half = 0.5 * self.width + 4.0;
        let points = (-6..=6).map(|i| {
            let [x, z] = [0, 1].map(|k| self.ford[k] + half * f64::from(i) / 6.0 * self.across[k]);
            let bed = f64::from(self.ground.field([x, z])?.value);
            Ok([x, z, bed.max(surface - FORD_DEPTH)])
        });
        let points = points.collect::<Result<_>>()?;
        let mut log = EditLog::new();
        log.add(AUTHOR, Path { points, width: FORD_WIDTH, falloff: 3.0, ..Path::default() })?;
        Ok(log)
    }

    /// The place of the camera, and what it looks at.
    pub fn view(&self) -> (Vec3, Vec3) {
        let height = |[x, z]: [f64; 2]| self.ground.field([x, z]).map_or(0.0, |at| at.value);
        let at =
            |[x, z]: [f64; 2], above: f32| Vec3::new(x as f32, height([x, z]) + above, z as f32);
        let [ax, az] = self.across;
        let eye = [0, 1].map(|k| self.ford[k] - 44.0 * self.across[k] + 30.0 * [-az, ax][k]);
        (at(eye, 30.0), at(self.ford, 0.0) + 6.0 * Vec3::new(ax as f32, 0.0, az as f32))
    }
}

/// F removes the ford, or restores it. The tiles around it are replaced.
fn toggle_ford(
    keys: Res<ButtonInput<KeyCode>>,
    place: Option<Res<Place>>,
    edits: Option<Single<&mut TerrainEdits>>,
) -> Result {
    if let (Some(place), Some(mut edits)) = (place, edits)
        && keys.just_pressed(KeyCode::KeyF)
    {
        let is_gone = edits.log.edits().is_empty();
        edits.log = if is_gone { place.ford()? } else { EditLog::new() };
    }
    Ok(())
}
