//! Branches of a spruce.

use glam::Vec3;

use crate::{
    Mesh, Surface,
    card::{Print, roof},
    random::Random,
    shade::Shade,
};

/// How a branch is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Every side branch is a card, and twigs hang from the branch.
    Sprays,
    /// A bent card, and one for the hanging twigs.
    Fans,
}

/// A branch of the first order.
pub(super) struct Branch {
    /// Where it leaves the trunk.
    base: Vec3,
    /// Horizontal direction.
    out: Vec3,
    length: f32,
    /// Slope at the trunk. Low branches sink.
    slope: f32,
    /// How much the slope grows towards the tip, which catches light and turns up.
    lift: f32,
    /// Share of its length without needles, in the dark inside of the crown.
    bare: f32,
}

impl Branch {
    /// A branch at a height of the trunk which is a `share` of the crown's.
    pub(super) fn new(
        y: f32,
        out: Vec3,
        length: f32,
        share: f32,
        droop: f32,
        random: &mut Random,
    ) -> Branch {
        let low = 1.0 - share;
        Branch {
            base: Vec3::Y * y,
            out,
            length,
            slope: 0.95 * share * share - droop * low + random.range(-0.12, 0.12),
            lift: (0.12 + 0.3 * low) * random.vary(0.4),
            bare: 0.28 * low * random.vary(0.4),
        }
    }

    pub(super) fn base(&self) -> Vec3 {
        self.base
    }

    pub(super) fn length(&self) -> f32 {
        self.length
    }

    /// The point at a share of the length.
    fn at(&self, t: f32) -> Vec3 {
        let rise = self.slope * t + self.lift * t * t;
        self.base + (self.out * t + Vec3::Y * rise) * self.length
    }

    /// Adds the cards.
    pub(super) fn add(
        &self,
        mesh: &mut Mesh,
        detail: Detail,
        random: &mut Random,
        shade: impl Fn(Vec3) -> Shade,
    ) {
        match detail {
            Detail::Sprays => self.sprays(mesh, random, shade),
            Detail::Fans => self.fan(mesh, random, shade),
        }
    }

    /// The tip, side branches that leave left and right, and curtains of hanging twigs.
    fn sprays(&self, mesh: &mut Mesh, random: &mut Random, shade: impl Fn(Vec3) -> Shade) {
        let side = Vec3::new(-self.out.z, 0.0, self.out.x);
        let size = (0.3 + 0.42 * self.length).min(1.1);
        let from = (1.0 - size / self.length).max(0.0);
        let tip = Spray {
            base: self.at(from),
            ahead: (self.at(1.0) - self.at(from)) * 1.06,
            side,
            half: 0.48 * size,
            hang: random.range(0.3, 0.8),
        };
        tip.add(mesh, random, &shade);
        let count = ((self.length - 0.2) / 0.3).round().clamp(0.0, 6.0) as u32;
        let mut hand = if random.unit() < 0.5 { 1.0 } else { -1.0 };
        for i in 0..count {
            let t =
                self.bare + (0.8 - self.bare) * (i as f32 + random.range(0.1, 0.7)) / count as f32;
            let along = (self.at(t + 0.05) - self.at(t)).normalize_or(self.out);
            let aside = hand * side;
            // They sink more than the branch, and their twigs hang.
            let ahead = along * random.range(0.5, 0.9) + aside * random.range(0.6, 0.95)
                - Vec3::Y * random.range(0.15, 0.8);
            let reach = (0.5 + 0.5 * self.length * (1.0 - 0.6 * t)).min(1.3) * random.vary(0.2);
            Spray {
                base: self.at(t),
                ahead: ahead.normalize_or(along) * reach,
                side: ahead.cross(Vec3::Y).normalize_or(side),
                half: 0.46 * reach,
                hang: random.range(0.2, 1.1),
            }
            .add(mesh, random, &shade);
            hand = -hand;
        }
        if self.length > 0.5 {
            let deep = (0.2 + 0.28 * self.length).min(0.7) * random.vary(0.25);
            self.curtain(mesh, deep, random, shade);
        }
    }

    /// Twigs that hang from the branch: half of the pattern of a spray, upright.
    fn curtain(
        &self,
        mesh: &mut Mesh,
        deep: f32,
        random: &mut Random,
        shade: impl Fn(Vec3) -> Shade,
    ) {
        let print = Print { surface: Surface::Needles, cell: random.cell() };
        let side = Vec3::new(-self.out.z, 0.0, self.out.x) * random.range(-0.2, 0.2);
        let foot = self.bare.max(0.1);
        let middle = 0.5 * (foot + 1.0);
        let down = (side - Vec3::Y) * deep;
        let corners = [
            (self.at(foot), 0.0, 0.5),
            (self.at(middle) + down, 0.45, 1.0),
            (self.at(1.0) + 0.1 * down, 1.0, 0.55),
            (self.at(middle), 0.45, 0.5),
        ];
        let [a, b, c, d] =
            corners.map(|(p, u, v)| mesh.push(p, print.uv(u, v), print.surface, shade(p)));
        mesh.triangle(a, b, d);
        mesh.triangle(d, b, c);
    }

    /// The whole branch as a roof that is bent in its middle, with a curtain.
    fn fan(&self, mesh: &mut Mesh, random: &mut Random, shade: impl Fn(Vec3) -> Shade) {
        let side = Vec3::new(-self.out.z, 0.0, self.out.x);
        let base = self.at(0.6 * self.bare);
        let half = 0.26 + 0.42 * self.length;
        Spray {
            base,
            ahead: self.at(1.0) - base,
            side,
            half: half * random.vary(0.15),
            hang: random.range(0.5, 1.1),
        }
        .add(mesh, random, &shade);
        if self.length > 0.5 {
            let deep = (0.3 + 0.42 * self.length).min(1.1) * random.vary(0.25);
            self.curtain(mesh, deep, random, shade);
        }
    }
}

/// A card for a twig with its side twigs, folded along its axis.
pub(super) struct Spray {
    pub(super) base: Vec3,
    /// From the base to the tip.
    pub(super) ahead: Vec3,
    pub(super) side: Vec3,
    pub(super) half: f32,
    /// How far the edges hang, in radians.
    pub(super) hang: f32,
}

impl Spray {
    pub(super) fn add(&self, mesh: &mut Mesh, random: &mut Random, shade: impl Fn(Vec3) -> Shade) {
        let print = Print { surface: Surface::Needles, cell: random.cell() };
        // Every spray catches the light a little differently.
        let own = 0.22 * random.direction();
        let middle = self.base + 0.45 * self.ahead;
        let across = self.side * (self.half * self.hang.cos());
        let down = Vec3::Y * (-self.half * self.hang.sin());
        let tip = self.base + self.ahead;
        let eaves = [middle + across + down, middle - across + down];
        roof(mesh, [self.base, eaves[0], eaves[1], tip], print, |p| {
            let shade = shade(p);
            Shade { normal: shade.normal + own, ..shade }
        });
    }
}
