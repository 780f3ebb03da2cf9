//! Chunks fit together, and are the same anywhere.

use std::collections::{HashMap, HashSet};

use bevy_math::Vec3;
use bevy_mesh::{Mesh, VertexAttributeValues};
use orogeny::drainage::{Drainage, RiverGround};
use orogeny::edits::{Area, Crater, Disc, Edit, EditLog, Hole, Raise};
use orogeny::{Fractal, GradientNoise, Landscape, Node, Recipe};

use crate::chunk::key::{ChunkKey, Layout};
use crate::chunk::mesh::ChunkBuilder;
use crate::chunk::morph::{GridVertex, Morph, Neighbour};
use crate::chunk::relief::Relief;
use crate::chunk::seams::Seams;
use crate::chunk::vertex::{ATTRIBUTE_VERTEX, ChunkVertex};
use crate::lod::chunk_errors::ChunkErrors;
use crate::lod::display_cut::Cut;
use crate::lod::selection::{Selection, View};
use crate::terrain::{Ground, Terrain};

const LAYOUT: Layout = Layout { cells: 8, spacing: 2.0 };

/// The inputs of the vertex shader for a chunk.
struct Vertices(Vec<ChunkVertex>);

impl Vertices {
    fn of(mesh: &Mesh) -> Self {
        let Some(VertexAttributeValues::Uint32x4(packed)) = mesh.attribute(ATTRIBUTE_VERTEX) else {
            panic!("no vertices");
        };
        Self(packed.iter().copied().map(ChunkVertex::unpack).collect())
    }

    /// The position in the world at which the vertex shader draws a vertex.
    fn world(&self, key: ChunkKey, morph: &Morph, [i, j]: [u32; 2]) -> [u32; 3] {
        let index = j * (LAYOUT.cells + 1) + i;
        let vertex = &self.0[index as usize];
        let place = vertex.grid_vertex(index);
        assert_eq!(place, GridVertex { i, j, cells: LAYOUT.cells });
        let local = vertex.position(place, morph.weight(place));
        let [x, z] = LAYOUT.origin(key).map(|at| at as f32);
        (Vec3::new(x, 0.0, z) + local).to_array().map(f32::to_bits)
    }

    /// The distinct points along a side, in the order of [`Cut::neighbours`], between two indices,
    /// but for those for which `is_left_out`.
    fn side(
        &self,
        key: ChunkKey,
        morph: &Morph,
        side: usize,
        [from, to]: [u32; 2],
        is_left_out: impl Fn([u32; 2]) -> bool,
    ) -> Vec<[u32; 3]> {
        let vertices = (from..=to).map(|k| on_side(side, k)).filter(|&at| !is_left_out(at));
        let mut points: Vec<_> = vertices.map(|at| self.world(key, morph, at)).collect();
        points.dedup();
        points
    }
}

/// The indices of a vertex on a side, in the order of [`Cut::neighbours`].
fn on_side(side: usize, k: u32) -> [u32; 2] {
    let n = LAYOUT.cells;
    [[0, k], [n, k], [k, 0], [k, n]][side]
}

/// The vertices on the sides of a chunk that are in holes.
fn holes(ground: &Landscape, key: ChunkKey) -> HashSet<[u32; 2]> {
    let (origin, spacing) = (LAYOUT.origin(key), LAYOUT.spacing(key.lod));
    let is_hole = |vertex: &[u32; 2]| {
        let at = [0, 1].map(|k| origin[k] + f64::from(vertex[k]) * spacing);
        ground.value(at).is_nan()
    };
    let sides = (0..4).flat_map(|side| (0..=LAYOUT.cells).map(move |k| on_side(side, k)));
    sides.filter(is_hole).collect()
}

/// A small generator (PCG), so that failures are reproducible.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as f64) / f64::from(1u32 << 31)
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

#[test]
fn borders_have_the_same_vertices_on_both_sides() {
    let fractal =
        Fractal { frequency: 0.01, amplitude: 40.0, ..Fractal::fbm(7.0, GradientNoise::seeded(5)) };
    let field = Node::<2>::from(fractal).build().unwrap();
    let [same, coarser] = compare(&Landscape::of(field), 2000).all;
    assert!(same > 100_000 && coarser > 50_000);
}

/// Holes and steep rims at borders of all levels. A vertex beside a hole stays on the ground at its
/// own level, but not always at the next one.
#[test]
fn borders_of_edited_ground_have_the_same_vertices() {
    let fractal =
        Fractal { frequency: 0.01, amplitude: 40.0, ..Fractal::fbm(7.0, GradientNoise::seeded(5)) };
    let field = Node::<2>::from(fractal).build().unwrap();
    let mut random = Random(2);
    let mut log = EditLog::default();
    for i in 0..40 {
        let center = [0, 1].map(|_| random.within(-250.0, 250.0));
        let radius = random.within(3.0, 40.0);
        let area = Area::Disc(Disc { center, radius, falloff: 0.5 });
        let edit: Edit = match i % 2 {
            0 => Hole { area }.into(),
            _ => Crater { center, radius, ..Crater::default() }.into(),
        };
        log.add(1, edit).unwrap();
    }
    let edited = Landscape::of(field).with_edits(log.edits());
    let compared = compare(&edited, 1000);
    let [same, coarser] = compared.all;
    assert!(same > 10_000 && coarser > 10_000);
    let [same, coarser] = compared.with_holes;
    assert!(same > 1000 && coarser > 1000, "{same} {coarser}");
}

/// The ground of coarse levels has fewer rivers.
#[test]
fn borders_of_ground_with_rivers_have_the_same_vertices() {
    let hills =
        Fractal { frequency: 1e-3, amplitude: 90.0, ..Fractal::fbm(2.0, GradientNoise::seeded(5)) };
    let rivers = Drainage { spacing: 48.0, levels: 2.0, ..Drainage::default() };
    let field = RiverGround::new(Node::<2>::from(hills).build().unwrap(), &rivers).unwrap();
    // Chunks that do not geomorph are not balanced.
    let builder = ChunkBuilder::new(Landscape::of(field.clone()), LAYOUT, Seams::Open, true);
    let heights = |lod| {
        let built = builder.build(ChunkKey { lod, x: 0, z: 0 }).unwrap();
        let positions = built.mesh.attribute(Mesh::ATTRIBUTE_POSITION);
        let positions = positions.and_then(|values| values.as_float3()).unwrap();
        positions.iter().map(|position| position[1]).collect::<Vec<_>>()
    };
    // The next level has fewer rivers where its vertices are 16 m or 64 m apart.
    let differs = |lod| {
        let [own, next] = [heights(lod), heights(lod + 1)];
        let side = LAYOUT.cells as usize + 1;
        let shared = (0..=4).flat_map(|j| (0..=4).map(move |i| (j, i)));
        shared.into_iter().any(|(j, i)| own[2 * j * side + 2 * i] != next[j * side + i])
    };
    assert_eq!([1, 2, 3, 4].map(differs), [false, true, false, true]);
    let [same, coarser] = compare(&Landscape::of(field), 1000).all;
    assert!(same > 10_000 && coarser > 10_000);
}

/// What an edit changes of a chunk lies where its ground is said to be, also if that is beyond its
/// border.
#[test]
fn edits_change_the_chunks_whose_ground_they_touch() {
    let ground = Landscape::of(Node::<2>::from(GradientNoise::seeded(5)).build().unwrap());
    // Beside a border of chunks of levels 0 to 3, at x = 128.
    let area = Area::Disc(Disc { center: [160.0, 60.0], radius: 20.0, falloff: 10.0 });
    let raise: Edit = Raise { area, height: 100.0 }.into();
    let region = raise.region().unwrap();
    let mut log = EditLog::default();
    log.add(1, raise).unwrap();
    let edited = ground.with_edits(log.edits());
    for seams in [Seams::Morph, Seams::Open] {
        let [old, new] = [&ground, &edited]
            .map(|ground| ChunkBuilder::new(Landscape::clone(ground), LAYOUT, seams, true));
        let heights = |builder: &ChunkBuilder, key| {
            let mesh = builder.build(key).unwrap().mesh;
            let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION).unwrap().as_float3();
            let own: Vec<_> = positions.unwrap().iter().map(|at| at[1].to_bits()).collect();
            let morphs = mesh.attribute(ATTRIBUTE_VERTEX).is_some();
            let targets = if morphs { Vertices::of(&mesh).0 } else { Vec::new() };
            (own, targets.iter().map(|vertex| vertex.target_height.to_bits()).collect::<Vec<_>>())
        };
        let mut beyond = 0;
        for lod in 0..6 {
            for (x, z) in (-3..8).flat_map(|x| (-3..8).map(move |z| (x, z))) {
                let key = ChunkKey { lod, x, z };
                let changes = heights(&old, key) != heights(&new, key);
                assert!(!changes || old.ground_below(key).meets(&region), "{seams:?} {key:?}");
                beyond += usize::from(changes && !LAYOUT.square(key).meets(&region));
            }
        }
        assert_eq!(beyond > 0, seams == Seams::Morph, "{beyond}");
    }
}

/// How many borders between equal levels and between different ones were compared.
#[derive(Default)]
struct Compared {
    all: [usize; 2],
    /// Those along which some vertex is in a hole, and others are not.
    with_holes: [usize; 2],
}

impl Compared {
    fn add(&mut self, kind: usize, has_hole: bool) {
        self.all[kind] += 1;
        self.with_holes[kind] += usize::from(has_hole);
    }
}

/// Compares the borders of drawn chunks for so many cameras.
fn compare(ground: &Landscape, cameras: usize) -> Compared {
    let builder = ChunkBuilder::new(ground.clone(), LAYOUT, Seams::Morph, false);
    let mut built: HashMap<ChunkKey, Vertices> = HashMap::new();
    let mut in_holes: HashMap<ChunkKey, HashSet<[u32; 2]>> = HashMap::new();
    let mut random = Random(1);
    let mut errors = ChunkErrors::default();
    let (mut selection, mut cut) = (Selection::default(), Cut::default());
    let mut ready = HashSet::new();
    let mut compared = Compared::default();
    for camera in 0..cameras {
        // Cameras in groups. With each camera more chunks arrive, in random order, while it moves
        // and the morph runs ahead of the selection or lags behind it.
        let fresh = camera % 10 == 0;
        let views: Vec<View> = (0..1 + camera % 2)
            .map(|_| {
                let position = [0, 1].map(|_| random.within(-200.0, 200.0));
                let ahead = [0, 1].map(|k| position[k] + random.within(-20.0, 20.0));
                View { ahead, ..View::at(position, 150.0, random.within(0.0, 1000.0)) }
            })
            .collect();
        selection.update(&LAYOUT, &errors, &views, 1.0);
        if fresh {
            ready.clear();
        }
        let roots = selection.roots[..selection.needed].iter().copied();
        ready.extend(roots);
        let share = random.next();
        ready.extend(selection.wanted().filter(|_| random.next() < share));
        // Their errors become known, and differ.
        for &key in &ready {
            if errors.get(key).is_none() {
                let error = random.within(0.0, 0.06) * LAYOUT.spacing(key.lod);
                errors.set(key, Relief { error, highest: 0.0, ..Relief::default() });
            }
        }
        cut.update(&selection, |key| ready.contains(&key), |key| (key.x ^ key.z) % 7 == 1);

        let now: Vec<View> = views
            .iter()
            .map(|view| View {
                position: view.position.map(|at| at + random.within(-5.0, 5.0)),
                ..*view
            })
            .collect();
        let morph = |key: ChunkKey| {
            let weight = |point| selection.morph(&LAYOUT, &now, key.lod, point);
            Morph::new(LAYOUT.corners(key).map(weight), cut.neighbours(key), 0.0)
        };
        for key in cut.iter() {
            built.entry(key).or_insert_with(|| Vertices::of(&builder.build(key).unwrap().mesh));
            in_holes.entry(key).or_insert_with(|| holes(ground, key));
        }
        let n = LAYOUT.cells;
        for key in cut.iter() {
            let (vertices, own) = (&built[&key], morph(key));
            let hole = |key: ChunkKey| {
                let holes = &in_holes[&key];
                move |vertex| holes.contains(&vertex)
            };
            // Beside a hole a vertex stays where it is, and so the next level has no edge there.
            let beside_hole = |side: usize| {
                let is_hole = hole(key);
                move |[i, j]: [u32; 2]| {
                    let k = if side < 2 { j } else { i };
                    let next = k.saturating_sub(1)..=(k + 1).min(n);
                    next.into_iter().any(|k| is_hole(on_side(side, k)))
                }
            };
            for (side, [dx, dz]) in [[-1, 0], [1, 0], [0, -1], [0, 1]].into_iter().enumerate() {
                let neighbour = ChunkKey { x: key.x + dx, z: key.z + dz, ..key };
                let all = vertices.side(key, &own, side, [0, n], hole(key));
                let has_hole = (0..=n).any(|k| hole(key)(on_side(side, k)));
                match own.sides[side] {
                    Neighbour::Same if cut.contains(neighbour) => {
                        let morph = morph(neighbour);
                        let there = &built[&neighbour];
                        let there =
                            there.side(neighbour, &morph, side ^ 1, [0, n], hole(neighbour));
                        assert_eq!(all, there, "{key:?} and {neighbour:?} of camera {camera}");
                        compared.add(0, has_hole && !all.is_empty());
                    }
                    Neighbour::Coarser => {
                        let coarse = neighbour.parent();
                        // The half of the coarse side along which the chunk lies.
                        let half = if dx == 0 { key.x & 1 } else { key.z & 1 } as u32;
                        let ends = [half, half + 1].map(|h| h * n / 2);
                        let there = &built[&coarse];
                        let there =
                            there.side(coarse, &morph(coarse), side ^ 1, ends, hole(coarse));
                        let here = vertices.side(key, &own, side, [0, n], beside_hole(side));
                        let fits = if here == all {
                            here == there
                        } else {
                            here.iter().all(|point| there.contains(point))
                                && there.iter().all(|point| all.contains(point))
                        };
                        assert!(fits, "{key:?} and {coarse:?} of camera {camera}");
                        compared.add(1, has_hole && !here.is_empty());
                    }
                    // The neighbour makes the comparison, or there is no neighbour.
                    _ => {}
                }
            }
        }
    }
    let [same, coarser] = compared.all;
    println!(
        "{cameras} cameras: {same} borders between equal levels and {coarser} between different \
         ones have the same bits"
    );
    compared
}

const FAR: f64 = (1u64 << 40) as f64;

#[test]
fn chunks_far_away_are_those_at_home() {
    let layout = Layout { cells: 16, spacing: 0.5 };
    let Ground::Recipe(recipe) = Terrain::default().ground else { panic!("a recipe") };
    let moved = Recipe { field: recipe.field.clone().translate([-FAR, FAR]), ..recipe.clone() };
    for seams in [Seams::Open, Seams::Skirts, Seams::Morph] {
        let [home, far] = [&recipe, &moved]
            .map(|recipe| ChunkBuilder::new(recipe.build().unwrap(), layout, seams, true));
        for (lod, x, z) in [(0, 0, 0), (0, -7, 12), (3, 5, -2), (9, -1, 0)] {
            let key = ChunkKey { lod, x, z };
            let d = (FAR / layout.size(lod)) as i64;
            let there = ChunkKey { x: x + d, z: z - d, ..key };
            let [a, b] = [home.build(key).unwrap(), far.build(there).unwrap()];
            let attributes = a.mesh.attributes().zip(b.mesh.attributes());
            let mut compared = 0;
            for ((one, here), (other, there)) in attributes {
                assert_eq!(one.id, other.id);
                assert_eq!(here.get_bytes(), there.get_bytes(), "{} of {key:?}", one.name);
                compared += 1;
            }
            assert_eq!(compared, a.mesh.attributes().count());
            assert!(compared >= 3);
            assert_eq!(format!("{:?}", a.mesh.indices()), format!("{:?}", b.mesh.indices()));
            assert_eq!(a.aabb, b.aabb);
        }
    }
}
