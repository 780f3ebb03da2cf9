//! A server and clients as processes of their own, over connections that lose packets and bring
//! them in another order.

#[path = "../../multiplayer/accept.rs"]
mod accept;
mod processes;
mod proxy;
mod refusals;

use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use processes::Process;
use proxy::Proxy;

/// How long everything may take. It takes some twenty seconds.
const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until all clients have made their edits, and report that they have the log and the ground
/// of the server. Returns the server's report.
#[track_caller]
fn wait_until_they_agree(server: &Process, clients: &[&Process]) -> Value {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let theirs = server.last();
        let agree = |client: &&Process| {
            let ours = client.last();
            ours["agrees"] == true && ours["made"] == true && ours["log"] == theirs["log"]
        };
        if theirs["log"].is_string() && clients.iter().all(agree) {
            return theirs;
        }
        let lines: Vec<_> = clients.iter().map(|client| client.last()).collect();
        assert!(Instant::now() < deadline, "server {theirs}, clients {lines:?}");
        sleep(Duration::from_millis(100));
    }
}

#[test]
fn two_clients_converge_over_a_bad_network() {
    let server = Process::server(&[]);
    let bad = Proxy::to(server.address(), 0.1);
    let clients = [0, 1].map(|_| Process::client(bad.address(), &["--edits", "60"]));
    let all = wait_until_they_agree(&server, &[&clients[0], &clients[1]]);
    assert!(all["edits"].as_u64() > Some(50), "{all}");
    let (lost, delayed) = bad.counts();
    println!("{all}, {lost} packets lost, {delayed} delayed");
    assert!(lost > 20 && delayed > 20);
    // Who comes late gets the same log.
    let late = Process::client(bad.address(), &[]);
    wait_until_they_agree(&server, &[&clients[0], &clients[1], &late]);
}

#[test]
fn clients_survive_a_restart_of_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let world = folder.path().join("shared.world");
    let world = world.to_str().unwrap();
    let server = Process::server(&["--world", world]);
    let address = server.address();
    let client = Process::client(address, &["--edits", "30"]);
    let before = wait_until_they_agree(&server, &[&client]);
    drop(server);
    let server = Process::server(&["--world", world, "--listen", &address.to_string()]);
    assert_eq!(server.address(), address);
    let after = wait_until_they_agree(&server, &[&client]);
    assert_eq!(before["log"], after["log"]);
    // A server with another world: the client takes that one.
    drop(server);
    let server = Process::server(&["--listen", &address.to_string()]);
    let empty = wait_until_they_agree(&server, &[&client]);
    assert!(before["edits"].as_u64() > Some(0) && empty["edits"].as_u64() == Some(0));
}

#[test]
fn bad_arguments_are_explained() {
    for (arguments, expected) in [
        (&["server", "--listen", "192.0.2.1:5000"][..], "cannot listen at 192.0.2.1:5000"),
        (&["server", "--preset", "no-such-file.ron"], "no-such-file.ron"),
        (&["server", "--world", "/no/such/folder/a.world"], "/no/such/folder/a.world"),
    ] {
        let output = processes::program().args(arguments).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && message.contains(expected), "{message}");
        assert!(!message.contains("panicked"), "{message}");
    }
}
