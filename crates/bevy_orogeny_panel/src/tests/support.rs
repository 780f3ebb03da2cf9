//! An app without a window, and a simulated user of its panel.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use bevy::input::ButtonInput;
use bevy::prelude::*;
use bevy_egui::egui::{
    Context, Event, FontDefinitions, FontFamily, FontId, FullOutput, Galley, Key, Modifiers,
    PointerButton, Pos2, RawInput, Rect, pos2, vec2,
};
use bevy_orogeny::{Terrain, TerrainPlugins, TerrainViewer};
use orogeny::{Fractal, GradientNoise, Node, Recipe};
use ttf_parser::Face;

use crate::document::Document;
use crate::editing::Editing;
use crate::plugin::{self, TerrainPanelPlugin};
use crate::tools::Tools;
use crate::views::DebugView;
use crate::window;

pub fn hills(seed: u64) -> Node {
    Fractal { frequency: 1e-3, amplitude: 0.5, ..Fractal::fbm(4.0, GradientNoise::seeded(seed)) }
        .into()
}

/// Three layers. The second one contains a node.
pub fn recipe() -> Recipe {
    let text = "(seed: 1, height: 100.0, field: Add([
        Constant(1.0), Multiply([Constant(2.0), Constant(3.0)]), Constant(4.0),
    ]))";
    Recipe::from_ron(text).unwrap()
}

/// The folder of the project's presets.
pub fn project_presets() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../assets/presets")
}

pub fn read(path: &std::path::Path) -> Recipe {
    Recipe::from_ron(&fs::read_to_string(path).unwrap()).unwrap()
}

/// A game with a panel, and what a user sees of it.
pub struct Person {
    pub app: App,
    pub context: Context,
    screen: Rect,
    seconds: f64,
    /// The rectangle of the panel's window.
    pub window: Rect,
    /// The texts drawn in the last frame, and their rectangles.
    pub texts: Vec<(String, Rect)>,
    /// The labels among them that are cut off.
    pub cut: Vec<String>,
    /// The texts with a character that their font lacks.
    pub boxes: Vec<String>,
}

impl Person {
    pub fn new(recipe: Recipe, size: [f32; 2]) -> Self {
        Self::with_assets(AssetPlugin::default(), recipe, size)
    }

    fn with_assets(assets: AssetPlugin, recipe: Recipe, [width, height]: [f32; 2]) -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, assets, TransformPlugin, TerrainPlugins));
        app.init_resource::<ButtonInput<KeyCode>>().init_resource::<DebugView>();
        plugin::build(&TerrainPanelPlugin::default(), &mut app);
        app.world_mut().spawn(Terrain::recipe(recipe));
        app.world_mut().spawn((Camera3d::default(), TerrainViewer { range: 500.0, ..default() }));
        let screen = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        let context = Context::default();
        let mut person = Self {
            app,
            context,
            screen,
            seconds: 0.0,
            window: Rect::NOTHING,
            texts: Vec::new(),
            cut: Vec::new(),
            boxes: Vec::new(),
        };
        person.frames(3);
        person
    }

    /// Changes the size of the screen.
    pub fn resize(&mut self, [width, height]: [f32; 2]) {
        self.screen = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        self.frames(3);
    }

    /// The same, with files in its own folder.
    pub fn with_files(recipe: Recipe, folder: &std::path::Path) -> Self {
        let file_path = folder.to_str().unwrap().into();
        Self::with_assets(AssetPlugin { file_path, ..default() }, recipe, [1280.0, 720.0])
    }

    pub fn editing(&mut self) -> Mut<'_, Editing> {
        self.app.world_mut().resource_mut::<Editing>()
    }

    pub fn document(&mut self) -> Mut<'_, Document> {
        self.editing().map_unchanged(|editing| editing.document.as_mut().unwrap())
    }

    /// The recipe that the terrain has.
    pub fn terrain(&mut self) -> Recipe {
        let mut terrains = self.app.world_mut().query::<&Terrain>();
        match &terrains.single(self.app.world()).unwrap().ground {
            bevy_orogeny::Ground::Recipe(recipe) => recipe.clone(),
            other => panic!("{other:?}"),
        }
    }

    /// Runs frames until a condition holds.
    pub fn wait(&mut self, what: &str, holds: impl Fn(&mut Self) -> bool) {
        let begun = std::time::Instant::now();
        while !holds(self) {
            assert!(begun.elapsed().as_secs() < 120, "no {what} within 120 s");
            self.frame(Vec::new());
        }
    }

    /// The names of all tabs.
    pub fn tabs(&self) -> Vec<String> {
        self.app.world().resource::<window::PanelTabs>().names().map(String::from).collect()
    }

    pub fn open(&mut self, tab: &str) {
        self.app.world_mut().resource_mut::<window::TerrainPanel>().tab = tab.into();
        self.frames(3);
    }

    /// Runs a frame of the game and of the panel.
    pub fn frame(&mut self, events: Vec<Event>) {
        self.app.update();
        self.seconds += 0.05;
        let input = RawInput {
            screen_rect: Some(self.screen),
            time: Some(self.seconds),
            events,
            ..RawInput::default()
        };
        let (world, context) = (self.app.world_mut(), self.context.clone());
        let mut window = None;
        let output = context.clone().run_ui(input, |_| window = window::draw(world, &context));
        self.window = window.unwrap_or(Rect::NOTHING);
        let galleys = galleys(&output);
        let text = |galley: &Galley| String::from(galley.text());
        self.texts = galleys.iter().map(|(galley, rect)| (text(galley), *rect)).collect();
        // Titles of layers and kinds may be long: they are whole in their hover text.
        let is_title = |galley: &Galley| galley.text().contains([':', ',']);
        let cut = galleys.iter().filter(|(galley, _)| galley.elided && !is_title(galley));
        self.cut = cut.map(|(galley, _)| text(galley)).collect();
        let boxes = galleys.iter().filter(|(galley, _)| has_boxes(galley));
        self.boxes = boxes.map(|(galley, _)| text(galley)).collect();
        output.drop_without_applying_deltas();
    }

    /// Runs so many frames.
    pub fn frames(&mut self, count: u32) {
        (0..count).for_each(|_| self.frame(Vec::new()));
    }

    pub fn mouse(&mut self) -> Mut<'_, ButtonInput<MouseButton>> {
        self.app.world_mut().resource_mut()
    }

    pub fn tools(&mut self) -> Mut<'_, Tools> {
        self.app.world_mut().resource_mut()
    }

    pub fn set_tools(&mut self, change: impl FnOnce(&mut Tools)) {
        change(&mut self.tools());
    }

    /// The rectangle of a text.
    pub fn find(&self, text: &str) -> Rect {
        let found = self.texts.iter().find(|(own, _)| own == text);
        found
            .unwrap_or_else(|| {
                panic!(
                    "no {text:?} in {:?}",
                    self.texts.iter().map(|(text, _)| text).collect::<Vec<_>>()
                )
            })
            .1
    }

    pub fn sees(&self, part: &str) -> bool {
        self.texts.iter().any(|(text, _)| text.contains(part))
    }

    /// The first text that begins like this, and its rectangle.
    pub fn starting(&self, start: &str) -> (String, Rect) {
        let found = self.texts.iter().find(|(text, _)| text.starts_with(start));
        found.unwrap_or_else(|| panic!("no {start:?} in {:?}", self.texts)).clone()
    }

    pub fn click(&mut self, text: &str) {
        let at = self.find(text).center();
        self.drag(at, at, 1);
    }

    /// Clicks the last text drawn, which is on top of others.
    pub fn click_last(&mut self, text: &str) {
        let at = self.texts.iter().rfind(|(own, _)| own == text).unwrap().1.center();
        self.drag(at, at, 1);
    }

    pub fn drag(&mut self, from: Pos2, to: Pos2, steps: u16) {
        self.frame(vec![Event::PointerMoved(from)]);
        self.frame(vec![button(from, true)]);
        for i in 1..=steps {
            let at = from + (to - from) * (f32::from(i) / f32::from(steps));
            self.frame(vec![Event::PointerMoved(at)]);
        }
        self.frame(vec![button(to, false)]);
        self.frame(Vec::new());
    }

    pub fn press(&mut self, modifiers: Modifiers, key: Key) {
        let event =
            |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        self.frame(vec![Event::ModifiersChanged(modifiers), event(true)]);
        self.frame(vec![event(false), Event::ModifiersChanged(Modifiers::NONE)]);
        self.frame(Vec::new());
    }

    pub fn type_text(&mut self, text: &str) {
        self.frame(vec![Event::Text(text.into())]);
    }

    /// Types into the number at a place, instead of the old one.
    pub fn replace_at(&mut self, at: Pos2, text: &str) {
        self.drag(at, at, 1);
        self.press(Modifiers::COMMAND, Key::A);
        self.type_text(text);
        self.press(Modifiers::NONE, Key::Enter);
        self.frame(Vec::new());
    }

    /// A point to the right of a name, in its row.
    pub fn right_of(&self, name: &str) -> Pos2 {
        let rect = self.find(name);
        pos2(rect.left() + 136.0, rect.center().y)
    }
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    }
}

/// Whether a text has a character that none of its fonts has.
fn has_boxes(galley: &Galley) -> bool {
    let job = &galley.job;
    job.sections.iter().any(|section| {
        let range = section.byte_range.start.0..section.byte_range.end.0;
        has_box(&section.format.font_id, &job.text[range])
    })
}

/// Whether a text has a character that a font and its fallbacks lack. `Fonts::has_glyph` of egui
/// denies all characters of the font that has the box.
pub fn has_box(font: &FontId, text: &str) -> bool {
    static FACES: LazyLock<BTreeMap<FontFamily, Vec<Face<'static>>>> = LazyLock::new(|| {
        let FontDefinitions { font_data, families } = FontDefinitions::default();
        let faces: BTreeMap<_, _> = font_data
            .into_iter()
            .map(|(name, data)| {
                let bytes: &'static [u8] = Vec::leak(data.font.to_vec());
                (name, Face::parse(bytes, data.index).unwrap())
            })
            .collect();
        let of_family = |names: Vec<String>| names.iter().map(|name| faces[name].clone()).collect();
        families.into_iter().map(|(family, names)| (family, of_family(names))).collect()
    });
    let has_glyph = |c| FACES[&font.family].iter().any(|face| face.glyph_index(c).is_some());
    text.chars().any(|c| !c.is_control() && !has_glyph(c))
}

/// All visible texts.
fn galleys(output: &FullOutput) -> Vec<(Arc<Galley>, Rect)> {
    use bevy_egui::egui::Shape;
    fn collect(shape: &Shape, clip: Rect, texts: &mut Vec<(Arc<Galley>, Rect)>) {
        match shape {
            Shape::Text(text) => {
                let rect = text.visual_bounding_rect();
                if clip.intersects(rect) {
                    texts.push((text.galley.clone(), rect));
                }
            }
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, clip, texts)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    output.shapes.iter().for_each(|shape| collect(&shape.shape, shape.clip_rect, &mut found));
    found
}
