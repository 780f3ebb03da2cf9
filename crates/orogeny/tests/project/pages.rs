//! The first page of a crate's documentation shows what most programs use, and nothing else.

use std::collections::BTreeSet;
use std::fs;

use super::root;

/// What the first pages show. All else is in the module `advanced`, or hidden.
const PAGES: [(&str, &str); 3] = [
    (
        "bevy_orogeny",
        "advanced docs orogeny prelude \
         TerrainPlugins Terrain Ground TerrainPreset TerrainViewer TerrainQuality TerrainProblems \
         TerrainQuery TerrainGround GroundQuery TerrainEditor GroundEditor TerrainEdits \
         EditApplied GroundEdited GroundReady TerrainChanged TerrainReady \
         SpawnOnGround TerrainWalker walk TerrainColliderSource TerrainOrigin WorldPosition \
         GroundTextures GroundMaterial PlantModels PlantModel",
    ),
    (
        "bevy_orogeny_navigation",
        "advanced NavigationPlugin NavigationAgent NavigationMesh NavigationTiles NavigationPath \
         NavigationSource NavigationObstacle NavigationChanged NavigationError",
    ),
    (
        "bevy_orogeny_panel",
        "egui TerrainPanelPlugin TerrainPanel TerrainPanelApp PanelKeys PanelMessage PanelStep \
         KeyLabels Shortcuts DebugView DebugViewPlugin",
    ),
];

/// The names that a file makes public at its top level and does not hide.
fn shown(package: &str, file: &str) -> BTreeSet<String> {
    let path = root().join("crates").join(package).join("src").join(file);
    let text = fs::read_to_string(path).unwrap().replace("#[doc(hidden)]\npub ", "");
    let mut names = BTreeSet::new();
    for item in text.split("\npub ").skip(1) {
        let ends: &[char] = if item.starts_with("mod ") { &[';', '{'] } else { &[';'] };
        let item = &item[..item.find(ends).unwrap()];
        let paths = item.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').skip(1);
        let paths = paths.filter(|path| !path.is_empty() && !path.ends_with("::"));
        names.extend(paths.map(|path| path.rsplit("::").next().unwrap().to_owned()));
    }
    names
}

#[test]
fn first_pages_are_short() {
    for (package, expected) in PAGES {
        let expected: BTreeSet<String> = expected.split_whitespace().map(str::to_owned).collect();
        assert_eq!(shown(package, "lib.rs"), expected, "{package}");
    }
}

/// A game needs one import: the prelude has all types of the first page, and then some.
#[test]
fn the_prelude_has_the_first_page() {
    let prelude = shown("bevy_orogeny", "prelude.rs");
    let mut page = shown("bevy_orogeny", "lib.rs");
    page.retain(|name| !["advanced", "docs", "orogeny", "prelude"].contains(&name.as_str()));
    let missing: Vec<_> = page.difference(&prelude).collect();
    assert!(missing.is_empty() && prelude.len() < 60, "{missing:?}, {}", prelude.len());
}
