//! The panel's window: its tabs, keys and messages.
//!
//! `labels` is what the user's keyboard has printed on its keys, `keys` lists the keys and their
//! actions. The tabs themselves are in `tabs`. Start with [`draw`].

pub mod keys;
pub mod labels;
pub mod message;

use bevy::ecs::system::{BoxedSystem, IntoSystem};
use bevy::prelude::*;
use bevy_egui::egui::{self, Context, Id, LayerId, Order, ScrollArea, Ui};
use bevy_egui::{EguiContext, PrimaryEguiContext};

use crate::controls;
use crate::editing::Editing;
use crate::tools::Tools;
use crate::window::keys::PanelKeys;
use crate::window::message::PanelMessage;

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
