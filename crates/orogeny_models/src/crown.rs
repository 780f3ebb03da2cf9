//! Crowns made of several ellipsoids of foliage, the limbs in them, and what they are from afar.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Vec2, Vec3};

use crate::mesh::{GOLDEN_ANGLE, Shade, horizontal, smoothstep};
use crate::model::Random;
use crate::shapes::{Print, Ring, rectangle};
use crate::tree::limb;
use crate::{Mesh, Pattern};

/// An ellipsoid of foliage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blob {
    pub(crate) centre: Vec3,
    pub(crate) radii: Vec3,
}

impl Blob {
    pub(crate) fn new(centre: Vec3, radius: f32, flatness: f32) -> Blob {
        Blob { centre, radii: Vec3::new(radius, radius * flatness, radius) }
    }

    /// 0 at the centre, and a vector of length 1 on the surface.
    fn relative(&self, p: Vec3) -> Vec3 {
        (p - self.centre) / self.radii
    }
}

/// How cards stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Posture {
    /// Turned anyhow.
    Any,
    /// Upright, below where they grow.
    Hanging,
    /// Upright, and wider than high: the clumps of pines seen from the side.
    Flat,
}

/// The cards of a level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foliage {
    pub(crate) pattern: Pattern,
    /// Half the side of a card in metres.
    pub(crate) size: f32,
    /// How much cards differ from facing outwards. Large ones would stick out.
    pub(crate) tilt: f32,
    pub(crate) posture: Posture,
}

/// A crown.
#[derive(Clone, Debug)]
pub(crate) struct Crown {
    pub(crate) blobs: Vec<Blob>,
    /// The ellipsoid that encloses the blobs, roughly.
    pub(crate) hull: Blob,
}

impl Crown {
    pub(crate) fn new(blobs: Vec<Blob>) -> Crown {
        let low = blobs.iter().map(|blob| blob.centre - blob.radii).reduce(Vec3::min);
        let high = blobs.iter().map(|blob| blob.centre + blob.radii).reduce(Vec3::max);
        let (low, high) = (low.unwrap_or_default(), high.unwrap_or_default());
        let hull = Blob { centre: 0.5 * (low + high), radii: 0.5 * (high - low) };
        Crown { blobs, hull }
    }

    /// The share of the hull's outline that blobs cover, seen from two sides.
    pub(crate) fn filled(&self) -> f32 {
        const STEPS: i32 = 12;
        let (mut covered, mut all) = (0, 0);
        for (i, j) in (-STEPS..=STEPS).flat_map(|i| (-STEPS..=STEPS).map(move |j| (i, j))) {
            let (a, y) = (i as f32 / STEPS as f32, j as f32 / STEPS as f32);
            if a * a + y * y > 1.0 {
                continue;
            }
            for side in [Vec3::X, Vec3::Z] {
                let p = self.hull.centre + (side * a + Vec3::Y * y) * self.hull.radii;
                let hides = |blob: &Blob| {
                    let q = blob.relative(p) * (side + Vec3::Y);
                    q.length_squared() < 1.0
                };
                covered += i32::from(self.blobs.iter().any(hides));
                all += 1;
            }
        }
        covered as f32 / all as f32
    }

    /// Shades foliage of a blob as a soft volume within the larger volume of the crown.
    pub(crate) fn shade(&self, blob: &Blob, p: Vec3) -> Shade {
        let own = blob.relative(p);
        let all = self.hull.relative(p);
        let normal = 0.6 * own.normalize_or(Vec3::Y) + 0.6 * all.normalize_or(Vec3::Y);
        let outside = smoothstep(0.25, 1.0, all.length());
        let bump = smoothstep(0.3, 1.1, own.length());
        let up = 0.5 + 0.5 * own.y.clamp(-1.0, 1.0);
        let high = 0.5 + 0.5 * all.y.clamp(-1.0, 1.0);
        let tone = (0.58 + 0.28 * outside + 0.2 * bump) * (0.8 + 0.12 * up + 0.08 * high);
        let top = self.hull.centre.y + self.hull.radii.y;
        let sway = 0.65 * (p.y / top).max(0.0) + 0.35 * outside;
        Shade { normal: normal + 0.4 * Vec3::Y, tone, sway }
    }

    /// Adds cards of foliage, spread over the blobs by their surface.
    pub(crate) fn cards(&self, mesh: &mut Mesh, count: u32, foliage: Foliage, random: &mut Random) {
        let areas = self.blobs.iter().map(|blob| blob.radii.x * blob.radii.y);
        let total: f32 = areas.clone().sum();
        let top = |blob: &Blob| blob.centre.y + blob.radii.y;
        let crest = self.blobs.iter().map(top).fold(f32::MIN, f32::max);
        let mut due = 0.0;
        let mut done = 0;
        for (i, (blob, area)) in self.blobs.iter().zip(areas).enumerate() {
            due += count as f32 * area / total;
            let until = if i + 1 == self.blobs.len() { count } else { due.round() as u32 };
            // All levels show the crest, so that they are equally high.
            let is_crest = top(blob) == crest;
            let until = if is_crest { until.max(done + 1).min(count) } else { until };
            let turn = random.angle();
            for k in done..until {
                let even = evenly(k - done, until.saturating_sub(done), turn);
                let even = if is_crest && k == done { Vec3::Y } else { even };
                let out = (even + 0.3 * random.direction()).normalize_or(even);
                self.card(mesh, blob, out, foliage, random);
            }
            done = done.max(until);
        }
    }

    fn card(
        &self,
        mesh: &mut Mesh,
        blob: &Blob,
        mut out: Vec3,
        foliage: Foliage,
        random: &mut Random,
    ) {
        // Foliage inside other blobs would be hidden.
        for _ in 0..5 {
            let place = blob.centre + out * blob.radii;
            if !self.blobs.iter().any(|other| other.relative(place).length() < 0.75) {
                break;
            }
            out = random.direction();
        }
        let size = foliage.size * random.vary(0.25);
        // Cards stay inside the hull, so that their size changes the outline little.
        let inset = (1.0 - 0.55 * size / blob.radii.max_element()).max(0.1);
        let centre = blob.centre + out * blob.radii * inset * random.range(0.4, 1.3);
        // Twigs hang from where they grow.
        let sag =
            if foliage.posture == Posture::Hanging { random.range(0.0, 0.9) * size } else { 0.0 };
        let centre = centre - sag * Vec3::Y;
        let print = Print { pattern: foliage.pattern, cell: random.cell() };
        let azimuth = out.z.atan2(out.x) + random.range(-0.9, 0.9);
        let level = horizontal(azimuth + FRAC_PI_2);
        let (right, up) = match foliage.posture {
            Posture::Hanging => (level, (Vec3::Y * 1.1 - 0.3 * horizontal(azimuth)).normalize()),
            Posture::Flat => (1.2 * level, 0.6 * Vec3::Y - 0.3 * horizontal(azimuth)),
            Posture::Any => {
                let tilt = foliage.tilt * (0.5 * Vec3::Y + random.direction());
                let (a, b) = (out + tilt).normalize_or(Vec3::Y).any_orthonormal_pair();
                let (sin, cos) = random.angle().sin_cos();
                (a * cos + b * sin, b * cos - a * sin)
            }
        };
        rectangle(mesh, centre, right * size, up * size, print, |p| self.shade(blob, p));
    }
}

/// One of `count` directions that are spread evenly: a spiral from the bottom to the top.
pub(crate) fn evenly(i: u32, count: u32, turn: f32) -> Vec3 {
    let y = (2.0 * i as f32 + 1.0) / count as f32 - 1.0;
    horizontal(turn + i as f32 * GOLDEN_ANGLE) * (1.0 - y * y).max(0.0).sqrt() + y * Vec3::Y
}

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

/// Adds a trunk as two upright triangles at right angles.
pub(crate) fn crossed_trunk(
    mesh: &mut Mesh,
    trunk: &[Ring],
    bark: Pattern,
    shade: impl Fn(Vec3) -> Shade,
) {
    let foot = trunk[1];
    let top = trunk[trunk.len() - 1].centre;
    for azimuth in [0.0, FRAC_PI_2] {
        let side = horizontal(azimuth) * foot.radius;
        let out = horizontal(azimuth + FRAC_PI_2);
        let base = Vec3::new(foot.centre.x, trunk[0].centre.y, foot.centre.z);
        let corners = [(base - side, [0.2, 0.0]), (base + side, [0.7, 0.0]), (top, [0.5, 1.0])];
        let [a, b, c] = corners.map(|(p, uv)| {
            mesh.push(p, uv, bark, Shade { normal: out + 0.4 * Vec3::Y, ..shade(p) })
        });
        mesh.triangle(a, b, c);
    }
}

/// Adds cards about the middle of a crown: all but the last face outwards and lean inwards, and the
/// last one is level, for views from above. `size` is relative
/// to the crown: across and upwards.
pub(crate) fn crown_cards(
    mesh: &mut Mesh,
    crown: &Crown,
    count: u32,
    size: Vec2,
    pattern: Pattern,
    posture: Posture,
    random: &mut Random,
) {
    let hull = crown.hull;
    // Crowns with gaps get narrower cards.
    let wide = 0.5 * (hull.radii.x + hull.radii.z) * size.x * (0.45 + 0.6 * crown.filled());
    let tall = hull.radii.y * size.y;
    let upright = count - 1;
    let start = random.angle();
    for i in 0..upright {
        let azimuth = start + i as f32 / upright as f32 * TAU;
        let out = horizontal(azimuth);
        let print = Print { pattern, cell: random.cell() };
        let lean = if posture == Posture::Hanging { 0.15 } else { 0.3 };
        let up = Vec3::Y * tall - out * (lean * wide);
        let right = horizontal(azimuth + FRAC_PI_2) * wide;
        let centre = hull.centre + out * (0.28 * wide);
        rectangle(mesh, centre, right, up, print, |p| crown.shade(&hull, p));
    }
    let print = Print { pattern, cell: random.cell() };
    // It is smaller, as it would stick out of the upright ones when seen from the side.
    let wide = 0.7 * wide;
    let (side, ahead) = (horizontal(start + 0.5) * wide, horizontal(start + 2.07));
    let centre = hull.centre + Vec3::Y * (0.25 * tall);
    rectangle(mesh, centre, side, ahead * wide, print, |p| crown.shade(&hull, p));
}
