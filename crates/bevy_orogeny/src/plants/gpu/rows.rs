//! What compute shaders read, in the format of `select.wgsl`.

use bevy_math::{UVec4, Vec3, Vec4};
use bevy_render::render_resource::ShaderType;

use crate::plants::bend;
use crate::plants::store::LookRow;
use crate::plants::tiers::{Class, JITTER, TIERS, Tier};
use crate::render::wind::TerrainWind;

/// The most planes around a view.
pub const PLANES: usize = 24;
/// The records of a workgroup.
pub const BLOCK: u32 = 64;

/// The wind and the bodies that bend plants, for vertex shaders.
#[derive(ShaderType, Clone, Copy, Default, PartialEq)]
pub struct Wind {
    /// Its direction, its strength, and the number of bodies.
    wind: Vec4,
    bodies: [Vec4; bend::MOST],
}

impl Wind {
    pub fn new(wind: TerrainWind, balls: &[Vec4]) -> Self {
        let mut bodies = [Vec4::ZERO; bend::MOST];
        bodies.iter_mut().zip(balls).for_each(|(body, ball)| *body = *ball);
        let wind = wind.valid();
        let [x, z] = wind.direction();
        let count = balls.len().min(bodies.len());
        Self { wind: Vec4::new(x, z, wind.strength, count as f32), bodies }
    }
}

#[derive(ShaderType, Clone, Copy, Default)]
struct TierRow {
    /// The range, and what is kept at its ends.
    range: Vec4,
    /// How much instances widen, and where shadows shrink.
    widen: Vec4,
    /// The level, whether it casts shadows, and the level of these.
    level: UVec4,
}

/// What is the same for all views.
#[derive(ShaderType, Clone, Copy, Default)]
pub struct Params {
    tiers: [TierRow; TIERS.len()],
    /// For each class, the number of its first tier and the one after its last.
    classes: [UVec4; Class::ALL.len()],
    /// The numbers of shapes, draws and blocks.
    counts: UVec4,
    /// By how much ranges differ between instances.
    jitter: Vec4,
}

impl Params {
    pub fn new(shapes: u32, draws: u32, blocks: u32) -> Self {
        let mut params = Self {
            counts: UVec4::new(shapes, draws, blocks, 0),
            jitter: Vec4::splat(JITTER as f32),
            ..Self::default()
        };
        for (row, tier) in params.tiers.iter_mut().zip(&TIERS) {
            let ([near, far], [first, last]) = (tier.range, tier.keep);
            row.range = Vec4::new(near, far, first, last);
            let (level, shadow_level) = (tier.level, tier.shadow_level());
            let ([near, far], [start, end]) = (tier.widen, tier.shade());
            row.widen = Vec4::new(near, far, start, end);
            row.level =
                UVec4::new(level as u32, u32::from(tier.has_shadows), shadow_level as u32, 0);
        }
        for (row, class) in params.classes.iter_mut().zip(Class::ALL) {
            let is_in = |tier: &Tier| tier.class == class;
            let first = TIERS.iter().position(is_in).unwrap_or(0);
            let count = class.tiers().count();
            *row = UVec4::new(first as u32, (first + count) as u32, 0, 0);
        }
        params
    }
}

/// A view.
#[derive(ShaderType, Clone, Copy, Default)]
pub struct ViewRow {
    /// What is seen is on the positive side of all planes.
    pub planes: [Vec4; PLANES],
    /// Where distances are measured from.
    pub eye: Vec3,
    pub magnification: f32,
    pub plane_count: u32,
    pub is_camera: u32,
    /// The number of its first instance.
    pub first_instance: u32,
}

/// A tile.
#[derive(ShaderType, Clone, Copy, Default, Debug, PartialEq)]
pub struct TileRow {
    /// The corner of its box, in the world.
    pub base: Vec3,
    /// How far instances reach out of the box.
    pub reach: f32,
    /// The size of the box.
    pub scale: Vec3,
    pub class: u32,
    /// How far the box has moved since the last frame.
    pub moved: Vec3,
    pub first: u32,
    pub count: u32,
    /// Whether shadows fall on it.
    pub is_receiver: u32,
}

/// A look.
#[derive(ShaderType, Clone, Copy, Default)]
pub struct Look {
    /// The number of the shape at each level, and by how much the look is larger.
    shapes: UVec4,
    larger: Vec4,
    class: u32,
    colour: u32,
    /// The height and the radius of its model in metres.
    height: f32,
    radius: f32,
}

impl From<&LookRow> for Look {
    fn from(row: &LookRow) -> Self {
        let [height, radius] = row.size;
        Self {
            shapes: UVec4::from_array(row.shapes.map(|(shape, _)| shape)),
            larger: Vec4::from_array(row.shapes.map(|(_, larger)| larger)),
            class: row.class as u32,
            colour: u32::from(row.look.colour),
            height,
            radius,
        }
    }
}
