use bevy_tasks::{AsyncComputeTaskPool, TaskPool};
use proptest::prelude::*;

use super::*;

/// What happens to a stream.
#[derive(Clone, Debug)]
enum Step {
    /// Tiles are wanted at distances. Others stay if they are even, or if they are current.
    Want(Vec<(u8, u8)>),
    Touch(u8, u8),
    Restart(u8, u8),
    Lose(u8),
    Put(u8),
    /// The most urgent tile is begun, or the last one.
    Begin(bool),
    /// One of the tasks is done.
    Receive(usize),
    /// The stream is replaced by another one, which shares tiles up to one.
    Share(u8),
}

fn step() -> impl Strategy<Value = Step> {
    let (key, reason) = (0_u8..8, 0_u8..4);
    prop_oneof![
        2 => prop::collection::vec((0_u8..8, 0_u8..20), 0..8).prop_map(Step::Want),
        2 => (key.clone(), reason.clone()).prop_map(|(key, reason)| Step::Touch(key, reason)),
        1 => (key.clone(), reason).prop_map(|(key, reason)| Step::Restart(key, reason)),
        1 => key.clone().prop_map(Step::Lose),
        1 => key.clone().prop_map(Step::Put),
        6 => any::<bool>().prop_map(Step::Begin),
        4 => (0_usize..8).prop_map(Step::Receive),
        1 => key.prop_map(Step::Share),
    ]
}

/// A stream of tiles that are built of the number of changes of their ground.
#[derive(Default)]
struct Model {
    stream: TileStream<u8, u32, u32, u8>,
    wanted: HashMap<u8, f64>,
    changes: [u32; 8],
    /// The reasons of what was touched since a task began.
    touched: HashMap<u8, u8>,
}

impl Model {
    fn is_current(&self, key: u8) -> bool {
        self.stream.get(key) == Some(&self.changes[usize::from(key)])
    }

    fn begin(&mut self, is_last: bool, pool: &TaskPool) {
        let urgency = |key| {
            let touched = self.touched.get(&key).filter(|_| self.stream.get(key).is_some());
            (touched.copied().unwrap_or_default(), self.wanted[&key].to_bits(), key)
        };
        let expected = self.stream.missing().map(urgency).min();
        assert_eq!(self.stream.next(), expected);
        let last = self.stream.missing().last().filter(|_| is_last);
        let Some(key) = last.or(expected.map(|(.., key)| key)) else { return };
        self.touched.remove(&key);
        let changes = self.changes[usize::from(key)];
        self.stream.begin(key, pool.spawn(async move { changes }));
    }

    fn receive(&mut self, key: u8) {
        while !self.stream.finished().contains(&key) {
            std::thread::yield_now();
        }
        self.stream.receive(key, |built, old| {
            assert!(old.is_none_or(|old| old < built));
            built
        });
    }

    fn apply(&mut self, step: Step, pool: &TaskPool) {
        match step {
            Step::Want(all) => {
                let before: Vec<(u8, u32)> = self.stream.ready().map(|(k, &t)| (k, t)).collect();
                let stay = |key: &u8| key.is_multiple_of(2) || self.is_current(*key);
                let staying: Vec<u8> = self.stream.begun().filter(stay).collect();
                self.wanted = staying.into_iter().map(|key| (key, f64::INFINITY)).collect();
                let all = all.into_iter().map(|(key, distance)| (key, f64::from(distance)));
                for (key, distance) in all.clone() {
                    let nearest = self.wanted.entry(key).or_insert(distance);
                    *nearest = nearest.min(distance);
                }
                let ready: HashMap<u8, u32> = before.iter().copied().collect();
                let mut gone = self.stream.want(all, |key, kept, is_current| {
                    assert_eq!(kept, ready.get(&key));
                    key.is_multiple_of(2) || is_current
                });
                let mut lost = before;
                lost.retain(|(key, _)| !self.wanted.contains_key(key));
                self.touched.retain(|key, _| self.wanted.contains_key(key));
                gone.sort_unstable();
                lost.sort_unstable();
                assert_eq!(gone, lost);
            }
            Step::Touch(key, reason) | Step::Restart(key, reason) => {
                self.changes[usize::from(key)] += 1;
                if self.stream.begun().any(|begun| begun == key) {
                    let old = self.touched.entry(key).or_insert(reason);
                    *old = reason.min(*old);
                }
                if matches!(step, Step::Touch(..)) {
                    self.stream.touch(key, reason);
                } else {
                    self.stream.restart(key, reason);
                    assert!(self.stream.building().all(|building| building != key));
                }
            }
            Step::Lose(key) => {
                let kept = self.stream.get(key).copied();
                assert_eq!(self.stream.lose(key), kept);
                assert_eq!(self.stream.get(key), None);
            }
            Step::Put(key) => {
                self.stream.put(key, self.changes[usize::from(key)]);
                self.wanted.entry(key).or_insert(f64::INFINITY);
                self.touched.remove(&key);
                assert!(self.is_current(key));
            }
            Step::Begin(is_last) => self.begin(is_last, pool),
            Step::Receive(n) => {
                let count = self.stream.building().len().max(1);
                let key = self.stream.building().nth(n % count);
                key.into_iter().for_each(|key| self.receive(key));
            }
            Step::Share(up_to) => {
                self.stream = self.stream.share(|key| key <= up_to);
                assert!(self.stream.ready().all(|(key, _)| key <= up_to));
                self.touched.clear();
            }
        }
    }

    fn check(&self) {
        let (missing, building) = (self.stream.missing(), self.stream.building());
        assert_eq!(self.stream.slots.len(), self.wanted.len());
        assert_eq!(self.stream.ready_len(), self.stream.ready().count());
        assert!(building.len() <= 8 && missing.len() + building.len() <= self.wanted.len());
        for (&key, &distance) in &self.wanted {
            assert_eq!(self.stream.distance(key), distance);
            let is_missing = self.stream.missing().any(|other| other == key);
            let is_building = self.stream.building().any(|other| other == key);
            // Just one of these.
            let states = [is_missing, is_building, self.is_current(key)];
            assert_eq!(states.into_iter().filter(|is| *is).count(), 1, "{key}: {states:?}");
            let is_ready = self.stream.get(key).is_some();
            assert_eq!(self.stream.is_stale(key), is_ready && !self.is_current(key));
        }
    }
}

proptest! {
    /// Whatever happens, each wanted tile is current, being built once, or missing; the most
    /// urgent begins first; and in the end all are current. Nothing else is kept.
    #[test]
    fn wanted_tiles_become_current(steps in prop::collection::vec(step(), 1..80)) {
        let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
        let mut model = Model::default();
        for step in steps {
            model.apply(step, pool);
            model.check();
        }
        loop {
            while model.stream.next().is_some() {
                model.begin(false, pool);
            }
            let Some(key) = model.stream.building().next() else { break };
            model.receive(key);
            model.check();
        }
        prop_assert!(model.wanted.keys().all(|&key| model.is_current(key)));
    }
}
