//! The material of chunks: the terrain's own material, or the default one.

use bevy::app::Plugins;
use bevy::prelude::*;
use bevy::render::render_resource::AsBindGroup;
use bevy_orogeny::advanced::{
    ATTRIBUTE_VERTEX, Chunk, Sea, TerrainMaterial, TerrainMaterialPlugin, TerrainProblem,
    TerrainStats,
};
use bevy_orogeny::orogeny::Appearance;
use bevy_orogeny::orogeny::cover::{CoverKind, CoverLayer};
use bevy_orogeny::orogeny::{Climate, Cover};
use bevy_orogeny::{Terrain, TerrainProblems, TerrainViewer};

use crate::shared::bare;

type Standard = MeshMaterial3d<StandardMaterial>;
type Default = MeshMaterial3d<TerrainMaterial>;

/// An app with materials that draws nothing.
fn app() -> App {
    app_with(())
}

/// The same with additional plugins.
fn app_with<M>(plugins: impl Plugins<M>) -> App {
    super::app(plugins, TerrainViewer { range: 300.0, ..default() })
}

fn settle(app: &mut App) {
    (0..3).for_each(|_| app.update());
    while app.world().resource::<TerrainStats>().missing > 0 {
        app.update();
    }
    app.update();
}

/// The number of drawn chunks, their standard materials, and the number with the default material.
fn chunk_materials(app: &mut App) -> (usize, Vec<Handle<StandardMaterial>>, usize) {
    type Meshes = (With<Chunk>, With<Mesh3d>);
    let world = app.world_mut();
    let mut chunks =
        world.query_filtered::<(Option<&Standard>, Has<Default>, &Visibility), Meshes>();
    let drawn = chunks.iter(app.world()).filter(|(.., v)| **v == Visibility::Inherited);
    let all: Vec<_> = drawn.collect();
    let standard = all.iter().filter_map(|(standard, ..)| standard.map(|m| m.0.clone()));
    (all.len(), standard.collect(), all.iter().filter(|(_, default, _)| *default).count())
}

fn standard(app: &mut App, color: Color) -> Standard {
    MeshMaterial3d(app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(color))
}

/// The number of chunk meshes that can geomorph, and of those with skirts. Every chunk has exactly
/// one of both.
fn seams(app: &mut App) -> (usize, usize) {
    let mut chunks = app.world_mut().query_filtered::<&Mesh3d, With<Chunk>>();
    let meshes = app.world().resource::<Assets<Mesh>>();
    let (mut morph, mut skirts) = (0, 0);
    for mesh in chunks.iter(app.world()) {
        let mesh = meshes.get(&mesh.0).unwrap();
        let morphs = mesh.attribute(ATTRIBUTE_VERTEX).is_some();
        let hangs = mesh.count_vertices() == 33 * 33 + 4 * 33;
        assert!(morphs != hangs, "morphs {morphs}, skirt {hangs}");
        (morph, skirts) = (morph + usize::from(morphs), skirts + usize::from(hangs));
    }
    (morph, skirts)
}

/// The plugin's material geomorphs, and any other material gets skirts. A change of the type of
/// material rebuilds the terrain.
#[test]
fn seams_suit_the_material() {
    let mut app = app();
    let red = standard(&mut app, Color::srgb(1.0, 0.0, 0.0));
    let terrain = app.world_mut().spawn(Terrain::default()).id();
    settle(&mut app);
    let (morph, skirts) = seams(&mut app);
    assert!(morph > 0 && skirts == 0, "{morph} {skirts}");
    app.world_mut().entity_mut(terrain).insert(red);
    settle(&mut app);
    (0..20).for_each(|_| app.update());
    let (morph, skirts) = seams(&mut app);
    assert!(morph == 0 && skirts > 0, "{morph} {skirts}");
    app.world_mut().entity_mut(terrain).remove::<Standard>();
    settle(&mut app);
    (0..20).for_each(|_| app.update());
    let (morph, skirts) = seams(&mut app);
    assert!(morph > 0 && skirts == 0, "{morph} {skirts}");
}

/// Whether every drawn chunk has exactly one material, the one that it was built for: the default
/// one if it geomorphs, and a standard one if it has skirts.
fn meshes_suit_materials(app: &mut App) -> bool {
    let mut chunks = app
        .world_mut()
        .query_filtered::<(&Mesh3d, Has<Standard>, Has<Default>, &Visibility), With<Chunk>>();
    let meshes = app.world().resource::<Assets<Mesh>>();
    let mut drawn = chunks.iter(app.world()).filter(|(.., v)| **v == Visibility::Inherited);
    drawn.all(|(mesh, standard, default, _)| {
        let morphs = meshes.get(&mesh.0).unwrap().attribute(ATTRIBUTE_VERTEX).is_some();
        default == morphs && standard != morphs
    })
}

/// While chunks are rebuilt for a material with other seams, the old ones keep the old material. No
/// frame shows cracks or a chunk without a material, whenever the material changes again.
#[test]
fn chunks_keep_their_material_until_they_are_replaced() {
    for frames_between in [1, 2, 5, 400] {
        let mut app = app();
        // The test inspects the meshes.
        let terrain = app.world_mut().spawn(Terrain { keep_meshes: true, ..bare() }).id();
        let red = standard(&mut app, Color::srgb(1.0, 0.0, 0.0));
        settle(&mut app);
        for change in 0..6 {
            if change % 2 == 0 {
                app.world_mut().entity_mut(terrain).insert(red.clone());
            } else {
                app.world_mut().entity_mut(terrain).remove::<Standard>();
            }
            for frame in 0..frames_between {
                app.update();
                let suit = meshes_suit_materials(&mut app);
                assert!(suit, "frame {frame} of {frames_between} after change {change}");
            }
        }
        settle(&mut app);
        let (chunks, standard, default) = chunk_materials(&mut app);
        assert!(chunks > 0 && standard.is_empty() && default == chunks);
    }
}

#[test]
fn a_terrain_without_a_material_gets_the_default_one() {
    let mut app = app();
    app.world_mut().spawn(Terrain::default());
    settle(&mut app);
    let (chunks, standard, default) = chunk_materials(&mut app);
    assert!(chunks > 0 && standard.is_empty() && default == chunks, "{chunks} {default}");
}

#[test]
fn chunks_follow_the_material_of_their_terrain() {
    let mut app = app();
    let (red, blue) = (
        standard(&mut app, Color::srgb(1.0, 0.0, 0.0)),
        standard(&mut app, Color::srgb(0.0, 0.0, 1.0)),
    );
    let terrain = app.world_mut().spawn((Terrain::default(), red.clone())).id();
    let has_only = |app: &mut App, expected: &Standard| {
        settle(app);
        let (chunks, standard, default) = chunk_materials(app);
        assert!(chunks > 0 && default == 0, "{chunks} {default}");
        assert_eq!(standard, vec![expected.0.clone(); chunks]);
    };
    has_only(&mut app, &red);
    // Another material of the same type.
    app.world_mut().entity_mut(terrain).insert(blue.clone());
    has_only(&mut app, &blue);
    // No material: the default one again.
    app.world_mut().entity_mut(terrain).remove::<Standard>();
    settle(&mut app);
    let (chunks, standard, default) = chunk_materials(&mut app);
    assert!(standard.is_empty() && default == chunks);
    // Another type of material, which replaces the default one.
    app.world_mut().entity_mut(terrain).insert(red.clone());
    has_only(&mut app, &red);
    assert!(!app.world().entity(terrain).contains::<Default>());
}

/// A material type without `TerrainMaterialPlugin` is reported by name, whenever it is inserted,
/// until it is removed or the plugin is added.
#[test]
fn a_material_without_its_plugin_is_reported() {
    #[derive(Asset, AsBindGroup, TypePath, Clone, Default)]
    struct Map {}
    impl Material for Map {}
    let unknown = |app: &App| {
        let problems = app.world().resource::<TerrainProblems>();
        problems.iter().find_map(|(_, problem)| match problem {
            TerrainProblem::UnknownMaterial { material } => Some(material.clone()),
            _ => None,
        })
    };
    for late in [false, true] {
        let mut app = app_with(MaterialPlugin::<Map>::default());
        let map = MeshMaterial3d(app.world_mut().resource_mut::<Assets<Map>>().add(Map {}));
        let terrain = app.world_mut().spawn(Terrain::default()).id();
        if late {
            settle(&mut app);
            assert_eq!(unknown(&app), None);
        }
        app.world_mut().entity_mut(terrain).insert(map.clone());
        settle(&mut app);
        assert_eq!(unknown(&app).as_deref(), Some("MeshMaterial3d<Map>"));
        // The ground is drawn meanwhile, each chunk once.
        let (chunks, standard, default) = chunk_materials(&mut app);
        assert!(chunks > 0 && standard.is_empty() && default == chunks, "{chunks} {default}");
        app.world_mut().entity_mut(terrain).remove::<MeshMaterial3d<Map>>();
        settle(&mut app);
        assert_eq!(unknown(&app), None);
    }
    let mut app =
        app_with((MaterialPlugin::<Map>::default(), TerrainMaterialPlugin::<Map>::default()));
    let map = MeshMaterial3d(app.world_mut().resource_mut::<Assets<Map>>().add(Map {}));
    app.world_mut().spawn((Terrain::default(), map));
    settle(&mut app);
    assert_eq!(unknown(&app), None);
}

/// A change of only the cover or the sea takes effect at once, without rebuilding chunks. An
/// invalid change has no effect.
#[test]
fn a_change_of_looks_builds_nothing() {
    let mut app = app();
    let terrain = app.world_mut().spawn(bare()).id();
    settle(&mut app);
    let built = app.world().resource::<TerrainStats>().built;
    let seas = |app: &mut App| app.world_mut().query::<&Sea>().iter(app.world()).count();
    let appearance = |app: &App| {
        let material = &app.world().get::<Default>(terrain).unwrap().0;
        let materials = app.world().resource::<Assets<TerrainMaterial>>();
        materials.get(material).unwrap().extension.appearance.clone()
    };
    let change = |app: &mut App, change: &dyn Fn(Terrain) -> Terrain| {
        let mut settings = app.world_mut().get_mut::<Terrain>(terrain).unwrap();
        *settings = change(settings.clone());
        (0..3).for_each(|_| app.update());
    };
    assert_eq!((appearance(&app), seas(&mut app)), (bare().ground.appearance(), 0));

    let sand = Cover { layers: vec![CoverLayer::of(CoverKind::Sand)] };
    change(&mut app, &|settings| settings.covered(sand.clone()).with_sea(12.0));
    assert_eq!(
        appearance(&app),
        Appearance { cover: sand.clone(), sea_level: Some(12.0), ..bare().ground.appearance() }
    );
    assert_eq!(seas(&mut app), 1);

    // The season of a climate, even if cover depends on it.
    let winter = Climate { season: -1.0, ..Climate::default() };
    change(&mut app, &|settings| settings.with_climate(winter.clone()));
    assert_eq!(appearance(&app).climate, winter);

    change(&mut app, &|settings| settings.covered(Cover { layers: vec![] }));
    assert_eq!(appearance(&app).cover, sand);
    let problems: Vec<_> = app.world().resource::<TerrainProblems>().iter().collect();
    assert!(problems[0].1.to_string().contains("cover"), "{problems:?}");
    assert_eq!(app.world().resource::<TerrainStats>().built, built);

    change(&mut app, &|_| bare());
    assert_eq!((appearance(&app), seas(&mut app)), (bare().ground.appearance(), 0));
    assert_eq!(app.world().resource::<TerrainStats>().built, built);
}
