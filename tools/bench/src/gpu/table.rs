//! Prints scenes: a table, or one JSON object a line.

use bevy::render::RenderApp;
use bevy::render::renderer::RenderAdapterInfo;
use serde::Serialize;

use super::Args;
use super::measure::Measurement;
use super::scenes::{Scene, Variant};
use super::stage::Stage;
use crate::clocks::gpu::Abilities;
use crate::report::Report;

/// The part of triangles below which something is missing. A GPU may leave some out of its count.
const MOST: f64 = 0.9;

/// What is printed for a scene and a variant, under the names of `--help`.
#[derive(Serialize)]
struct Row<'a> {
    scene: &'a str,
    variant: &'a str,
    size: [u32; 2],
    sky: bool,
    total_ms: f64,
    shadows_ms: Option<f64>,
    main_ms: Option<f64>,
    transparent_ms: Option<f64>,
    other_ms: Option<f64>,
    frame_ms: f64,
    draws: usize,
    triangles: usize,
    vertices: Option<f64>,
    fragments: Option<f64>,
    shadow_draws: usize,
    shadow_triangles: usize,
    shadow_vertices: Option<f64>,
    shadow_fragments: Option<f64>,
    cpu_main_ms: f64,
    cpu_render_ms: f64,
    ratio_to_plain: f64,
    adapter: &'a str,
}

/// Prints rows.
pub struct Results<'a> {
    args: &'a Args,
    report: Report,
    adapter: String,
}

impl<'a> Results<'a> {
    pub fn new(args: &'a Args, report: Report, stage: &Stage) -> Self {
        let render = stage.app.get_sub_app(RenderApp);
        let info = render.and_then(|render| render.world().get_resource::<RenderAdapterInfo>());
        let adapter = info.map_or(String::new(), |info| {
            [&info.name, &info.driver, &info.driver_info].map(String::as_str).join(", ")
        });
        let results = Self { args, report, adapter };
        if !report.json {
            report.text(&results.head(Abilities::of(&stage.app)));
        }
        results
    }

    /// Prints a scene.
    pub fn add(&self, scene: &Scene, timed: &[(Variant, Measurement)]) {
        let plain = timed.iter().find(|(variant, _)| *variant == Variant::Plain);
        let floor = plain.map_or(f64::NAN, |(_, measurement)| measurement.total());
        for (variant, measured) in timed {
            if !self.args.variants.contains(variant) {
                continue;
            }
            let row = self.row(scene, *variant, measured, floor);
            if self.report.json {
                self.report.object(&row);
            } else {
                self.report.text(&line(&row));
            }
        }
        for (variant, measured) in timed {
            let part = measured.part_drawn();
            if part < MOST {
                eprintln!(
                    "{} {}: the GPU drew only {:.0} % of the triangles that are to be seen",
                    scene.name,
                    variant.name(),
                    100.0 * part
                );
            }
        }
    }

    fn row(&self, scene: &'a Scene, variant: Variant, m: &Measurement, floor: f64) -> Row<'_> {
        let passes = [m.shadows, m.opaque, m.transparent];
        let known: Option<f64> = passes.into_iter().sum();
        let other_ms = m.gpu.zip(known).map(|(all, known)| (all - known).max(0.0));
        let [seen, shaded] = m.drawn;
        let [main, shadow] = m.counts.map_or([None; 2], |counts| counts.map(Some));
        Row {
            scene: scene.name,
            variant: variant.name(),
            size: self.args.size,
            sky: self.args.sky,
            total_ms: m.total(),
            shadows_ms: m.shadows,
            main_ms: m.opaque,
            transparent_ms: m.transparent,
            other_ms,
            frame_ms: m.frame,
            draws: seen.draws,
            triangles: seen.triangles,
            vertices: main.map(|counts| counts.vertices),
            fragments: main.map(|counts| counts.fragments),
            shadow_draws: shaded.draws,
            shadow_triangles: shaded.triangles,
            shadow_vertices: shadow.map(|counts| counts.vertices),
            shadow_fragments: shadow.map(|counts| counts.fragments),
            cpu_main_ms: m.cpu_main,
            cpu_render_ms: m.cpu_render,
            ratio_to_plain: m.total() / floor,
            adapter: &self.adapter,
        }
    }

    fn head(&self, abilities: Abilities) -> String {
        let [width, height] = self.args.size;
        let by = if abilities.marks {
            "times by timestamps of the GPU"
        } else {
            "no timestamps: total is the time until a frame is finished"
        };
        let columns = [
            "total",
            "ratio",
            "shadows",
            "main",
            "transp",
            "other",
            "cpu main",
            "render",
            "draws",
            "shadow",
            "triangles",
            "shadow",
            "vertices",
            "shadow",
            "fragments",
            "shadow",
        ];
        let columns = columns.map(|name| format!("{name:>10}")).concat();
        let (first, second) = ("scene", "variant");
        format!(
            "{}, {width} x {height}, {by}; ms and thousands\n{first:12}{second:11}{columns}\n",
            self.adapter
        )
    }
}

fn line(row: &Row) -> String {
    let thousand = |count: Option<f64>| count.map(|count| 1e-3 * count);
    let counts = [
        Some(row.triangles as f64),
        Some(row.shadow_triangles as f64),
        row.vertices,
        row.shadow_vertices,
        row.fragments,
        row.shadow_fragments,
    ];
    let times = [
        Some(row.total_ms),
        Some(row.ratio_to_plain),
        row.shadows_ms,
        row.main_ms,
        row.transparent_ms,
        row.other_ms,
        Some(row.cpu_main_ms),
        Some(row.cpu_render_ms),
    ];
    let cell = |value: Option<f64>, decimals: usize| {
        let text = value.map_or("-".into(), |value| format!("{value:.decimals$}"));
        format!("{text:>10}")
    };
    let mut line = format!("{:12}{:11}", row.scene, row.variant);
    line.extend(times.map(|time| cell(time, 2)));
    line.extend([row.draws, row.shadow_draws].map(|count| format!("{count:>10}")));
    line.extend(counts.map(|count| cell(thousand(count), 0)));
    line + "\n"
}
