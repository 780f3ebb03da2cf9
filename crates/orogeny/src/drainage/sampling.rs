//! Samples of ground with rivers, at points and on grids.

use alloc::vec::Vec;

use crate::derivative::sample::Sample;
use crate::drainage::blocks::Blocks;
use crate::drainage::drained::Drained;
use crate::drainage::grid::Fill;
use crate::drainage::valley::Slope;
use crate::field::Field;
use crate::samples::positions::Positions;
use crate::samples::{Buffer, Samples};

impl Drained {
    /// The ground and detail at a point, before they are added; `None` where there is no land.
    pub(super) fn ground_and_detail(
        &self,
        p: [f64; 2],
    ) -> Option<(Slope<f64>, Option<(Slope<f64>, Sample<2>)>)> {
        let land = self.land();
        let (mut ground, left) = self.rivers.ground(p, &land)?;
        if let Some((limited, field)) = &self.limited {
            let slopes = field.sample(p).gradient;
            ground.gradient = slopes.map(|slope| limited.field * f64::from(slope));
            for (weight, rivers) in &limited.networks {
                let own = rivers.ground(p, &land);
                let own = own.map_or([f64::NAN; 2], |(ground, _)| ground.gradient);
                add(&mut ground.gradient, *weight, own);
            }
        }
        let detail = self.detail.as_ref();
        Some((ground, detail.map(|detail| (left, detail.sample(p)))))
    }

    /// The samples at many positions, bit-identical to those at each.
    pub(crate) fn fill(&self, positions: Positions<2>, out: &mut Samples<2>) {
        out.resize(positions.len());
        let corners = [0, positions.len().saturating_sub(1)];
        let axes = match positions {
            Positions::Grid(axes) if positions.len() > 0 => axes.each_ref().map(|axis| axis.list()),
            _ => [&[][..]; 2],
        };
        let is_grid = positions.len() > 0 && !axes[0].is_empty();
        if !is_grid || !corners.iter().all(|&i| self.is_inside(positions.at(i))) {
            return positions.visit(|i, p| out.set(i, self.sample(p)));
        }
        let (level, land, has_gradients) = (out.level(), self.land(), out.has_gradients());
        out.with_spares(1, |out, spares| {
            let Some(detail) = spares.first_mut() else { return };
            if let Some(field) = &self.detail {
                let mut points = core::mem::take(out.points());
                points.resize(positions.len(), [0.0; 2]);
                positions.visit(|i, p| points[i] = p);
                field.sample_points(&points, detail);
                *out.points() = points;
            }
            let fill = |blocks: &Blocks, set: &mut dyn FnMut(usize, Slope<f64>, Slope<f64>)| {
                Fill { blocks, land: &land, axes, level, has_gradients }
                    .fill(&mut |i, ground, left| set(i, ground, left));
            };
            let set = |out: &mut Samples<2>, i: usize, ground: Slope<f64>, left: Slope<f64>| {
                let detail = self.detail.is_some().then(|| (left, detail.get(i)));
                let sample = combined(ground, detail);
                if out.has_gradients() {
                    out.set(i, sample);
                } else {
                    out.value[i] = sample.value;
                }
            };
            let Some((limited, field)) = self.limited.as_ref().filter(|_| out.has_gradients())
            else {
                return fill(&self.rivers, &mut |i, ground, left| set(out, i, ground, left));
            };
            // In the order of `ground_and_detail`, so that sums are rounded alike.
            let mut gradients = Vec::with_capacity(positions.len());
            positions.visit(|_, p| {
                let slopes = field.sample(p).gradient;
                gradients.push(slopes.map(|slope| limited.field * f64::from(slope)));
            });
            for (weight, rivers) in &limited.networks {
                fill(rivers, &mut |i, ground, _| add(&mut gradients[i], *weight, ground.gradient));
            }
            fill(&self.rivers, &mut |i, ground, left| {
                set(out, i, Slope { gradient: gradients[i], ..ground }, left);
            });
        });
    }
}

fn add(gradient: &mut [f64; 2], weight: f64, other: [f64; 2]) {
    *gradient = [0, 1].map(|k| gradient[k] + weight * other[k]);
}

/// Ground with the part of detail that is left, rounded; outside the domain if there is none.
pub(super) fn combined(ground: Slope<f64>, detail: Option<(Slope<f64>, Sample<2>)>) -> Sample<2> {
    let Slope { mut value, mut gradient } = ground;
    if let Some((left, detail)) = detail {
        let own = f64::from(detail.value);
        value += left.value * own;
        let slopes = detail.gradient.map(f64::from);
        gradient = [0, 1].map(|k| gradient[k] + (left.value * slopes[k] + left.gradient[k] * own));
    }
    if !value.is_finite() {
        return Sample::OUTSIDE;
    }
    Sample { value: value as f32, gradient: gradient.map(|slope| slope as f32) }
}
