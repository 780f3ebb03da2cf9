//! The table of plants and rocks: a line for each instance, with its rotation.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, BufWriter, Write};

use csv::WriterBuilder;
use indicatif::ProgressBar;
use orogeny::scatter::{Instance, KindId, Placement, ScatterKind};
use orogeny::{Region, Sample};
use rayon::prelude::*;

use crate::cli::{Failure, interrupted};
use crate::export::about;
use crate::export::files::Target;
use crate::export::tiles::Tile;
use crate::export::{Job, write_tiles};
use crate::recipes::model;

/// The columns of the table.
const COLUMNS: [&str; 11] =
    ["kind", "model", "x", "height", "z", "yaw", "qx", "qy", "qz", "qw", "scale"];

/// The width of a block, in the least distance of instances: some tens of thousands of them.
const BLOCK: f64 = 400.0;
/// The smallest and the largest block in metres.
const BLOCKS: [f64; 2] = [64.0, 8192.0];

/// Writes the table of all plants. Returns a report.
pub fn export(job: &Job) -> Result<String, Failure> {
    let placement = job.field.placement();
    job.tiles.check_extent()?;
    let wanted = wanted(job, placement)?;
    let squares = job.tiles.iter().map(|tile| area(&region(&tile)) as u64).sum();
    let mut table = Table { job, placement, wanted, counts: BTreeMap::new() };
    let place =
        |tile: &Tile, target: &Target, bar: &ProgressBar| table.write(&region(tile), target, bar);
    let (files, seconds) = write_tiles(job, "placing plants", (squares, "m^2"), place)?;
    Ok(about::done(job, &files, &table.facts(seconds)))
}

/// The region of a tile, from its first to its last pixel.
fn region(tile: &Tile) -> Region {
    let grid = tile.grid;
    let last = [0, 1].map(|k| grid.coordinate(k, grid.size[k] - 1));
    Region { min: [0, 1].map(|k| grid.coordinate(k, 0)), max: last }
}

fn area(region: &Region) -> f64 {
    (region.max[0] - region.min[0]) * (region.max[1] - region.min[1])
}

/// The kinds of the command line.
fn wanted(job: &Job, placement: &Placement) -> Result<HashSet<KindId>, Failure> {
    let Some(names) = &job.options.plants else {
        return Ok(placement.kinds().map(ScatterKind::id).collect());
    };
    let mut wanted = HashSet::new();
    for name in names {
        let is_named = |kind: &&ScatterKind| {
            [&kind.name, &model(kind)].iter().any(|it| it.to_lowercase() == name.to_lowercase())
        };
        let before = wanted.len();
        wanted.extend(placement.kinds().filter(is_named).map(ScatterKind::id));
        if wanted.len() == before && !placement.kinds().any(|kind| is_named(&kind)) {
            let known: Vec<&str> = placement.kinds().map(|kind| kind.name.as_str()).collect();
            let known = if known.is_empty() { "none".into() } else { known.join(", ") };
            let problem = format!("{} has no such plant (available: {known})", job.args.preset);
            return Err(Failure::request(format!("--plants {name}"), problem));
        }
    }
    Ok(wanted)
}

/// The table while it is written.
struct Table<'a> {
    job: &'a Job<'a>,
    placement: &'a Placement,
    wanted: HashSet<KindId>,
    /// The plants that were written, by name.
    counts: BTreeMap<String, usize>,
}

impl Table<'_> {
    /// Writes what stands in a region, block by block.
    fn write(
        &mut self,
        region: &Region,
        target: &Target,
        bar: &ProgressBar,
    ) -> Result<(), Failure> {
        let failed = |error| target.failure(error);
        let mut out = BufWriter::new(target.file());
        out.write_all(&line(&COLUMNS).map_err(failed)?).map_err(failed)?;
        let mut blocks = self.blocks(region);
        loop {
            let count = 2 * rayon::current_num_threads();
            let some: Vec<Region> = blocks.by_ref().take(count).collect();
            if some.is_empty() {
                return out.flush().map_err(failed);
            }
            let found: Vec<_> = some.par_iter().map(|block| self.block(block)).collect();
            for (found, block) in found.into_iter().zip(&some) {
                let (bytes, counts) = found?;
                for (name, count) in counts {
                    *self.counts.entry(name).or_default() += count;
                }
                self.check()?;
                out.write_all(&bytes).map_err(failed)?;
                bar.inc(area(block) as u64);
            }
        }
    }

    /// The blocks of a region, row by row.
    fn blocks(&self, region: &Region) -> impl Iterator<Item = Region> + use<> {
        // Kinds before a wanted one are placed, too.
        let is_wanted = |kind: &ScatterKind| self.wanted.contains(&kind.id());
        let kinds: Vec<&ScatterKind> = self.placement.kinds().collect();
        let last = kinds.iter().rposition(|kind| is_wanted(kind));
        let placed = kinds.iter().take(last.map_or(0, |last| last + 1));
        let closest = placed.map(|kind| kind.radius).fold(BLOCKS[1], f64::min);
        let width = (BLOCK * closest).clamp(BLOCKS[0], BLOCKS[1]);
        let (Region { min, max }, none) = (*region, last.is_none());
        let count =
            move |k: usize| if none { 0 } else { ((max[k] - min[k]) / width).ceil() as u64 };
        (0..count(1)).flat_map(move |j| {
            (0..count(0)).map(move |i| {
                let end = |k: usize, n: u64| (min[k] + width * n as f64).min(max[k]);
                Region { min: [end(0, i), end(1, j)], max: [end(0, i + 1), end(1, j + 1)] }
            })
        })
    }

    /// The lines of a block, and the number of plants by name.
    fn block(&self, block: &Region) -> Result<(Vec<u8>, BTreeMap<String, usize>), Failure> {
        if interrupted() {
            return Err(Failure::Interrupted);
        }
        let found = self.placement.in_region(*block, |kind| self.wanted.contains(&kind.id()));
        let found =
            found.map_err(|error| Failure::request("--origin, --size, --spacing", error))?;
        let (mut bytes, mut counts) = (Vec::new(), BTreeMap::new());
        for kind in self.placement.kinds() {
            let is_kind = |instance: &&Instance| instance.kind == kind.id();
            let mut instances: Vec<&Instance> = found.iter().filter(is_kind).collect();
            // The same order on every machine.
            instances.sort_by(|a, b| {
                let [x, z] = [0, 1].map(|k| a.position[k].total_cmp(&b.position[k]));
                z.then(x)
            });
            for instance in &instances {
                let row = self.row(instance, kind);
                bytes.extend(line(&row).map_err(|e| Failure::request("--plants", e))?);
            }
            if !instances.is_empty() {
                *counts.entry(kind.name.clone()).or_default() += instances.len();
            }
        }
        Ok((bytes, counts))
    }

    fn row(&self, instance: &Instance, kind: &ScatterKind) -> [String; 11] {
        let ground = self.placement.standing(instance);
        let [x, z] = instance.position.map(|part| format!("{part:.3}"));
        let [qx, qy, qz, qw] = rotation(instance, kind, &ground).map(|part| format!("{part:.6}"));
        let (yaw, scale) = (360.0 * instance.turn, instance.size);
        let (height, yaw) = (format!("{:.3}", ground.value), format!("{yaw:.3}"));
        let (name, scale) = (kind.name.clone(), format!("{scale:.4}"));
        [name, model(kind), x, height, z, yaw, qx, qy, qz, qw, scale]
    }

    /// Checks the number of plants.
    fn check(&self) -> Result<(), Failure> {
        let (limit, count) = (self.job.options.plant_limit(), self.counts.values().sum::<usize>());
        if count <= limit {
            return Ok(());
        }
        let (most, of_most) = self.counts.iter().max_by_key(|(_, count)| **count).unzip();
        let (most, of_most) = (most.map_or("", |it| it), of_most.copied().unwrap_or_default());
        let problem = format!(
            "there are more than {limit} plants, of the first {count} of them {of_most} {most}; \
             select some with --plants, reduce --size, or allow more"
        );
        Err(Failure::request("--max-plants", problem))
    }

    fn facts(&self, seconds: f64) -> String {
        let count: usize = self.counts.values().sum();
        let kinds = self.counts.iter().map(|(name, count)| format!("{count} {name}"));
        let kinds: Vec<String> = kinds.collect();
        let colon = if count > 0 { ": " } else { "" };
        format!("plants   {count}{colon}{}\ntook     {seconds:.2} s\n", kinds.join(", "))
    }
}

/// A line of the table, with quotes where a name needs them.
fn line(cells: &[impl AsRef<[u8]>]) -> io::Result<Vec<u8>> {
    let mut writer = WriterBuilder::new().from_writer(Vec::with_capacity(128));
    writer.write_record(cells)?;
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// The rotation of an instance as a unit quaternion x, y, z, w, in the right-handed axes of glTF
/// with y up: first its turn about the vertical axis, then the tilt to its own axis.
fn rotation(instance: &Instance, kind: &ScatterKind, ground: &Sample<2>) -> [f64; 4] {
    product(tilt(axis(instance, kind, ground)), turn(instance.turn.into()))
}

/// The axis of an instance: it leans, and follows the normal of the ground as far as its kind does.
fn axis(instance: &Instance, kind: &ScatterKind, ground: &Sample<2>) -> [f64; 3] {
    let [x, z] = instance.lean.map(f64::from);
    let [slope_x, slope_z] = ground.gradient.map(f64::from);
    let normal = unit([-slope_x, 1.0, -slope_z]);
    let align = f64::from(kind.align);
    let lean = [x, 1.0, z];
    unit([0, 1, 2].map(|k| lean[k] + (normal[k] - lean[k]) * align))
}

/// The shortest rotation from up to an axis, which points up.
fn tilt([x, y, z]: [f64; 3]) -> [f64; 4] {
    unit([z, 0.0, -x, 1.0 + y])
}

/// A part of a whole turn from x to z. That is the negative sense about y.
fn turn(part: f64) -> [f64; 4] {
    let half = -std::f64::consts::PI * part;
    [0.0, half.sin(), 0.0, half.cos()]
}

/// The rotation by `b` and then by `a`.
fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn unit<const N: usize>(vector: [f64; N]) -> [f64; N] {
    let length = vector.iter().map(|part| part * part).sum::<f64>().sqrt();
    vector.map(|part| part / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A vector turned by a quaternion.
    fn turned(q: [f64; 4], [x, y, z]: [f64; 3]) -> [f64; 3] {
        let conjugate = [-q[0], -q[1], -q[2], q[3]];
        let [x, y, z, _] = product(product(q, [x, y, z, 0.0]), conjugate);
        [x, y, z]
    }

    fn assert_close(a: [f64; 3], b: [f64; 3]) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{a:?} {b:?}");
    }

    #[test]
    fn a_quarter_turn_leads_from_x_to_z() {
        assert_close(turned(turn(0.25), [1.0, 0.0, 0.0]), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_tilt_leads_from_up_to_the_axis() {
        for axis in [[0.3, 0.8, -0.5], [0.0, 1.0, 0.0], [-0.9, 0.1, 0.2]] {
            let axis = unit(axis);
            assert_close(turned(tilt(axis), [0.0, 1.0, 0.0]), axis);
            // A turn about the vertical axis comes first, and does not move the axis.
            assert_close(turned(product(tilt(axis), turn(0.3)), [0.0, 1.0, 0.0]), axis);
        }
    }
}
