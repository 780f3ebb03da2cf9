//! Draws the pictures into a page, one after the other: `examples/web` has the page.

use base64::prelude::{BASE64_STANDARD, Engine};
use web_sys::js_sys::{Function, Promise};
use web_sys::wasm_bindgen::JsValue;
use web_sys::{Document, Element};

use crate::gallery::picture::encode;
use crate::gallery::{Entry, GALLERY};

/// The side of a panel in pixels.
const SIDE: u32 = 256;

/// Begins to draw.
pub fn run() {
    // Without it the console would say that the program is unreachable.
    std::panic::set_hook(Box::new(|info| web_sys::console::error_1(&info.to_string().into())));
    wasm_bindgen_futures::spawn_local(async {
        if let Err(error) = draw_all().await {
            web_sys::console::error_1(&error);
        }
    });
}

async fn draw_all() -> Result<(), JsValue> {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return Ok(());
    };
    let element = |id| document.get_element_by_id(id).ok_or(JsValue::from(id));
    let (pictures, message) = (element("pictures")?, element("message")?);
    for group in GALLERY {
        let title = child(&document, &pictures, "h2")?;
        title.set_text_content(Some(group.title));
        let row = child(&document, &pictures, "main")?;
        for entry in group.entries {
            message.set_text_content(Some(entry.name));
            frame().await?;
            draw(&document, &row, entry)?;
        }
    }
    message.remove();
    Ok(())
}

/// Adds a picture to a row, or why there is none.
fn draw(document: &Document, row: &Element, entry: &Entry) -> Result<(), JsValue> {
    let figure = child(document, row, "figure")?;
    let made = entry.picture.make(entry.caption, SIDE);
    let made = made.and_then(|frames| encode(&frames).map_err(|error| error.to_string()));
    let caption = match made {
        Ok(bytes) => {
            let image = child(document, &figure, "img")?;
            image.set_attribute("alt", entry.caption)?;
            let text = BASE64_STANDARD.encode(&bytes);
            image.set_attribute("src", &format!("data:image/png;base64,{text}"))?;
            entry.name.to_string()
        }
        Err(message) => format!("{}: {message}", entry.name),
    };
    child(document, &figure, "figcaption")?.set_text_content(Some(&caption));
    Ok(())
}

fn child(document: &Document, parent: &Element, name: &str) -> Result<Element, JsValue> {
    let element = document.create_element(name)?;
    parent.append_child(&element)?;
    Ok(element)
}

/// Waits until the browser has shown what is there.
async fn frame() -> Result<(), JsValue> {
    let wait = Promise::new(&mut |done: Function, _: Function| {
        if let Some(window) = web_sys::window() {
            let _ = window.set_timeout_with_callback(&done);
        }
    });
    wasm_bindgen_futures::JsFuture::from(wait).await?;
    Ok(())
}
