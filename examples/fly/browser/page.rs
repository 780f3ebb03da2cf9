//! The page around the canvas.

use web_sys::Element;

/// The canvas in which the world is drawn.
pub const CANVAS: &str = "#orogeny";

/// The query of the page's address.
pub fn query() -> String {
    let query = web_sys::window().and_then(|window| window.location().search().ok());
    query.unwrap_or_default()
}

/// Takes the loading bar away.
pub fn show_world() {
    if let Some(loading) = element("loading") {
        loading.remove();
    }
}

/// Shows a line below the loading bar, or why there is no world.
pub fn say(message: &str) {
    if let Some(text) = element("message") {
        text.set_text_content(Some(message));
    }
}

fn element(id: &str) -> Option<Element> {
    web_sys::window()?.document()?.get_element_by_id(id)
}
