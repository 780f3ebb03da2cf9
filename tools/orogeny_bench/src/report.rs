//! The printed lines, as text or JSON, or a Markdown table.

use std::cell::RefCell;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget};
use serde::Serialize;

use crate::args::Args;
use crate::contest::Time;
use crate::workload::{self, Workload};

/// Prints results as they arrive, and a progress bar.
pub struct Report {
    pub bar: ProgressBar,
    json: bool,
    /// Collects everything until the end.
    markdown: Option<RefCell<Table>>,
}

#[derive(Serialize)]
struct Line {
    workload: &'static str,
    library: &'static str,
    method: &'static str,
    level: &'static str,
    ns_per_sample_min: f64,
    ns_per_sample_median: f64,
}

/// The instructions of a contestant on a workload.
#[derive(Serialize)]
pub struct Count {
    pub workload: &'static str,
    pub library: &'static str,
    pub method: &'static str,
    pub level: &'static str,
    pub instructions_per_sample: f64,
}

impl Report {
    pub fn new(args: &Args) -> Self {
        let workloads = workload::all().iter().filter(|w| args.runs(w.name)).count() as u64;
        let rounds = if args.instructions { 1 } else { args.rounds.into() };
        let bar =
            ProgressBar::with_draw_target(Some(workloads * rounds), ProgressDrawTarget::stderr());
        bar.enable_steady_tick(Duration::from_secs(1));
        if args.json || args.markdown {
            // No heading.
        } else if args.instructions {
            println!(
                "{:27} {:15} {:12} {:8} {:>12}",
                "workload", "library", "method", "level", "instructions"
            );
        } else {
            println!(
                "{:27} {:15} {:12} {:8} {:>9} {:>9} {:>8}",
                "workload", "library", "method", "level", "min ns", "median ns", "ratio"
            );
        }
        Self { bar, json: args.json, markdown: args.markdown.then(RefCell::default) }
    }

    pub fn add(&self, workload: &Workload, results: &[Time]) {
        if let Some(table) = &self.markdown {
            return table.borrow_mut().add(workload.name, results);
        }
        // The baseline is the fastest method of noiz.
        let baseline = results
            .iter()
            .filter(|result| result.library == "noiz")
            .min_by(|a, b| a.median.total_cmp(&b.median))
            .or(results.iter().find(|result| !result.library.contains("orogeny")));
        self.bar.suspend(|| {
            for &Time { library, method, level, min, median } in results {
                if self.json {
                    let line = Line {
                        workload: workload.name,
                        library,
                        method,
                        level,
                        ns_per_sample_min: min,
                        ns_per_sample_median: median,
                    };
                    println!("{}", serde_json::to_string(&line).expect("plain numbers"));
                } else {
                    let ratio = baseline.map(|baseline| baseline.median / median);
                    let ratio = ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"));
                    let name = workload.name;
                    print!("{name:27} {library:15} {method:12} {level:8} ");
                    println!("{min:9.3} {median:9.3} {ratio:>8}");
                }
            }
        });
    }

    pub fn add_count(&self, count: &Count) {
        if let Some(table) = &self.markdown {
            return table.borrow_mut().add_count(count);
        }
        self.bar.suspend(|| {
            if self.json {
                println!("{}", serde_json::to_string(count).expect("plain numbers"));
            } else {
                let &Count { workload, library, method, level, instructions_per_sample } = count;
                print!("{workload:27} {library:15} {method:12} {level:8} ");
                println!("{instructions_per_sample:12.2}");
            }
        });
    }

    pub fn end(self) {
        self.bar.finish_and_clear();
        if let Some(table) = self.markdown {
            table.into_inner().print();
        }
    }
}

/// The Markdown table of the README: a row for each workload, a column for each library and level.
#[derive(Default)]
struct Table {
    /// Widest SIMD level first, then other libraries.
    columns: Vec<String>,
    rows: Vec<Row>,
}

struct Row {
    workload: &'static str,
    /// Column and text.
    cells: Vec<(String, String)>,
}

impl Table {
    /// Adds the results of a workload. Of each library, the table has the fastest method.
    fn add(&mut self, workload: &'static str, results: &[Time]) {
        let mut cells: Vec<(String, String)> = Vec::new();
        let own = |result: &&Time| result.library.contains("orogeny");
        // Levels come narrowest first.
        for result in results.iter().filter(own).rev() {
            cells.push((column(result.library, result.level), times(result)));
        }
        for result in results.iter().filter(|result| !own(result)) {
            let name = result.library;
            if cells.iter().all(|(column, _)| column != name) {
                let all = results.iter().filter(|result| result.library == name);
                let best = all.min_by(|a, b| a.median.total_cmp(&b.median)).unwrap_or(result);
                // Marks a gradient of the library's own.
                let mark = if best.method == "analytic" { " own" } else { "" };
                cells.push((name.into(), times(best) + mark));
            }
        }
        self.rows.push(Row { workload, cells });
    }

    /// Adds a count of instructions.
    fn add_count(&mut self, count: &Count) {
        if self.rows.last().is_none_or(|row| row.workload != count.workload) {
            self.rows.push(Row { workload: count.workload, cells: Vec::new() });
        }
        if let Some(row) = self.rows.last_mut() {
            let text = digits(count.instructions_per_sample);
            let cell = (column(count.library, count.level), text);
            row.cells.insert(0, cell);
        }
    }

    /// Prints the table.
    fn print(mut self) {
        for (column, _) in self.rows.iter().flat_map(|row| &row.cells) {
            if !self.columns.contains(column) {
                self.columns.push(column.clone());
            }
        }
        // A stable sort: libraries keep their order.
        self.columns.sort_by_key(|column| !column.contains("orogeny"));
        println!("| | {} |", self.columns.join(" | "));
        println!("|---{}|", "|---".repeat(self.columns.len()));
        for row in &self.rows {
            let cell = |column: &String| {
                let found = row.cells.iter().find(|(name, _)| name == column);
                found.map_or("-", |(_, text)| text.as_str())
            };
            let cells: Vec<&str> = self.columns.iter().map(cell).collect();
            println!("| {} | {} |", row.workload, cells.join(" | "));
        }
    }
}

fn column(library: &str, level: &str) -> String {
    if level.is_empty() { library.into() } else { format!("{library}, {level}") }
}

/// The median, and in brackets the minimum.
fn times(result: &Time) -> String {
    format!("{} ({})", digits(result.median), digits(result.min))
}

/// Three significant digits, with a comma for thousands.
fn digits(x: f64) -> String {
    match x {
        ..0.9995 => format!("{x:.3}"),
        ..9.995 => format!("{x:.2}"),
        ..99.95 => format!("{x:.1}"),
        ..999.5 => format!("{x:.0}"),
        _ => {
            let whole = (x / 10.0).round() * 10.0;
            format!("{},{:03}", (whole / 1000.0).floor(), whole % 1000.0)
        }
    }
}
