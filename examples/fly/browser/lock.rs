//! What the browser tells a page about others and about its end.

use web_sys::js_sys::{Array, Function, Object, Promise, Reflect};
use web_sys::wasm_bindgen::closure::Closure;
use web_sys::wasm_bindgen::{JsCast, JsValue};

/// Asks the browser for a name, and calls `answer` with whether no other page has it. If it returns
/// true, this page has the name until it is closed, also while it is hidden or the machine sleeps.
///
/// # Errors
/// A browser without locks.
pub fn claim(name: &str, answer: impl FnOnce(bool) -> bool + 'static) -> Result<(), String> {
    let hold = Closure::once_into_js(move |lock: JsValue| -> JsValue {
        // A lock is kept until its promise is settled, and this one never is.
        if answer(!lock.is_null()) {
            Promise::new(&mut |_, _| {}).into()
        } else {
            JsValue::UNDEFINED
        }
    });
    request(name, hold).map_err(|_| "This browser cannot keep other tabs from a world".into())
}

fn request(name: &str, hold: JsValue) -> Result<(), JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let navigator = Reflect::get(&window, &"navigator".into())?;
    let locks = Reflect::get(&navigator, &"locks".into())?;
    let request = Reflect::get(&locks, &"request".into())?.dyn_into::<Function>()?;
    let options = Object::new();
    Reflect::set(&options, &"ifAvailable".into(), &true.into())?;
    let arguments: Array =
        [format!("orogeny/{name}").into(), options.into(), hold].iter().collect();
    request.apply(&locks, &arguments).map(|_| ())
}

/// Calls a function whenever the page is hidden or closed. There may be no further frame then.
pub fn on_leaving(act: impl Fn() + Clone + 'static) {
    let Some(window) = web_sys::window() else { return };
    let Some(document) = window.document() else { return };
    let leave = act.clone();
    let hide = {
        let document = document.clone();
        move || {
            if document.hidden() {
                act();
            }
        }
    };
    listen(&window, "pagehide", leave);
    listen(&document, "visibilitychange", hide);
}

fn listen(target: &web_sys::EventTarget, event: &str, act: impl Fn() + 'static) {
    let act = Closure::<dyn Fn()>::new(act).into_js_value();
    // Every target takes listeners.
    let _ = target.add_event_listener_with_callback(event, act.unchecked_ref());
}
