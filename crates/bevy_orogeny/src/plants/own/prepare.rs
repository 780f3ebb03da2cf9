//! Makes a model of the assets of a game: what a task does.

use bevy_asset::RenderAssetUsages;
use bevy_image::Image;
use bevy_math::{Vec2, Vec3, Vec4};
use bevy_mesh::{Indices, Mesh};
use orogeny_models::{Impostor, ImpostorPart};

use super::drawn_material::{DrawnMaterial, layer};
use super::gather::{Gathered, Piece};
use super::geometry;
use super::geometry::{Geometry, triangles_of};
use super::plant_model::{HEIGHT, PlantModel, PlantSway, RADIUS};
use crate::plants::material::Coverage;
use crate::plants::packed::{EXTENT, packed, packed_colour, position, quad, surface, with_colours};
use crate::plants::textures::pictures;
use crate::plants::tiers::Class;

/// The most triangles of a level.
const MOST_TRIANGLES: usize = 200_000;

/// A model that is ready to be drawn.
pub(super) struct Prepared {
    pub class: Class,
    pub height: f32,
    pub radius: f32,
    /// By how much the meshes are smaller than the model.
    pub larger: f32,
    /// The finest level first: meshes with the indices of their materials.
    pub levels: Vec<Vec<(Mesh, usize)>>,
    pub materials: Vec<Texture>,
}

/// A material.
pub(super) struct Texture {
    pub layer: Image,
    pub coverage: Coverage,
    pub roughness: f32,
    pub reflectance: f32,
    pub transmission: f32,
}

/// A part of a level, with the index of its material.
type Part = (Geometry, usize);

/// Makes a model.
///
/// # Errors
/// What is wrong with the assets.
pub(super) fn prepare(model: &PlantModel, gathered: Gathered) -> Result<Prepared, String> {
    let masked: Vec<bool> =
        gathered.materials.iter().map(|(material, _)| material.is_masked()).collect();
    let mut given: Vec<Vec<Part>> =
        (0..gathered.levels.len()).map(|k| read(&gathered, k)).collect::<Result<_, String>>()?;
    let materials = gathered.materials;
    let top = highest(&given[0]);
    if top <= 0.0 {
        return Err("has nothing above its origin, where it stands".into());
    }
    let scale = model.height.map_or(1.0, |height| height / top);
    let height = scale * top;
    HEIGHT.check(f64::from(height)).map_err(|error| error.to_string())?;
    for (part, material) in given.iter_mut().flatten() {
        part.positions.iter_mut().for_each(|position| *position *= scale);
        let material = &materials[*material].0;
        for colour in &mut part.colours {
            colour.w = material.covering(colour.w);
        }
        let uv_transform = material.uv_transform;
        for uv in &mut part.uvs {
            let transformed = uv_transform.transform_point2(*uv);
            *uv = if transformed.is_finite() { transformed } else { Vec2::ZERO };
        }
        // Textures repeat, and half-precision numbers are exact near 0 only.
        let least = part.uvs.iter().copied().reduce(Vec2::min).unwrap_or_default().floor();
        part.uvs.iter_mut().for_each(|uv| *uv -= least);
    }
    let class = Class::of_height(height);
    if class == Class::Large {
        given.truncate(1 + budgets(class).len());
    }
    let levels = complete(given, class, &masked);
    // What is below the origin counts, too.
    let wide = |position: Vec3| position.with_y(0.0).length().max(-position.y);
    let radius = levels.iter().map(|level| farthest(level, wide)).fold(0.0, f32::max);
    RADIUS.check(f64::from(radius)).map_err(|error| error.to_string())?;
    // The corners of an impostor are that far away, too.
    let all = levels.iter().map(|level| farthest(level, |position| position.length()));
    let larger = (all.fold(0.0, f32::max) * 1.001 / EXTENT).max(1.0);
    let shade = Shade { model, height, larger, crown: crown(&levels[0], &masked) };
    let pack = |(part, material): &Part| (shade.packed(part, masked[*material]), *material);
    let mut packed: Vec<Vec<(Mesh, usize)>> =
        levels.iter().map(|level| level.iter().map(pack).collect()).collect();
    let texture = |(material, image): (DrawnMaterial, Option<Image>)| {
        let layer = layer(&material, image)?;
        let (coverage, transmission) = match material.is_masked() {
            true => (Coverage::Masked, model.transmission),
            false => (Coverage::Whole, 0.0),
        };
        let DrawnMaterial { roughness, reflectance, .. } = material;
        Ok(Texture { layer, coverage, roughness, reflectance, transmission })
    };
    let mut materials: Vec<Texture> =
        materials.into_iter().map(texture).collect::<Result<_, String>>()?;
    if class == Class::Large {
        let (quad, pictures) = shade.impostor(&levels[0], &masked, &materials);
        packed.push(vec![(quad, materials.len())]);
        materials.push(pictures);
    }
    Ok(Prepared { class, height, radius, larger, levels: packed, materials })
}

/// The parts of a level.
fn read(gathered: &Gathered, level: usize) -> Result<Vec<Part>, String> {
    let pieces = &gathered.levels[level];
    let counts = pieces.iter().map(|piece| triangles_of(&gathered.meshes[piece.mesh]));
    let count: usize = counts.sum();
    if count > MOST_TRIANGLES {
        return Err(format!(
            "has {count} triangles in a level: must have at most {MOST_TRIANGLES}"
        ));
    }
    let mut parts: Vec<Part> = Vec::new();
    for Piece { mesh, material, place } in pieces {
        let channel = &gathered.materials[*material].0.channel;
        let part = Geometry::read(&gathered.meshes[*mesh], place, channel)?;
        match parts.iter_mut().find(|(_, known)| known == material) {
            Some((known, _)) if known.colours.is_empty() == part.colours.is_empty() => {
                known.append(part);
            }
            _ => parts.push((part, *material)),
        }
    }
    parts.retain(|(part, _)| part.triangles() > 0);
    if parts.is_empty() {
        return Err("has a level without triangles".into());
    }
    if parts.iter().all(|(part, _)| !part.has_area()) {
        return Err("has a level whose triangles have no area".into());
    }
    Ok(parts)
}

fn triangles(parts: &[Part]) -> usize {
    parts.iter().map(|(part, _)| part.triangles()).sum()
}

fn farthest(parts: &[Part], measure: impl Fn(Vec3) -> f32) -> f32 {
    let all = parts.iter().flat_map(|(part, _)| &part.positions);
    all.map(|position| measure(*position)).fold(0.0, f32::max)
}

fn highest(parts: &[Part]) -> f32 {
    farthest(parts, |position| position.y)
}

/// The most triangles of the levels after the first, by class.
fn budgets(class: Class) -> &'static [usize] {
    match class {
        Class::Grass => &[40, 10],
        Class::Shrub => &[200, 40],
        // Farther away, it is an impostor.
        Class::Large => &[700, 150],
    }
}

/// Makes the levels that a game has not given of the last one that it has.
fn complete(mut levels: Vec<Vec<Part>>, class: Class, masked: &[bool]) -> Vec<Vec<Part>> {
    for &budget in budgets(class).iter().skip(levels.len() - 1) {
        let last = &levels[levels.len() - 1];
        let all = triangles(last);
        let reduced = |(part, material): &Part| {
            let share = (budget * part.triangles()).div_ceil(all);
            let part = match masked[*material] {
                _ if share >= part.triangles() => part.clone(),
                true => geometry::leaves(part, share),
                false => geometry::solid(part, share),
            };
            (part, *material)
        };
        let next = last.iter().map(reduced).collect();
        levels.push(next);
    }
    levels
}

/// The middle of what is masked, and how far it reaches; `None` without any.
fn crown(parts: &[Part], masked: &[bool]) -> Option<[Vec3; 2]> {
    let leaves = parts.iter().filter(|(_, material)| masked[*material]);
    let all = leaves.flat_map(|(part, _)| part.positions.iter().copied());
    let bounds = all.map(|p| [p, p]).reduce(|[low, high], [a, b]| [low.min(a), high.max(b)]);
    bounds.map(|[low, high]| [0.5 * (low + high), (0.5 * (high - low)).max(Vec3::splat(1e-3))])
}

/// What decides how vertices are shaded and moved.
struct Shade<'a> {
    model: &'a PlantModel,
    height: f32,
    larger: f32,
    crown: Option<[Vec3; 2]>,
}

impl Shade<'_> {
    /// An impostor of the finest level, with its material.
    fn impostor(&self, level: &[Part], masked: &[bool], materials: &[Texture]) -> (Mesh, Texture) {
        let part = |(part, material): &'_ Part| {
            let texture = &materials[*material].layer;
            let lights = (0..part.positions.len()).map(|k| self.light(part, k, masked[*material]));
            let (normals, tones) = lights.map(|(normal, tone)| (normal.to_array(), tone)).unzip();
            ImpostorPart {
                positions: part.positions.iter().map(|p| (*p / self.larger).to_array()).collect(),
                normals,
                uvs: part.uvs.iter().map(Vec2::to_array).collect(),
                tones,
                colours: match self.drawn_colours(part) {
                    Some(colours) => colours.iter().map(Vec4::to_array).collect(),
                    None => Vec::new(),
                },
                indices: part.indices.clone(),
                texture: texture.data.as_deref().unwrap_or_default(),
                size: texture.width(),
            }
        };
        let impostor = Impostor::bake(&level.iter().map(part).collect::<Vec<_>>());
        let top = level.iter().flat_map(|(part, material)| {
            let high = |k: &usize| part.positions[*k].y > 0.9 * self.height;
            let high = (0..part.positions.len()).filter(high);
            high.map(|k| self.sway(part, k, masked[*material]))
        });
        let quad = quad(impostor.bounds, 0, top.fold(0.0, f32::max));
        // Most of what is seen from afar are leaves.
        let main =
            level.iter().max_by_key(|(part, material)| (masked[*material], part.triangles()));
        let main = &materials[main.map_or(0, |(_, material)| *material)];
        let texture = Texture {
            layer: pictures(&[impostor], RenderAssetUsages::default()),
            coverage: Coverage::Impostor,
            ..*main
        };
        (quad, texture)
    }

    /// The mesh of a part.
    fn packed(&self, part: &Geometry, is_leaves: bool) -> Mesh {
        let count = part.positions.len();
        let positions = (0..count).map(|k| {
            let sway = self.sway(part, k, is_leaves);
            position((part.positions[k] / self.larger).to_array(), sway)
        });
        let surfaces = (0..count).map(|k| {
            let (normal, tone) = self.light(part, k, is_leaves);
            surface(part.uvs[k].to_array(), normal, 0, tone)
        });
        let indices = if count <= usize::from(u16::MAX) {
            Indices::U16(part.indices.iter().map(|&index| index as u16).collect())
        } else {
            Indices::U32(part.indices.clone())
        };
        let mesh = packed(positions.collect(), surfaces.collect(), indices);
        match self.drawn_colours(part) {
            Some(colours) => with_colours(mesh, colours.iter().map(packed_colour).collect()),
            None => mesh,
        }
    }

    /// The vertex colours that multiply the material's; `None` if they mean something else, or all
    /// are white.
    fn drawn_colours<'b>(&self, part: &'b Geometry) -> Option<&'b [Vec4]> {
        let is_drawn = self.model.sway != PlantSway::VertexColor
            && part.colours.iter().any(|colour| *colour != Vec4::ONE);
        is_drawn.then_some(part.colours.as_slice())
    }

    /// How far wind moves a vertex, 0 to 1.
    fn sway(&self, part: &Geometry, vertex: usize, is_leaves: bool) -> f32 {
        let share = (part.positions[vertex].y / self.height).clamp(0.0, 1.0);
        let by_height = 0.5 * share * share + if is_leaves { 0.3 * share } else { 0.0 };
        match self.model.sway {
            PlantSway::Still => 0.0,
            PlantSway::Height => by_height,
            PlantSway::VertexColor => part.colours.get(vertex).map_or(by_height, |colour| colour.x),
        }
    }

    /// The normal of a vertex, and how much light reaches it: crowns are dark inside.
    fn light(&self, part: &Geometry, vertex: usize, is_leaves: bool) -> (Vec3, f32) {
        let own = part.normals[vertex];
        let Some([middle, reach]) = self.crown.filter(|_| is_leaves && self.model.soft_leaves)
        else {
            return (own, 1.0);
        };
        let outwards = (part.positions[vertex] - middle) / reach;
        let normal = (outwards.normalize_or(Vec3::Y) + 0.4 * Vec3::Y).normalize_or(Vec3::Y);
        let t = ((outwards.length() - 0.2) / 0.8).clamp(0.0, 1.0);
        (normal, 0.55 + 0.45 * t * t * (3.0 - 2.0 * t))
    }
}

#[cfg(test)]
mod tests {
    use bevy_asset::RenderAssetUsages;
    use bevy_material::AlphaMode;
    use bevy_math::{Affine2, Affine3A};
    use bevy_mesh::{PrimitiveTopology, VertexAttributeValues};
    use bevy_pbr::StandardMaterial;
    use bevy_render::render_resource::{Extent3d, TextureDimension, TextureFormat};

    use super::*;
    use crate::plants::packed::{ATTRIBUTE_PLANT_COLOUR, ATTRIBUTE_PLANT_SURFACE};

    /// A wall of 4 m with vertices of an opacity, and a texture of another.
    fn wall(alpha_mode: AlphaMode, opacity: f32, texel: u8) -> Prepared {
        let material = StandardMaterial { alpha_mode, ..StandardMaterial::default() };
        painted_wall(&material, opacity, texel)
    }

    fn painted_wall(material: &StandardMaterial, opacity: f32, texel: u8) -> Prepared {
        let corners = [[-1.0, 0.0], [1.0, 0.0], [1.0, 4.0], [-1.0, 4.0]];
        let corners = corners.map(|[x, y]| [x, y, 0.0]).to_vec();
        let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners)
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, vec![[1.0, 0.5, 0.5, opacity]; 4])
            .with_inserted_attribute(
                Mesh::ATTRIBUTE_UV_0,
                vec![[0.0, 0.0], [0.25, 0.0], [0.25, 1.75], [0.0, 1.75]],
            )
            .with_inserted_indices(Indices::U16(vec![0, 1, 2, 0, 2, 3]));
        let size = Extent3d { width: 128, height: 128, depth_or_array_layers: 1 };
        let image = Image::new_fill(
            size,
            TextureDimension::D2,
            &[255, 255, 255, texel],
            TextureFormat::Rgba8UnormSrgb,
            RenderAssetUsages::default(),
        );
        let piece = Piece { mesh: 0, material: 0, place: Affine3A::IDENTITY };
        let gathered = Gathered {
            levels: vec![vec![piece]],
            meshes: vec![mesh],
            materials: vec![(DrawnMaterial::of(material), Some(image))],
        };
        prepare(&PlantModel::levels(Vec::new()), gathered).unwrap()
    }

    /// Near, by the texture and the vertices, and far off, by the impostor.
    fn is_drawn(wall: &Prepared) -> [bool; 2] {
        let colours = wall.levels[0][0].0.attribute(ATTRIBUTE_PLANT_COLOUR).unwrap();
        let VertexAttributeValues::Unorm8x4(colours) = colours else { panic!("{colours:?}") };
        let texel = wall.materials[0].layer.data.as_ref().unwrap()[3];
        let seen = f32::from(colours[0][3]) / 255.0 * f32::from(texel) / 255.0;
        let impostor = &wall.materials.last().unwrap().layer;
        let size = 4 * (impostor.width() * impostor.height()) as usize;
        let impostor = &impostor.data.as_ref().unwrap()[..size];
        let covered = impostor.as_chunks::<4>().0.iter().filter(|texel| texel[3] >= 128).count();
        [seen >= 0.5, covered > 100]
    }

    /// A texture repeats, so it may begin anywhere, as where an atlas has many tiles.
    #[test]
    fn coordinates_far_from_the_first_tile_are_exact() {
        let surfaces = |offset: Vec2| {
            let uv_transform = Affine2::from_translation(offset);
            let material = StandardMaterial { uv_transform, ..StandardMaterial::default() };
            let wall = painted_wall(&material, 1.0, 255);
            wall.levels[0][0].0.attribute(ATTRIBUTE_PLANT_SURFACE).unwrap().get_bytes().to_vec()
        };
        let expected = surfaces(Vec2::new(0.25, 0.5));
        assert_eq!(surfaces(Vec2::new(-99.75, 8.5)), expected);
        assert_eq!(surfaces(Vec2::new(2048.25, -4095.5)), expected);
    }

    /// As Bevy does: the opacity of vertices multiplies that of texels if a material is masked, and
    /// means nothing if it is opaque.
    #[test]
    fn the_opacity_of_vertices_counts_if_the_material_is_masked() {
        for opacity in [0.0, 0.3, 1.0] {
            let opaque = wall(AlphaMode::Opaque, opacity, 7);
            assert_eq!(is_drawn(&opaque), [true; 2], "{opacity}");
        }
        for (cutoff, opacity, texel, expected) in [
            (0.5, 0.7, 255, true),
            (0.5, 0.7, 160, false),
            (0.1, 0.3, 255, true),
            (0.1, 1.0, 77, true),
            (0.1, 0.3, 100, true),
            (0.1, 0.3, 70, false),
            (0.9, 0.95, 255, true),
            (0.9, 0.85, 255, false),
            (1.0, 1.0, 255, true),
            (1.0, 1.0, 254, false),
        ] {
            let masked = wall(AlphaMode::Mask(cutoff), opacity, texel);
            assert_eq!(is_drawn(&masked), [expected; 2], "{cutoff} {opacity} {texel}");
        }
    }
}
