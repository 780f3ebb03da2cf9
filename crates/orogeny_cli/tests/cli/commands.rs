//! `inspect`: what recipes, presets and elevation files are; `gallery`: its pictures, its index and
//! its errors; and the commands of the documentation.

use std::fs;
use std::path::Path;
use std::process::Output;

use orogeny::Field;
use serde_json::Value;

use crate::{Picture, fail, load, names, orogeny, output_path, printed, succeed};

fn run(file: &Path, more: &[&str]) -> Output {
    orogeny().arg("inspect").arg(file).args(more).output().unwrap()
}

/// The object of a file, and the exit code.
fn object(file: &Path, more: &[&str]) -> (Value, Option<i32>) {
    let Output { status, stdout, stderr } =
        orogeny().arg("inspect").arg(file).arg("--json").args(more).output().unwrap();
    assert!(stderr.is_empty(), "{}", String::from_utf8_lossy(&stderr));
    let text = String::from_utf8(stdout).unwrap();
    assert_eq!(text.lines().count(), 1);
    (serde_json::from_str(&text).unwrap(), status.code())
}

#[test]
fn presets_say_their_bounds_lands_and_plants() {
    let (recipe, field) = load("world");
    let (found, code) = object(Path::new("world"), &[]);
    assert_eq!((code, &found["kind"]), (Some(0), &"recipe".into()));
    assert_eq!(found["seed"], recipe.seed);
    assert_eq!(found["bounds"]["max"], field.bounds().max);
    assert_eq!(found["lands"][0], "meadows");
    assert_eq!(found["plants"].as_array().unwrap().len(), recipe.scatter.kinds.len());
    assert_eq!(found["problems"], Value::Array(Vec::new()));
    let text = printed(run(Path::new("world"), &[]));
    for words in ["lands        meadows, steppe, ", "plants       ", "sea          at "] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

/// The gullies of an erosion filter have a bound, but one of no use.
#[test]
fn slopes_without_a_useful_bound_are_unbounded() {
    let slopes = |name: &str| {
        let text = printed(run(Path::new(name), &[]));
        text.lines().find(|line| line.starts_with("slopes")).unwrap().to_owned()
    };
    assert_eq!(slopes("alpine"), "slopes       unbounded (no proven bound)");
    assert_eq!(slopes("world"), "slopes       unbounded (no proven bound)");
    assert!(slopes("hills").starts_with("slopes       at most "), "{}", slopes("hills"));
}

#[test]
fn a_recipe_that_is_not_valid_says_why() {
    let (_folder, file) = output_path("faulty.ron");
    fs::write(&file, "(field: Add([Constant(1), Fractal(octaves: 77)]))").unwrap();
    let (found, code) = object(&file, &[]);
    assert_eq!((code, &found["kind"]), (Some(1), &"recipe".into()));
    let problem = found["problems"][0].as_str().unwrap();
    assert!(problem.contains("field.Add[1].Fractal.octaves"), "{problem}");
    fail(&run(Path::new("nowhere"), &[]), 2, &["nowhere", "alpine, "]);
    fail(&run(Path::new("world"), &["--format=gif"]), 2, &["--format", "terrain-rgb"]);
}

#[test]
fn elevation_says_its_place_unit_and_range() {
    let (folder, file) = output_path("terrain.tif");
    succeed("export alpine --size 12x7 --origin 300,-500 --spacing 2.5", &file);
    let (found, code) = object(&file, &[]);
    assert_eq!((code, &found["kind"]), (Some(0), &"elevation".into()));
    assert_eq!(found["size"], serde_json::json!([12, 7]));
    assert_eq!(found["spacing"], serde_json::json!([2.5, 2.5]));
    assert_eq!(found["warnings"], Value::Array(Vec::new()));
    assert!(found["heights"][0].as_f64() < found["heights"][1].as_f64());
    assert!(found["height_source"].as_str().unwrap().starts_with("metres in the file"));
    assert!(printed(run(&file, &[])).contains("size         12 x 7 samples\n"));

    // What a raw file does not say is missing, which is no problem of the file.
    let raw = folder.path().join("terrain.r16");
    succeed("export alpine --size 9", &raw);
    let (found, code) = object(&raw, &[]);
    assert_eq!((code, found["spacing"].is_null()), (Some(0), true));
    assert_eq!(found["missing"].as_array().unwrap().len(), 2);
}

#[test]
fn images_of_weights_say_whether_they_add_up() {
    let (folder, file) = output_path("land.png");
    succeed("export hills --size 9 --kind cover", &file);
    let (found, code) = object(&folder.path().join("land_splat0.png"), &[]);
    assert_eq!((code, &found["kind"]), (Some(0), &"weights".into()));
    assert_eq!(found["layers"], 4);

    let other = folder.path().join("other.png");
    fs::write(&other, "no picture").unwrap();
    let (found, code) = object(&other, &[]);
    assert_eq!((code, &found["kind"]), (Some(1), &"elevation".into()));
    assert!(found["problems"][0].as_str().unwrap().contains("other.png"));
}

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
fn pictures_that_are_not_possible_are_refused() {
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

/// The commands in the code of a page, as lists of arguments without quotes.
fn commands(page: &str) -> Vec<Vec<String>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    let text = fs::read_to_string(page).unwrap();
    let lines = text.lines().map(|line| line.trim_start_matches("# "));
    let commands = lines.filter_map(|line| line.strip_prefix("orogeny "));
    commands.map(|it| it.replace('"', "").split_whitespace().map(str::to_owned).collect()).collect()
}

fn run_in(folder: &Path, arguments: &[String]) -> String {
    printed(orogeny().current_dir(folder).args(arguments).output().unwrap())
}

/// As they are: each command of the program is there, in its order.
#[test]
fn the_commands_of_the_readme_run() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands("README.md");
    let names: Vec<&str> = commands.iter().map(|arguments| arguments[0].as_str()).collect();
    assert_eq!(names, ["export", "map", "gallery", "inspect"]);
    for arguments in &commands {
        run_in(folder.path(), arguments);
    }
}

/// With few pixels.
#[test]
fn the_commands_for_other_engines_run() {
    let commands = commands("../../docs/other_engines.md");
    assert!(commands.len() > 8, "{}", commands.len());
    for mut arguments in commands {
        let folder = tempfile::tempdir().unwrap();
        if let Some(size) = arguments.iter().position(|argument| argument == "--size") {
            arguments[size + 1] = "9".into();
        }
        run_in(folder.path(), &arguments);
    }
}
