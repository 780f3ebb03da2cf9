//! The index page.

use std::fmt::Write;
use std::path::Path;

use crate::file;
use crate::gallery::{Entry, GALLERY};

/// Its file name.
pub const NAME: &str = "index.html";

const HEAD: &str = r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>orogeny: a gallery of noise</title>
<style>
body { margin: 2rem auto; max-width: 110rem; padding: 0 1rem; background: #e9e9e6;
  color: #1c1e26; font: 16px/1.4 system-ui, sans-serif }
main { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start }
figure { margin: 0; flex: 1 1 26rem; max-width: 50rem }
img { display: block; width: 100%; box-shadow: 0 1px 4px #0003 }
figcaption { margin-top: .3rem; font-size: .85rem; color: #5c5f6a }
</style>
</head>
<body>
<h1>A gallery of noise</h1>
"#;

/// Writes the index of all pictures in the folder, including those of earlier runs.
///
/// # Errors
/// A message for the user, naming the file.
pub fn write(folder: &Path) -> Result<(), String> {
    let mut page = String::from(HEAD);
    for group in GALLERY {
        let there = |entry: &&Entry| folder.join(entry.name).with_extension("png").exists();
        let figures: String = group.entries.iter().filter(there).map(figure).collect();
        if !figures.is_empty() {
            let _ = write!(page, "<h2>{}</h2>\n<main>\n{figures}</main>\n", group.title);
        }
    }
    page.push_str("</body>\n</html>\n");
    file::write_bytes(&folder.join(NAME), page.as_bytes())
}

fn figure(entry: &Entry) -> String {
    let (name, caption) = (entry.name, escape(entry.caption));
    format!(
        "<figure><a href=\"{name}.png\">\
         <img src=\"{name}.png\" alt=\"{caption}\" loading=\"lazy\"></a>\
         <figcaption>{name}</figcaption></figure>\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
