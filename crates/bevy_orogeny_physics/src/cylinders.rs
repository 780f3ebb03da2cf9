//! The solids of a tile as cylinders of parry.

/// The trunks and rocks on a tile as one shape of parry. `None` if there are none.
macro_rules! cylinders {
    ($engine:ident, $tile:expr) => {{
        use $engine::parry::math::Pose;
        use $engine::parry::shape::SharedShape;

        let cylinder = |solid: &bevy_orogeny::Solid| {
            let [x, z] = solid.position;
            let half_height = 0.5 * (solid.top - solid.bottom);
            let middle = Pose::translation(x, solid.bottom + half_height, z);
            (middle, SharedShape::cylinder(half_height, solid.radius))
        };
        let cylinders: Vec<_> = $tile.solids.iter().map(cylinder).collect();
        // Parry refuses an empty compound.
        (!cylinders.is_empty()).then(|| SharedShape::compound(cylinders))
    }};
}
pub(crate) use cylinders;
