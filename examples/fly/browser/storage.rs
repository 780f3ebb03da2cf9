//! The browser's storage for this site.

use web_sys::js_sys::{Array, Function, Reflect};
use web_sys::wasm_bindgen::{JsCast, JsValue};

use super::saved::Texts;

/// The storage of this site: texts by name.
#[derive(Debug)]
pub struct Storage;

impl Texts for Storage {
    /// # Errors
    /// A message for the user if the browser lets the page store nothing.
    fn read(&self, name: &str) -> Result<Option<String>, String> {
        Ok(call("getItem", &[name]).map_err(|_| NONE)?.as_string())
    }

    /// # Errors
    /// A message for the user, which most often means that there is no room left.
    fn write(&mut self, name: &str, text: &str) -> Result<(), String> {
        call("setItem", &[name, text]).map(|_| ()).map_err(|error| {
            let reason = error.dyn_ref::<web_sys::js_sys::Error>().map(|error| error.message());
            reason.map_or_else(
                || NONE.into(),
                |reason| format!("The browser does not save: {reason}"),
            )
        })
    }
}

const NONE: &str = "This browser does not let the page store data, so worlds are not saved";

fn call(method: &str, arguments: &[&str]) -> Result<JsValue, JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let storage = Reflect::get(&window, &"localStorage".into())?;
    let method = Reflect::get(&storage, &method.into())?.dyn_into::<Function>()?;
    let arguments: Array = arguments.iter().map(|&text| JsValue::from(text)).collect();
    method.apply(&storage, &arguments)
}
