//! `gallery`: its pictures, its index and its errors.

use std::fs;

use crate::support::{Picture, fail, names, orogeny, output_path};

/// Takes 10 s of one core, since a dev build does not optimise the encoder of PNG.
#[test]
fn chosen_pictures_are_drawn_and_listed() {
    let (folder, out) = output_path("pictures");
    let mut command = orogeny();
    command.args(["gallery", "--size=256", "--only=cellular", "--out"]).arg(&out);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(names(&folder), ["pictures"]);
    let index = fs::read_to_string(out.join("index.html")).unwrap();
    let mut pictures = 0;
    for file in fs::read_dir(&out).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name == "index.html" {
            continue;
        }
        pictures += 1;
        assert!(name.contains("cellular") && index.contains(&name), "{name}");
        let picture = Picture::read(&path);
        assert!(picture.info.width > 512 && picture.info.height > 256);
        // Panels of many greys on white paper, not a blank page.
        let greys = picture.bytes.iter().filter(|byte| (16..240).contains(*byte)).count();
        let mut levels = [false; 256];
        picture.bytes.iter().for_each(|&byte| levels[usize::from(byte)] = true);
        let levels = levels.iter().filter(|&&there| there).count();
        assert!(greys * 2 > picture.bytes.len() && levels > 200, "{name}: {greys}, {levels}");
    }
    assert!(pictures >= 5, "{pictures}");
}

#[test]
fn what_is_not_possible_is_refused() {
    let (folder, out) = output_path("pictures");
    let run = |arguments: &[&str]| {
        orogeny().arg("gallery").args(arguments).arg("--out").arg(&out).output().unwrap()
    };
    fail(&run(&["--size=99"]), 2, &["--size", "99", "256..=1024"]);
    fail(&run(&["--only=unheard-of"]), 2, &["unheard-of", "cellular-f1"]);
    assert!(names(&folder).is_empty());
    fs::write(&out, "a file").unwrap();
    fail(&run(&["--only=cellular-f1"]), 1, &["pictures"]);
    assert_eq!(fs::read_to_string(&out).unwrap(), "a file");
}
