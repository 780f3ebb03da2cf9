//! What edits clear and plant.

use crate::edits::change::EditId;
use crate::edits::index::{Edits, QuadNode};
use crate::edits::operations::{AreaEdit, Clear, Plant, PreparedEdit};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;

/// An edit of the things on the ground.
pub(crate) enum Planting<'a> {
    /// Removes what is there before it.
    Clear(&'a AreaEdit<Clear>),
    /// Adds one thing.
    Plant(EditId, &'a Plant),
}

impl Edits {
    /// Visits all edits of the things on the ground of a region, in the order of their ids.
    pub(crate) fn each_planting<'a>(
        &'a self,
        region: &Region,
        mut visit: impl FnMut(Planting<'a>),
    ) {
        for step in self.within(region) {
            let edit = step.first();
            match &*edit.operation {
                PreparedEdit::Clear(clear) => visit(Planting::Clear(clear)),
                PreparedEdit::Plant(plant) => visit(Planting::Plant(edit.id, plant)),
                _ => {}
            }
        }
    }

    /// Visits what was planted in all regions that a function accepts.
    pub(crate) fn each_planted(
        &self,
        is_near: &impl Fn(&Region) -> bool,
        visit: &mut impl FnMut(EditId, &Plant),
    ) {
        if let Some(root) = &self.root {
            each_planted(&root.node, is_near, visit);
        }
    }

    /// Looks for what was planted nearest to a point, within `within` metres of it. `accepts` gets
    /// nearer and nearer ones, and tells whether each counts.
    pub(crate) fn nearest_planted(
        &self,
        p: [f64; 2],
        within: f64,
        accepts: impl Fn(EditId, &Plant) -> bool,
    ) {
        self.nearest(p, within, |edit, nearest| {
            let PreparedEdit::Plant(plant) = &*edit.operation else { return f64::INFINITY };
            let [x, z] = [plant.center[0] - p[0], plant.center[1] - p[1]];
            let distance = (x * x + z * z).sqrt();
            let counts = distance < nearest && accepts(edit.id, plant);
            if counts { distance } else { f64::INFINITY }
        });
    }

    /// Whether an edit after this one has cleared what it planted.
    pub(crate) fn is_cleared_after(&self, id: EditId, plant: &Plant) -> bool {
        let mut is_cleared = false;
        self.each_at(plant.center, |step| {
            let edit = step.first();
            if let PreparedEdit::Clear(clear) = &*edit.operation {
                is_cleared |= id < edit.id && clear.removes(plant.kind, plant.center);
            }
        });
        is_cleared
    }
}

fn each_planted(
    node: &QuadNode,
    is_near: &impl Fn(&Region) -> bool,
    visit: &mut impl FnMut(EditId, &Plant),
) {
    if !is_near(&node.summary.region) {
        return;
    }
    let blocks = node.blocks.iter().filter(|block| is_near(&block.summary.region));
    for edit in blocks.flat_map(|block| &block.edits) {
        if let PreparedEdit::Plant(plant) = &*edit.operation
            && is_near(&edit.region)
        {
            visit(edit.id, plant);
        }
    }
    node.children.iter().flatten().for_each(|child| each_planted(child, is_near, visit));
}
