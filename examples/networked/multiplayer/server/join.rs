//! Joining: the log is sent in parts, no faster than they arrive.

use bevy::prelude::*;
use bevy_orogeny::TerrainEdits;
use bevy_orogeny::orogeny::edits::EditId;
use bevy_replicon::prelude::*;
use bevy_replicon::shared::backend::connected_client::NetworkId;

use crate::protocol::{Player, Reply};
use crate::server::to;
use crate::server::world::World;

/// Parts have about as many bytes. Most edits need fewer than 64.
const PART: usize = 16 * 1024;
/// How many parts may be on their way: with more, a slow connection would run out of memory.
const MAX_ON_THE_WAY: u32 = 8;

/// A client, and how much of the log it was sent.
#[derive(Component, Default)]
pub struct Guest {
    sent: Sent,
    on_the_way: u32,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Sent {
    /// Nothing, not even the recipe.
    #[default]
    Nothing,
    /// The edits up to this one.
    Until(Option<EditId>),
    All,
}

impl Guest {
    pub fn part_has_arrived(&mut self) {
        self.on_the_way = self.on_the_way.saturating_sub(1);
    }

    /// Sends everything once more.
    pub fn start_again(&mut self) {
        self.sent = Sent::Nothing;
    }

    pub fn has_log(&self) -> bool {
        self.sent == Sent::All
    }
}

/// Greets a client of the same protocol.
pub fn welcome(added: On<Add, AuthorizedClient>, ids: Query<&NetworkId>, mut commands: Commands) {
    // It may have left again.
    let Ok(author) = ids.get(added.entity).map(NetworkId::get) else { return };
    info!("{author} joins");
    let player = Player { author, ..default() };
    commands.entity(added.entity).try_insert((Guest::default(), player, Replicated));
}

/// Sends the next parts of the log to those who join. Changes that are made meanwhile are sent to
/// them as to all others, so it does not matter that the log changes between two parts.
pub fn send_parts(
    mut guests: Query<(Entity, &mut Guest)>,
    edits: Single<&TerrainEdits>,
    world: Res<World>,
    mut replies: MessageWriter<ToClients<Reply>>,
) {
    for (client, mut guest) in &mut guests {
        if guest.sent == Sent::Nothing {
            replies.write(to(client, Reply::World { recipe: world.text.clone() }));
            guest.sent = Sent::Until(None);
        }
        while let Sent::Until(last) = guest.sent
            && guest.on_the_way < MAX_ON_THE_WAY
        {
            let mut bytes = 0;
            let part: Vec<_> = edits
                .log
                .changes_after(last)
                .take_while(|change| {
                    let fits = bytes < PART;
                    bytes += postcard::experimental::serialized_size(change).unwrap_or(PART);
                    fits
                })
                .collect();
            let Some(newest) = part.last() else {
                replies.write(to(client, Reply::Complete));
                guest.sent = Sent::All;
                continue;
            };
            guest.sent = Sent::Until(Some(newest.id));
            guest.on_the_way += 1;
            replies.write(to(client, Reply::Part(part)));
        }
    }
}
