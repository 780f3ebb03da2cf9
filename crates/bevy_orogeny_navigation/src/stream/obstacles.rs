//! Which obstacles there are, and which ones the tiles of a mesh have.

use core::mem::take;
use core::time::Duration;

use bevy_ecs::prelude::*;
use bevy_log::warn;
use bevy_orogeny::advanced::{Places, WalkerObstacle};
use bevy_orogeny::orogeny::Region;
use bevy_orogeny::{TerrainOrigin, TerrainWalker};
use bevy_platform::collections::{HashMap, HashSet};
use bevy_platform::time::Instant;
use bevy_transform::components::Transform;

use super::queue::Reason;
use crate::mesh::NavigationSource;
use crate::obstacle::{NavigationObstacle, Obstacle};

/// The shortest time between two moves of an obstacle that tiles follow.
const INTERVAL: Duration = Duration::from_millis(500);

/// The obstacles of all entities, in the world.
#[derive(Resource, Debug, Default)]
pub(crate) struct WorldObstacles {
    all: HashMap<Entity, Obstacle>,
    /// Those that are none, since something of them is not finite or has no size.
    invalid: HashSet<Entity>,
    /// Those that have come, moved or gone in this frame.
    changed: Vec<Entity>,
}

type IsObstacle = Or<(With<WalkerObstacle>, With<NavigationObstacle>)>;
type HasMoved = Or<(
    Changed<Transform>,
    Changed<ChildOf>,
    Added<NavigationSource>,
    Added<TerrainWalker>,
    Changed<WalkerObstacle>,
    Changed<NavigationObstacle>,
)>;

/// Finds the obstacles that have come, moved or gone. What rests costs nothing; an obstacle with
/// parents costs a look at these.
pub(crate) fn find(
    mut known: ResMut<WorldObstacles>,
    obstacles: Query<(Option<&WalkerObstacle>, Option<&NavigationObstacle>), IsObstacle>,
    moved: Query<Entity, (IsObstacle, HasMoved)>,
    children: Query<Entity, (IsObstacle, With<ChildOf>)>,
    any_moved: Query<(), HasMoved>,
    parents: Query<&ChildOf>,
    agents: Query<(), Or<(With<NavigationSource>, With<TerrainWalker>)>>,
    mut removed: (
        RemovedComponents<WalkerObstacle>,
        RemovedComponents<NavigationObstacle>,
        RemovedComponents<ChildOf>,
        RemovedComponents<Transform>,
        RemovedComponents<NavigationSource>,
        RemovedComponents<TerrainWalker>,
    ),
    places: Places,
    origin: Option<Res<TerrainOrigin>>,
    mut seen: Local<Vec<Entity>>,
) {
    let known = &mut *known;
    seen.clear();
    let (its_own, of_parents) = (removed.0.read().chain(removed.1.read()), removed.2.read());
    seen.extend(its_own.chain(of_parents).chain(removed.3.read()));
    seen.extend(removed.4.read().chain(removed.5.read()));
    let lost = seen.len();
    seen.extend(&moved);
    // A parent may have lost its own parent, or be no agent any more.
    let has_changed = |it| any_moved.contains(it) || seen[..lost].contains(&it);
    let is_carried = |entity: &Entity| parents.iter_ancestors(*entity).any(has_changed);
    let carried: Vec<Entity> = children.iter().filter(is_carried).collect();
    seen.extend(carried);
    if origin.is_some_and(|origin| origin.is_changed()) {
        seen.extend(known.all.keys());
    }
    let is_agents = |entity| {
        agents.contains(entity) || parents.iter_ancestors(entity).any(|it| agents.contains(it))
    };
    let look = |entity: Entity| {
        let (walkers, own) = obstacles.get(entity).ok()?;
        let it = own.copied().or_else(|| Some((*walkers?).into()))?;
        if it == NavigationObstacle::Ignored || is_agents(entity) {
            return None;
        }
        let place = places.get(entity)?;
        Some(Obstacle::of(&it, &place).ok_or(it))
    };
    known.changed.clear();
    for &entity in &*seen {
        let found = look(entity);
        let new = found.and_then(Result::ok);
        match found {
            // Once, although it may move in each frame.
            Some(Err(it)) if known.invalid.insert(entity) => {
                warn!("{entity} is no obstacle of navigation: {it:?} is not finite or has no size");
            }
            Some(Err(_)) => {}
            _ => _ = known.invalid.remove(&entity),
        }
        if known.all.get(&entity) == new.as_ref() {
            continue;
        }
        known.changed.push(entity);
        match new {
            Some(new) => known.all.insert(entity, new),
            None => known.all.remove(&entity),
        };
    }
}

/// An obstacle as the newest tiles have it.
#[derive(Clone, Copy, Debug)]
struct Adopted {
    obstacle: Obstacle,
    /// When it last moved.
    moved: Option<Instant>,
}

/// The obstacles of a mesh, from its terrain's origin.
#[derive(Debug, Default)]
pub(super) struct MeshObstacles {
    adopted: HashMap<Entity, Adopted>,
    /// Those that have moved, too soon after the last time.
    waiting: Vec<Entity>,
    /// The position of the terrain with which they were adopted.
    offset: Option<[f64; 3]>,
}

impl MeshObstacles {
    /// Takes over what has changed, and returns the regions in which tiles are outdated.
    pub fn follow(
        &mut self,
        world: &WorldObstacles,
        offset: [f64; 3],
        now: Instant,
    ) -> Vec<(Region, Reason)> {
        let mut outdated = Vec::new();
        let mut seen = take(&mut self.waiting);
        if self.offset.replace(offset) == Some(offset) {
            seen.extend(&world.changed);
        } else {
            seen.extend(world.all.keys().chain(self.adopted.keys()));
        }
        seen.sort_unstable();
        seen.dedup();
        for entity in seen {
            let new = world.all.get(&entity).map(|it| it.relative_to(offset));
            match (self.adopted.get_mut(&entity), new) {
                (None, Some(obstacle)) => {
                    self.adopted.insert(entity, Adopted { obstacle, moved: None });
                    outdated.push((obstacle.region(), Reason::Touched));
                }
                (Some(old), None) => {
                    outdated.push((old.obstacle.region(), Reason::Touched));
                    self.adopted.remove(&entity);
                }
                (Some(old), Some(new)) if !old.obstacle.is_near(&new) => {
                    if old.moved.is_some_and(|last| now.duration_since(last) < INTERVAL) {
                        self.waiting.push(entity);
                        continue;
                    }
                    let regions = [old.obstacle, new].map(|it| (it.region(), Reason::Moved));
                    outdated.extend(regions);
                    *old = Adopted { obstacle: new, moved: Some(now) };
                }
                _ => {}
            }
        }
        outdated
    }

    /// Looks at all of them again in the next [`follow`](Self::follow).
    pub fn forget_frame(&mut self) {
        self.offset = None;
    }

    /// Those that meet a region.
    pub fn near(&self, region: Region) -> Vec<Obstacle> {
        let all = self.adopted.values().map(|it| it.obstacle);
        all.filter(|it| it.region().meets(&region)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::obstacle::ObstacleOutline;

    /// One that moves in each frame is followed twice a second, and comes to rest where it is.
    #[test]
    fn moves_are_followed_at_a_bounded_rate() {
        let entity = Entity::from_raw_u32(1).unwrap();
        let at = |x: f64| Obstacle {
            center: [x, 0.0],
            outline: ObstacleOutline::Circle(1.0),
            bottom: 0.0,
            top: 2.0,
        };
        let begin = Instant::now();
        let mut mesh = MeshObstacles::default();
        let mut world = WorldObstacles::default();
        let mut frame = |mesh: &mut MeshObstacles, n: u32, it: Option<Obstacle>| {
            world.changed.clear();
            if world.all.get(&entity) != it.as_ref() {
                world.changed.push(entity);
                world.all.remove(&entity);
                world.all.extend(it.map(|it| (entity, it)));
            }
            mesh.follow(&world, [0.0; 3], begin + n * Duration::from_millis(10))
        };
        let came = frame(&mut mesh, 0, Some(at(0.0)));
        assert_eq!(came, [(at(0.0).region(), Reason::Touched)]);
        let mut followed = 0;
        for n in 1..=300 {
            let outdated = frame(&mut mesh, n, Some(at(0.1 * f64::from(n))));
            assert!(outdated.iter().all(|(_, reason)| *reason == Reason::Moved));
            followed += usize::from(!outdated.is_empty());
        }
        assert_eq!(followed, 6);
        for n in 301..=351 {
            frame(&mut mesh, n, Some(at(30.0)));
        }
        assert_eq!(mesh.near(at(30.0).region())[0].center, [30.0, 0.0]);
        assert!(mesh.waiting.is_empty() && frame(&mut mesh, 352, Some(at(30.0))).is_empty());
        // Rounding is no move. After a rest a door opens at once.
        assert!(frame(&mut mesh, 353, Some(at(30.005))).is_empty());
        assert_eq!(frame(&mut mesh, 500, Some(at(31.0))).len(), 2);
        let gone = frame(&mut mesh, 501, None);
        assert_eq!(gone, [(at(31.0).region(), Reason::Touched)]);
        assert!(mesh.near(at(31.0).region()).is_empty());
    }
}
