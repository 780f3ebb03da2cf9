//! `bench flythrough`, run as a user would run it: its output and its errors. Speed is not tested
//! here.

use std::collections::HashMap;
use std::process::{Command, Output};

fn bench() -> Command {
    Command::new(env!("CARGO_BIN_EXE_bench"))
}

/// Checks that a run refuses its arguments with a message of one line that contains certain words.
#[track_caller]
fn is_refused(output: &Output, expected: &[&str]) {
    let message = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(!message.contains("panicked"), "{message}");
    // After the first line, the argument parser only prints the usage.
    let said = message.split("\n\n").next().unwrap().trim();
    assert_eq!(said.lines().count(), 1, "{message}");
    for word in expected {
        assert!(said.contains(word), "{word:?} is not in {said:?}");
    }
}

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
    let arguments = ["flythrough", "--seconds=1", "--scenario=flight_500", "--range=5", "--json"];
    let output = bench().args(arguments).output().unwrap();
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
    let run = |argument: &str| bench().args(["flythrough", argument]).output().unwrap();
    is_refused(&run("--seconds=0"), &["--seconds", "1..=3600"]);
    is_refused(&run("--range=nan"), &["--range", "1000"]);
    for (argument, expected) in [
        ("--scenario=flight_7", "flight_5000_ridged"),
        // On other systems the variable does not hide drivers.
        #[cfg(target_os = "linux")]
        ("--render", "mesa-vulkan-drivers"),
    ] {
        let mut command = bench();
        command.args(["flythrough", argument]).env("VK_DRIVER_FILES", "/nonexistent");
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected) && !said.contains("panicked"), "{said}");
    }
}
