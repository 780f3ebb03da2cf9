//! What grows on a trunk: limbs that end in lobes of several clumps.

use glam::Vec3;

use crate::{
    crown::{Blob, Crown, evenly},
    random::Random,
    tree::limb,
    tube::Ring,
};

/// Limbs, twigs and foliage.
#[derive(Default)]
pub(crate) struct Growth {
    pub(crate) blobs: Vec<Blob>,
    pub(crate) limbs: Vec<Vec<Ring>>,
    pub(crate) twigs: Vec<Vec<Ring>>,
}

/// A limb from the trunk with clumps of foliage about its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lobe {
    /// The trunk where the limb leaves it.
    pub(crate) fork: Ring,
    /// Radius of the limb, relative to the trunk's there.
    pub(crate) thick: f32,
    /// Positive limbs leave the trunk flat and turn upwards.
    pub(crate) bend: f32,
    /// The space that the clumps fill.
    pub(crate) space: Blob,
    pub(crate) clumps: u32,
    /// Radius of clumps, relative to the space's.
    pub(crate) size: f32,
}

impl Growth {
    /// Adds a lobe. Its clumps differ in size and leave gaps, as no branch fills its space evenly.
    pub(crate) fn lobe(&mut self, lobe: Lobe, random: &mut Random) {
        let Lobe { fork, thick, bend, space, clumps, size } = lobe;
        let limb = limb(fork.centre, space.centre, bend, thick * fork.radius, random);
        let turn = random.angle();
        for i in 0..clumps {
            let even = evenly(i, clumps, turn) + 0.5 * random.direction();
            // None is so far out that it seems to float.
            let even = even.normalize_or(Vec3::Y) * random.range(0.55, 1.0);
            let place = even * Vec3::new(0.8, 0.7, 0.8) + 0.1 * Vec3::Y;
            let centre = space.centre + place * space.radii;
            let radii = space.radii * size * random.vary(0.35);
            self.blobs.push(Blob { centre, radii });
            let start = limb[if i % 2 == 0 { 2 } else { 1 }];
            let thin = (0.4 * start.radius).max(0.008);
            self.twigs.push(vec![Ring::new(start.centre, thin), Ring::new(centre, 0.0)]);
        }
        self.limbs.push(limb);
    }

    /// Adds a dead limb.
    pub(crate) fn dead(&mut self, fork: Ring, reach: Vec3, random: &mut Random) {
        self.limbs.push(limb(fork.centre, fork.centre + reach, 0.1, 0.32 * fork.radius, random));
    }

    /// The crown.
    pub(crate) fn crown(&self) -> Crown {
        Crown::new(self.blobs.clone())
    }
}
