//! A server and any number of clients that edit one terrain together, over UDP.
//!
//! ```sh
//! cargo run --release --example multiplayer -- server
//! cargo run --release --example multiplayer -- client
//! ```
//!
//! What travels is the log of edits, never ground: the same log gives the same ground, bit for bit.
//! A client shows its own edits at once and sends them. The server checks them, and sends them to
//! all clients, also to the one that made them, which then knows that the server has them. All
//! apply changes in any order, since the last change of an edit counts, by its Lamport clock. Who
//! joins gets the recipe and the log in parts. Every two seconds the server sends checksums of the
//! log and of the ground around each player. A client whose log differs asks for it again.
//!
//! protocol.rs has the messages; transport.rs opens the sockets; accept.rs decides which changes
//! the server takes. server.rs and client.rs are the two sides, view.rs and bot.rs two kinds of
//! players.

mod accept;
mod bot;
mod client;
mod protocol;
mod server;
mod transport;
mod view;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use bevy::app::ScheduleRunnerPlugin;
use bevy::log::tracing_subscriber::fmt;
use bevy::log::{DEFAULT_FILTER, LogPlugin};
use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy_orogeny::TerrainPlugins;
use clap::{Parser, Subcommand};

/// How often programs without a window update, in hertz.
const RATE: f64 = 60.0;

/// A server and clients that edit one terrain together.
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    side: Side,
}

#[derive(Subcommand)]
enum Side {
    /// Keeps the world, and passes the edits of each client on to the others.
    Server(ServerArgs),
    /// Joins a server: in a window, or headless.
    Client(ClientArgs),
}

/// The options of a server.
#[derive(clap::Args)]
pub struct ServerArgs {
    /// The address to listen on. With port 0, the system chooses a free port.
    #[arg(long, default_value = "127.0.0.1:5137")]
    listen: SocketAddr,
    /// The world's file, which is created if it does not exist. Without it, edits are lost on
    /// exit.
    #[arg(long)]
    world: Option<PathBuf>,
    /// The preset file of a new world, instead of the alpine preset.
    #[arg(long)]
    preset: Option<PathBuf>,
    /// Print events as JSON, one object per line.
    #[arg(long)]
    json: bool,
}

/// The options of a client.
#[derive(clap::Args, Clone)]
pub struct ClientArgs {
    /// The server's address.
    #[arg(long, default_value = "127.0.0.1:5137")]
    connect: SocketAddr,
    /// Run without a window, and report whether client and server agree.
    #[arg(long)]
    headless: bool,
    /// Make this many random edits, ten per second.
    #[arg(long, default_value_t = 0)]
    edits: u32,
    /// Print events as JSON, one object per line.
    #[arg(long)]
    json: bool,
}

fn main() -> AppExit {
    let mut app = App::new();
    let built = match Args::parse().side {
        Side::Server(args) => {
            headless(&mut app);
            server::build(&mut app, &args)
        }
        Side::Client(args) => {
            if args.headless {
                headless(&mut app);
            } else {
                view::build(&mut app);
            }
            client::build(&mut app, &args)
        }
    };
    match built {
        Ok(()) => app.run(),
        Err(message) => {
            eprintln!("{message}");
            AppExit::error()
        }
    }
}

/// Terrain without a window. The log goes to the standard error, reports to the standard output.
fn headless(app: &mut App) {
    let frame = Duration::from_secs_f64(1.0 / RATE);
    // Packets of a connection that has ended are errors to renetcode.
    let filter = format!("{DEFAULT_FILTER},renetcode=off");
    let log = LogPlugin {
        filter,
        fmt_layer: |_| Some(Box::new(fmt::layer().with_writer(std::io::stderr))),
        ..default()
    };
    // Nothing is loaded from files.
    let assets = AssetPlugin { watch_for_changes_override: Some(false), ..default() };
    app.add_plugins(MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(frame))).add_plugins((
        log,
        assets,
        StatesPlugin,
        TerrainPlugins,
    ));
}
