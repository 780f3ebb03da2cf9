//! The bot's hands and eyes: it presses keys, moves the mouse, and reads the screen.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bevy::asset::AssetPlugin;
use bevy::ecs::system::{IntoSystem, RunSystemOnce};
use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::input::mouse::{MouseButtonInput, MouseMotion, MouseScrollUnit, MouseWheel};
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::{CursorMoved, PrimaryWindow, WindowEvent, WindowResized};
use bevy::winit::WinitPlugin;
use bevy_egui::egui::{Rect, Shape};
use bevy_egui::{EguiFullOutput, EguiPostUpdateSet};
use bevy_orogeny::advanced::{ScatterStats, TerrainStats};
use bevy_orogeny::{Terrain, TerrainEdits, TerrainViewer};
use bevy_orogeny_panel::{DebugView, KeyLabels};

use super::fly::game::{PlayPlugin, ScenePlugin};
use super::fly::sky::TimeOfDay;
use super::fly::world::{Sky, WorldSettings};
use super::fly::worlds::WorldsPlugin;
use super::log;
use crate::shared::no_gpu;

/// The size of the window, in pixels.
pub const SIZE: [f32; 2] = [1280.0, 720.0];
/// A place on the screen that is not under the panel.
pub const FREE: [f32; 2] = [800.0, 420.0];
/// How far terrain is loaded, in metres.
const RANGE: f64 = 1500.0;
/// How densely plants stand.
const PLANTS: f32 = 0.3;
/// How long the terrain may take to load.
const PATIENCE: Duration = Duration::from_secs(240);

/// The program, and somebody who uses it.
pub struct Player {
    pub app: App,
    window: Entity,
    pointer: Vec2,
    /// The folder of screenshots and of new worlds.
    pub folder: PathBuf,
}

/// The texts on the screen and where they are.
#[derive(Resource, Default)]
struct Seen(Vec<(String, Rect)>);

impl Player {
    /// Starts the program in a folder with its assets.
    pub fn start(world: WorldSettings, folder: &Path, is_first: bool) -> Self {
        let mut app = App::new();
        let plugins = DefaultPlugins.build().disable::<WinitPlugin>().set(no_gpu());
        let plugins =
            plugins.set(AssetPlugin { watch_for_changes_override: Some(true), ..default() });
        // A process has one log.
        let plugins = if is_first {
            let filter = "warn,bevy_egui=error".into();
            plugins.set(LogPlugin { filter, custom_layer: log::layer, ..default() })
        } else {
            plugins.disable::<LogPlugin>()
        };
        app.add_plugins(plugins)
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(16)))
            .add_plugins(ScenePlugin { world, time: TimeOfDay(8.7), view: DebugView::default() })
            .add_plugins(PlayPlugin {
                screenshots: folder.join("screenshots"),
                worlds: WorldsPlugin { folder: folder.join("worlds") },
            })
            .init_resource::<Seen>()
            .add_systems(
                PostUpdate,
                look.after(EguiPostUpdateSet::EndPass).before(EguiPostUpdateSet::ProcessOutput),
            );
        app.finish();
        app.cleanup();
        // Bevy complains that there is no renderer.
        drop(log::complaints());
        let world = app.world_mut();
        let window = world.query_filtered::<Entity, With<PrimaryWindow>>().single(world).unwrap();
        let mut player = Self { app, window, pointer: Vec2::ZERO, folder: folder.into() };
        player.resize(SIZE);
        player.move_to(FREE.into());
        player.frames(3);
        player
    }

    pub fn frames(&mut self, count: u32) {
        (0..count).for_each(|_| self.app.update());
    }

    /// Waits until all ground and all plants are there.
    ///
    /// # Errors
    /// They do not come.
    pub fn settle(&mut self) -> Result<(), String> {
        let begun = Instant::now();
        let mut complete = 0;
        while complete < 3 {
            self.frames(1);
            let [stats, scatter] = [
                self.app.world().resource::<TerrainStats>().missing,
                self.app.world().resource::<ScatterStats>().missing,
            ];
            complete = if stats + scatter == 0 { complete + 1 } else { 0 };
            if begun.elapsed() > PATIENCE {
                return Err(format!("after {PATIENCE:?}, {stats} chunks and {scatter} tiles miss"));
            }
            if complete == 0 {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        Ok(())
    }

    pub fn resize(&mut self, [width, height]: [f32; 2]) {
        let window = self.window;
        if let Some(mut own) = self.app.world_mut().get_mut::<Window>(window) {
            own.resolution.set(width, height);
        }
        self.send(WindowEvent::WindowResized(WindowResized { window, width, height }));
        self.frames(2);
    }

    /// Sends an event as winit does.
    fn send(&mut self, event: WindowEvent) {
        let world = self.app.world_mut();
        match event.clone() {
            WindowEvent::WindowResized(event) => drop(world.write_message(event)),
            WindowEvent::CursorMoved(event) => drop(world.write_message(event)),
            WindowEvent::MouseButtonInput(event) => drop(world.write_message(event)),
            WindowEvent::MouseMotion(event) => drop(world.write_message(event)),
            WindowEvent::MouseWheel(event) => drop(world.write_message(event)),
            WindowEvent::KeyboardInput(event) => drop(world.write_message(event)),
            other => unreachable!("{other:?}"),
        }
        world.write_message(event);
    }

    fn key(&mut self, key_code: KeyCode, logical_key: Key, state: ButtonState) {
        let text = match (&logical_key, state) {
            (Key::Character(text), ButtonState::Pressed) => Some(text.clone()),
            _ => None,
        };
        let window = self.window;
        let event = KeyboardInput { key_code, logical_key, state, text, repeat: false, window };
        self.send(WindowEvent::KeyboardInput(event));
    }

    /// Holds a key of a US keyboard for some frames.
    pub fn hold(&mut self, key: KeyCode, frames: u32) {
        self.key(key, label(key), ButtonState::Pressed);
        self.frames(frames);
        self.key(key, label(key), ButtonState::Released);
        self.frames(1);
    }

    pub fn press(&mut self, key: KeyCode) {
        self.hold(key, 1);
    }

    /// Presses a key of another layout, with the label that it has there.
    pub fn press_labelled(&mut self, key: KeyCode, label: &str) {
        self.key(key, Key::Character(label.into()), ButtonState::Pressed);
        self.frames(1);
        self.key(key, Key::Character(label.into()), ButtonState::Released);
        self.frames(1);
    }

    /// Presses a key while Ctrl is held.
    pub fn press_with_control(&mut self, key: KeyCode) {
        self.key(KeyCode::ControlLeft, Key::Control, ButtonState::Pressed);
        self.press(key);
        self.key(KeyCode::ControlLeft, Key::Control, ButtonState::Released);
        self.frames(1);
    }

    pub fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            // The place of the key does not matter to a text field.
            self.press_labelled(KeyCode::F24, &c.to_string());
        }
    }

    pub fn move_to(&mut self, position: Vec2) {
        let (window, delta) = (self.window, position - self.pointer);
        self.pointer = position;
        if let Some(mut own) = self.app.world_mut().get_mut::<Window>(window) {
            own.set_cursor_position(Some(position));
        }
        let moved = CursorMoved { window, position, delta: Some(delta) };
        self.send(WindowEvent::CursorMoved(moved));
        self.send(WindowEvent::MouseMotion(MouseMotion { delta }));
        self.frames(1);
    }

    fn button(&mut self, button: MouseButton, state: ButtonState) {
        let window = self.window;
        self.send(WindowEvent::MouseButtonInput(MouseButtonInput { button, state, window }));
        self.frames(1);
    }

    /// Drags from a place to another one, or clicks if they are the same.
    pub fn drag(&mut self, button: MouseButton, from: Vec2, to: Vec2) {
        const STEPS: u8 = 6;
        self.move_to(from);
        self.button(button, ButtonState::Pressed);
        if from != to {
            for step in 1..=STEPS {
                self.move_to(from.lerp(to, f32::from(step) / f32::from(STEPS)));
            }
        }
        self.button(button, ButtonState::Released);
        self.frames(2);
    }

    pub fn click_at(&mut self, place: Vec2) {
        self.drag(MouseButton::Left, place, place);
    }

    pub fn turn_wheel(&mut self, y: f32) {
        let (unit, window) = (MouseScrollUnit::Line, self.window);
        let phase = bevy::input::touch::TouchPhase::Moved;
        self.send(WindowEvent::MouseWheel(MouseWheel { unit, x: 0.0, y, window, phase }));
        self.frames(1);
    }

    fn texts(&self) -> &[(String, Rect)] {
        &self.app.world().resource::<Seen>().0
    }

    pub fn sees(&self, part: &str) -> bool {
        self.texts().iter().any(|(text, _)| text.contains(part))
    }

    /// All that can be read, for messages of failures.
    pub fn screen(&self) -> Vec<&str> {
        self.texts().iter().map(|(text, _)| text.as_str()).collect()
    }

    /// The message at the bottom of the screen.
    pub fn message(&self) -> Option<&str> {
        let is_low = |rect: &Rect| {
            rect.center().y > SIZE[1] - 50.0 && (rect.center().x - 0.5 * SIZE[0]).abs() < 4.0
        };
        self.texts().iter().find(|(_, rect)| is_low(rect)).map(|(text, _)| text.as_str())
    }

    /// The middle of the texts for which a condition holds, in the order in which they are drawn.
    pub fn find(&self, is: impl Fn(&str) -> bool) -> Vec<Vec2> {
        let found = self.texts().iter().filter(|(text, _)| is(text));
        found.map(|(_, rect)| Vec2::new(rect.center().x, rect.center().y)).collect()
    }

    /// Clicks the last text of these words, which is on top of others.
    ///
    /// # Errors
    /// It is not there.
    pub fn click(&mut self, words: &str) -> Result<(), String> {
        let found = self.find(|text| text == words).pop();
        let place = found.ok_or_else(|| format!("no {words:?} in {:?}", self.screen()))?;
        self.click_at(place);
        Ok(())
    }

    /// Asks the world something.
    pub fn ask<T: 'static, M>(&mut self, question: impl IntoSystem<(), T, M>) -> T {
        self.app.world_mut().run_system_once(question).expect("the world answers")
    }

    pub fn resource<R: Resource>(&self) -> &R {
        self.app.world().resource::<R>()
    }

    /// The terrain and its edits.
    pub fn terrain(&mut self) -> (Terrain, TerrainEdits) {
        let mut terrains = self.app.world_mut().query::<(&Terrain, &TerrainEdits)>();
        let (terrain, edits) = terrains.single(self.app.world()).expect("there is a terrain");
        (terrain.clone(), edits.clone())
    }

    /// A component of the camera.
    pub fn camera<C: Component + Clone>(&mut self) -> Option<C> {
        let mut cameras = self.app.world_mut().query_filtered::<&C, With<Camera3d>>();
        cameras.single(self.app.world()).ok().cloned()
    }
}

/// The settings of a start: a preset, somewhere.
pub fn settings(preset: &str, place: Option<&str>) -> WorldSettings {
    WorldSettings {
        sky: Sky::Atmosphere,
        preset: preset.into(),
        recipe: None,
        viewer: TerrainViewer { range: RANGE, ..default() },
        edits: TerrainEdits::default(),
        scatter_density: PLANTS,
        place: place.map(|place| place.parse().expect("a place")),
    }
}

/// Reads the screen.
fn look(outputs: Query<&EguiFullOutput>, mut seen: ResMut<Seen>) {
    fn collect(shape: &Shape, clip: Rect, texts: &mut Vec<(String, Rect)>) {
        match shape {
            Shape::Text(text) => {
                let rect = text.visual_bounding_rect();
                // What is cut off at its middle is not read, and not clicked.
                if clip.contains(rect.center()) {
                    texts.push((text.galley.text().into(), rect));
                }
            }
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, clip, texts)),
            _ => {}
        }
    }
    for output in outputs.iter().filter_map(|output| output.0.as_ref()) {
        seen.0.clear();
        output.shapes.iter().for_each(|shape| collect(&shape.shape, shape.clip_rect, &mut seen.0));
    }
}

/// What a US keyboard has on a key.
fn label(key: KeyCode) -> Key {
    let name = KeyLabels::default().printed(key);
    match key {
        KeyCode::Enter => Key::Enter,
        KeyCode::ShiftLeft => Key::Shift,
        _ if name.chars().count() == 1 => Key::Character(name.to_lowercase().as_str().into()),
        _ => Key::Unidentified(bevy::input::keyboard::NativeKey::Unidentified),
    }
}
