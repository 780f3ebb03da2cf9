//! Samples of ground with rivers, at points and on grids.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::arrays::Each;
use crate::derivative::sample::Sample;
use crate::drainage::ground::blocks::Blocks;
use crate::drainage::ground::channel::{RiverSurface, river_surface};
use crate::drainage::ground::grid::{Axes, Fill};
use crate::drainage::ground::survey::{Neighbourhood, Survey};
use crate::drainage::ground::valley::{Contributions, Sample64};
use crate::drainage::river_ground::RiverGround;
use crate::field::Field;
use crate::samples::positions::Grid;
use crate::samples::{Buffer, Samples};

impl RiverGround {
    /// The ground and detail at a point, before they are added; `None` where there is no land.
    pub(super) fn ground_and_detail(
        &self,
        p: [f64; 2],
    ) -> Option<(Sample64<f64>, Option<(Sample64<f64>, Sample<2>)>)> {
        let catchment = self.catchment();
        let at = |survey: &Survey, around: &Neighbourhood| {
            survey.ground(around, p, &mut Contributions::default())
        };
        let (mut ground, left) = self.rivers.at(p, &catchment, at)?;
        if let Some((limited, field)) = &self.limited {
            let slopes = field.sample(p).gradient;
            ground.gradient = slopes.each(|slope| limited.field * f64::from(slope));
            for (weight, rivers) in &limited.networks {
                let own = rivers.at(p, &catchment, at);
                let own = own.map_or([f64::NAN; 2], |(ground, _)| ground.gradient);
                add(&mut ground.gradient, *weight, own);
            }
        }
        let detail = self.detail.as_ref();
        Some((ground, detail.map(|detail| (left, detail.sample(p)))))
    }

    /// The height at a point.
    pub(super) fn height(&self, p: [f64; 2]) -> f32 {
        let at = |survey: &Survey, around: &Neighbourhood| {
            survey.height(around, p, &mut Contributions::default())
        };
        let height = self.rivers.at(p, &self.catchment(), at);
        height.map_or(Sample::<2>::OUTSIDE.value, |height| self.with_own_detail(height, p))
    }

    /// The height and the river at a point, if it is beside one; `None` where there is no land.
    pub(super) fn height_and_river(&self, p: [f64; 2]) -> Option<(f32, Option<RiverSurface>)> {
        let shape = &self.rivers.network.shape;
        self.rivers.at(p, &self.catchment(), |survey, around| {
            let height = survey.height(around, p, &mut Contributions::default());
            let reaches = around.wet.iter().map(|&i| &survey.reaches[i as usize]);
            (self.with_own_detail(height, p), river_surface(reaches, p, shape))
        })
    }

    /// A height with the part of detail that is left.
    fn with_own_detail(&self, (value, left): (f64, f64), p: [f64; 2]) -> f32 {
        let flat_detail = |value| Sample { value, gradient: [0.0; 2] };
        let detail = self.detail.as_ref().map(|field| (flat(left), flat_detail(field.value(p))));
        combined(flat(value), detail).value
    }

    /// The samples at scattered points.
    pub(super) fn fill_points(&self, points: &[[f64; 2]], out: &mut Samples<2>) {
        let has_gradients = out.has_gradients();
        let is_limited = has_gradients && self.limited.is_some();
        if is_limited || !points.iter().all(|&p| self.is_inside(p)) {
            return out.write(points.iter().map(|&p| self.sample(p)));
        }
        out.write(points.iter().map(|_| Sample::OUTSIDE));
        let level = out.level();
        out.with_spares(1, |out, spares| {
            let [detail] = spares else { return };
            if let Some(field) = &self.detail {
                field.sample_points(points, detail);
            }
            self.rivers.each_point(
                points,
                &self.catchment(),
                has_gradients,
                level,
                |i, ground, left| {
                    let detail = self.detail.is_some().then(|| (left, detail.get(i)));
                    let sample = combined(ground, detail);
                    if has_gradients {
                        out.set(i, sample);
                    } else {
                        out.value[i] = sample.value;
                    }
                },
            );
        });
    }

    /// The samples of a grid with these coordinates, bit-identical to those at each point.
    pub(super) fn fill(&self, grid: &Grid<2>, axes: Axes, out: &mut Samples<2>) {
        out.resize(grid.len());
        if grid.is_empty() {
            return;
        }
        let [first, last] = [axes.each(|axis| axis[0]), axes.each(|axis| axis[axis.len() - 1])];
        if !self.is_inside(first) || !self.is_inside(last) {
            return grid.points().enumerate().for_each(|(i, p)| out.set(i, self.sample(p)));
        }
        let (level, catchment, has_gradients) =
            (out.level(), self.catchment(), out.has_gradients());
        out.with_spares(2, |out, spares| {
            let [detail, slopes] = spares else { return };
            if let Some(field) = &self.detail {
                field.sample_grid(grid, detail);
            }
            let fill =
                |blocks: &Blocks, set: &mut dyn FnMut(usize, Sample64<f64>, Sample64<f64>)| {
                    Fill { blocks, catchment: &catchment, axes, level, has_gradients }
                        .fill(&mut |i, ground, left| set(i, ground, left));
                };
            let set =
                |out: &mut Samples<2>, i: usize, ground: Sample64<f64>, left: Sample64<f64>| {
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
            field.sample_grid(grid, slopes);
            let slopes = slopes.iter().map(|sample| sample.gradient);
            let mut gradients: Vec<[f64; 2]> = slopes
                .map(|slopes| slopes.each(|slope| limited.field * f64::from(slope)))
                .collect();
            // The whole network comes last, if it counts.
            let is_whole = |rivers: &Arc<Blocks>| Arc::ptr_eq(rivers, &self.rivers);
            let coarser = limited.networks.iter().filter(|(_, rivers)| !is_whole(rivers));
            for (weight, rivers) in coarser {
                fill(rivers, &mut |i, ground, _| add(&mut gradients[i], *weight, ground.gradient));
            }
            let whole = limited.networks.last().filter(|(_, rivers)| is_whole(rivers));
            fill(&self.rivers, &mut |i, ground, left| {
                if let Some((weight, _)) = whole {
                    add(&mut gradients[i], *weight, ground.gradient);
                }
                set(out, i, Sample64 { gradient: gradients[i], ..ground }, left);
            });
        });
    }
}

/// A value whose gradient nobody asks for.
fn flat(value: f64) -> Sample64<f64> {
    Sample64 { value, gradient: [0.0; 2] }
}

fn add(gradient: &mut [f64; 2], weight: f64, other: [f64; 2]) {
    *gradient = [0, 1].each(|k| gradient[k] + weight * other[k]);
}

/// Ground with the part of detail that is left, rounded; outside the domain if there is none.
pub(super) fn combined(
    ground: Sample64<f64>,
    detail: Option<(Sample64<f64>, Sample<2>)>,
) -> Sample<2> {
    let Sample64 { mut value, mut gradient } = ground;
    if let Some((left, detail)) = detail {
        let own = f64::from(detail.value);
        value += left.value * own;
        let slopes = detail.gradient.each(f64::from);
        gradient = [0, 1].each(|k| gradient[k] + (left.value * slopes[k] + left.gradient[k] * own));
    }
    if !value.is_finite() {
        return Sample::OUTSIDE;
    }
    Sample { value: value as f32, gradient: gradient.each(|slope| slope as f32) }
}
