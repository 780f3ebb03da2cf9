//! The messages between server and clients.

use bevy::prelude::*;
use bevy_orogeny::orogeny::Field;
use bevy_orogeny::orogeny::edits::{Change, EditId, EditLog, EditedField, ground_checksum};
use bevy_replicon::prelude::*;
use serde::{Deserialize, Serialize};

/// The distance of the points whose heights are compared, in metres.
const SPACING: f64 = 4.0;

/// From a client. Arrives, and in order.
#[derive(Message, Clone, Debug, Serialize, Deserialize)]
pub enum Request {
    /// The client made a change.
    Change(Change),
    /// A part of the log has arrived.
    GotPart,
    /// Send the whole log.
    Log,
}

/// Where the player is, in metres from the terrain's origin. May get lost.
#[derive(Message, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Position(pub [f64; 3]);

/// From the server. Arrives, and in order.
#[derive(Message, Clone, Debug, Serialize, Deserialize)]
pub enum Reply {
    /// The log of a world follows, whose ground has this recipe, in RON.
    World { recipe: String },
    /// A part of the log.
    Part(Vec<Change>),
    /// All of the log has been sent.
    Complete,
    /// Somebody made a change, perhaps the client itself.
    Change(Change),
    /// The server does not take the client's change of this time.
    Refused { time: EditId, reason: String },
    /// What the server has after all replies so far.
    Checksums(Checksums),
}

/// Whether server and client agree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checksums {
    /// The number of edits.
    pub edits: usize,
    /// The checksum of the log.
    pub log: u64,
    /// The middle of the ground that is compared: where the server believes the player is.
    pub place: [f64; 2],
    /// The checksum of the ground.
    pub ground: u64,
}

impl Checksums {
    /// Those of a world: its log, and its ground without edits.
    pub fn of(log: &EditLog, base: &impl Field<2>, place: [f64; 2]) -> Self {
        let ground = ground_checksum(&EditedField::new(base, log.edits()), place, SPACING);
        Self { edits: log.len(), log: log.checksum(), place, ground }
    }
}

/// A player, replicated to all clients.
#[derive(Component, Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Player {
    pub author: u64,
    /// In metres from the terrain's origin.
    pub position: [f64; 3],
}

/// Registers all messages. Add it on both sides, before the sockets are opened.
pub struct ProtocolPlugin;

impl Plugin for ProtocolPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((RepliconPlugins, bevy_replicon_renet::RepliconRenetPlugins))
            .replicate::<Player>()
            .add_client_message::<Request>(Channel::Ordered)
            .add_client_message::<Position>(Channel::Unreliable)
            .add_server_message::<Reply>(Channel::Ordered)
            // They do not refer to replicated entities, so they need not wait for those.
            .make_message_independent::<Reply>();
    }
}
