//! The shape of river networks: Horton's laws and Hack's law.
//!
//! Horton, "Erosional development of streams and their drainage basins" (1945), with the stream
//! orders of Strahler (1957); Hack, "Studies of longitudinal stream profiles in Virginia and
//! Maryland" (1957).

use std::collections::HashMap;

use orogeny::Region;
use orogeny::drainage::{RiverGround, RiverReach};

use super::course::{bits, length};
use crate::report::Report;

/// The side of the region, in metres, and how far from its border networks are not whole.
const SIDE: f64 = 120e3;
const BORDER: f64 = 1500.0;

/// Where parts meet.
type Place = [u64; 2];

/// A river at a place.
#[derive(Clone, Copy)]
struct Flow {
    /// Strahler's order.
    order: usize,
    /// How long the river of that order is so far, and the longest way from a spring.
    own: f64,
    longest: f64,
    /// The number of springs upstream, which stands for the area.
    springs: f64,
    /// Whether a part of it comes from outside.
    is_cut: bool,
}

pub fn measure(field: &RiverGround, report: &Report) {
    let corner = [40e3, -20e3];
    let mut parts = field
        .reaches(Region { min: corner, max: corner.map(|x| x + SIDE) })
        .expect("a region within the limits");
    parts.retain(|part| part.surface[0] > 0.0);
    // From the top down, so that all that flows to a place is known there.
    parts.sort_by(|a, b| b.surface[0].total_cmp(&a.surface[0]));
    let (orders, basins) = flow(&parts, corner);
    let [bifurcation, length] = ratios(&orders);
    let hack = slope(basins.iter().map(|&(springs, longest)| [springs.ln(), longest.ln()]));
    report.add("horton_bifurcation_ratio", bifurcation);
    report.add("horton_length_ratio", length);
    report.add("hack_exponent", hack);
}

/// The number and the length of the streams of each order; and the number of springs and the
/// longest river of each basin of a stream of order 3 and more.
fn flow(parts: &[RiverReach], corner: [f64; 2]) -> (Vec<[f64; 2]>, Vec<(f64, f64)>) {
    let mut places: HashMap<Place, Vec<Flow>> = HashMap::new();
    let (mut orders, mut basins) = (vec![[0.0; 2]; 32], Vec::new());
    for part in parts {
        let [start, end] = part.ends;
        let from = places.remove(&bits(start)).unwrap_or_else(|| {
            let is_near =
                |k: usize| (start[k] - corner[k] - SIDE / 2.0).abs() > SIDE / 2.0 - BORDER;
            let is_cut = is_near(0) || is_near(1);
            vec![Flow { order: 1, own: 0.0, longest: 0.0, springs: 1.0, is_cut }]
        });
        let highest = from.iter().map(|flow| flow.order).max().unwrap_or(1);
        let count = from.iter().filter(|flow| flow.order == highest).count();
        // Two rivers of the highest order make one of the next. They end, like all lower ones.
        let ends = |flow: &&Flow| flow.order < highest || count > 1;
        for flow in from.iter().filter(ends).filter(|flow| !flow.is_cut) {
            let [number, sum] = &mut orders[flow.order];
            (*number, *sum) = (*number + 1.0, *sum + flow.own);
            if flow.order >= 3 {
                basins.push((flow.springs, flow.longest));
            }
        }
        let goes_on = from.iter().find(|flow| !ends(flow)).map_or(0.0, |flow| flow.own);
        let length = length(part);
        places.entry(bits(end)).or_default().push(Flow {
            order: if count > 1 { highest + 1 } else { highest },
            own: goes_on + length,
            longest: from.iter().map(|flow| flow.longest).fold(0.0, f64::max) + length,
            springs: from.iter().map(|flow| flow.springs).sum(),
            is_cut: from.iter().any(|flow| flow.is_cut),
        });
    }
    (orders, basins)
}

/// Horton's ratios, from lines through the logarithms of numbers and mean lengths of the orders
/// with ten streams or more.
fn ratios(orders: &[[f64; 2]]) -> [f64; 2] {
    let enough = || orders.iter().zip(0..).filter(|([count, _], _)| *count >= 10.0);
    let numbers = enough().map(|([count, _], order)| [f64::from(order), count.ln()]);
    let lengths = enough().map(|([count, sum], order)| [f64::from(order), (sum / count).ln()]);
    [(-slope(numbers)).exp(), slope(lengths).exp()]
}

/// The slope of the line of least squares.
fn slope(points: impl Iterator<Item = [f64; 2]> + Clone) -> f64 {
    let count = points.clone().count() as f64;
    let mean = [0, 1].map(|k| points.clone().map(|p| p[k]).sum::<f64>() / count);
    let [mut both, mut own] = [0.0; 2];
    for [x, y] in points {
        both += (x - mean[0]) * (y - mean[1]);
        own += (x - mean[0]) * (x - mean[0]);
    }
    both / own
}
