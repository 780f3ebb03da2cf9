//! The page around the canvas.

use web_sys::{Element, js_sys};

/// The canvas in which the world is drawn.
pub const CANVAS: &str = "#orogeny";

/// The program's arguments, from the page's address: `?tour&preset=alpine` is `--tour
/// --preset=alpine`. The quality adapts to the machine unless the address names one.
///
/// # Errors
/// An address that is no text.
pub fn arguments() -> Result<Vec<String>, String> {
    let query = web_sys::window().and_then(|window| window.location().search().ok());
    let query = query.unwrap_or_default();
    let mut arguments = vec!["fly".to_string()];
    for option in query.trim_start_matches('?').split('&').filter(|option| !option.is_empty()) {
        let option = option.replace('+', " ");
        let option = js_sys::decode_uri_component(&option);
        let option = option.map_err(|_| "The address of this page is no text.".to_string())?;
        arguments.push(format!("--{option}"));
    }
    if !arguments.iter().any(|option| option.starts_with("--quality")) {
        arguments.push("--quality=auto".into());
    }
    Ok(arguments)
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
