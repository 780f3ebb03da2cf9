//! How dense a kind is, for maps of it.

use alloc::vec::Vec;

use crate::edits::{Planting, Region};
use crate::scatter::layers::{edits_near, suitability};
use crate::scatter::scattered::Scattered;
use crate::scatter::site::FARTHEST;

impl Scattered {
    /// The density of a kind at positions, 0 to 1: as its cover, its bands, its clusters, water and
    /// edits decide, before instances keep their distance from others. `kind` is an index; a kind
    /// that there is not has density 0 everywhere.
    ///
    /// It evaluates the ground in the smallest box around all positions, which are meant to be
    /// within some 1000 m of each other. Beyond 1e15 m from the origin nothing grows.
    pub fn densities(&self, kind: usize, positions: &[[f64; 2]]) -> Vec<f32> {
        let mut densities = vec![0.0; positions.len()];
        let area = positions.iter().fold(Region::EMPTY, |area, p| Region {
            min: [0, 1].map(|k| area.min[k].min(p[k])),
            max: [0, 1].map(|k| area.max[k].max(p[k])),
        });
        let is_valid = |p: &[f64; 2]| p.iter().all(|x| x.abs() < FARTHEST);
        let Some(kind) = self.kinds.get(kind) else { return densities };
        if area.is_empty() || !positions.iter().all(is_valid) {
            return densities;
        }
        let site = self.sites.on(&self.ground, &area);
        let Some(on_site) = kind.on(&site) else { return densities };
        let edits = edits_near(kind, &self.ground, &area);
        for (density, &p) in densities.iter_mut().zip(positions) {
            let place = site.place(p);
            let here = place.among(|i| on_site[i]);
            if here > 0.0 {
                *density = here * suitability(kind, &site, place, p, &self.ground, edits);
            }
        }
        self.ground.edits.each_planting(&area, |planting| {
            let Planting::Clear(clear) = planting else { return };
            for (density, &p) in densities.iter_mut().zip(positions) {
                if clear.removes(kind.kind.seed, p) {
                    *density = 0.0;
                }
            }
        });
        densities
    }
}
