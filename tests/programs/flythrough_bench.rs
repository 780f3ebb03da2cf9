//! `flythrough_bench`: its output, its errors, and that its checks find faults. Speed is not tested
//! here.

use std::collections::HashMap;

use bevy_orogeny::display_cut::display;
use bevy_orogeny::morph::{Morph, Neighbour, Neighbours};
use bevy_orogeny::selection::{View, select};
use bevy_orogeny::{ChunkKey, Layout, LevelErrors};

use super::support::{fail, program};

#[path = "../../examples/flythrough_bench/"]
mod bench {
    pub mod cover;
    pub mod drawn;
    pub mod seams;
}
use bench::drawn::{Chunks, Drawn};
use bench::{cover, seams};

/// The value of every metric of a scenario. Every line must be an object of the same form.
fn metrics(output: &str, scenario: &str) -> HashMap<String, f64> {
    let parse = |line: &str| {
        let rest = line.strip_prefix("{\"scenario\":\"")?.strip_suffix("\"}")?;
        let (name, rest) = rest.split_once("\",\"metric\":\"")?;
        let (metric, rest) = rest.split_once("\",\"value\":")?;
        let (value, unit) = rest.split_once(",\"unit\":\"")?;
        let plain = |text: &str| !text.is_empty() && !text.contains(['"', '\\', '{', '}']);
        let value: f64 = value.parse().ok()?;
        let good = name == scenario && plain(metric) && plain(unit) && value.is_finite();
        good.then(|| (metric.to_string(), value))
    };
    let lines = output.lines();
    lines.map(|line| parse(line).unwrap_or_else(|| panic!("{line:?} is not a metric"))).collect()
}

#[test]
fn a_short_flight_is_measured() {
    let arguments = ["--seconds=1", "--scenario=flight_500", "--range=5", "--json"];
    let output = program("flythrough_bench").args(arguments).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    let metrics = metrics(&String::from_utf8(output.stdout).unwrap(), "flight_500");
    for time in ["main_thread", "update", "chunk_latency"] {
        let [p50, p99, max] =
            ["p50", "p99", "max"].map(|part| metrics[&format!("{time}_{part}_ms")]);
        assert!(0.0 <= p50 && p50 <= p99 && p99 <= max, "{time}: {p50} {p99} {max}");
    }
    for positive in ["start_ms", "chunks_max", "triangles_max", "mesh_mb_max", "chunks_built"] {
        assert!(metrics[positive] > 0.0, "{positive}");
    }
    assert_eq!(metrics["frames"], 60.0);
    assert!(metrics.contains_key("tasks_cancelled"));
    assert_eq!((metrics["frames_with_holes"], metrics["frames_with_seams"]), (0.0, 0.0));
}

#[test]
fn what_is_not_possible_is_refused() {
    let run = |argument: &str| program("flythrough_bench").arg(argument).output().unwrap();
    fail(&run("--seconds=0"), 2, &["--seconds", "1..=3600"]);
    fail(&run("--range=nan"), 2, &["--range", "1000"]);
    for (argument, expected) in [
        ("--scenario=flight_7", "flight_5000_ridged"),
        // On other systems the variable does not hide drivers.
        #[cfg(target_os = "linux")]
        ("--render", "mesa-vulkan-drivers"),
    ] {
        let mut command = program("flythrough_bench");
        command.arg(argument).env("VK_DRIVER_FILES", "/nonexistent");
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected) && !said.contains("panicked"), "{said}");
    }
}

const LAYOUT: Layout = Layout { cells: 16, spacing: 1.0 };
const RANGE: f64 = 1000.0;

/// The chunks drawn for a viewer at the origin once all are ready.
fn drawn() -> Vec<Drawn> {
    let view = View::at([0.0; 2], RANGE, 1000.0);
    let selection = select(&LAYOUT, &LevelErrors::default(), &[view]);
    let cut = display(&selection, |_| true);
    let tag = |key| Morph::new([0.0; 4], cut.neighbours(key), 0.0).tag();
    cut.iter().map(|key| Drawn { key, revision: 1, tag: tag(key) }).collect()
}

fn check(drawn: &[Drawn]) -> [Result<(), String>; 2] {
    let chunks: Chunks = drawn.iter().map(|chunk| (chunk.key, *chunk)).collect();
    [cover::check(&LAYOUT, drawn, &chunks, &[[0.0; 2]], RANGE), seams::check(drawn, &chunks)]
}

#[track_caller]
fn finds(fault: &str, checked: &Result<(), String>) {
    let found = checked.as_ref().expect_err(fault);
    assert!(found.contains(fault), "{found}");
}

#[test]
fn the_checks_find_every_kind_of_fault() {
    let good = drawn();
    assert_eq!(check(&good), [Ok(()), Ok(())]);
    let here = |lod| good.iter().position(|chunk| chunk.key == LAYOUT.key_at(lod, [0.0; 2]));
    let below = here(0).expect("the finest chunk lies below the viewer");

    finds("nothing", &check(&[])[0]);
    let mut missing = good.clone();
    missing.swap_remove(below);
    finds("not covered", &check(&missing)[0]);
    let mut twice = good.clone();
    twice.push(good[below]);
    finds("twice", &check(&twice)[0]);
    let mut over = good.clone();
    over.push(Drawn { key: good[below].key.parent(), ..good[below] });
    finds("lies over", &check(&over)[0]);
    let mut mixed = good.clone();
    mixed[below].revision = 2;
    finds("mixed", &check(&mixed)[0]);
    // All finer chunks in a chunk of level 2 are replaced by it, next to others of level 0.
    let coarse = good[below].key.ancestor(2);
    let within = |key: ChunkKey| key.lod < 2 && key.ancestor(2) == coarse;
    let mut unbalanced: Vec<_> = good.iter().copied().filter(|c| !within(c.key)).collect();
    unbalanced.push(Drawn { key: coarse, ..good[below] });
    finds("touches", &check(&unbalanced)[0]);

    // Every bit of the tag that describes borders.
    let all = |weight, neighbour| {
        let neighbours = Neighbours { sides: [neighbour; 4], ..Neighbours::default() };
        Morph::new([weight; 4], neighbours, 0.0).tag()
    };
    let (weights, sides) =
        (all(1.0, Neighbour::Same), all(0.0, Neighbour::Coarser) | all(0.0, Neighbour::Finer));
    assert_eq!((weights | sides).count_ones(), 28);
    for bit in (0..32).map(|shift| 1 << shift).filter(|bit| (weights | sides) & bit != 0) {
        let mut torn = good.clone();
        torn[below].tag ^= bit;
        finds(if weights & bit != 0 { "weights" } else { "side" }, &check(&torn)[1]);
    }
}
