//! Ground that moves: slices of a three-dimensional field, one after the other. Each slice is a
//! terrain with exact normals, built in the background and shown when it is complete.
//!
//! `cargo run --release --example animated`

use std::sync::Arc;

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use bevy_orogeny::orogeny::cover::{CoverKind, CoverLayer};
use bevy_orogeny::orogeny::node::Rotate;
use bevy_orogeny::orogeny::{
    Appearance, Cover, Field, Fractal, GradientNoise, Node, Sample, Transform as Rotation, Tree,
};
use bevy_orogeny::prelude::*;

const KEYS: &str =
    "animated: Space pauses; W A S D to move, Q and E for down and up, right mouse to look";
/// The amplitude of the widest waves in metres.
const AMPLITUDE: f32 = 45.0;
/// How fast the slice moves through the field, in metres per second.
const SPEED: f64 = 12.0;

/// A slice of a field: (x, z) at one coordinate of the third axis.
struct Slice {
    field: Arc<Tree<3>>,
    at: f64,
}

impl Field<2> for Slice {
    fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
        let Sample { value, gradient: [dx, _, dz] } = self.field.sample([x, self.at, z]);
        Sample { value, gradient: [dx, dz] }
    }
}

/// The field, and the position of the slice.
#[derive(Resource)]
struct Waves {
    field: Arc<Tree<3>>,
    at: f64,
    paused: bool,
}

impl Waves {
    fn ground(&self) -> Ground {
        let slice = Slice { field: self.field.clone(), at: self.at };
        let lava =
            CoverLayer { colour: Some([0.75, 0.22, 0.05]), ..CoverLayer::of(CoverKind::Sand) };
        let crust = CoverLayer {
            height: CoverLayer::HEIGHT.above(-8.0).soft(16.0),
            ..CoverLayer::of(CoverKind::Rock)
        };
        let cover = Cover { layers: vec![lava, crust] };
        Ground::Field(Arc::new(slice), Appearance { cover, ..Appearance::default() })
    }
}

fn main() -> Result<(), BevyError> {
    let fbm = Fractal::fbm(5.0, GradientNoise::seeded(7));
    let fbm = Fractal { frequency: 1.0 / 220.0, amplitude: AMPLITUDE, gain: 0.4, ..fbm };
    // Rotated, so that no slice lies in a lattice plane, where gradient noise is flatter.
    let rotation = Rotation::Rotate(Rotate { axis: [1.0, 0.3, 0.7], degrees: 50.0 });
    let field = Node::<3>::Domain { field: Box::new(fbm.into()), by: vec![rotation] }.build()?;
    let waves = Waves { field: Arc::new(field), at: 0.0, paused: false };
    let window = Window { title: KEYS.into(), ..default() };
    App::new()
        .add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .add_plugins((FreeCameraPlugin, TerrainPlugins))
        .insert_resource(waves)
        .insert_resource(ClearColor(Color::srgb(0.14, 0.10, 0.10)))
        .insert_resource(GlobalAmbientLight { brightness: 600.0, ..default() })
        .add_systems(Startup, setup)
        .add_systems(Update, flow)
        .run();
    Ok(())
}

fn setup(mut commands: Commands, waves: Res<Waves>) {
    commands.spawn(Terrain { ground: waves.ground(), cells: 32, spacing: 4.0, ..default() });
    commands.spawn((
        Camera3d::default(),
        TerrainViewer { range: 1500.0, ..default() },
        FreeCamera { walk_speed: 50.0, run_speed: 200.0, ..default() },
        Transform::from_xyz(0.0, 120.0, 0.0).looking_to(Vec3::new(-1.0, -0.3, -0.3), Vec3::Y),
    ));
    commands.spawn((
        DirectionalLight::default(),
        Transform::default().looking_to(Vec3::new(-0.4, -0.5, -1.0), Vec3::Y),
    ));
}

/// Shows the next slice as soon as the last one is complete.
fn flow(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    stats: Res<TerrainStats>,
    mut waves: ResMut<Waves>,
    mut terrain: Single<&mut Terrain>,
) {
    if keys.just_pressed(KeyCode::Space) {
        waves.paused = !waves.paused;
    }
    if waves.paused {
        return;
    }
    waves.at += SPEED * time.delta_secs_f64();
    if stats.missing == 0 {
        terrain.ground = waves.ground();
    }
}
