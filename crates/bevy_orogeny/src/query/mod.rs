//! Queries of the ground: the exact field, and the triangles that are drawn.
//!
//! Start with [`GroundQuery`] below, which needs no `App`: the snapshot of the core with the
//! triangles of a layout. `terrain_query` finds the terrains of a world, `terrains` those by the
//! ground that is shown or the newest one, `terrain_ground` queries one of them, and
//! `terrain_editor` finds those to edit with `ground_editor`. `picking` lets pointers hit the
//! ground, and `ground_gizmos` draws lines on it. `cell`, `footing` and `ray` handle the triangles,
//! `batch` answers many queries at once, `cover` finds the weights of layers, `scatter` tells what
//! stands where, `changes` where two grounds differ. This module uses `terrain` and the layout of
//! chunks; of streaming it reads the origin and one component, `adopted_ground`.

pub(crate) mod adopted_ground;
mod batch;
mod cell;
mod changes;
mod cover;
mod footing;
pub(crate) mod ground_editor;
#[cfg(feature = "gizmos")]
pub(crate) mod ground_gizmos;
#[cfg(feature = "picking")]
pub(crate) mod picking;
mod ray;
mod scatter;
pub(crate) mod terrain_editor;
pub(crate) mod terrain_ground;
pub(crate) mod terrain_query;
pub(crate) mod terrains;
#[cfg(test)]
mod tests;
mod water;

use std::fmt;
use std::sync::Arc;

use orogeny::climate::ClimateField;
use orogeny::drainage::RiverGround;
use orogeny::edits::Edits;
use orogeny::limits::{Limit, OutOfLimits};
use orogeny::ray::{Cast, Ray};
use orogeny::{Curvature, Jet, LandsField, Landscape, Sample, SharedField};

use crate::base::query_error::QueryError;
use crate::chunk::curvature;
use crate::chunk::height_field::{HeightField, is_ground};
use crate::chunk::key::{LOD, Layout};
use crate::lod::viewer::POSITION;
use crate::terrain::{Ground, Terrain, TerrainError};
use cell::{Cell, Plane};
pub(crate) use footing::Footing;

/// Answers queries about the ground of a terrain: anywhere, immediately, with or without chunks, on
/// any thread.
///
/// There are two kinds of ground, and each query says which one it uses. They agree at vertices,
/// bit for bit.
///
/// * The **field** is the exact function: smooth, and the same for every layout. Use it for game
///   rules, servers, and whatever must not depend on the mesh.
/// * The **surface** is made of the triangles of a level of detail, by default level 0, which is
///   drawn up close. Use it for feet and wheels that must stand on what the player sees.
///
/// Positions are (x, z) in metres from the terrain's origin, not the world's: if the terrain has
/// been moved, subtract its translation. The unit normal of a sample is
/// [`normal`](crate::advanced::normal).
///
/// ```
/// use bevy_orogeny::advanced::normal;
/// use bevy_orogeny::{GroundQuery, Terrain};
///
/// let ground = GroundQuery::of(&Terrain::default())?;
/// let exact = ground.field([12.3, -4.5])?;
/// let drawn = ground.surface([12.3, -4.5])?;
/// assert!((exact.value - drawn.value).abs() < 1.0 && normal(drawn).y > 0.0);
/// assert_eq!(ground.surface([12.0, -4.0])?.value, ground.field([12.0, -4.0])?.value);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct GroundQuery {
    /// The ground with its edits.
    landscape: Landscape,
    layout: Layout,
    /// The field whose curvature selects the cover.
    smooth: SharedField<2>,
}

/// How many spacings from the origin vertices may be. Farther out, `f64` cannot resolve points
/// between them.
const MAX_CELLS: f64 = (1u64 << 52) as f64;

impl fmt::Debug for GroundQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GroundQuery").field("layout", &self.layout).finish_non_exhaustive()
    }
}

impl GroundQuery {
    /// The ground of a field, with the vertices of a layout.
    ///
    /// # Errors
    /// A layout that no terrain could have.
    pub fn new(field: Arc<dyn HeightField>, layout: Layout) -> Result<Self, TerrainError> {
        let Layout { cells, spacing } = layout;
        Self::of(&Terrain { ground: Ground::field(field), cells, spacing, ..Terrain::default() })
    }

    /// The ground of a terrain with its current settings. It does not follow later changes.
    ///
    /// # Errors
    /// What is wrong with the terrain.
    pub fn of(terrain: &Terrain) -> Result<Self, TerrainError> {
        let layout = terrain.layout()?;
        Ok(Self::on(terrain.build_ground()?, layout))
    }

    /// A ground with the vertices of a layout.
    fn on(landscape: Landscape, layout: Layout) -> Self {
        let smooth = curvature::smooth(&landscape, curvature::scale(&layout, 0));
        let smooth = smooth.unwrap_or_else(|| landscape.field().clone());
        Self { landscape, layout, smooth }
    }

    /// The same ground with these edits, instead of those that it has.
    pub fn with_edits(&self, edits: Edits) -> Self {
        if edits.is_same(self.edits()) {
            return self.clone();
        }
        Self::on(self.landscape.with_edits(edits), self.layout)
    }

    /// The same ground with the edits of another one.
    pub(crate) fn with_edits_of(&self, other: &Self) -> Self {
        self.with_edits(other.edits().clone())
    }

    /// The ground of a terrain of the same shape with another appearance.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub(crate) fn of_beside(terrain: &Terrain, old: &Self) -> Result<Self, TerrainError> {
        terrain.layout()?;
        Ok(Self { landscape: terrain.build_beside(&old.landscape)?, ..old.clone() })
    }

    /// The snapshot of the ground, without its triangles: for code that needs no Bevy, such as a
    /// server's.
    pub fn landscape(&self) -> &Landscape {
        &self.landscape
    }

    /// The edits of the ground.
    pub fn edits(&self) -> &Edits {
        self.landscape.edits()
    }

    /// Which lands are where: those of the recipe.
    pub fn lands(&self) -> &LandsField {
        self.landscape.lands()
    }

    /// Its climate as fields, see [`climate`](Self::climate) for that of a place.
    pub fn climate_field(&self) -> &ClimateField {
        self.landscape.climate()
    }

    /// The rivers on it, without edits.
    pub fn rivers(&self) -> Option<&RiverGround> {
        self.landscape.rivers()
    }

    /// The field with its edits, for code that takes any [`Field`](orogeny::Field).
    pub fn height_field(&self) -> &SharedField<2> {
        self.landscape.field()
    }

    /// Whether both queries have the same answers, because they share all their parts.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.landscape.is_same(&other.landscape) && self.layout == other.layout
    }

    /// Whether both queries share the same field, rather than an equal one.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.landscape.has_heights_of(&other.landscape) && self.layout == other.layout
    }

    /// The layout of the vertices.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Height and slopes of the exact field.
    ///
    /// # Errors
    /// A position outside [`POSITION`](crate::advanced::POSITION), and a field that is not finite
    /// there.
    pub fn field(&self, position: [f64; 2]) -> Result<Sample<2>, QueryError> {
        position.into_iter().try_for_each(|x| POSITION.check(x))?;
        self.sample(position)
    }

    /// As [`field`](Self::field), but with these edits.
    pub(crate) fn field_with(
        &self,
        edits: &Edits,
        position: [f64; 2],
    ) -> Result<Sample<2>, QueryError> {
        if edits.is_same(self.edits()) {
            return self.field(position);
        }
        position.into_iter().try_for_each(|x| POSITION.check(x))?;
        finite(position, self.landscape.edited().with_edits(edits.clone()).sample(position))
    }

    /// Mean and Gaussian curvature of the exact field, in 1/m and 1/m^2: for materials and
    /// vegetation. For a custom field without second derivatives, they are differences, see
    /// [`orogeny::Field::jet`].
    ///
    /// # Errors
    /// A position outside [`POSITION`](crate::advanced::POSITION), and a field whose value or
    /// derivatives are not finite there.
    pub fn curvature(&self, position: [f64; 2]) -> Result<Curvature, QueryError> {
        position.into_iter().try_for_each(|x| POSITION.check(x))?;
        curvature(position, self.landscape.jet(position))
    }

    /// Height and slopes of the triangles of level 0, see
    /// [`surface_at_level`](Self::surface_at_level).
    ///
    /// # Errors
    /// As there.
    pub fn surface(&self, position: [f64; 2]) -> Result<Sample<2>, QueryError> {
        self.surface_at_level(0, position)
    }

    /// Height and slopes of the triangles of a level of detail, without skirts. They are those of
    /// the triangle that contains the position. On a border that is the one with larger
    /// coordinates, and on a cell's diagonal the one with the larger x.
    ///
    /// The vertices are on the field. Those of the chunks are the same, bit for bit, at levels 0 to
    /// 2, and at all levels of chunks that do not geomorph. Vertices of coarser chunks that do are
    /// a little higher at crests and lower in valleys, and levels with cells wider than the
    /// distance of rivers leave these rivers out. Between vertices, the height is interpolated in
    /// `f64` and rounded.
    ///
    /// # Errors
    /// A level above [`MAX_LOD`](crate::advanced::MAX_LOD); a position outside
    /// [`POSITION`](crate::advanced::POSITION) or more than 2^52 vertices from the origin; a field
    /// that is not finite at a corner of the triangle.
    pub fn surface_at_level(&self, lod: u8, position: [f64; 2]) -> Result<Sample<2>, QueryError> {
        let (plane, inside) = self.triangle(lod, position)?;
        Ok(plane.sample(inside))
    }

    /// The same for level 0, without rounding.
    pub(crate) fn footing(&self, position: [f64; 2]) -> Result<Footing, QueryError> {
        let (plane, inside) = self.triangle(0, position)?;
        Ok(plane.footing(inside))
    }

    /// The triangle of a level that contains a position, and where that is in its cell.
    fn triangle(&self, lod: u8, position: [f64; 2]) -> Result<(Plane, [f64; 2]), QueryError> {
        LOD.check(lod.into())?;
        let spacing = self.layout.spacing(lod);
        self.check(position, spacing)?;
        let index = position.map(|x| (x / spacing).floor() as i64);
        let inside = [0, 1].map(|k| (position[k] - index[k] as f64 * spacing) / spacing);
        let mut cell = Cell::new(index, spacing);
        Ok((cell.plane_at(inside, &mut |vertex| self.vertex(vertex))?, inside))
    }

    /// The first hit of a ray with the exact field, see [`raycast`](orogeny::ray::raycast). It
    /// misses no ground that the ray enters deeper than `tolerance`, in metres; on ground whose
    /// slopes have no tight bounds, such as eroded ground, that is
    /// [not proven](Cast::is_proven).
    ///
    /// # Errors
    /// As there, and a ray that starts outside [`POSITION`](crate::advanced::POSITION).
    pub fn raycast_field(&self, ray: &Ray, tolerance: f64) -> Result<Cast, OutOfLimits> {
        [ray.origin[0], ray.origin[2]].into_iter().try_for_each(|x| POSITION.check(x))?;
        orogeny::ray::raycast(&self.landscape, ray, tolerance)
    }

    /// The height of a vertex, if it is finite.
    fn vertex(&self, position: [f64; 2]) -> Result<f32, QueryError> {
        let height = self.landscape.sample(position).value;
        if is_ground(height) { Ok(height) } else { Err(QueryError::NoGround { position }) }
    }

    /// The field at a position, if it is finite.
    fn sample(&self, position: [f64; 2]) -> Result<Sample<2>, QueryError> {
        finite(position, self.landscape.sample(position))
    }

    /// Checks that `f64` can resolve vertices of a spacing at a position.
    fn check(&self, position: [f64; 2], spacing: f64) -> Result<(), OutOfLimits> {
        let max = POSITION.max.min(MAX_CELLS * spacing);
        let limit = Limit { min: -max, max, ..POSITION };
        position.into_iter().try_for_each(|x| limit.check(x))
    }
}

fn curvature(position: [f64; 2], jet: Jet<2>) -> Result<Curvature, QueryError> {
    finite(position, jet.sample)?;
    let finite = jet.hessian.as_flattened().iter().all(|h| h.is_finite());
    if finite { Ok(jet.curvature()) } else { Err(QueryError::NotFinite { position }) }
}

fn finite(position: [f64; 2], sample: Sample<2>) -> Result<Sample<2>, QueryError> {
    if !is_ground(sample.value) {
        return Err(QueryError::NoGround { position });
    }
    let finite = sample.gradient.iter().all(|g| g.is_finite());
    if finite { Ok(sample) } else { Err(QueryError::NotFinite { position }) }
}
