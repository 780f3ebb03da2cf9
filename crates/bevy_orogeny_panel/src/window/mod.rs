//! The panel's window: its tabs, keys and messages.
//!
//! `keys` lists the keys and their actions. The tabs themselves are in `tabs`. Start with [`draw`].

pub mod keys;

use std::time::Duration;

use bevy::ecs::system::{BoxedSystem, IntoSystem};
use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, Context, Id, Label, LayerId, Order, ScrollArea, Ui};
use bevy_egui::{EguiContext, PrimaryEguiContext};

use self::keys::PanelKeys;
use crate::controls;
use crate::editing::Editing;
use crate::recipe::labels::{capitalised, describe_error};
use crate::recipe::typed::take_wrong;
use crate::tools::Tools;

/// The window's title. It is also the source of its egui id, see [`has_attention`].
pub const TITLE: &str = "orogeny";
/// Width of the content, in points.
const WIDTH: f32 = 364.0;
/// Space between the window and the edges of the screen, in points.
const MARGIN: f32 = 8.0;

/// The state of the panel. Games may change it.
#[derive(Resource, Clone, Debug, PartialEq, Eq)]
pub struct TerrainPanel {
    /// Whether the panel is hidden. [`PanelKeys::toggle`] changes it.
    pub hidden: bool,
    /// The name of the open tab.
    pub tab: String,
}

impl Default for TerrainPanel {
    fn default() -> Self {
        Self { hidden: false, tab: "Terrain".into() }
    }
}

impl TerrainPanel {
    /// The rectangle of the panel's window on the screen, in points; `None` while it is hidden. A
    /// game can draw beside it.
    pub fn rect(&self, context: &Context) -> Option<egui::Rect> {
        let rect = context.memory(|memory| memory.area_rect(Id::new(TITLE)));
        rect.filter(|_| !self.hidden)
    }
}

/// A tab: a Bevy system that draws itself into an egui `Ui`.
struct Tab {
    name: String,
    help: String,
    show: BoxedSystem<InMut<'static, Ui>>,
}

/// All tabs of the panel, in their order.
#[derive(Resource, Default)]
pub struct PanelTabs(Vec<Tab>);

impl PanelTabs {
    /// The names of the tabs.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|tab| tab.name.as_str())
    }
}

/// Lets games add their own tabs.
pub trait TerrainPanelApp {
    /// Adds a tab with a name, a hover text and a system that draws it:
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_orogeny_panel::{TerrainPanelApp, egui};
    ///
    /// #[derive(Resource, Default)]
    /// struct Wind(f32);
    ///
    /// App::new().init_resource::<Wind>().add_panel_tab(
    ///     "Wind",
    ///     "Wind speed",
    ///     |mut ui: InMut<egui::Ui>, mut wind: ResMut<Wind>| {
    ///         ui.add(egui::Slider::new(&mut wind.0, 0.0..=30.0).suffix(" m/s"));
    ///     },
    /// );
    /// ```
    fn add_panel_tab<M>(
        &mut self,
        name: &str,
        help: &str,
        show: impl IntoSystem<InMut<'static, Ui>, (), M>,
    ) -> &mut Self;
}

impl TerrainPanelApp for App {
    fn add_panel_tab<M>(
        &mut self,
        name: &str,
        help: &str,
        show: impl IntoSystem<InMut<'static, Ui>, (), M>,
    ) -> &mut Self {
        let world = self.world_mut();
        let mut show: BoxedSystem<InMut<'static, Ui>> = Box::new(IntoSystem::into_system(show));
        show.initialize(world);
        let tab = Tab { name: name.into(), help: help.into(), show };
        world.get_resource_or_init::<PanelTabs>().0.push(tab);
        self
    }
}

/// Draws the panel in the primary egui context, if there is one.
pub fn show(world: &mut World) {
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let Ok(mut context) = contexts.single_mut(world) else { return };
    let context = context.get_mut().clone();
    draw(world, &context);
}

/// Draws the panel and returns the rectangle of its window, if it is open.
pub fn draw(world: &mut World, context: &Context) -> Option<egui::Rect> {
    world.resource_mut::<PanelMessage>().show(context);
    world.resource_scope(|world, keys: Mut<PanelKeys>| {
        let has_tool = world.resource::<Tools>().tool.is_some();
        keys::undo_and_redo(context, &keys, &mut world.resource_mut::<Editing>(), has_tool);
    });
    if world.resource::<TerrainPanel>().hidden {
        return None;
    }
    world.resource_scope(|world, mut tabs: Mut<PanelTabs>| {
        let screen = context.content_rect();
        let window = egui::Window::new(TITLE)
            .id(Id::new(TITLE))
            .default_pos([MARGIN, MARGIN])
            // The height follows the content.
            .auto_sized()
            .show(context, |ui| {
                // A window may be narrower than its margins.
                ui.set_width(WIDTH.min(screen.width() - 4.0 * MARGIN).max(0.0));
                choose(ui, world, &tabs);
                ui.separator();
                let height = (screen.height() - ui.cursor().top() - 2.0 * MARGIN).max(80.0);
                let front = world.resource::<TerrainPanel>().tab.clone();
                ScrollArea::vertical()
                    .id_salt(&front)
                    .auto_shrink([false, true])
                    .max_height(height)
                    // egui remembers how low the screen once was.
                    .min_scrolled_height(height)
                    .show(ui, |ui| {
                        if let Some(tab) = tabs.0.iter_mut().find(|tab| tab.name == front)
                            && let Err(error) = tab.show.run(ui, world)
                        {
                            ui.label(error.to_string());
                        }
                    });
            });
        window.map(|window| window.response.rect)
    })
}

fn choose(ui: &mut Ui, world: &mut World, tabs: &PanelTabs) {
    let mut panel = world.resource_mut::<TerrainPanel>();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for tab in &tabs.0 {
            let front = panel.tab == tab.name;
            if controls::option(ui, front, tab.name.as_str(), &tab.help) {
                panel.tab.clone_from(&tab.name);
            }
        }
    });
}

/// Whether the pointer or the keyboard focus is on the panel's window. Otherwise keys belong to the
/// game.
pub fn has_attention(context: &Context) -> bool {
    let window = LayerId::new(Order::Middle, Id::new(TITLE));
    let pointer = context.pointer_latest_pos().and_then(|at| context.layer_id_at(at));
    let focus = context.memory(|memory| memory.focused());
    let focus = focus.and_then(|id| context.read_response(id)).map(|response| response.layer_id);
    pointer == Some(window) || focus == Some(window)
}

/// How long a message is shown.
const SHOWN: Duration = Duration::from_secs(5);
/// The width of a message, in points. A longer one is wrapped.
const MESSAGE_WIDTH: f32 = 720.0;

/// A line of text at the bottom of the screen, for five seconds. It is shown even while the panel
/// is hidden. Games may use it as well, for example to say why a key had no effect.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::TerrainEditor;
/// use bevy_orogeny_panel::PanelMessage;
///
/// fn dig(mut editor: TerrainEditor) -> Result {
///     editor.single()?.crater([0.0; 2], 10.0)?;
///     Ok(())
/// }
///
/// App::new().add_systems(Update, dig.pipe(PanelMessage::tell));
/// ```
#[derive(Resource, Default)]
pub struct PanelMessage(Option<(String, Instant)>);

impl PanelMessage {
    /// Replaces the message by the first line of a text.
    pub fn say(&mut self, text: impl AsRef<str>) {
        let line = text.as_ref().lines().next().unwrap_or_default();
        self.0 = Some((line.into(), Instant::now()));
    }

    /// A system that shows the error of another one, which then does not end the program.
    pub fn tell(In(done): In<Result>, mut message: ResMut<Self>) {
        if let Err(error) = done {
            message.say(capitalised(&describe_error(&error)));
        }
    }

    /// Says what was not done, and why.
    pub(crate) fn failed(&mut self, what: &str, error: &BevyError) {
        self.say(format!("{what}. {}", describe_error(error)));
    }

    /// Draws the message.
    pub(crate) fn show(&mut self, context: &Context) {
        if let Some(text) = take_wrong(context) {
            self.say(text);
        }
        self.0.take_if(|(_, said)| said.elapsed() > SHOWN);
        let Some((text, _)) = &self.0 else { return };
        let width = (context.content_rect().width() - 64.0).clamp(0.0, MESSAGE_WIDTH);
        egui::Area::new("message".into())
            .anchor(Align2::CENTER_BOTTOM, [0.0, -16.0])
            .interactable(false)
            .show(context, |ui| {
                egui::Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_max_width(width);
                    // A short one in a line, a long one wrapped.
                    let galley = ui.painter().layout_no_wrap(
                        text.clone(),
                        egui::TextStyle::Body.resolve(ui.style()),
                        ui.visuals().text_color(),
                    );
                    let label = Label::new(text);
                    let is_short = galley.size().x <= width;
                    ui.add(if is_short { label.extend() } else { label.wrap() })
                })
            });
    }
}
