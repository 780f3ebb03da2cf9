//! Applies the edits that clear and plant.

use alloc::vec::Vec;

use crate::edits::{Planting, Region};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::scatter::density::PreparedKind;
use crate::scatter::ground::ScatterGround;
use crate::scatter::instance::{Instance, InstanceId};

/// Removes what edits have cleared from the instances of a box, which begin at `start` in a list,
/// and adds what they have planted.
pub(super) fn change(
    kinds: &[PreparedKind],
    ground: &ScatterGround,
    area: &Region,
    is_wanted: impl Fn(usize) -> bool,
    out: &mut Vec<Instance>,
    start: usize,
) {
    ground.edits.each_planting(area, |planting| match planting {
        Planting::Clear(clear) => {
            let mut index = 0;
            out.retain(|instance| {
                index += 1;
                let seed = kinds[instance.kind].kind.seed;
                index <= start || !clear.removes(seed, instance.position)
            });
        }
        Planting::Plant(id, plant) => {
            let kind = kinds.iter().position(|kind| kind.kind.seed == plant.kind);
            let Some(kind) = kind.filter(|&kind| is_wanted(kind)) else { return };
            if area.contains_below(plant.center) {
                out.push(Instance {
                    id: InstanceId::Planted(id),
                    kind,
                    position: plant.center,
                    size: plant.size,
                    turn: plant.turn / 360.0 - (plant.turn / 360.0).floor(),
                    lean: [0.0; 2],
                    tint: 0.5,
                    // Planted by hand, so seen from afar.
                    rank: 0.0,
                });
            }
        }
    });
}
