//! Finds the meshes of a scene, with the levels that its nodes name, as exporters write them: each
//! is one level of detail, or a collider.

use bevy_camera::visibility::Visibility;
use bevy_ecs::prelude::*;
use bevy_math::Affine3A;
use bevy_mesh::Mesh3d;
use bevy_pbr::{MeshMaterial3d, StandardMaterial};
use bevy_platform::collections::HashMap;
use bevy_transform::components::Transform;

use super::plant_model::PlantPart;

/// A mesh of a scene.
pub(super) struct Found {
    pub part: PlantPart,
    pub place: Affine3A,
    pub level: usize,
}

/// The meshes of a scene.
#[derive(Default)]
pub(super) struct Meshes {
    pub found: Vec<Found>,
    /// What was guessed of them.
    pub notes: Vec<String>,
    /// The names of nodes that are only colliders.
    pub colliders: Vec<String>,
}

/// What an entity has of its own and of those above it.
#[derive(Clone, Default)]
struct Node {
    place: Affine3A,
    /// The level of detail of the nearest name that has one.
    level: Option<usize>,
    is_hidden: bool,
}

/// All meshes of a scene. Those that are hidden or have no material are left out, and so are
/// colliders.
pub(super) fn meshes(world: &World) -> Meshes {
    type Drawn = (Entity, &'static Mesh3d, &'static MeshMaterial3d<StandardMaterial>);
    let mut all = Meshes::default();
    let Some(mut query) = world.try_query::<Drawn>() else { return all };
    let mut drawn: Vec<_> = query.iter(world).collect();
    // The order in which they were spawned, whatever the archetypes are.
    drawn.sort_unstable_by_key(|(entity, ..)| entity.index_u32());
    let count = world.try_query::<&Mesh3d>().map_or(0, |mut query| query.iter(world).count());
    let others = count.saturating_sub(drawn.len());
    let (mut nodes, mut names) = (HashMap::default(), Names::default());
    for (entity, mesh, material) in drawn {
        let node = node(world, entity, &mut nodes);
        // A mesh of a glTF file is below its node, which has the name that an author sees.
        let parent = world.get::<ChildOf>(entity).map(ChildOf::parent);
        let parent = parent.filter(|parent| world.get::<Mesh3d>(*parent).is_none());
        let [own, above] = [Some(entity), parent].map(|entity| {
            entity.and_then(|entity| world.get::<Name>(entity)).map_or("", Name::as_str)
        });
        if let Some(name) = [above, own].into_iter().find(|name| is_not_drawn(name)) {
            all.colliders.push(name.to_owned());
            continue;
        }
        if node.is_hidden {
            continue;
        }
        let part = PlantPart { mesh: mesh.0.clone(), material: material.0.clone() };
        let above_is_level = parent.and_then(|parent| nodes[&parent].level);
        let level = above_is_level.or(node.level);
        let of_level = |name: &&str| level_of(name) != Ok(None);
        let named = |name: &&str| !name.is_empty();
        let mut both = [above, own].into_iter();
        let name = both.clone().find(of_level).or_else(|| both.find(named));
        names.add(name.unwrap_or_default(), level, &part);
        all.found.push(Found { part, place: node.place, level: level.unwrap_or(0) });
    }
    all.notes = names.notes();
    if others > 0 {
        all.notes.push(format!("{others} meshes without a StandardMaterial are not drawn"));
    }
    all
}

/// What an entity has of its own and of those above it. Each is looked at once.
fn node(world: &World, entity: Entity, known: &mut HashMap<Entity, Node>) -> Node {
    let (mut chain, mut next) = (Vec::new(), Some(entity));
    let mut node = Node::default();
    while let Some(entity) = next {
        if let Some(known) = known.get(&entity) {
            node = known.clone();
            break;
        }
        chain.push(entity);
        // So that a parent that is its own descendant ends it, too.
        known.insert(entity, Node::default());
        next = world.get::<ChildOf>(entity).map(ChildOf::parent);
    }
    for entity in chain.into_iter().rev() {
        if let Some(own) = world.get::<Transform>(entity) {
            node.place *= own.compute_affine();
        }
        let name = world.get::<Name>(entity).map_or("", Name::as_str);
        if let Ok(Some(level)) = level_of(name) {
            node.level = Some(level.number);
        }
        match world.get::<Visibility>(entity) {
            Some(Visibility::Hidden) => node.is_hidden = true,
            Some(Visibility::Visible) => node.is_hidden = false,
            Some(Visibility::Inherited) | None => {}
        }
        known.insert(entity, node.clone());
    }
    node
}

/// The names of meshes, to find out whether they can be told apart.
#[derive(Default)]
struct Names {
    /// By level and the rest of the name: the first name of that kind, and the second one.
    alike: HashMap<(usize, String), (PlantPart, String, Option<String>)>,
    /// Names with two levels, with a level without a number, and without a level.
    two_levels: Option<String>,
    no_number: Option<String>,
    no_level: Option<String>,
    has_first: bool,
}

impl Names {
    fn add(&mut self, name: &str, level: Option<usize>, part: &PlantPart) {
        self.has_first |= level == Some(0);
        match level_of(name) {
            Err(()) => self.two_levels = Some(name.to_owned()),
            Ok(None) if level.is_none() => {
                let list =
                    if lacks_number(name) { &mut self.no_number } else { &mut self.no_level };
                list.get_or_insert_with(|| name.to_owned());
            }
            Ok(None) => {}
            Ok(Some(own)) => {
                let known = self
                    .alike
                    .entry((own.number, own.rest))
                    .or_insert_with(|| (part.clone(), name.to_owned(), None));
                // Parts of a node have its name, and one mesh may be at several places.
                if known.1 != name && known.0.mesh != part.mesh {
                    known.2.get_or_insert_with(|| name.to_owned());
                }
            }
        }
    }

    /// What cannot be told from these names.
    fn notes(self) -> Vec<String> {
        let mut alike: Vec<_> = self
            .alike
            .into_iter()
            .filter_map(|((level, _), (_, first, second))| Some((level, first, second?)))
            .map(|(level, first, second)| {
                format!(
                    "cannot tell \"{first}\" from \"{second}\": both are drawn as parts of level \
                     {level}"
                )
            })
            .collect();
        alike.sort_unstable();
        let two = self
            .two_levels
            .map(|name| format!("\"{name}\" names two levels of detail: it is drawn as level 0"));
        let none = self.no_number.map(|name| {
            format!("\"{name}\" names a level of detail without a number: it is drawn as level 0")
        });
        // A finest level without a number is usual; one beside a level 0 is odd.
        let beside = self.no_level.filter(|_| self.has_first).map(|name| {
            format!("\"{name}\" names no level of detail: it is drawn as a part of level 0 alone")
        });
        alike.into_iter().chain(two).chain(none).chain(beside).collect()
    }
}

/// The endings of nodes that are not drawn: those of Godot, and what physics engines have.
const NOT_DRAWN: [&str; 8] =
    ["colonly", "convcolonly", "navmesh", "occonly", "noimp", "phys", "collider", "collision"];

/// The beginnings of colliders in Unreal: boxes, capsules, spheres, and convex ones.
const COLLIDERS: [&str; 5] = ["UBX", "UCP", "USP", "UCX", "MCDCX"];

/// Characters between words.
const BETWEEN: [char; 6] = [' ', '_', '-', '.', ':', '$'];

/// Whether a node with this name is not drawn: colliders as `UCX_oak`, `UBX_oak_01` or
/// `oak-colonly`, and other helpers. A `-col` is drawn, and collides.
fn is_not_drawn(name: &str) -> bool {
    let first = name.split(BETWEEN).next().unwrap_or_default();
    let counted = |c: char| c.is_ascii_digit() || c.is_whitespace() || c == '.';
    let name = name.trim_end_matches(counted);
    let last = name.rsplit(BETWEEN).next().unwrap_or_default();
    let is_whole = last.len() == name.len();
    COLLIDERS.iter().any(|collider| collider.eq_ignore_ascii_case(first))
        || !is_whole && NOT_DRAWN.iter().any(|ending| ending.eq_ignore_ascii_case(last))
}

/// A level of detail in a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Level {
    pub number: usize,
    /// The rest of the name, by which parts of a level differ.
    pub rest: String,
}

/// What a name says of a level of detail: `oak_LOD1`, `oak_LOD1.002`, `oak_LOD1_leaves`,
/// `LOD1_oak`, `OakLod1`, `oak.lod1`, `oak-lod-1` and `lod 1` are all level 1.
///
/// # Errors
/// If it names two levels.
fn level_of(name: &str) -> Result<Option<Level>, ()> {
    let name = without_count(name);
    // The same length in bytes: only ASCII letters change.
    let lower = name.to_ascii_lowercase();
    let mut found: Option<Level> = None;
    for (start, word) in lower.match_indices("lod") {
        let after = &lower[start + word.len()..];
        let digits = after.trim_start_matches(BETWEEN);
        let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        let Ok(number) = digits[..digits.len() - rest.len()].parse() else { continue };
        if found.as_ref().is_some_and(|found| found.number != number) {
            return Err(());
        }
        let [before, rest] = [lower[..start].trim_end_matches(BETWEEN), rest];
        let rest = format!("{before} {}", rest.trim_start_matches(BETWEEN));
        found.get_or_insert(Level { number, rest: rest.trim().to_owned() });
    }
    Ok(found)
}

/// Whether a name ends in a level of detail that has no number, such as `oak_LOD`.
fn lacks_number(name: &str) -> bool {
    let name = without_count(name);
    let last = name.rsplit(BETWEEN).next().unwrap_or_default();
    last.eq_ignore_ascii_case("lod") && last.len() < name.len()
}

/// The name without the three digits that Blender appends to a name that is in use: `oak.001`.
fn without_count(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((before, digits))
            if digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            before
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use bevy_asset::{Assets, Handle};
    use bevy_math::Vec3;
    use bevy_mesh::Mesh;

    use super::*;

    fn drawn() -> (Mesh3d, MeshMaterial3d<StandardMaterial>) {
        (Mesh3d::default(), MeshMaterial3d::default())
    }

    fn levels(world: &World) -> Vec<(usize, f32)> {
        let found = meshes(world).found;
        let mut places: Vec<(usize, f32)> =
            found.iter().map(|found| (found.level, found.place.translation.x)).collect();
        places.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap());
        places
    }

    /// A scene as a glTF file gives it: nodes, with meshes of other names below them.
    fn scene(names: &[&str]) -> World {
        let mut world = World::new();
        let meshes = Assets::<Mesh>::default();
        let root = world.spawn(Name::new("Scene")).id();
        for (k, name) in names.iter().enumerate() {
            let at = Transform::from_xyz(k as f32, 0.0, 0.0);
            let node = world.spawn((Name::new(name.to_string()), at, ChildOf(root))).id();
            let mesh: Handle<Mesh> = meshes.reserve_handle();
            // What the mesh is called counts less than what the node is called.
            let of_level = level_of(name) != Ok(None);
            let primitive = Name::new(if of_level { "Cube_LOD7.001.Bark" } else { "Cube.Bark" });
            let material = MeshMaterial3d::<StandardMaterial>::default();
            world.spawn((Mesh3d(mesh), material, primitive, ChildOf(node)));
        }
        world
    }

    #[test]
    fn meshes_are_found_with_their_places_and_levels() {
        let mut world = World::new();
        let at = |x| Transform::from_xyz(x, 0.0, 0.0);
        let root = world.spawn((Transform::from_scale(Vec3::splat(2.0)), Name::new("oak"))).id();
        let fine = world.spawn((at(1.0), Name::new("oak_LOD1"), ChildOf(root))).id();
        world.spawn((drawn(), at(3.0), ChildOf(fine)));
        let first = world.spawn((drawn(), at(5.0), ChildOf(root))).id();
        // Below a finer level, as some tools arrange them.
        world.spawn((drawn(), at(1.0), Name::new("oak_LOD2"), ChildOf(first)));
        world.spawn((Mesh3d::default(), ChildOf(root)));
        // Hidden, and shown again.
        let hidden = world.spawn((at(7.0), Visibility::Hidden, ChildOf(root))).id();
        world.spawn((drawn(), ChildOf(hidden)));
        world.spawn((drawn(), Visibility::Visible, ChildOf(hidden)));
        assert_eq!(levels(&world), [(0, 10.0), (0, 14.0), (1, 8.0), (2, 12.0)]);
        assert!(meshes(&World::new()).found.is_empty());
        let note = "1 meshes without a StandardMaterial are not drawn";
        assert_eq!(meshes(&world).notes, [note]);
    }

    #[test]
    fn nodes_have_the_levels_and_the_meaning_of_their_names() {
        let world = scene(&["oak_LOD0.001", "oak_LOD1.001", "oak_LOD0_leaves", "UCX_oak"]);
        assert_eq!(levels(&world), [(0, 0.0), (0, 2.0), (1, 1.0)]);
        let found = meshes(&world);
        assert_eq!((found.colliders.as_slice(), found.notes), (&["UCX_oak".into()][..], vec![]));
        // The finest without a number.
        let world = scene(&["oak", "oak_LOD1", "oak-col", "oak-colonly"]);
        assert_eq!(levels(&world), [(0, 0.0), (0, 2.0), (1, 1.0)]);
        assert!(meshes(&world).notes.is_empty());
        for (names, note) in [
            (["oak_LOD0", "oak_LOD0.001"], "cannot tell \"oak_LOD0\" from \"oak_LOD0.001\""),
            (["trunk", "leaves_LOD0"], "\"trunk\" names no level"),
            (["LOD0_oak_LOD1", "oak_LOD1"], "\"LOD0_oak_LOD1\" names two levels"),
            (["oak_LOD", "oak_LOD.001"], "\"oak_LOD\" names a level of detail without a number"),
        ] {
            let notes = meshes(&scene(&names)).notes;
            assert!(notes.iter().any(|found| found.starts_with(note)), "{notes:?}");
        }
    }

    /// Each node is looked at once, so that a deep scene takes no longer than a wide one.
    #[test]
    fn deep_scenes_are_read_at_once() {
        let mut world = World::new();
        let mut last = world.spawn(drawn()).id();
        for _ in 0..20_000 {
            let at = Transform::from_xyz(1.0, 0.0, 0.0);
            last = world.spawn((drawn(), at, ChildOf(last))).id();
        }
        let found = meshes(&world).found;
        assert_eq!(found.len(), 20_001);
        assert_eq!(found.last().unwrap().place.translation.x, 20_000.0);
    }

    #[test]
    fn levels_are_read_from_names_of_exporters() {
        let cases = [
            ("oak_LOD0", 0, "oak"),
            ("oak_LOD0.001", 0, "oak"),
            ("oak_LOD1.001", 1, "oak"),
            ("oak_LOD0_leaves", 0, "oak leaves"),
            ("oak_LOD2_leaves.013", 2, "oak leaves"),
            ("LOD0_oak", 0, "oak"),
            ("Lod3", 3, ""),
            ("Oak lod 2", 2, "oak"),
            ("oak.lod1", 1, "oak"),
            ("oak-lod-2", 2, "oak"),
            ("lod_1", 1, ""),
            ("SM_Oak_01_LOD1", 1, "sm_oak_01"),
            ("OakLOD1", 1, "oak"),
            ("oak_LOD12", 12, "oak"),
            ("oak_LOD02_LOD2", 2, "oak lod2"),
            ("Éä_LOD1_ß", 1, "Éä ß"),
            ("oak_LOD0:Mesh", 0, "oak mesh"),
            ("oak(LOD1)", 1, "oak( )"),
        ];
        for (name, number, rest) in cases {
            let level = level_of(name).unwrap().unwrap_or_else(|| panic!("{name} has a level"));
            assert_eq!((level.number, level.rest.as_str()), (number, rest), "{name}");
        }
        let none =
            ["oak", "oak2", "LOD", "oak_LOD", "oak_LOD.001", "OakLODGroup", "é1", "", "oak.001"];
        for name in none {
            assert_eq!(level_of(name), Ok(None), "{name}");
        }
        assert_eq!(level_of("lod99999999999999999999999"), Ok(None));
        assert_eq!(level_of("LOD0_oak_LOD1"), Err(()));
        let lacking = ["oak_LOD", "oak lod.001", "LOD", "OakLOD", "oak_LOD0"].map(lacks_number);
        assert_eq!(lacking, [true, true, false, false, false]);
    }

    #[test]
    fn colliders_are_known_by_their_names() {
        let not_drawn = [
            "UCX_oak",
            "UCX_oak_LOD0_01",
            "ubx_oak.001",
            "USP_oak",
            "UCP_oak",
            "MCDCX_oak",
            "UCX",
            "oak-colonly",
            "oak-convcolonly",
            "oak_colonly",
            "oak-colonly.002",
            "Oak-ColOnly",
            "oak-navmesh",
            "oak-occonly",
            "oak-noimp",
            "oak_phys",
            "oak_Collision",
            "oak-colonly2",
        ];
        for name in not_drawn {
            assert!(is_not_drawn(name), "{name}");
        }
        let drawn = [
            "oak",
            "oak-col",
            "oak-convcol",
            "oak-rigid",
            "UCXoak",
            "oak_UCX",
            "colonly",
            "protocol",
            "oak_LOD0",
            "noimp_oak",
            "",
            "é",
            "oakcolonly",
            "Collision",
            "Collision.001",
        ];
        for name in drawn {
            assert!(!is_not_drawn(name), "{name}");
        }
    }
}
