//! The printed lines, as text or JSON, or a Markdown table.

use std::cell::RefCell;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget};
use serde::Serialize;

use crate::args::Args;
use crate::contest::Result;
use crate::list;
use crate::table::Table;
use crate::workload::Workload;

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
        let workloads = list::all().iter().filter(|w| args.runs(w.name)).count() as u64;
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

    pub fn add(&self, workload: &Workload, results: &[Result]) {
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
            for &Result { library, method, level, min, median } in results {
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
