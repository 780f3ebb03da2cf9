//! Queries of what stands on the ground.

use super::World;
use crate::Region;
use crate::ray::Ray;
use crate::scatter::{Instance, InstanceId, Placement, ScatterKind};
use crate::tests::random::Random;

/// Half the width of the box in metres.
const HALF: f64 = 12.0;

pub fn check(world: &World, r: &mut Random) {
    let World { edited, at, .. } = world;
    let placement = edited.placement();
    let [x, z] = r.point(60.0);
    let center = [at[0] + x, at[1] + z];
    let all = regions(placement, world, center);
    circles(placement, center, &all);
    densities(placement, center, &all);
    rays(placement, center, r);
    let climate = placement.climate(center);
    assert!(climate.temperature.is_finite() && (0.0..=1.0).contains(&climate.moisture));
}

fn sorted(mut list: Vec<Instance>) -> Vec<Instance> {
    list.sort_by_key(|instance| instance.id);
    list
}

fn regions(placement: &Placement, world: &World, center: [f64; 2]) -> Vec<Instance> {
    let region = Region::around(center, [HALF; 2]);
    let all = sorted(placement.in_region(region, |_| true).expect("a small region"));
    let mut few = Vec::new();
    let done = placement.each_in_region(region, 0.0..0.5, |_| true, |instance| few.push(instance));
    done.expect("a small region");
    let expected: Vec<_> = all.iter().filter(|it| it.rank < 0.5).copied().collect();
    assert_eq!(sorted(few), expected, "of low rank around {center:?}");
    for instance in &all {
        let p = instance.position;
        assert!(region.contains_below(p), "{instance:?} in {region:?}");
        let numbers = [instance.size, instance.turn, instance.tint, instance.rank];
        assert!(numbers.iter().all(|x| x.is_finite()) && instance.size > 0.0, "{instance:?}");
        if let InstanceId::Natural { .. } = instance.id {
            let (kind, height) = (placement.kind(instance.kind).unwrap(), world.edited.value(p));
            assert!(height.is_finite(), "{instance:?} on no ground");
            let Some(sea) = world.recipe.sea_level else { continue };
            let depth = (sea - height).clamp(-1e3, 1e3);
            let range = kind.depth_min..=kind.depth_max;
            assert!(range.contains(&depth), "{instance:?} at a depth of {depth} m");
        }
    }
    all
}

fn circles(placement: &Placement, center: [f64; 2], all: &[Instance]) {
    let distance = |instance: &Instance| {
        let [x, z] = [0, 1].map(|k| instance.position[k] - center[k]);
        (x * x + z * z).sqrt()
    };
    let near: Vec<_> = all.iter().filter(|it| distance(it) <= 10.0).copied().collect();
    let found = sorted(placement.in_circle(center, 10.0, |_| true).expect("a small circle"));
    assert_eq!(found, near, "around {center:?}");
    let expected = near.iter().map(distance).reduce(f64::min);
    let nearest = placement.nearest(center, 10.0, |_| true).expect("a small circle");
    assert_eq!(nearest.as_ref().map(distance), expected, "nearest to {center:?}");
    let none = placement.in_circle(center, 1e12, |kind| kind.radius > 1e9);
    assert_eq!(none, Ok(Vec::new()));
}

fn densities(placement: &Placement, center: [f64; 2], all: &[Instance]) {
    let far = [center, [0.0; 2], [1e12, -1e12]];
    for kind in placement.kinds().map(ScatterKind::id) {
        let found = placement.densities(kind, &far).expect("positions in the world");
        assert!(found.iter().all(|density| (0.0..=1.0).contains(density)), "{found:?}");
        let is_one =
            |it: &&Instance| it.kind == kind && matches!(it.id, InstanceId::Natural { .. });
        let places: Vec<_> = all.iter().filter(is_one).take(20).map(|it| it.position).collect();
        let found = placement.densities(kind, &places).expect("positions in the world");
        assert!(found.iter().all(|&density| density > 0.0), "{found:?} of kind {kind}");
    }
}

fn rays(placement: &Placement, center: [f64; 2], r: &mut Random) {
    let top = placement.field().value(center);
    let top = if top.is_nan() { 0.0 } else { f64::from(top) };
    let origin = [center[0], top + r.within(0.5, 10.0), center[1]];
    let direction = [r.within(-1.0, 1.0), r.within(-0.2, 0.1), r.within(-1.0, 1.0)];
    let ray = Ray { origin, direction, max_distance: 60.0 };
    if let Some(hit) = placement.raycast(&ray).expect("a short ray") {
        assert!((0.0..=60.0).contains(&hit.distance), "{hit:?}");
        assert!(placement.kind(hit.instance.kind).is_some_and(ScatterKind::is_solid), "{hit:?}");
    }
}
