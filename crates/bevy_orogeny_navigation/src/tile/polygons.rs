//! Regions as convex polygons, by Recast.

use rerecast::{
    AreaType, BuildContoursFlags, CompactCell, CompactHeightfield, CompactSpan, PolygonNavmesh,
    RegionId, RegionVertexId,
};

use super::SIMPLIFICATION;
use super::grid::Walkable;
use super::mesh::{Link, Mesh};
use super::regions::NONE;
use crate::key::TileKey;

/// The most corners of a polygon.
const MAX_CORNERS: u16 = 6;

/// The polygons of all regions.
pub fn polygons(walkable: &Walkable, regions: &[u16]) -> Result<Mesh, String> {
    let field = field(walkable, regions);
    // Straightened edges may cross. Those of cells do not.
    convex(&field, SIMPLIFICATION as f32).or_else(|_| convex(&field, 0.0))
}

/// The cells and regions as Recast has them: one span for each walkable cell.
fn field(walkable: &Walkable, regions: &[u16]) -> CompactHeightfield {
    let side = Walkable::SIDE;
    let last = side - 1;
    let mut field = CompactHeightfield {
        width: side as u16,
        height: side as u16,
        walkable_height: 1,
        border_size: Walkable::RING as u16,
        cell_size: 1.0,
        cell_height: 1.0,
        cells: vec![CompactCell::default(); side * side],
        ..CompactHeightfield::default()
    };
    for (i, cell) in field.cells.iter_mut().enumerate() {
        let (x, z) = (i % side, i / side);
        cell.set_index(field.spans.len() as u32);
        if !walkable.get(x, z) {
            continue;
        }
        cell.set_count(1);
        let border = |number: u16| RegionId::BORDER_REGION | RegionId::from(number);
        let region = match (x, z) {
            (0, _) => border(1),
            (x, _) if x == last => border(2),
            (_, 0) => border(3),
            (_, z) if z == last => border(4),
            _ => RegionId::from(regions[i]),
        };
        let mut span = CompactSpan { region, ..CompactSpan::default() };
        span.set_height(u8::MAX);
        let neighbours = [
            (x > 0).then(|| (x - 1, z)),
            (z < last).then_some((x, z + 1)),
            (x < last).then_some((x + 1, z)),
            (z > 0).then(|| (x, z - 1)),
        ];
        for (direction, neighbour) in (0..).zip(neighbours) {
            let is_there = neighbour.is_some_and(|(x, z)| walkable.get(x, z));
            span.set_con(direction, is_there.then_some(0));
        }
        field.spans.push(span);
    }
    field.areas = vec![AreaType::DEFAULT_WALKABLE; field.spans.len()];
    field.max_region = RegionId::from(regions.iter().copied().max().unwrap_or(NONE) + 1);
    field
}

/// Straightens the outlines by up to `error` cells, and cuts them into convex polygons.
fn convex(field: &CompactHeightfield, error: f32) -> Result<Mesh, String> {
    let mut contours = field.build_contours(error, 0, BuildContoursFlags::empty());
    for contour in &mut contours.contours {
        // Recast would merge edges on the border. Tiles find each other without that.
        for (_, flags) in &mut contour.vertices {
            *flags &= !RegionVertexId::BORDER_VERTEX.bits();
        }
    }
    let mesh = contours.into_polygon_mesh(MAX_CORNERS).map_err(|error| error.to_string())?;
    Ok(from_recast(&mesh))
}

fn from_recast(recast: &PolygonNavmesh) -> Mesh {
    let stride = usize::from(recast.max_vertices_per_polygon);
    let mut mesh = Mesh::default();
    let neighbours = recast.polygon_neighbors.chunks_exact(stride);
    for (polygon, neighbours) in recast.polygons.chunks_exact(stride).zip(neighbours) {
        let used = polygon.iter().take_while(|index| **index != PolygonNavmesh::NO_INDEX);
        let mut corners: Vec<[u8; 2]> = used
            .map(|index| recast.vertices[usize::from(*index)])
            .map(|vertex| [vertex.x as u8, vertex.z as u8])
            .collect();
        let count = corners.len();
        let link = |k: usize| match neighbours[k] {
            neighbour if neighbour < RegionId::BORDER_REGION.bits() => Link::Polygon(neighbour),
            _ => side(corners[k], corners[(k + 1) % count]).map_or(Link::Wall, Link::Side),
        };
        let mut links: Vec<Link> = (0..count).map(link).collect();
        if twice_area(&corners) < 0 {
            // An edge belongs to its first corner, which the last one becomes.
            corners.reverse();
            links.reverse();
            links.rotate_left(1);
        }
        mesh.add(&corners, &links);
    }
    mesh
}

/// The side of the tile on which an edge lies.
fn side(a: [u8; 2], b: [u8; 2]) -> Option<u8> {
    let lies = |axis: usize, at: u16| [a, b].iter().all(|end| u16::from(end[axis]) == at);
    let sides = [(0, 0), (0, TileKey::CELLS), (1, 0), (1, TileKey::CELLS)];
    (0..).zip(sides).find(|(_, (axis, at))| lies(*axis, *at)).map(|(side, _)| side)
}

fn twice_area(corners: &[[u8; 2]]) -> i32 {
    let next = corners.iter().cycle().skip(1);
    let cross = |(a, b): (&[u8; 2], &[u8; 2])| {
        i32::from(a[0]) * i32::from(b[1]) - i32::from(b[0]) * i32::from(a[1])
    };
    corners.iter().zip(next).map(cross).sum()
}

#[cfg(test)]
mod tests {
    use super::super::regions::regions;
    use super::*;
    use proptest::prelude::*;

    fn mesh(walkable: &Walkable) -> Mesh {
        polygons(walkable, &regions(walkable)).unwrap()
    }

    fn contains(mesh: &Mesh, polygon: u16, [x, z]: [f64; 2]) -> bool {
        let left = |[a, b]: [[u8; 2]; 2]| {
            let [[ax, az], [bx, bz]] = [a, b].map(|end| end.map(f64::from));
            (bx - ax) * (z - az) - (bz - az) * (x - ax) >= -1e-9
        };
        mesh.edges(polygon).all(|(ends, _)| left(ends))
    }

    #[test]
    fn open_ground_has_few_polygons_that_cover_it() {
        let mesh = mesh(&Walkable::new(|_, _| true));
        assert_eq!(mesh.polygon_count(), 16);
        let area: i32 = (0..16).map(|k| twice_area(&mesh.corners(k).collect::<Vec<_>>())).sum();
        assert_eq!(area, 2 * 64 * 64);
        for side in 0..4 {
            assert_eq!(mesh.portals(side).iter().map(|p| p.to - p.from).sum::<u8>(), 64);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
        /// The middle of each walkable cell is covered up to the error of straightened edges, and
        /// nothing is that is farther from the walkable cells. Links are mutual.
        #[test]
        fn polygons_cover_the_walkable_cells(
            discs in prop::collection::vec((0.0..66.0, 0.0..66.0, 0.6..9.0), 0..24),
        ) {
            let walkable = Walkable::new(|x, z| {
                discs.iter().all(|&(dx, dz, radius): &(f64, f64, f64)| {
                    (x as f64 + 0.5 - dx).hypot(z as f64 + 0.5 - dz) > radius
                })
            });
            let mesh = mesh(&walkable);
            let count = mesh.polygon_count() as u16;
            let mut missing = 0;
            for (x, z) in (0..64usize).flat_map(|z| (0..64).map(move |x| (x, z))) {
                let middle = [x as f64 + 0.5, z as f64 + 0.5];
                let is_covered = (0..count).any(|polygon| contains(&mesh, polygon, middle));
                let near = (x..=x + 2).flat_map(|x| (z..=z + 2).map(move |z| (x, z)));
                if is_covered {
                    prop_assert!(near.clone().any(|(x, z)| walkable.get(x, z)), "{x} {z}");
                } else if near.clone().all(|(x, z)| walkable.get(x, z)) {
                    missing += 1;
                }
            }
            prop_assert_eq!(missing, 0);
            for polygon in 0..count {
                prop_assert!(twice_area(&mesh.corners(polygon).collect::<Vec<_>>()) >= 0);
                for ([a, b], link) in mesh.edges(polygon) {
                    if let Link::Polygon(other) = link {
                        let back = ([b, a], Link::Polygon(polygon));
                        prop_assert!(mesh.edges(other).any(|edge| edge == back));
                    }
                }
            }
        }
    }
}
