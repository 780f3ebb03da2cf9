//! The server: takes changes, brings them to all clients, and saves them.

mod join;
mod world;

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;
use bevy_orogeny::orogeny::edits::{Applied, Change};
use bevy_orogeny::{EditApplied, TerrainEditor, TerrainEdits};
use bevy_replicon::prelude::*;
use bevy_replicon::shared::backend::connected_client::NetworkId;

use crate::protocol::{Checksums, Player, Position, ProtocolPlugin, Reply, Request};
use crate::server::join::Guest;
use crate::server::world::World;
use crate::{ServerArgs, accept, transport};

/// How often server and clients compare their checksums.
const COMPARE: Duration = Duration::from_secs(2);

/// Whether to print JSON.
#[derive(Resource)]
struct Json(bool);

/// Builds the server.
///
/// # Errors
/// A message for the user: an address that is taken, or a file that cannot be used.
pub fn build(app: &mut App, args: &ServerArgs) -> Result<(), String> {
    let (world, log) = World::open(args)?;
    app.add_plugins(ProtocolPlugin);
    let channels = app.world().resource::<RepliconChannels>();
    let failed = |error| format!("cannot listen at {}: {error}", args.listen);
    let (server, transport, address) = transport::listen(channels, args.listen).map_err(failed)?;
    if args.json {
        println!(r#"{{"listening":"{address}"}}"#);
    } else {
        println!("The server listens at {address}, with {} edits. Ctrl+C ends it.", log.len());
    }
    app.world_mut().spawn((world.terrain(), TerrainEdits { log }));
    app.insert_resource(world)
        .insert_resource(server)
        .insert_resource(transport)
        .insert_resource(Json(args.json))
        .add_observer(join::welcome)
        .add_systems(PreUpdate, (receive, follow).after(ServerSystems::Receive))
        .add_systems(
            PostUpdate,
            (relay, world::save, join::send_parts, compare.run_if(on_timer(COMPARE)))
                .chain()
                .before(ServerSystems::Send),
        );
    Ok(())
}

fn to(client: Entity, message: Reply) -> ToClients<Reply> {
    ToClients { targets: SendTargets::Single(client.into()), message }
}

/// Takes or refuses what clients have changed.
fn receive(
    mut requests: MessageReader<FromClient<Request>>,
    mut guests: Query<(&NetworkId, &mut Guest)>,
    mut replies: MessageWriter<ToClients<Reply>>,
    mut editor: TerrainEditor,
) {
    for request in requests.read() {
        let Some(client) = request.client_id.entity() else { continue };
        let Ok((id, mut guest)) = guests.get_mut(client) else { continue };
        match &request.message {
            Request::GotPart => guest.part_has_arrived(),
            Request::Log => guest.start_again(),
            Request::Change(change) => {
                match take(&mut editor, id.get(), change) {
                    // It is sent to everybody by `relay`.
                    Ok(applied) if applied.is_new => {}
                    // It has arrived before, or somebody else was faster.
                    Ok(_) => drop(replies.write(to(client, Reply::Change(change.clone())))),
                    Err(reason) => {
                        warn!("a change of {} is refused: {reason}", id.get());
                        let time = change.time;
                        replies.write(to(client, Reply::Refused { time, reason }));
                    }
                }
            }
        }
    }
}

/// Applies the change of a client.
fn take(editor: &mut TerrainEditor, client: u64, change: &Change) -> Result<Applied, String> {
    let mut ground = editor.single().map_err(|error| error.to_string())?;
    accept::check(ground.log(), client, change)?;
    ground.apply(change.clone()).map_err(|error| error.to_string())
}

/// Follows the players.
fn follow(mut positions: MessageReader<FromClient<Position>>, mut players: Query<&mut Player>) {
    for FromClient { client_id, message: Position(position) } in positions.read() {
        if let Some(client) = client_id.entity()
            && let Ok(mut player) = players.get_mut(client)
            && position.iter().all(|x| x.is_finite())
        {
            player.position = *position;
        }
    }
}

/// Sends every change to all clients.
fn relay(mut edits: MessageReader<EditApplied>, mut replies: MessageWriter<ToClients<Reply>>) {
    for EditApplied { applied, .. } in edits.read() {
        let message = Reply::Change(applied.change.clone());
        replies.write(ToClients { targets: SendTargets::CLIENTS_ONLY, message });
    }
}

/// Sends checksums to all clients that have the log.
fn compare(
    guests: Query<(Entity, &Guest, &Player)>,
    edits: Single<&TerrainEdits>,
    world: Res<World>,
    json: Res<Json>,
    mut replies: MessageWriter<ToClients<Reply>>,
) {
    let log = &edits.log;
    for (client, guest, player) in &guests {
        if guest.has_log() {
            let place = [player.position[0], player.position[2]];
            let sums = Checksums::of(log, &world.field, place);
            replies.write(to(client, Reply::Checksums(sums)));
        }
    }
    if json.0 {
        let (clients, edits, sum) = (guests.count(), log.len(), log.checksum());
        println!(r#"{{"clients":{clients},"edits":{edits},"log":"{sum:016x}"}}"#);
    }
}
