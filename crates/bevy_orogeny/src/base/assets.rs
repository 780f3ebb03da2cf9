//! The one way in which terrain follows the assets that it is made of: presets, materials, images,
//! scenes and meshes.
//!
//! What is made of assets looks them up with [`AssetFollower::find`], which notes them in a
//! [`Followed`]. Whenever something happens to one of those, [`AssetFollower::update`] says so, and
//! all of them are to be looked up again: an asset may come late, change, be removed, fail to load,
//! and load after all. Nothing is looked up in frames in which nothing happened to an asset.

use core::any::TypeId;
use std::sync::Arc;

use bevy_app::App;
use bevy_asset::{
    Asset, AssetEvent, AssetLoadError, AssetPath, AssetServer, Assets, Handle, LoadState,
    UntypedAssetId, UntypedAssetLoadFailedEvent,
};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_platform::collections::{HashMap, HashSet};

use crate::base::schedule::{StreamTerrain, TerrainSystems};

/// What has happened to assets.
#[derive(Resource, Default)]
pub(crate) struct AssetChanges {
    /// The types of assets that are followed.
    types: HashSet<TypeId>,
    /// The assets that came since the last frame, and those that changed, went or failed to load.
    added: HashSet<UntypedAssetId>,
    changed: HashSet<UntypedAssetId>,
    /// The files that failed to load since the last frame.
    failed: Vec<AssetPath<'static>>,
    /// The files whose last load failed, with the type that was asked for. Of assets that were
    /// loaded before, the old ones are still there.
    failures: HashMap<AssetPath<'static>, (TypeId, Arc<AssetLoadError>)>,
}

impl AssetChanges {
    /// Why the last load of an asset failed. All that is in a file fails with it.
    fn failure(
        &self,
        path: &AssetPath<'static>,
        id: UntypedAssetId,
    ) -> Option<&Arc<AssetLoadError>> {
        let file = path.without_label().into_owned();
        let (asked_for, error) = self.failures.get(path).or_else(|| self.failures.get(&file))?;
        (path.label().is_some() || *asked_for == id.type_id()).then_some(error)
    }
}

/// The systems that collect changes, one for each type of assets.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct CollectChanges;

/// Adds what follows assets; systems that use [`AssetFollower`] run after [`read_failures`].
pub(crate) fn build(app: &mut App) {
    app.init_resource::<AssetChanges>()
        .configure_sets(StreamTerrain, CollectChanges.in_set(TerrainSystems::Adopt))
        .add_systems(
            StreamTerrain,
            (forget_changes.before(CollectChanges), read_failures.after(CollectChanges))
                .in_set(TerrainSystems::Adopt),
        );
}

/// Has a type of assets followed.
pub(crate) fn follow<A: Asset>(app: &mut App) {
    if app.world_mut().resource_mut::<AssetChanges>().types.insert(TypeId::of::<A>()) {
        let collect = collect::<A>.in_set(CollectChanges).ambiguous_with(CollectChanges);
        app.add_systems(StreamTerrain, collect);
    }
}

fn forget_changes(mut changes: ResMut<AssetChanges>) {
    if !changes.added.is_empty() || !changes.changed.is_empty() {
        changes.added.clear();
        changes.changed.clear();
        changes.failed.clear();
    }
}

fn collect<A: Asset>(
    mut events: MessageReader<AssetEvent<A>>,
    mut changes: ResMut<AssetChanges>,
    server: Res<AssetServer>,
) {
    for event in events.read() {
        let id = match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } | AssetEvent::Removed { id } => {
                id.untyped()
            }
            // The assets that it depends on have events of their own.
            AssetEvent::LoadedWithDependencies { .. } | AssetEvent::Unused { .. } => continue,
        };
        match event {
            AssetEvent::Added { .. } => changes.added.insert(id),
            _ => changes.changed.insert(id),
        };
        // What is there now counts, wherever it came from.
        if !changes.failures.is_empty()
            && let Some(path) = server.get_path(id).map(AssetPath::into_owned)
        {
            changes.failures.remove(&path.without_label().into_owned());
            changes.failures.remove(&path);
        }
    }
}

/// Reads which files failed to load in this frame. Assets that came did so in the last one.
pub(crate) fn read_failures(
    mut events: MessageReader<UntypedAssetLoadFailedEvent>,
    mut changes: ResMut<AssetChanges>,
) {
    for UntypedAssetLoadFailedEvent { id, path, error } in events.read() {
        let path = match error {
            // The others of the file are there.
            AssetLoadError::MissingLabel { .. }
            | AssetLoadError::RequestedHandleTypeMismatch { .. } => path.clone_owned(),
            // Reloading a file for the sake of what is in it fails for the file alone.
            _ => path.without_label().clone_owned(),
        };
        changes.changed.insert(*id);
        changes.failed.push(path.clone());
        changes.failures.insert(path, (id.type_id(), Arc::new(error.clone())));
    }
}

/// Why an asset is not there.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Missing {
    /// It is being loaded.
    #[error("is being loaded")]
    Loading,
    /// It could not be loaded. What follows the first line may be a backtrace.
    #[error("{}", .0.to_string().lines().next().unwrap_or_default())]
    Failed(Arc<AssetLoadError>),
    /// The game has removed it.
    #[error("was removed from the assets of the app")]
    Removed,
    /// Its handle is of no asset.
    #[error("is not among the assets of the app")]
    Unknown,
}

/// The assets that something is made of, and when each of them has changed last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Followed {
    /// The changes that were counted so far.
    changes: u64,
    assets: HashMap<UntypedAssetId, Known>,
    /// Those of the last look, which know the versions of assets that are looked up again.
    before: HashMap<UntypedAssetId, Known>,
}

/// What is known of an asset that is followed.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// The number of its last change, or of the look from which on it is followed.
    version: u64,
    /// Whether it was there at the last look.
    is_there: bool,
}

impl Followed {
    /// Begins to look up all assets again. Those that are not looked up are no longer followed.
    pub fn begin(&mut self) {
        self.before = core::mem::take(&mut self.assets);
    }

    /// The number of an asset's last change: larger than that of any change before, so the largest
    /// one of several assets changes with each of them. Of an asset that was not followed for a
    /// while nobody knows whether it has changed, so it gets a new one.
    pub fn version(&self, id: impl Into<UntypedAssetId>) -> u64 {
        self.assets.get(&id.into()).map_or(0, |known| known.version)
    }

    fn follow(&mut self, id: UntypedAssetId, is_there: bool) {
        let Self { changes, assets, before } = self;
        let known = assets.entry(id).or_insert_with(|| {
            before.get(&id).copied().unwrap_or_else(|| {
                *changes += 1;
                Known { version: *changes, is_there }
            })
        });
        known.is_there = is_there;
    }

    /// Counts changes; returns whether there are any.
    fn update(&mut self, changes: &AssetChanges) -> bool {
        let old = self.changes;
        let mut count = |id: &UntypedAssetId, counts: fn(&Known) -> bool| {
            if let Some(known) = self.assets.get_mut(id).filter(|known| counts(known)) {
                self.changes += 1;
                known.version = self.changes;
            }
        };
        // An asset that is looked up in the frame in which it is added is there, and has an event
        // in the next one.
        changes.added.iter().for_each(|id| count(id, |known| !known.is_there));
        changes.changed.iter().for_each(|id| count(id, |_| true));
        self.changes > old
    }
}

/// Looks assets up.
#[derive(SystemParam)]
pub(crate) struct AssetFollower<'w> {
    changes: Res<'w, AssetChanges>,
    server: Res<'w, AssetServer>,
}

impl AssetFollower<'_> {
    /// Whether something has happened to an asset since the last frame.
    pub fn has_changed(&self, id: impl Into<UntypedAssetId>) -> bool {
        let (id, changes) = (id.into(), &self.changes);
        changes.added.contains(&id) || changes.changed.contains(&id) || self.has_failed(id)
    }

    /// Whether something has happened to one of these assets since the last frame. Call it once a
    /// frame: it counts the changes.
    pub fn update(&self, followed: &mut Followed) -> bool {
        followed.update(&self.changes) || followed.assets.keys().any(|id| self.has_failed(*id))
    }

    /// An asset, which is followed from now on.
    pub fn find<'a, A: Asset>(
        &self,
        handle: &Handle<A>,
        assets: &'a Assets<A>,
        followed: &mut Followed,
    ) -> Result<&'a A, Missing> {
        let found = self.get(handle, assets);
        followed.follow(handle.id().untyped(), found.is_ok());
        found
    }

    /// An asset.
    ///
    /// # Errors
    /// Why it is not there; or that its file has changed, but could not be loaded any more.
    pub fn get<'a, A: Asset>(
        &self,
        handle: &Handle<A>,
        assets: &'a Assets<A>,
    ) -> Result<&'a A, Missing> {
        let id = handle.id().untyped();
        if let Some(error) = self.failure(id) {
            return Err(Missing::Failed(error.clone()));
        }
        assets.get(handle).ok_or_else(|| missing(self.server.get_load_state(id)))
    }

    /// The server, for tasks, and the path of an asset's file.
    #[cfg(all(feature = "plants", not(target_family = "wasm")))]
    pub fn file(&self, id: impl Into<UntypedAssetId>) -> Option<(AssetServer, AssetPath<'static>)> {
        let path = self.server.get_path(id)?.without_label().clone_owned();
        Some((self.server.clone(), path))
    }

    /// The path of an asset's file; empty for assets without a file.
    pub fn path(&self, id: impl Into<UntypedAssetId>) -> String {
        self.server.get_path(id).map(|path| path.to_string()).unwrap_or_default()
    }

    /// Why the last load of an asset failed.
    fn failure(&self, id: UntypedAssetId) -> Option<&Arc<AssetLoadError>> {
        if self.changes.failures.is_empty() {
            return None;
        }
        self.changes.failure(&self.server.get_path(id)?.into_owned(), id)
    }

    /// Whether the file of an asset has failed to load since the last frame.
    fn has_failed(&self, id: UntypedAssetId) -> bool {
        let failed = &self.changes.failed;
        !failed.is_empty()
            && self.server.get_path(id).is_some_and(|path| {
                failed.iter().any(|failed| *failed == path || *failed == path.without_label())
            })
    }
}

/// Why an asset is not there, by the state of its load; `None` for assets of the game's own.
fn missing(state: Option<LoadState>) -> Missing {
    match state {
        Some(LoadState::NotLoaded | LoadState::Loading) => Missing::Loading,
        Some(LoadState::Failed(error)) => Missing::Failed(error),
        Some(LoadState::Loaded) => Missing::Removed,
        None => Missing::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use bevy_app::TaskPoolPlugin;
    use bevy_asset::{AssetApp, AssetPlugin};
    use bevy_ecs::system::RunSystemOnce;
    use orogeny::{Node, Recipe};

    use super::*;
    use crate::base::schedule;
    use crate::terrain::preset::Preset;

    fn app() -> App {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default()));
        schedule::build(&mut app);
        build(&mut app);
        app.init_asset::<Preset>();
        follow::<Preset>(&mut app);
        app.update();
        app
    }

    fn preset() -> Preset {
        Preset(Recipe::new(1, 1.0, Node::Constant(0.0)))
    }

    fn assets(app: &mut App) -> Mut<'_, Assets<Preset>> {
        app.world_mut().resource_mut::<Assets<Preset>>()
    }

    /// Looks an asset up.
    fn look(app: &mut App, handle: &Handle<Preset>, followed: &mut Followed) -> Option<Missing> {
        let (handle, mut now) = (handle.clone(), followed.clone());
        let find = move |follower: AssetFollower, assets: Res<Assets<Preset>>| {
            now.begin();
            (follower.find(&handle, &assets, &mut now).err(), now.clone())
        };
        let (missing, now) = app.world_mut().run_system_once(find).unwrap();
        *followed = now;
        missing
    }

    /// Whether an event of the last frame is of these assets.
    fn update(app: &mut App, followed: &mut Followed) -> bool {
        app.update();
        app.update();
        let mut now = followed.clone();
        let update = move |follower: AssetFollower| (follower.update(&mut now), now.clone());
        let (has_changed, now) = app.world_mut().run_system_once(update).unwrap();
        *followed = now;
        has_changed
    }

    #[test]
    fn assets_come_change_go_and_come_back() {
        let mut app = app();
        let mut followed = Followed::default();
        let handle = assets(&mut app).reserve_handle();
        assert!(matches!(look(&mut app, &handle, &mut followed), Some(Missing::Unknown)));
        assert!(!update(&mut app, &mut followed));
        for version in 1..4 {
            assets(&mut app).insert(&handle, preset()).unwrap();
            assert!(update(&mut app, &mut followed), "it came");
            assert!(look(&mut app, &handle, &mut followed).is_none());
            *assets(&mut app).get_mut(&handle).unwrap() = preset();
            assert!(update(&mut app, &mut followed), "it changed");
            assets(&mut app).remove(&handle);
            assert!(update(&mut app, &mut followed), "it went");
            assert!(look(&mut app, &handle, &mut followed).is_some());
            // The first look was a change, too.
            assert_eq!(followed.version(&handle), 1 + 3 * version);
        }
    }

    /// Each change of one of several assets is seen in the largest version, also while another one
    /// is missing, so that the look ends at that.
    #[test]
    fn versions_never_come_back() {
        let mut app = app();
        let mut followed = Followed::default();
        let [a, b] = [0, 1].map(|_| assets(&mut app).add(preset()));
        let mut seen = Vec::new();
        let mut note = |app: &mut App, followed: &mut Followed| {
            // Both, unless the first one is missing.
            let (handles, mut now) = ([a.clone(), b.clone()], followed.clone());
            let find = move |follower: AssetFollower, assets: Res<Assets<Preset>>| {
                now.begin();
                let all = handles.iter().all(|it| follower.find(it, &assets, &mut now).is_ok());
                (all, now.clone())
            };
            let (all, now) = app.world_mut().run_system_once(find).unwrap();
            *followed = now;
            let version = followed.version(&a).max(followed.version(&b));
            assert!(!all || !seen.contains(&version), "{version} is among {seen:?}");
            seen.push(version);
        };
        note(&mut app, &mut followed);
        for _ in 0..2 {
            *assets(&mut app).get_mut(&b).unwrap() = preset();
            update(&mut app, &mut followed);
            note(&mut app, &mut followed);
        }
        for b_changes in [false, true] {
            assets(&mut app).remove(&a);
            update(&mut app, &mut followed);
            note(&mut app, &mut followed);
            if b_changes {
                *assets(&mut app).get_mut(&b).unwrap() = preset();
                update(&mut app, &mut followed);
            }
            assets(&mut app).insert(&a, preset()).unwrap();
            update(&mut app, &mut followed);
            note(&mut app, &mut followed);
        }
    }

    /// Its event comes in the frame after it was looked up.
    #[test]
    fn an_asset_that_is_there_does_not_come_again() {
        let mut app = app();
        let mut followed = Followed::default();
        let handle = assets(&mut app).add(preset());
        assert!(look(&mut app, &handle, &mut followed).is_none());
        assert!(!update(&mut app, &mut followed));
        // Others do not count.
        let other = assets(&mut app).add(preset());
        assert!(!update(&mut app, &mut followed));
        // What is not looked up any more does not, either.
        look(&mut app, &other, &mut followed);
        assets(&mut app).remove(&handle);
        assert!(!update(&mut app, &mut followed));
    }
}
