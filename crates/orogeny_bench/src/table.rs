//! The Markdown table of the README: a row for each workload, a column for each library and level.

use crate::contest::Result;
use crate::report::Count;

/// Collects the cells of a table.
#[derive(Default)]
pub struct Table {
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
    pub fn add(&mut self, workload: &'static str, results: &[Result]) {
        let mut cells: Vec<(String, String)> = Vec::new();
        let own = |result: &&Result| result.library.contains("orogeny");
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
    pub fn add_count(&mut self, count: &Count) {
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
    pub fn print(mut self) {
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
fn times(result: &Result) -> String {
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
