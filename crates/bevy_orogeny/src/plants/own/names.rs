//! What the names of nodes say, as exporters write them: a level of detail, or that a node is only
//! a collider.

/// The endings of nodes that are not drawn: those of Godot, and what physics engines have.
const NOT_DRAWN: [&str; 8] =
    ["colonly", "convcolonly", "navmesh", "occonly", "noimp", "phys", "collider", "collision"];

/// The beginnings of colliders in Unreal: boxes, capsules, spheres, and convex ones.
const COLLIDERS: [&str; 5] = ["UBX", "UCP", "USP", "UCX", "MCDCX"];

/// Characters between words.
const BETWEEN: [char; 6] = [' ', '_', '-', '.', ':', '$'];

/// Whether a node with this name is not drawn: colliders as `UCX_oak`, `UBX_oak_01` or
/// `oak-colonly`, and other helpers. A `-col` is drawn, and collides.
pub(super) fn is_not_drawn(name: &str) -> bool {
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
pub(super) fn level_of(name: &str) -> Result<Option<Level>, ()> {
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
pub(super) fn lacks_number(name: &str) -> bool {
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
    use super::*;

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
