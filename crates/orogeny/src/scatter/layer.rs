//! Places the instances of one kind in an area.

use alloc::vec::Vec;

use crate::edits::{Edits, Region};
use crate::scatter::candidate::{Candidate, Cells, MAX_CELL};
use crate::scatter::density::PreparedKind;
use crate::scatter::scattered::ScatterGround;
use crate::scatter::site::{Place, SPACING, Site};

/// The candidates of a kind in and around an area, and which of those in the area stay.
pub(super) struct Layer {
    cells: Cells,
    /// The first cell along each axis.
    first: [i64; 2],
    size: [usize; 2],
    candidates: Vec<Candidate>,
    /// The density at each candidate that stays, 0 at all others.
    kept: Vec<f32>,
}

impl Layer {
    /// Places a kind in an area. `earlier` are the kinds before it that stand there.
    pub fn new(
        kind: &PreparedKind,
        area: &Region,
        site: &Site,
        ground: &ScatterGround,
        earlier: &[Self],
    ) -> Option<Self> {
        let density = kind.on(site)?;
        let mut layer = Self::candidates(kind.cells, area)?;
        let edits = &ground.edits;
        let disturbed = edits.touch(area).then_some(edits);
        let [columns, rows] = layer.size;
        // Those of the outermost cells are outside the area.
        for j in 1..rows - 1 {
            for i in 1..columns - 1 {
                let index = j * columns + i;
                let candidate = &layer.candidates[index];
                let p = candidate.position;
                if !area.contains(p) {
                    continue;
                }
                let place = site.place(p);
                let mut here = place.among(|i| density[i]);
                let is_dense = |here: f32| candidate.threshold() < here;
                if !is_dense(here) || !layer.has_priority(index) {
                    continue;
                }
                if let Some(edits) = disturbed {
                    let disturbance = edits.disturbance(p);
                    here *= 1.0 - disturbance * (1.0 - kind.kind.disturbed);
                }
                let stays = is_dense(here)
                    && is_dry_enough(kind, site, place, p, ground)
                    && disturbed.is_none_or(|edits| suits_flood(kind, edits, p, ground))
                    && !earlier.iter().any(|other| other.is_near(p, kind.cells.width));
                if stays {
                    layer.kept[index] = here;
                }
            }
        }
        Some(layer)
    }

    /// All candidates in the cells of an area and two cells around it, none of which stay. `None`
    /// if there are none.
    fn candidates(cells: Cells, area: &Region) -> Option<Self> {
        let is_valid = |x: f64| (x / cells.width).abs() < MAX_CELL;
        if ![area.min, area.max].as_flattened().iter().all(|&x| is_valid(x)) {
            return None;
        }
        // One cell for neighbours, another one for positions that are rounded to another cell.
        let first = area.min.map(|x| cells.index(x) - 2);
        let last = area.max.map(|x| cells.index(x) + 2);
        let size = [0, 1].map(|k| (last[k] - first[k]) as usize + 1);
        let mut candidates = Vec::with_capacity(size[0] * size[1]);
        for z in first[1]..=last[1] {
            let row = cells.row(z);
            candidates.extend((first[0]..=last[0]).map(|x| cells.candidate(row, [x, z])));
        }
        let kept = vec![0.0; candidates.len()];
        Some(Self { cells, first, size, candidates, kept })
    }

    /// Whether a candidate has a higher priority than all others within the radius.
    #[inline]
    fn has_priority(&self, index: usize) -> bool {
        let candidate = &self.candidates[index];
        let (p, priority) = (candidate.position, candidate.priority());
        let square = self.cells.width * self.cells.width;
        let columns = self.size[0];
        let rows = [index - columns, index, index + columns];
        let beats = |other: usize| {
            let rival = &self.candidates[other];
            // Of equal priorities that of the later cell counts.
            (rival.priority(), other) > (priority, index)
                && distance_squared(p, rival.position) < square
        };
        !rows.into_iter().any(|row| (row - 1..=row + 1).any(beats))
    }

    /// Whether an instance that stays is within the smaller one of its radius and another one.
    #[inline]
    fn is_near(&self, p: [f64; 2], radius: f64) -> bool {
        let reach = radius.min(self.cells.width);
        let first = [0, 1].map(|k| (self.cells.index(p[k] - reach) - self.first[k]).max(0));
        let last = [0, 1].map(|k| {
            let last = self.cells.index(p[k] + reach) - self.first[k];
            last.min(self.size[k] as i64 - 1)
        });
        (first[1]..=last[1]).any(|j| {
            (first[0]..=last[0]).any(|i| {
                let index = j as usize * self.size[0] + i as usize;
                let other = &self.candidates[index];
                self.kept[index] > 0.0 && distance_squared(p, other.position) < reach * reach
            })
        })
    }

    /// Visits all that stay, with their cells and the density there.
    pub fn kept(&self) -> impl Iterator<Item = ([i64; 2], &Candidate, f32)> {
        let all = self.kept.iter().zip(&self.candidates).enumerate();
        all.filter(|(_, (density, _))| **density > 0.0).map(|(index, (&density, candidate))| {
            let [i, j] = [index % self.size[0], index / self.size[0]];
            ([self.first[0] + i as i64, self.first[1] + j as i64], candidate, density)
        })
    }
}

/// Whether the water at a place suits a kind.
fn is_dry_enough(
    PreparedKind { kind, .. }: &PreparedKind,
    site: &Site,
    place: Place,
    p: [f64; 2],
    ground: &ScatterGround,
) -> bool {
    let depth = site.at(place, |point| point.depth);
    if !(kind.depth_min..=kind.depth_max).contains(&depth) {
        return false;
    }
    let Some(rivers) = &ground.rivers else { return true };
    let mut bank = f64::from(site.at(place, |point| point.bank));
    // The lattice misses brooks that are narrower than its cells.
    let near = SPACING * 2.0;
    if bank < near + f64::from(kind.bank_min.max(0.0)) {
        bank = rivers.bank_distance(p);
    }
    (f64::from(kind.bank_min)..=f64::from(kind.bank_max)).contains(&bank)
}

/// Whether the depth of a flood at a position suits a kind.
fn suits_flood(
    PreparedKind { kind, .. }: &PreparedKind,
    edits: &Edits,
    p: [f64; 2],
    ground: &ScatterGround,
) -> bool {
    let Some(flood) = edits.flooding(p) else { return true };
    let depth = (flood.level - f64::from(ground.field.value(p))) as f32;
    (kind.depth_min..=kind.depth_max).contains(&depth)
}

#[inline]
fn distance_squared(p: [f64; 2], q: [f64; 2]) -> f64 {
    let [x, z] = [p[0] - q[0], p[1] - q[1]];
    x * x + z * z
}
