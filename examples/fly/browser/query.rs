//! The program's arguments in the query of a page's address, such as `?tour&time=18`.

use clap::Command;
use clap::error::{ContextKind, ErrorKind};

/// What only a program with files of its own has.
const NOT_ON_PAGES: [&str; 9] =
    ["headless", "cpu", "out", "frames", "gallery", "speed", "size", "edits", "probe-display"];

/// What a query asks for.
#[derive(Debug, PartialEq)]
pub struct Query {
    /// The program's arguments, its name first.
    pub arguments: Vec<String>,
    /// The names of parameters that the program does not have. Others add them to links.
    pub ignored: Vec<String>,
}

/// The arguments of a query: `?tour&time=18` is `--tour --time=18`. The quality adapts to the
/// machine unless the query names one.
///
/// # Errors
/// A message for the user: a parameter of the program without a value, with one that it does not
/// take, that is given twice, or that pages do not have.
pub fn read(query: &str, command: &Command) -> Result<Query, String> {
    let mut found = Query { arguments: vec!["fly".into()], ignored: Vec::new() };
    let mut seen = Vec::new();
    for parameter in query.trim_start_matches('?').split('&').filter(|it| !it.is_empty()) {
        let (name, value) = match parameter.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (parameter, None),
        };
        let name = decode(name).unwrap_or_else(|| name.into());
        let mut known = command.get_arguments();
        let Some(option) = known.find(|it| it.get_long() == Some(name.as_str())) else {
            found.ignored.push(name);
            continue;
        };
        if NOT_ON_PAGES.contains(&name.as_str()) {
            return Err(format!("{name} is for the program on a desktop. A page has no files."));
        }
        let decoded = value.map(|it| decode(it).ok_or(it)).transpose();
        let value = decoded.map_err(|it| format!("{name}={it}: this is not encoded as UTF-8"))?;
        let value = value.filter(|it| !it.is_empty());
        let argument = match (option.get_action().takes_values(), value.as_deref()) {
            (true, Some(value)) => Some(format!("--{name}={value}")),
            (true, None) => return Err(format!("{name} needs a value: {name}=...")),
            (false, None | Some("1" | "true")) => Some(format!("--{name}")),
            (false, Some("0" | "false")) => None,
            (false, Some(value)) => return Err(format!("{name} takes no value, but has {value}")),
        };
        if seen.contains(&name) {
            return Err(format!("{name} is given twice"));
        }
        seen.push(name);
        found.arguments.extend(argument);
    }
    if !seen.iter().any(|name| name == "quality") {
        found.arguments.push("--quality=auto".into());
    }
    Ok(found)
}

/// Text from an address; `None` if it is not UTF-8.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        bytes.push(match first {
            b'+' => b' ',
            b'%' => {
                let (digits, after) = after.split_at_checked(2)?;
                rest = after;
                let digit = |at: usize| char::from(digits[at]).to_digit(16);
                (16 * digit(0)? + digit(1)?) as u8
            }
            other => *other,
        });
    }
    String::from_utf8(bytes).ok()
}

/// Why arguments were refused, in the words of a page.
pub fn explain(error: &clap::Error) -> String {
    let text = |kind| error.get(kind).map(|it| it.to_string().replace("--", ""));
    // Without the name of its value: `time <HOURS>`.
    let name = |kind| text(kind).map(|it| it.split(' ').next().unwrap_or_default().to_string());
    let value = text(ContextKind::InvalidValue).unwrap_or_default();
    match (error.kind(), name(ContextKind::InvalidArg)) {
        (ErrorKind::ArgumentConflict, Some(one)) => {
            let other = name(ContextKind::PriorArg).unwrap_or_default();
            format!("{one} and {} cannot be given together", other.trim_end_matches(','))
        }
        (ErrorKind::InvalidValue | ErrorKind::ValueValidation, Some(name)) => {
            let reason = std::error::Error::source(error).map(ToString::to_string);
            let valid = text(ContextKind::ValidValue).map(|it| format!("must be one of {it}"));
            let reason = reason.or(valid).unwrap_or_else(|| "is not valid".into());
            format!("{name}={value}: {reason}")
        }
        _ => {
            let all = error.to_string();
            let first = all.lines().next().unwrap_or_default();
            first.trim_start_matches("error: ").replace("--", "")
        }
    }
}
