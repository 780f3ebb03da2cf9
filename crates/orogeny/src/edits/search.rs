//! Finds the edits near a place.

use alloc::vec::Vec;

use crate::derivative::chain_rule::Dual;
use crate::edits::index::{Cell, Edits, LEVELS, Node, cell_of};
use crate::edits::placed::Placed;
use crate::edits::region::Region;
use crate::edits::smoothed_bases::once_each;
use crate::edits::wavelength::Wavelength;

impl Edits {
    /// Whether an edit may change ground in `region`.
    pub fn touch(&self, region: &Region) -> bool {
        self.root.as_ref().is_some_and(|root| touches(&root.node, region))
    }

    /// All edits whose region meets this one, in the order of their ids.
    pub(crate) fn within(&self, region: &Region) -> Vec<&Placed> {
        let mut list = Vec::new();
        if let Some(root) = &self.root {
            collect(&root.node, region, &mut list);
            // An edit may be in several cells.
            list.sort_unstable_by_key(|edit| edit.id);
            list.dedup_by_key(|edit| edit.id);
        }
        list
    }

    /// The smallest `distance` of an edit from a point, or infinity if none is below `within`.
    /// `distance` is given the smallest one so far. It may return any value that is not below that,
    /// if the edit is not nearer. It allocates nothing.
    pub(super) fn nearest(
        &self,
        p: [f64; 2],
        within: f64,
        distance: impl Fn(&Placed, f64) -> f64,
    ) -> f64 {
        let mut smallest = within;
        if let Some(root) = &self.root {
            approach(&root.node, p, &distance, &mut smallest);
        }
        if smallest < within { smallest } else { f64::INFINITY }
    }

    /// The ground at a point after all edits. `target` evaluates a smoothed base there, and is
    /// called once for each that edits need. It allocates nothing.
    pub(super) fn apply<T: Dual<2>>(
        &self,
        mut ground: T,
        p: [f64; 2],
        target: impl Fn(Wavelength) -> Option<T>,
    ) -> T {
        let mut targets = once_each(target);
        self.each_at(p, |edit| ground = edit.apply(ground, p, &mut targets));
        ground
    }

    /// Visits all edits that may touch a point, in the order of their ids. It allocates nothing.
    #[inline]
    pub(super) fn each_at(&self, p: [f64; 2], mut visit: impl FnMut(&Placed)) {
        let Some(root) = &self.root else { return };
        if !root.node.region.contains(p) {
            return;
        }
        // The edits of each cell that contains the point. Those not yet visited remain in it.
        let mut rest: [&[Placed]; LEVELS] = [&[]; LEVELS];
        let (mut count, mut node, mut level) = (0, &root.node, root.cell.level);
        let index = p.map(cell_of);
        if index.map(|i| i >> level) != root.cell.index {
            return;
        }
        loop {
            if !node.edits.is_empty() {
                rest[count] = &node.edits;
                count += 1;
            }
            if level == 0 {
                break;
            }
            level -= 1;
            match &node.children[Cell::child(index, 0, level)] {
                Some(child) if child.region.contains(p) => node = child,
                _ => break,
            }
        }
        let rest = &mut rest[..count];
        loop {
            let next = rest.iter_mut().filter(|edits| !edits.is_empty());
            let Some(edits) = next.min_by_key(|edits| edits[0].id) else { return };
            let (first, others) = edits.split_at(1);
            *edits = others;
            visit(&first[0]);
        }
    }
}

fn touches(node: &Node, region: &Region) -> bool {
    node.region.meets(region)
        && (node.edits.iter().any(|edit| edit.region.meets(region))
            || node.children.iter().flatten().any(|child| touches(child, region)))
}

fn collect<'a>(node: &'a Node, region: &Region, list: &mut Vec<&'a Placed>) {
    if node.region.meets(region) {
        list.extend(node.edits.iter().filter(|edit| edit.region.meets(region)));
        node.children.iter().flatten().for_each(|child| collect(child, region, list));
    }
}

/// Lowers the smallest distance from a point to that of an edit in a node or below.
fn approach(node: &Node, p: [f64; 2], distance: &impl Fn(&Placed, f64) -> f64, smallest: &mut f64) {
    if node.region.grown(*smallest).contains(p) {
        for edit in &node.edits {
            if edit.region.grown(*smallest).contains(p) {
                *smallest = smallest.min(distance(edit, *smallest));
            }
        }
        for child in node.children.iter().flatten() {
            approach(child, p, distance, smallest);
        }
    }
}
