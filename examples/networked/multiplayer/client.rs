//! A client: shows its own changes at once, and takes those of the others from the server.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;
use bevy_orogeny::advanced::EditAuthor;
use bevy_orogeny::orogeny::edits::{Change, EditLog};
use bevy_orogeny::orogeny::{DataError, Recipe};
use bevy_orogeny::{EditApplied, Terrain, TerrainEdits};
use bevy_replicon::prelude::*;
use bevy_replicon_renet::RenetClient;
use bevy_replicon_renet::netcode::NetcodeClientTransport;

use crate::bot::{self, Bot};
use crate::protocol::{Checksums, Position, ProtocolPlugin, Reply, Request};
use crate::{ClientArgs, transport};

/// How long to wait before connecting again.
const RETRY: Duration = Duration::from_secs(3);
/// How often the server hears where the player is.
const POSITION: Duration = Duration::from_millis(100);

/// What this client knows about the server.
#[derive(Resource)]
pub struct Session {
    args: ClientArgs,
    author: u64,
    /// The changes of this client that the server has not confirmed.
    pub unconfirmed: Vec<Change>,
    /// What has arrived of the log, while it arrives.
    arriving: Option<(Recipe, Vec<Change>)>,
    /// Whether the log is complete and the connection stands.
    pub has_joined: bool,
    /// Where the player is, in metres from the terrain's origin.
    pub position: [f64; 3],
    /// What to tell the user.
    pub status: String,
    retry_at: Duration,
}

/// Builds a client.
///
/// # Errors
/// A message for the user.
pub fn build(app: &mut App, args: &ClientArgs) -> Result<(), String> {
    // Two clients must not have the same number, wherever they run.
    let author = rand::random();
    app.add_plugins(ProtocolPlugin)
        .insert_resource(EditAuthor(author))
        .insert_resource(Session {
            args: args.clone(),
            author,
            unconfirmed: Vec::new(),
            arriving: None,
            has_joined: false,
            position: [0.0; 3],
            status: String::new(),
            retry_at: Duration::ZERO,
        })
        .add_systems(PreUpdate, receive.after(ClientSystems::Receive))
        .add_systems(OnExit(ClientState::Connected), lose_connection)
        .add_systems(Update, connect.run_if(in_state(ClientState::Disconnected)))
        .add_systems(
            PostUpdate,
            (send_changes, send_position.run_if(on_timer(POSITION))).before(ClientSystems::Send),
        );
    bot::build(app, author, args.edits);
    Ok(())
}

/// Connects, and connects again after the connection was lost.
fn connect(
    mut commands: Commands,
    mut session: ResMut<Session>,
    channels: Res<RepliconChannels>,
    time: Res<Time<Real>>,
) {
    if time.elapsed() < session.retry_at {
        return;
    }
    session.retry_at = time.elapsed() + RETRY;
    session.status = format!("connecting to {}", session.args.connect);
    match transport::connect(&channels, session.args.connect, session.author) {
        Ok((client, transport)) => {
            commands.remove_resource::<RenetClient>();
            commands.remove_resource::<NetcodeClientTransport>();
            commands.insert_resource(client);
            commands.insert_resource(transport);
        }
        Err(error) => session.status = format!("cannot connect: {error}"),
    }
}

/// The terrain stays, and can be edited until the connection is back.
fn lose_connection(mut session: ResMut<Session>) {
    session.has_joined = false;
    session.arriving = None;
    session.status = "the connection is lost".into();
    warn!("{}", session.status);
}

/// What the replies of the server change.
#[derive(SystemParam)]
struct Client<'w, 's> {
    session: ResMut<'w, Session>,
    requests: MessageWriter<'w, Request>,
    terrains: Query<'w, 's, (&'static mut Terrain, &'static mut TerrainEdits)>,
    bot: Res<'w, Bot>,
    commands: Commands<'w, 's>,
}

/// Applies what the server sends. What is not valid, perhaps from another version, is skipped.
fn receive(mut replies: MessageReader<Reply>, mut client: Client) {
    for reply in replies.read() {
        if let Err(error) = client.take(reply) {
            client.session.status = format!("cannot use what the server sends: {error}");
            warn!("{}", client.session.status);
        }
    }
}

impl Client<'_, '_> {
    fn take(&mut self, reply: &Reply) -> Result {
        let Self { session, requests, terrains, bot, commands } = self;
        match reply {
            Reply::World { recipe } => {
                session.arriving = Some((Recipe::from_ron(recipe)?, Vec::new()));
            }
            Reply::Part(part) => {
                requests.write(Request::GotPart);
                if let Some((_, changes)) = &mut session.arriving {
                    changes.extend_from_slice(part);
                    session.status = format!("{} edits have arrived", changes.len());
                }
            }
            Reply::Complete => {
                let Some((recipe, log)) = session.complete()? else { return Ok(()) };
                if let Ok((mut terrain, mut edits)) = terrains.single_mut() {
                    terrain.set_if_neq(Terrain::recipe(recipe));
                    edits.log = log;
                } else {
                    commands.spawn((Terrain::recipe(recipe), TerrainEdits { log }));
                }
                // Some may have been lost with an old connection.
                requests.write_batch(session.unconfirmed.iter().cloned().map(Request::Change));
            }
            Reply::Change(change) => {
                session.confirm(change);
                if let Ok((_, mut edits)) = terrains.single_mut() {
                    edits.log.apply(change.clone())?;
                }
            }
            Reply::Refused { time, reason } => {
                session.status = format!("an edit is refused: {reason}");
                warn!("{}", session.status);
                session.unconfirmed.retain(|change| change.time != *time);
                // A log cannot forget a change, so it is replaced.
                requests.write(Request::Log);
            }
            Reply::Checksums(theirs) => {
                if let Ok((terrain, edits)) = terrains.single()
                    && session.has_joined
                    // What the server does not have cannot be in its checksum.
                    && session.unconfirmed.is_empty()
                {
                    let ours = Checksums::of(&edits.log, &terrain.build()?, theirs.place);
                    session.report(&ours, theirs, bot.left == 0);
                    if ours.log != theirs.log {
                        requests.write(Request::Log);
                    }
                }
            }
        }
        Ok(())
    }
}

impl Session {
    /// A system that tells the error of another one, so that it does not end the program.
    pub fn tell(In(done): In<Result>, mut session: ResMut<Self>) {
        if let Err(error) = done {
            session.status = error.to_string().trim_end().into();
            warn!("{}", session.status);
        }
    }

    /// The recipe and the log that have arrived, with the changes that the server does not have.
    fn complete(&mut self) -> Result<Option<(Recipe, EditLog)>, DataError> {
        let Some((recipe, mut changes)) = self.arriving.take() else { return Ok(None) };
        changes.extend(self.unconfirmed.iter().cloned());
        self.has_joined = true;
        self.status = format!("joined, {} changes", changes.len());
        Ok(Some((recipe, EditLog::from_changes(changes)?)))
    }

    fn confirm(&mut self, change: &Change) {
        self.unconfirmed.retain(|own| own.time != change.time);
        // While the log arrives, later changes arrive as well.
        if let Some((_, changes)) = &mut self.arriving {
            changes.push(change.clone());
        }
    }

    /// Reports whether both sides agree, and whether this client has made all its random edits.
    fn report(&mut self, ours: &Checksums, theirs: &Checksums, made: bool) {
        let Checksums { edits, log, ground, .. } = ours;
        let agrees = ours == theirs;
        self.status = if agrees {
            format!("agrees with the server: {edits} edits")
        } else if *log != theirs.log {
            "has another log than the server, and asks for it".into()
        } else {
            "has other ground than the server: is it the same version?".into()
        };
        if self.args.json {
            let (log, ground) = (format!("{log:016x}"), format!("{ground:016x}"));
            let report = serde_json::json!({
                "agrees": agrees, "made": made, "edits": edits, "log": log, "ground": ground,
            });
            println!("{report}");
        } else if !agrees {
            warn!("this client {}", self.status);
        } else if self.args.headless {
            info!("this client {}", self.status);
        }
    }
}

/// Sends the changes that were made here.
fn send_changes(
    mut edits: MessageReader<EditApplied>,
    mut session: ResMut<Session>,
    mut requests: MessageWriter<Request>,
) {
    for EditApplied { applied, .. } in edits.read() {
        session.unconfirmed.push(applied.change.clone());
        if session.has_joined {
            requests.write(Request::Change(applied.change.clone()));
        }
    }
}

fn send_position(session: Res<Session>, mut positions: MessageWriter<Position>) {
    if session.has_joined {
        positions.write(Position(session.position));
    }
}
