//! Roads: a key sets control points on the ground, another one builds the road through them.

use bevy::prelude::*;
use bevy_orogeny::TerrainEditor;
use bevy_orogeny::orogeny::edits::Path;

/// The width of the carriageway and of the banks on either side, in metres.
const WIDTH: f64 = 7.0;
const BANKS: f64 = 25.0;
/// The steepest slope along a road.
const GRADE: f32 = 0.25;
/// How high points are drawn, in metres.
const POLE: f32 = 20.0;

/// The control points so far: x, z and height in the terrain's coordinates.
#[derive(Resource, Default)]
pub struct Survey(pub Vec<[f64; 3]>);

impl Survey {
    /// Builds the road through all points, and forgets them.
    ///
    /// # Errors
    /// Fewer than two points, and a road that is too sharp or too steep. Then the points stay,
    /// without the last one.
    pub fn build(&mut self, editor: &mut TerrainEditor) -> Result {
        if self.0.len() < 2 {
            return Err(
                "A road needs at least two points. Press N to add one in the middle of the view"
                    .into(),
            );
        }
        let points = self.0.clone();
        let path =
            Path { points, width: WIDTH, falloff: BANKS, max_grade: GRADE, ..Path::default() };
        let built = editor.single()?.add(path);
        if built.is_err() {
            self.0.pop();
        } else {
            self.0.clear();
        }
        built?;
        Ok(())
    }
}

/// Draws the control points, and lines between them.
pub fn draw(survey: Res<Survey>, origin: Res<bevy_orogeny::TerrainOrigin>, mut gizmos: Gizmos) {
    let top = |&[x, z, height]: &[f64; 3]| origin.translation([x, height + f64::from(POLE), z]);
    for point in &survey.0 {
        gizmos.line(top(point) - POLE * Vec3::Y, top(point), Color::srgb(1.0, 0.4, 0.1));
    }
    gizmos.linestrip(survey.0.iter().map(top), Color::srgb(1.0, 0.8, 0.1));
}
